use super::*;
use crate::decision::advise::tests::{DATA, Load, WAL, advice, declared_advice, rds, window};
use crate::migration::rule::MigrationRule;
use crate::migration::unknown::Unknown;
use crate::request::settings::Settings;
use ebs_aws::catalogue::{Platform, VolumeType, prices};
use ebs_samples::evidence::Window;
use ebs_workload::declarations::{Declarations, Declared};

/// Reads that sessions wait for, and WAL on a volume of its own.
fn seen() -> Window {
    let data = Load { reads: 1_000, read_ms: 1_000, ..DATA };
    window(&[data, WAL], &[("IO", "DataFileRead", 50)])
}

fn request(settings: &Settings) -> Request {
    settings.check(prices("us-east-1").unwrap().clone()).unwrap()
}

/// More than gp3 has, so that io2 is recommended.
fn durable() -> Settings {
    Settings { durability_pct: Some(99.999), ..rds() }
}

/// io1 of 400 GiB with 12,000 IOPS, and its dedicated log volume, as imported.
fn on_io1_with_log_volume() -> Declarations {
    let declared = |volume: &str, config| Declared {
        volume: volume.to_owned(),
        config,
        volumes: 1,
        declared_us: 0,
        imported_us: Some(1),
        is_multi_attach: false,
    };
    let data = VolumeConfig::new(Platform::Rds, VolumeType::Io1, 400, Some(12_000), None).unwrap();
    let log = VolumeConfig::log_volume(Platform::Rds, VolumeType::Io1).unwrap();
    Declarations {
        instance: None,
        volumes: vec![declared("nvme1n1", data), declared("nvme2n1", log)],
        ..Declarations::default()
    }
}

#[test]
fn it_is_offered_beside_recommended_io2() {
    let found = advice(&seen(), durable());
    let request = request(&durable());
    let LogVolumeOffer { storage, log } = found.log_volume_offer(&request).unwrap();
    assert_eq!((storage.config.volume_type, log.config.size_gib), (VolumeType::Io2, 1_024));
    let procedure = found.roles[0].procedure.as_ref().unwrap();
    assert!(procedure.rules.contains(&MigrationRule::RdsLogVolumeOffered), "{procedure:?}");
    let present = declared_advice(&seen(), durable(), &on_io1_with_log_volume());
    assert!(present.log_volume_offer(&request).is_some());
    let procedure = present.roles[0].procedure.as_ref().unwrap();
    assert!(!procedure.rules.contains(&MigrationRule::RdsLogVolumeOffered), "{procedure:?}");
}

/// gp3 is recommended, which has no log volume, though one would carry the WAL.
#[test]
fn it_is_not_offered_where_gp3_is_recommended() {
    for found in [advice(&seen(), rds()), declared_advice(&seen(), rds(), &on_io1_with_log_volume())] {
        assert_eq!(found.roles[0].best().map(|best| best.config.volume_type), Some(VolumeType::Gp3));
        assert!(found.log_volume.as_ref().is_some_and(|log| log.feasible), "{found:?}");
        assert!(found.log_volume_offer(&request(&rds())).is_none(), "{found:?}");
        let rules = found.roles.iter().filter_map(|role| role.procedure.as_ref()).flat_map(|one| &one.rules);
        assert!(!rules.into_iter().any(|rule| *rule == MigrationRule::RdsLogVolumeOffered), "{found:?}");
    }
}

/// The storage alone is within the budget, and with the log volume it is not.
#[test]
fn it_is_not_offered_beyond_the_budget() {
    let found = advice(&seen(), durable());
    let best = found.roles[0].best().unwrap().total();
    let log = found.log_volume.unwrap().total();
    let offered = |budget| {
        let settings = Settings { budget_usd: Some(budget), ..durable() };
        advice(&seen(), settings.clone()).log_volume_offer(&request(&settings)).is_some()
    };
    assert_eq!([offered(best + log), offered(best + log - "0.01".parse().unwrap())], [true, false]);
}

/// The data's volume is the storage, so that nothing of it has to be asked for.
#[test]
fn the_way_back_to_a_known_log_volume_is_complete() {
    let settings = Settings { min_size_gib: Some(400), ..rds() };
    let found = declared_advice(&seen(), settings, &on_io1_with_log_volume());
    let procedure = found.roles[0].procedure.as_ref().unwrap();
    let joined = |lines: &[String]| lines.join("\n").replace(" \\\n   ", "");
    assert!(joined(&procedure.change.lines).contains(" --no-dedicated-log-volume "), "{procedure:?}");
    let back = joined(&procedure.rollback.lines);
    assert!(
        back.ends_with(
            "--storage-type io1 --allocated-storage 400 --iops 12000 --dedicated-log-volume --apply-immediately"
        ),
        "{back}"
    );
    assert_eq!(procedure.rollback.unknown, [Unknown::DbInstance]);
    assert_eq!(procedure.rules, [MigrationRule::RdsNextChange, MigrationRule::RdsLogVolumeCopy]);
}

/// CloudWatch's metrics of the storage have no device of the log volume, which the configuration tells.
#[test]
fn a_log_volume_without_samples_is_paid_for_and_removed() {
    let mut declared = on_io1_with_log_volume();
    declared.volumes.pop();
    declared.log_volume = VolumeConfig::log_volume(Platform::Rds, VolumeType::Io1);
    let role = declared_advice(&window(&[DATA], &[]), rds(), &declared).roles.remove(0);
    let current = role.current.as_ref().unwrap();
    assert_eq!((current.volumes.len(), current.log_bill.map(|bill| bill.total())), (2, "428".parse().ok()));
    let procedure = role.procedure.as_ref().unwrap();
    assert!(procedure.change.lines.join(" ").contains("--no-dedicated-log-volume"), "{procedure:?}");
    assert!(procedure.rollback.lines.join(" ").contains(" --dedicated-log-volume"), "{procedure:?}");
}

/// io1 of 400 GiB with 12,000 IOPS and its log volume: gp3 saves the price of both, io2 that of the storage, beside which the log volume stays.
#[test]
fn a_log_volume_that_stays_saves_nothing() {
    let found = declared_advice(&seen(), durable(), &on_io1_with_log_volume());
    let role = &found.roles[0];
    let current = role.current.as_ref().unwrap();
    let (all, log) = (current.bill.unwrap().total(), current.log_bill.unwrap().total());
    let saved = |volume_type: VolumeType| {
        let candidate = role.candidates.iter().find(|one| one.config.volume_type == volume_type).unwrap();
        candidate.saving.unwrap() + candidate.total()
    };
    assert_eq!([VolumeType::Gp3, VolumeType::Io2].map(saved), [all, all - log]);
    // 1,024 × 0.125 + 3,000 × 0.10.
    assert_eq!(log, "428".parse().unwrap());
}
