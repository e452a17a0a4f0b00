use super::*;
use ebs_aws::catalogue::VolumeType;
use ebs_workload::attached::AttachedVolume;

fn config(platform: Platform, volume_type: VolumeType, gib: u64, iops: Option<u64>) -> VolumeConfig {
    VolumeConfig::new(platform, volume_type, gib, iops, None).unwrap()
}

/// The change of an instance on io1 of 400 GiB with 12,000 IOPS and a dedicated log volume.
fn from_io1_with_log_volume(config: VolumeConfig) -> Procedure {
    let now = VolumeConfig::new(Platform::Rds, VolumeType::Io1, 400, Some(12_000), None).unwrap();
    let attached = Attached { volumes: vec![AttachedVolume { id: None, config: Some(now) }], filesystem_gib: None };
    let target = MigrationTarget {
        config,
        volumes: 1,
        size_known: true,
        instance: Some("r6g.4xlarge"),
        database: Some("mydb"),
        has_log_volume: true,
        is_multi_attach: false,
        role: "data+wal",
    };
    plan(Some(&attached), &target)
}

fn joined(script: &Script) -> String {
    script.lines.join("\n").replace(" \\\n   ", "")
}

/// The storage stays at 400 GiB, so that nothing is copied to another stripe.
#[test]
fn a_log_volume_is_removed_with_io1_and_comes_back_with_it() {
    let found = from_io1_with_log_volume(config(Platform::RdsMultiAz, VolumeType::Gp3, 400, None));
    let begin = "aws rds modify-db-instance --db-instance-identifier mydb --storage-type";
    let change =
        format!("{begin} gp3 --iops 12000 --storage-throughput 500 --no-dedicated-log-volume --apply-immediately");
    assert_eq!(joined(&found.change), change);
    assert_eq!(joined(&found.rollback), format!("{begin} io1 --iops 12000 --dedicated-log-volume --apply-immediately"));
    assert_eq!([found.change.unknown, found.rollback.unknown], [vec![], vec![]]);
    assert_eq!(found.rules, [MigrationRule::RdsNextChange, MigrationRule::RdsLogVolumeCopy]);
    assert!(MigrationRule::RdsLogVolumeCopy.source().ends_with("USER_PIOPS.dlv.html"));
}

#[test]
fn a_log_volume_stays_beside_io1_and_io2() {
    for volume_type in [VolumeType::Io1, VolumeType::Io2] {
        let found = from_io1_with_log_volume(config(Platform::Rds, volume_type, 400, Some(4_000)));
        let begin =
            format!("aws rds modify-db-instance --db-instance-identifier mydb --storage-type {}", volume_type.name());
        assert_eq!(joined(&found.change), format!("{begin} --iops 4000 --apply-immediately"));
        assert!(!joined(&found.rollback).contains("log-volume"), "{found:?}");
        assert!(!found.rules.contains(&MigrationRule::RdsLogVolumeCopy), "{found:?}");
    }
}

/// `modify-db-cluster` has no such option.
#[test]
fn a_cluster_has_no_log_volume() {
    let found = from_io1_with_log_volume(config(Platform::RdsCluster, VolumeType::Gp3, 400, None));
    assert!(joined(&found.change).starts_with("aws rds modify-db-cluster ") && !found.rules.is_empty(), "{found:?}");
    assert!(![found.change, found.rollback].iter().any(|script| joined(script).contains("log-volume")));
}
