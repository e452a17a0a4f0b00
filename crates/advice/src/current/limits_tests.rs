use super::*;
use ebs_samples::evidence::Member;

fn is_known(media: &[Medium], volume_type: Option<VolumeType>) -> bool {
    let member = |medium: &Medium| Member { device: "nvme1n1".into(), medium: medium.clone() };
    let volume = Volume { members: media.iter().map(member).collect(), ..Volume::default() };
    let config = |volume_type| {
        let (size_gib, iops, throughput_mibps) = (500, 500, 125);
        (VolumeConfig { platform: Platform::Ec2, volume_type, size_gib, iops, throughput_mibps }, 1)
    };
    let configs: Vec<(VolumeConfig, u64)> = volume_type.into_iter().map(config).collect();
    is_ebs_ssd(std::iter::once(&volume), &configs)
}

/// An imported disk without an id may be a hard disk or a network file system; a declared type counts before all else.
#[test]
fn published_latencies_bound_those_of_ebs_volumes_alone() {
    let ebs = || Medium::Ebs("vol-1".to_owned());
    assert!(is_known(&[ebs(), ebs()], None) && !is_known(&[ebs(), Medium::Unknown], None));
    assert!(!is_known(&[], None) && !is_known(&[Medium::InstanceStore], None));
    assert!(is_known(&[], Some(VolumeType::Gp3)) && !is_known(&[ebs()], Some(VolumeType::St1)));
}
