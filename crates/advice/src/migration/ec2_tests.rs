use super::*;
use crate::migration::tests::target;
use ebs_aws::catalogue::{Platform, VolumeType};
use ebs_samples::evidence::{Member, Role};

fn config(volume_type: VolumeType, gib: u64, iops: Option<u64>) -> VolumeConfig {
    VolumeConfig::new(Platform::Ec2, volume_type, gib, iops, None).unwrap()
}

fn attached(config: Option<VolumeConfig>) -> Attached {
    let volume = AttachedVolume { id: Some("vol-0abc".to_owned()), config };
    Attached { volumes: vec![volume], filesystem_gib: Some(100) }
}

/// The change of a volume that only its id names, as samples of CloudWatch do.
fn planned(current: Option<VolumeConfig>, config: VolumeConfig) -> Procedure {
    let volume = Volume {
        device: "vol-0abc".to_owned(),
        roles: vec![Role::Data],
        members: vec![Member::from_ebs_volume_id("vol-0abc")],
        ..Volume::default()
    };
    plan(&volume, Some(&attached(current)), &target(config))
}

/// gp2 and io1 have at most 16,384 GiB, magnetic volumes 1,024.
#[test]
fn a_type_that_has_no_such_size_is_no_way_back() {
    use VolumeType::{Gp2, Gp3, Io1, Io2, Standard};
    for (current, gib, is_possible) in [
        (config(Gp2, 16_000, None), 18_750, false),
        (config(Gp2, 16_000, None), 16_384, true),
        (config(Io1, 16_000, Some(5_000)), 16_385, false),
        (config(Standard, 100, None), 2_000, false),
        (config(Standard, 100, None), 1_024, true),
        (config(Io2, 16_000, Some(5_000)), 18_750, true),
    ] {
        let found = planned(Some(current), config(Gp3, gib, None));
        assert_eq!(!found.rollback.lines.is_empty(), is_possible, "{current:?} {gib}");
        let rule = if is_possible { MigrationRule::SizeOnlyGrows } else { MigrationRule::GrowthWithoutRollback };
        assert!(found.rules.contains(&rule), "{found:?}");
    }
    let stays = planned(Some(config(Gp2, 100, None)), config(Gp3, 100, None));
    assert_eq!(stays.rollback.lines, ["aws ec2 modify-volume --volume-id vol-0abc --volume-type gp2"]);
}

/// No disk is called like the id: NVMe volumes have a link with it.
#[test]
fn the_disk_of_a_volume_is_found_by_its_id_before_it_grows() {
    let found = planned(None, config(VolumeType::Gp3, 200, None));
    let script = found.change.lines.join("\n");
    let by_id = "for disk in /dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0abc; do\n";
    assert_eq!(script.matches(by_id).count(), 2, "{script}");
    assert!(!script.contains("/dev/vol-") && !found.change.unknown.contains(&Unknown::VolumeId(None)), "{script}");
    // LVM may be on it.
    assert!(script.contains("sudo pvresize ") && script.contains("sudo lvextend --extents +100%FREE "), "{script}");
    let [check, modify] = ["[ -e \"$disk\" ] || ", "aws ec2 modify-volume"].map(|line| script.find(line).unwrap());
    assert!(check < modify && script.contains("disk=$(realpath \"$disk\")"), "{script}");
}

#[test]
fn names_of_devices_and_volumes_run_nothing() {
    let hostile = Volume { device: "x; reboot".to_owned(), roles: vec![Role::Data], ..Volume::default() };
    let seen = AttachedVolume { id: Some("$(reboot)".to_owned()), config: None };
    let now = Attached { volumes: vec![seen], filesystem_gib: Some(10) };
    let script = plan(&hostile, Some(&now), &target(config(VolumeType::Gp3, 100, None))).change.lines.join("\n");
    assert!(
        script.contains("--volume-id '$(reboot)'") && script.contains("for disk in '/dev/x; reboot'; do"),
        "{script}"
    );
}
