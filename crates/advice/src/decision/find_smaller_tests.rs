//! 1,000 reads a second on RDS's gp3 of 1,000 GiB, of which so many are used; us-east-1 bills 0.115 a GiB.

use super::*;
use crate::decision::advise::tests::{DATA, Load, declared_advice, window};
use crate::{BlueGreenObstacle, Settings};
use ebs_aws::catalogue::VolumeType;
use ebs_base::units::GIB;
use ebs_samples::evidence::{PendingCause, PendingChange, Window};
use ebs_workload::declarations::{Declarations, Declared};

fn declared(platform: Platform, gib: u64) -> Declarations {
    let config = VolumeConfig::new(platform, VolumeType::Gp3, gib, None, None).unwrap();
    let volume = Declared { imported_us: Some(0), ..Declared::new("data", config, 1) };
    Declarations { instance: None, volumes: vec![volume], ..Declarations::default() }
}

fn used(reads: u64, used_gib: Option<u64>) -> Window {
    let mut seen = window(&[Load { reads, read_ms: reads / 2, ..DATA }], &[]);
    for volume in &mut seen.layout.volumes {
        volume.filesystem_bytes = used_gib.map(|_| 1_000 * GIB);
        volume.used_bytes = used_gib.map(|gib| gib * GIB);
    }
    seen
}

fn find(seen: &Window, platform: Platform, settings: Settings) -> Result<SmallerStorage, NoSmallerStorage> {
    let settings = Settings { platform: platform.name().to_owned(), ..settings };
    let role = declared_advice(seen, settings, &declared(platform, 1_000)).roles.remove(0);
    role.smaller_storage.unwrap()
}

/// 160 GiB and 25 % are 200, at 23.00; the stripe of 400 GiB and more is not needed for 1,200 IOPS. For 10,000 and 20 % it is: 400 GiB.
#[test]
fn use_and_a_quarter_more_is_the_size_and_the_stripe_stays_where_the_load_needs_it() {
    let small = find(&used(1_000, Some(160)), Platform::Rds, Settings::default()).unwrap();
    assert_eq!((small.required_gib, small.current_gib, small.storage.config.size_gib), (200, 1_000, 200));
    assert_eq!((small.storage.total().cents(), small.current_usd.map(|usd| usd.cents())), (2_300, Some(11_500)));
    assert!(small.leaves_stripe && small.commands.is_some());
    let busy = find(&used(10_000, Some(160)), Platform::Rds, Settings::default()).unwrap();
    assert_eq!((busy.storage.config.size_gib, busy.storage.config.iops, busy.leaves_stripe), (400, 12_000, false));
    // Multi-AZ costs twice as much.
    let twice = find(&used(1_000, Some(160)), Platform::RdsMultiAz, Settings::default()).unwrap();
    assert_eq!(twice.storage.total().cents(), 4_600);
}

#[test]
fn an_unknown_or_large_use_and_a_cluster_have_no_smaller_storage() {
    let seen = |gib| used(1_000, gib);
    assert_eq!(find(&seen(None), Platform::Rds, Settings::default()), Err(NoSmallerStorage::UseUnknown));
    let full = Err(NoSmallerStorage::Used { required_gib: 1_000 });
    assert_eq!(find(&seen(Some(800)), Platform::Rds, Settings::default()), full);
    assert_eq!(find(&seen(Some(160)), Platform::RdsCluster, Settings::default()), Err(NoSmallerStorage::Cluster));
    // A declared size counts, but never below the use.
    let declared = |gib| Settings { min_size_gib: Some(gib), ..Settings::default() };
    assert_eq!(find(&seen(None), Platform::Rds, declared(300)).unwrap().required_gib, 300);
    assert_eq!(find(&seen(Some(160)), Platform::Rds, declared(100)).unwrap().required_gib, 200);
}

/// 399 GiB for 12,000 IOPS: the stripe of 400 GiB is a growth of less than 10 %, so that 439 are ordered, at 0.115 each.
#[test]
fn the_ordered_growth_is_a_tenth_in_size_price_and_command() {
    let order = |reads, current_gib, min_size_gib| {
        let settings = Settings { platform: "rds".to_owned(), min_size_gib, ..Settings::default() };
        let declared = declared(Platform::Rds, current_gib);
        let role = declared_advice(&used(reads, None), settings, &declared).roles.remove(0);
        let best = role.best().unwrap();
        let (gib, cents) = (best.config.size_gib, best.total().cents());
        let command = role.procedure.as_ref().unwrap().change.lines.join(" ");
        assert!(command.contains(&format!("--allocated-storage {gib} ")), "{command}");
        (gib, cents)
    };
    assert_eq!(order(10_000, 399, None), (439, 5_049));
    assert_eq!(order(1_000, 300, Some(310)), (330, 3_795));
}

/// The offer remains, as a setting can be changed, and its commands would be refused until then.
#[test]
fn settings_that_a_blue_green_deployment_is_refused_with_leave_no_commands() {
    let obstacles = vec![BlueGreenObstacle::ManagedPassword, BlueGreenObstacle::NoBackups];
    let seen = used(1_000, Some(160));
    let declared = declared(Platform::Rds, 1_000);
    let mut request = Settings { platform: "rds".to_owned(), ..Settings::default() }
        .check(ebs_aws::catalogue::prices("us-east-1").unwrap().clone())
        .unwrap();
    request.database.blue_green_obstacles.clone_from(&obstacles);
    let role = crate::advise(&seen, &request, &declared, &|| ()).roles.remove(0);
    let small = role.smaller_storage.unwrap().unwrap();
    assert_eq!((small.required_gib, small.commands, small.obstacles), (200, None, obstacles));
}

/// io2 of 1,000 GiB with a dedicated log volume, of which CloudWatch's samples have no device.
#[test]
fn no_copy_is_offered_without_a_dedicated_log_volume() {
    let config = VolumeConfig::new(Platform::Rds, VolumeType::Io2, 1_000, Some(5_000), None).unwrap();
    let with = |log_volume| {
        let volume = Declared { imported_us: Some(0), ..Declared::new("data", config, 1) };
        let declared = Declarations { volumes: vec![volume], log_volume, ..Declarations::default() };
        let settings = Settings { platform: "rds".to_owned(), ..Settings::default() };
        declared_advice(&used(1_000, Some(160)), settings, &declared).roles.remove(0).smaller_storage.unwrap()
    };
    assert!(with(None).is_ok());
    let log = VolumeConfig::log_volume(Platform::Rds, VolumeType::Io2);
    assert_eq!(with(log), Err(NoSmallerStorage::LogVolume));
}

fn pending(cause: PendingCause, values: Option<&str>) -> PendingChange {
    let values = values.map(str::to_owned);
    PendingChange { name: "mydb".to_owned(), volume: None, cause, values, seen_us: 0, earliest_us: None }
}

/// A pending upgrade is named beside the commands.
#[test]
fn values_that_are_applied_too_leave_the_commands() {
    let mut seen = used(1_000, Some(160));
    seen.pending = vec![pending(PendingCause::Queued, Some("EngineVersion 16.6"))];
    assert!(find(&seen, Platform::Rds, Settings::default()).unwrap().commands.is_some());
    let settings = Settings { platform: "rds".to_owned(), min_size_gib: Some(1_200), ..Settings::default() };
    let role = declared_advice(&seen, settings, &declared(Platform::Rds, 1_000)).roles.remove(0);
    assert!(role.procedure.is_some_and(|procedure| !procedure.waits && !procedure.change.lines.is_empty()));
}

#[test]
fn no_command_is_given_while_a_change_is_pending() {
    let mut seen = used(1_000, Some(160));
    seen.pending = vec![pending(PendingCause::Status("storage-optimization".to_owned()), None)];
    let small = find(&seen, Platform::Rds, Settings::default()).unwrap();
    assert_eq!((small.required_gib, small.commands), (200, None));
    let settings = Settings { platform: "rds".to_owned(), ..Settings::default() };
    let mut role =
        declared_advice(&seen, Settings { min_size_gib: Some(1_200), ..settings }, &declared(Platform::Rds, 1_000))
            .roles
            .remove(0);
    let procedure = role.procedure.take().unwrap();
    assert!(
        procedure.waits && procedure.change.lines.is_empty() && procedure.rollback.lines.is_empty(),
        "{procedure:?}"
    );
}
