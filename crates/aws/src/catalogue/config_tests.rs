use super::*;
use VolumeType::{Gp2, Gp3, Io1, Io2};

fn check(volume_type: VolumeType, size: u64, iops: Option<u64>, mibps: Option<u64>) -> Result<(u64, u64), String> {
    VolumeConfig::new(Platform::Ec2, volume_type, size, iops, mibps)
        .map(|v| (v.iops, v.throughput_mibps))
        .map_err(|e| e.to_string())
}

#[test]
fn what_is_left_out_is_what_the_type_includes() {
    assert_eq!(check(Gp3, 1, None, None), Ok((3_000, 125)));
    // ebs.md 1.3: 100 IOPS up to 33 GiB, 16,000 from 5,334 GiB; 128 MiB/s without credits below 334 GiB.
    assert_eq!(check(Gp2, 33, None, None), Ok((100, 128)));
    assert_eq!(check(Gp2, 334, None, None), Ok((1_002, 250)));
    assert_eq!(check(Gp2, 5_333, None, None), Ok((15_999, 250)));
    assert_eq!(check(Gp2, 5_334, None, None), Ok((16_000, 250)));
    assert_eq!(check(Gp2, 16_384, None, None), Ok((16_000, 250)));
    assert_eq!(check(Io1, 100, Some(2_000), None), Ok((2_000, 500)));
    assert_eq!(check(Io1, 1_280, Some(32_000), None), Ok((32_000, 500)));
    assert_eq!(check(Io1, 1_280, Some(48_000), None), Ok((48_000, 750)));
    assert_eq!(check(Io1, 1_280, Some(64_000), None), Ok((64_000, 1_000)));
    assert_eq!(check(Io2, 16, Some(16_000), None), Ok((16_000, 4_000)));
    assert_eq!(check(Io2, 256, Some(256_000), None), Ok((256_000, 4_000)));
}

#[test]
fn what_aws_refuses_is_refused_with_the_nearest_legal_figure() {
    let refused = |t, s, i, m| check(t, s, i, m).unwrap_err();
    assert_eq!(refused(Gp3, 65_537, None, None), "size_gib 65537 is out of range for gp3: 1 to 65536");
    assert_eq!(refused(Gp3, 1_000, Some(80_001), None), "iops 80001 is out of range for gp3: 3000 to 80000");
    assert_eq!(refused(Gp3, 1, Some(3_001), None), "3001 IOPS need at least 7 GiB on gp3 (500 IOPS per GiB), not 1");
    assert_eq!(
        refused(Gp3, 100, None, Some(1_000)),
        "1000 MiB/s need at least 4000 IOPS on gp3 (0.25 MiB/s per IOPS), not 3000"
    );
    assert_eq!(
        refused(Io1, 100, Some(5_001), None),
        "5001 IOPS need at least 101 GiB on io1 (50 IOPS per GiB), not 100"
    );
    assert_eq!(refused(Gp2, 100, Some(3_000), None), "iops of gp2 cannot be chosen: 100 GiB give 300");
    assert_eq!(
        refused(Io2, 100, Some(10_000), Some(4_000)),
        "throughput_mibps of io2 cannot be chosen: 10000 IOPS give 2560"
    );
}

#[test]
fn the_edges_of_every_ratio_are_legal() {
    assert!(check(Gp3, 160, Some(80_000), Some(2_000)).is_ok());
    assert!(check(Gp3, 16, Some(8_000), Some(2_000)).is_ok());
    assert!(check(Gp3, 15, Some(8_000), Some(2_000)).is_err());
    assert!(check(Io1, 1_280, Some(64_000), None).is_ok());
    assert!(check(Io1, 4, Some(200), None).is_ok());
    assert!(check(Io2, 4, Some(4_000), None).is_ok());
    assert!(check(Io2, 255, Some(256_000), None).is_err());
}
