use super::*;
use ebs_aws::catalogue::{IopsRule, MibpsRule, VolumeType};
use ebs_workload::attached::AttachedVolume;
use proptest::prelude::*;

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
        deployment: None,
        max_allocated_gib: None,
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
    let change = format!(
        "{begin} gp3 --allocated-storage 400 --iops 12000 --storage-throughput 500 --no-dedicated-log-volume --apply-immediately"
    );
    assert_eq!(joined(&found.change), change);
    assert_eq!(
        joined(&found.rollback),
        format!("{begin} io1 --allocated-storage 400 --iops 12000 --dedicated-log-volume --apply-immediately")
    );
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
        assert_eq!(joined(&found.change), format!("{begin} --allocated-storage 400 --iops 4000 --apply-immediately"));
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

/// The present size would be accepted, a larger one is not.
#[test]
fn a_type_that_has_no_such_size_is_no_way_back() {
    let now = VolumeConfig {
        volume_type: VolumeType::Standard,
        iops: 100,
        ..config(Platform::Rds, VolumeType::Gp2, 100, None)
    };
    let planned = |gib| planned(now, config(Platform::Rds, VolumeType::Gp3, gib, None), |_| ());
    assert!(joined(&planned(100).rollback).contains("--storage-type standard "), "{:?}", planned(100));
    let grown = planned(200);
    assert!(grown.rollback.lines.is_empty() && !grown.change.lines.is_empty(), "{grown:?}");
    assert!(grown.rules.contains(&MigrationRule::RdsGrowthWithoutRollback), "{grown:?}");
}

fn planned(now: VolumeConfig, config: VolumeConfig, target: impl FnOnce(&mut MigrationTarget)) -> Procedure {
    let attached = Attached { volumes: vec![AttachedVolume { id: None, config: Some(now) }], filesystem_gib: None };
    let mut changed = MigrationTarget {
        config,
        volumes: 1,
        size_known: true,
        instance: Some("r6g.4xlarge"),
        database: Some("mydb"),
        deployment: Some(now.platform),
        max_allocated_gib: None,
        has_log_volume: false,
        is_multi_attach: false,
        role: "data+wal",
    };
    target(&mut changed);
    plan(Some(&attached), &changed)
}

/// The storage alone would stay as it is.
#[test]
fn a_standby_is_added_and_removed_by_the_same_command() {
    let gp3 = |platform| config(platform, VolumeType::Gp3, 400, None);
    let found = planned(gp3(Platform::Rds), gp3(Platform::RdsMultiAz), |_| ());
    assert!(joined(&found.change).ends_with(" --multi-az --apply-immediately"), "{found:?}");
    assert!(joined(&found.rollback).ends_with(" --no-multi-az --apply-immediately"), "{found:?}");
    assert!(found.rules.contains(&MigrationRule::Rds(RdsRule::Standby { is_added: true })), "{found:?}");
    let back = planned(gp3(Platform::RdsMultiAz), gp3(Platform::Rds), |_| ());
    assert!(
        joined(&back.change).contains(" --no-multi-az ") && joined(&back.rollback).contains(" --multi-az "),
        "{back:?}"
    );
    // Without a configuration the deployment is that of the request.
    let unknown = planned(gp3(Platform::Rds), gp3(Platform::RdsMultiAz), |target| target.deployment = None);
    assert_eq!(unknown, Procedure::default());
}

#[test]
fn an_instance_is_no_cluster_and_a_cluster_no_instance() {
    let gp3 = |platform| config(platform, VolumeType::Gp3, 400, None);
    for (now, then, command) in [
        (Platform::Rds, Platform::RdsCluster, "aws rds create-db-cluster "),
        (Platform::RdsMultiAz, Platform::RdsCluster, "aws rds create-db-cluster "),
        (Platform::RdsCluster, Platform::Rds, "aws rds create-db-instance "),
        (Platform::RdsCluster, Platform::RdsMultiAz, "aws rds create-db-instance "),
    ] {
        let found = planned(gp3(now), gp3(then), |_| ());
        assert!(joined(&found.change).starts_with(command) && found.rollback.lines.is_empty(), "{found:?}");
        assert_eq!(found.rules, [MigrationRule::Rds(RdsRule::OtherDeployment)]);
    }
}

/// A tenth more than 60,000 GiB are 66,000; of 59,578 it is 65,536, the largest.
#[test]
fn storage_that_no_tenth_more_is_left_for_does_not_grow() {
    let gp3 = |gib| config(Platform::Rds, VolumeType::Gp3, gib, None);
    let gp2 = |gib| config(Platform::Rds, VolumeType::Gp2, gib, None);
    let found = planned(gp2(60_000), gp3(65_536), |_| ());
    assert!(found.change.lines.is_empty() && found.rollback.lines.is_empty(), "{found:?}");
    assert_eq!(found.rules, [MigrationRule::Rds(RdsRule::CannotGrow { current_gib: 60_000 })]);
    let grown = planned(gp2(59_578), gp3(65_536), |_| ());
    assert_eq!(parameter(&grown.change, "--allocated-storage"), Some(65_536));
}

#[test]
fn the_limit_of_autoscaling_is_a_tenth_above_the_storage() {
    let gp3 = |gib| config(Platform::Rds, VolumeType::Gp3, gib, None);
    let limit = |now_gib, gib, max_gib| {
        let found = planned(gp3(now_gib), gp3(gib), |target| target.max_allocated_gib = max_gib);
        assert!(!joined(&found.rollback).contains("--max-allocated-storage"), "{found:?}");
        (parameter(&found.change, "--max-allocated-storage"), found.rules)
    };
    let (raised, rules) = limit(300, 400, Some(350));
    assert!(
        raised == Some(440) && rules.contains(&MigrationRule::Rds(RdsRule::AutoscalingLimit { max_gib: 440 })),
        "{rules:?}"
    );
    assert_eq!([limit(300, 400, Some(439)).0, limit(300, 400, Some(440)).0], [Some(440), None]);
    // Without autoscaling, as a limit of the present size is, nothing is raised.
    assert_eq!([limit(300, 400, None).0, limit(300, 400, Some(300)).0], [None, None]);
    let (ends, rules) = limit(50_000, 60_000, Some(62_000));
    assert!(ends == Some(60_000) && rules.contains(&MigrationRule::Rds(RdsRule::AutoscalingEnds)), "{rules:?}");
}

/// Parameters of the first modification of a script: the value of each option.
fn parameter(script: &Script, option: &str) -> Option<u64> {
    let text = joined(script);
    let line = text.lines().find(|line| line.starts_with("aws rds modify-"))?;
    let mut words = line.split(' ').skip_while(|word| *word != option);
    words.nth(1).map(|value| value.parse().unwrap())
}

fn volume_type_of(script: &Script) -> VolumeType {
    let text = joined(script);
    text.split("--storage-type ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
}

/// A configuration that RDS sells, below 400 GiB or from there on.
fn configs() -> impl Strategy<Value = VolumeConfig> {
    let types = [VolumeType::Gp2, VolumeType::Gp3, VolumeType::Io1, VolumeType::Io2];
    let platforms = [Platform::Rds, Platform::RdsMultiAz, Platform::RdsCluster];
    (0..types.len(), 0..platforms.len(), 100u64..1_200, 1_000u64..70_000, 100u64..4_000).prop_filter_map(
        "not sold",
        move |(one, platform, gib, iops, throughput_mibps)| {
            let least = VolumeConfig::new(platforms[platform], types[one], gib, None, None).ok()?;
            VolumeConfig { iops, throughput_mibps, ..least }.at_size(gib)
        },
    )
}

proptest! {
    /// Each command, and each way back, is a configuration that RDS takes: IOPS with the size, throughput with both, and the size is the
    /// present one or a tenth more.
    #[test]
    fn each_change_and_its_way_back_carry_what_goes_together(now in configs(), then in configs()) {
        let (now, is_cluster) = (VolumeConfig { platform: then.platform, ..now }, then.platform == Platform::RdsCluster);
        prop_assume!(now.class().is_some());
        let attached = Attached { volumes: vec![AttachedVolume { id: None, config: Some(now) }], filesystem_gib: None };
        let target = MigrationTarget {
            config: then,
            volumes: 1,
            size_known: true,
            instance: None,
            database: Some("mydb"),
            deployment: None,
            max_allocated_gib: None,
            has_log_volume: false,
            is_multi_attach: false,
            role: "data+wal",
        };
        let found = plan(Some(&attached), &target);
        let mut size_gib = now.size_gib;
        // Without a way back, the size alone changed, or was to shrink.
        if now != then && found.rollback.lines.is_empty() {
            prop_assert_eq!(now.volume_type, then.volume_type);
            let is_size = |rule: &MigrationRule| {
                matches!(rule, MigrationRule::RdsGrowthWithoutRollback | MigrationRule::RdsCannotShrink { .. })
            };
            prop_assert!(found.rules.iter().any(is_size), "{found:?}");
            return Ok(());
        }
        for (script, wanted) in [(&found.change, then), (&found.rollback, now)].into_iter().filter(|_| now != then) {
            let [size, iops, mibps] = ["--allocated-storage", "--iops", "--storage-throughput"].map(|option| parameter(script, option));
            let after_gib = size.unwrap_or(size_gib);
            prop_assert!(after_gib == size_gib || 10 * after_gib >= 11 * size_gib, "{found:?}");
            prop_assert!(iops.is_none() || size.is_some(), "{found:?}");
            prop_assert!(mibps.is_none() || iops.is_some(), "{found:?}");
            prop_assert_eq!(volume_type_of(script), wanted.volume_type);
            let bought = VolumeConfig::new(then.platform, wanted.volume_type, after_gib, iops, mibps);
            prop_assert!(bought.is_ok(), "{bought:?} {found:?}");
            let provisioned = bought.unwrap().class().unwrap();
            prop_assert_eq!(iops.is_some(), provisioned.iops_rule == IopsRule::Provisioned, "{:?}", found);
            let takes_mibps = provisioned.mibps_rule == MibpsRule::Provisioned && !is_cluster;
            prop_assert_eq!(mibps.is_some(), takes_mibps, "{:?}", found);
            size_gib = after_gib;
        }
    }
}
