use proptest::prelude::*;

use super::*;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_base::units::GIB;
use ebs_samples::evidence::{DeviceChecks, SpaceSeries, Volume};
use ebs_workload::attached::AttachedVolume;
use ebs_workload::declarations::Declared;

fn space(all: Option<u64>, used: Option<u64>, growth: Option<Growth>) -> Space {
    Space { filesystem_bytes: all.map(|gib| gib * GIB), used_bytes: used.map(|gib| gib * GIB), growth }
}

/// Two weeks of hours that end with this much in use, after this much more each day.
fn growth(used: u64, per_day: u64) -> Option<Growth> {
    let points: Vec<_> = (0..=336u64)
        .map(|hour| (hour as i64 * 3_600_000_000, used * GIB - (336 - hour) * per_day * GIB / 24))
        .collect();
    Growth::from_points(&points)
}

fn on_ebs(size_gib: u64, volumes: usize) -> Attached {
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, size_gib, None, None).ok();
    Attached { volumes: vec![AttachedVolume { id: None, config }; volumes], filesystem_gib: None }
}

fn size_and_basis(need: RequiredSize) -> (Option<u64>, SizeBasis) {
    (need.size_gib, need.basis)
}

#[test]
fn size_follows_the_upper_end_of_the_forecast() {
    // 100 GiB and 3 a day: 190 in a month; a fifth free makes 237.5.
    let need = RequiredSize::new(&space(Some(500), Some(100), growth(100, 3)), None, None);
    assert_eq!((need.size_gib, need.basis, &need.remarks), (Some(238), SizeBasis::Forecast, &Vec::new()));
    assert_eq!(need.growth.map(|growth| (growth.per_day / GIB as f64).round()), Some(3.0));
}

#[test]
fn too_little_evidence_takes_what_is_used_and_says_so() {
    let need = RequiredSize::new(&space(Some(500), Some(100), None), None, None);
    assert_eq!(need.remarks, [SizeRemark::GrowthUnknown]);
    assert_eq!(size_and_basis(need), (Some(125), SizeBasis::Used));
}

#[test]
fn volumes_on_ebs_do_not_shrink() {
    let need = RequiredSize::new(&space(Some(490), Some(100), growth(100, 3)), None, Some(&on_ebs(250, 2)));
    assert_eq!(need.remarks, [SizeRemark::CannotShrink { required_gib: 238 }]);
    assert_eq!(size_and_basis(need), (Some(500), SizeBasis::CurrentVolumes));
    // The filesystem stands for what was not declared.
    let seen = Attached { filesystem_gib: Some(490), ..on_ebs(0, 2) };
    assert_eq!(
        size_and_basis(RequiredSize::new(&space(Some(490), Some(100), None), None, Some(&seen))),
        (Some(490), SizeBasis::CurrentVolumes)
    );
    // But they grow.
    let need = RequiredSize::new(&space(Some(190), Some(100), growth(100, 3)), None, Some(&on_ebs(95, 2)));
    assert_eq!(size_and_basis(need), (Some(238), SizeBasis::Forecast));
}

#[test]
fn what_is_asked_for_stands_above_everything() {
    let need = RequiredSize::new(&space(Some(500), Some(100), growth(100, 3)), Some(150), Some(&on_ebs(500, 1)));
    assert_eq!(need.remarks, [SizeRemark::BelowForecast { requested_gib: 150, required_gib: 238 }]);
    assert_eq!(size_and_basis(need), (Some(150), SizeBasis::Requested));
    assert_eq!(RequiredSize::new(&space(None, None, None), Some(10), None).remarks, []);
}

#[test]
fn without_use_the_filesystem_stands_and_nothing_is_never_a_size() {
    assert_eq!(
        size_and_basis(RequiredSize::new(&space(Some(500), None, None), None, None)),
        (Some(500), SizeBasis::Filesystem)
    );
    assert_eq!(size_and_basis(RequiredSize::new(&space(None, None, None), None, None)), (None, SizeBasis::Unknown));
    assert_eq!(
        size_and_basis(RequiredSize::new(&space(Some(1), Some(0), None), None, None)),
        (Some(1), SizeBasis::Used)
    );
}

#[test]
fn a_step_is_told() {
    let points: Vec<_> =
        (0..=336i64).map(|h| (h * 3_600_000_000, if h < 120 { 100 * GIB } else { 150 * GIB })).collect();
    let need = RequiredSize::new(&space(Some(500), Some(150), Growth::from_points(&points)), None, None);
    let [SizeRemark::GrowthInSteps { steps, step_days }] = need.remarks[..] else { panic!("{need:?}") };
    assert_eq!((steps.count, steps.bytes, steps.days_ago), (1, 50.0 * GIB as f64, 9.25));
    assert_eq!(step_days, 14.0);
    // 150 now, and 50 more twice and a bit in a month, of which a fifth is free.
    assert_eq!(need.size_gib, Some(((150.0f64 + 50.0 * 30.0 / 14.0) / 0.8).ceil() as u64));
}

#[test]
fn what_is_not_known_of_one_volume_is_not_known_of_all() {
    let mut window = Window::default();
    let volume = |used_bytes| Volume { filesystem_bytes: Some(10 * GIB), used_bytes, ..Volume::default() };
    window.layout.volumes = vec![volume(Some(GIB)), volume(None), volume(Some(2 * GIB))];
    assert_eq!(Space::from_window(&window, &[0, 2]), space(Some(20), Some(3), None));
    assert_eq!(Space::from_window(&window, &[0, 1]), space(Some(20), None, None));
    for _ in 0..3 {
        let mut series = SpaceSeries::default();
        (0..=336u64).for_each(|hour| series.push(hour as i64 * 3_600_000_000, 3 * GIB + hour * GIB / 8));
        window.space.push(series);
    }
    let growth = Space::from_window(&window, &[0, 2]).growth.unwrap();
    assert_eq!((growth.used, growth.per_day), (90.0 * GIB as f64, 6.0 * GIB as f64));
}

#[test]
fn the_storage_of_rds_cannot_shrink_on_rds_alone() {
    let volume = |device: &str, role| Volume { device: device.to_owned(), roles: vec![role], ..Volume::default() };
    let mut window = Window::default();
    window.layout.volumes = vec![volume("storage", Role::Data), volume("log volume", Role::Wal)];
    let declared = |platform, device: &str| {
        let config = VolumeConfig::new(platform, VolumeType::Gp3, 500, None, None).unwrap();
        let one = Declared {
            volume: device.to_owned(),
            config,
            volumes: 1,
            declared_us: 0,
            imported_us: Some(1),
            is_multi_attach: false,
        };
        Declarations { instance: None, volumes: vec![one], ..Declarations::default() }
    };
    let need = |volumes: &[usize], platform, declared: &Declarations| {
        size_and_basis(RequiredSize::from_window(&window, volumes, platform, None, declared))
    };
    let (on_rds, on_ec2) = (declared(Platform::Rds, "storage"), declared(Platform::Ec2, "storage"));
    let bound = (Some(500), SizeBasis::CurrentStorage);
    assert_eq!(need(&[0], Platform::RdsMultiAz, &on_rds), bound);
    assert_eq!(need(&[0, 1], Platform::Rds, &on_rds), bound);
    assert_eq!(need(&[0], Platform::Ec2, &on_ec2), (Some(500), SizeBasis::CurrentVolumes));
    // A copy to another service takes what is used, which no import knows.
    let unknown = (None, SizeBasis::Unknown);
    assert_eq!(need(&[0], Platform::Ec2, &on_rds), unknown);
    assert_eq!(need(&[0], Platform::Rds, &on_ec2), unknown);
    assert_eq!(need(&[0, 1], Platform::Rds, &declared(Platform::Rds, "log volume")), unknown);
}

proptest! {
    #[test]
    fn a_fifth_stays_free(used in 0u64..60_000, per_day in 0u64..100) {
        let growth = growth(used + 14 * per_day, per_day);
        let need = RequiredSize::new(&space(None, Some(used + 14 * per_day), growth), None, None);
        let most = growth.unwrap().forecast_interval.high;
        let size = need.size_gib.unwrap() as f64 * GIB as f64;
        prop_assert!(most <= 0.8 * size + 1.0 && (size - GIB as f64) * 0.8 <= most + GIB as f64);
    }
}

/// Free space of hours; days of more use, 10 GiB each: a month needs 300 GiB more than the last value. All of the storage is never free.
#[test]
fn the_use_of_rds_and_its_growth_are_what_is_not_free() {
    let config = VolumeConfig::new(Platform::Rds, VolumeType::Gp3, 1_000, None, None).unwrap();
    let declared = Declarations { volumes: vec![Declared::new("storage", config, 1)], ..Declarations::default() };
    let need = |free: &dyn Fn(u64) -> u64| {
        let volume = Volume { device: "storage".to_owned(), roles: vec![Role::Data, Role::Wal], ..Volume::default() };
        let free_space = (0..=120u64).map(|hour| (hour as i64 * 3_600_000_000, free(hour))).collect();
        let checks = DeviceChecks { device: "storage".to_owned(), free_space, ..DeviceChecks::default() };
        let mut window = Window { checks: vec![checks], ..Window::default() };
        window.layout.volumes.push(volume);
        RequiredSize::from_window(&window, &[0], Platform::Rds, None, &declared)
    };
    let growing = need(&|hour| 850 * GIB - hour * 10 * GIB / 24);
    assert_eq!(growing.used_bytes, Some(200 * GIB));
    assert!(growing.by_use_gib.is_some_and(|gib| (625..640).contains(&gib)), "{growing:?}");
    assert_eq!(need(&|_| 900 * GIB).by_use_gib, Some(125));
    // 700 GiB were purged, or the storage grew by 500 GiB: 100 and 400 GiB are in use, 20 % stay free.
    assert_eq!(need(&|hour| if hour < 90 { 200 * GIB } else { 900 * GIB }).by_use_gib, Some(125));
    assert_eq!(need(&|hour| if hour < 60 { 100 * GIB } else { 600 * GIB }).by_use_gib, Some(500));
    // Temporary use of 350 GiB in one night, of up to 650: as much will be in use again.
    assert_eq!(need(&|hour| if hour == 48 { 350 * GIB } else { 700 * GIB }).by_use_gib, Some(813));
    for contradiction in [1_000, 1_200] {
        let found = need(&|hour| if hour == 60 { contradiction * GIB } else { 900 * GIB });
        assert_eq!((found.used_bytes, found.by_use_gib), (None, None));
    }
}
