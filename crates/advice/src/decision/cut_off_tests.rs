//! A demand that was cut off at a limit is never met by a smaller one, whatever percentile and headroom are requested, the more of the time it was.

use super::advise::tests::{DATA, Load, declare, declared_advice, window};
use crate::WhatIfArguments;
use crate::request::settings::Settings;
use crate::whatif::whatif;
use crate::whatif::whatif_tests::{asked, request};
use ebs_aws::catalogue::{Ceiling, Platform, VolumeType};
use ebs_samples::evidence::{CounterDelta, DeviceCounts, Window};

/// A quarter of the time 200 requests of 1 ms, then so many of these KiB with a queue.
fn feasible(
    (reads, kib): (u64, u64),
    (volume_type, gib, iops): (VolumeType, u64, Option<u64>),
    settings: Settings,
) -> Vec<(VolumeType, Ceiling)> {
    let mut seen = window(&[Load { reads, kib, read_ms: 12 * reads, ..DATA }], &[]);
    let low = DeviceCounts { reads: 200, read_bytes: 200 * kib * 1_024, read_ms: 200, ..DeviceCounts::default() };
    for interval in seen.intervals.iter_mut().take(225) {
        interval.devices = [(0, CounterDelta::Known(low))].into();
    }
    let role = declared_advice(&seen, settings, &declare(volume_type, gib, iops)).roles.remove(0);
    assert!(role.state.saturation.is_some());
    let each = role.candidates.iter().filter(|one| one.feasible);
    each.map(|one| (one.config.volume_type, one.config.ceiling(one.volumes))).collect()
}

fn requests() -> impl Iterator<Item = Settings> {
    let all = [(50.0, 0.0), (50.0, 0.2), (99.0, 0.0), (99.0, 0.2)];
    all.into_iter().map(|(percentile, headroom)| Settings {
        percentile,
        headroom: Some(headroom),
        ..Settings::default()
    })
}

/// 1,000 × 128 KiB are gp3's 125 MiB/s: a volume needs as many, and 1,000 of these requests a second with the headroom, without credits.
#[test]
fn of_throughput() {
    for settings in requests() {
        let found = feasible((1_000, 128), (VolumeType::Gp3, 300, None), settings.clone());
        assert!(found.iter().any(|(volume_type, _)| *volume_type == VolumeType::Gp3), "{found:?}");
        assert!(
            found
                .iter()
                .all(|(_, limits)| limits.mibps >= 125.0 && limits.iops >= 999.0 * (1.0 + settings.headroom.unwrap())),
            "{settings:?} {found:?}"
        );
    }
}

/// gp3's 3,000 IOPS, and those of a gp2 of 700 GiB, 2,100 without credits, whose burst a plateau at the baseline shows spent.
#[test]
fn of_iops() {
    for settings in requests() {
        let gp3 = feasible((3_000, 8), (VolumeType::Gp3, 300, None), settings.clone());
        assert!(!gp3.is_empty() && gp3.iter().all(|(_, limits)| limits.iops >= 3_000.0), "{settings:?} {gp3:?}");
        let gp2 = feasible((2_100, 8), (VolumeType::Gp2, 700, None), settings.clone());
        assert!(!gp2.is_empty() && gp2.iter().all(|(_, limits)| limits.iops >= 2_100.0), "{settings:?} {gp2:?}");
    }
}

/// The request counts alone within the accepted time at the limit.
#[test]
fn not_where_the_time_at_the_limit_is_accepted() {
    let settings = Settings { percentile: 50.0, headroom: Some(0.0), max_throttled_pct: 100.0, ..Settings::default() };
    let found = feasible((3_000, 8), (VolumeType::Gp3, 300, None), settings);
    assert!(found.iter().any(|(_, limits)| limits.iops <= 3_000.0), "{found:?}");
}

/// A closed loop of 900 s with so many of them at its limit, at this latency, and the others at a quarter of it and 0.5 ms.
fn partly((limit, read_us): (u64, u64), seconds: u64) -> Window {
    let quiet = limit / 4;
    let reading = (quiet * 500 + seconds * limit * read_us / 900) / 20_000;
    let mut seen = window(&[DATA], &[("IO", "DataFileRead", reading), ("CPU*", "CPU*", 25)]);
    for (second, interval) in (0..).zip(&mut seen.intervals) {
        let (reads, us) = if second < seconds { (limit, read_us) } else { (quiet, 500) };
        let read_ms = reads * us / 1_000;
        let counts =
            DeviceCounts { reads, read_bytes: 8_192 * reads, read_ms, weighted_ms: read_ms, ..DeviceCounts::default() };
        interval.devices = [(0, CounterDelta::Known(counts))].into();
    }
    seen
}

/// Limits, and latencies there, microseconds.
const LIMITS: [(u64, u64); 3] = [(12_000, 5_000), (12_000, 1_200), (8_000, 2_000)];

/// 1 % more of the time at it changes what is advised by 5 % at most.
#[test]
fn the_time_at_a_limit_is_no_gate() {
    for at in LIMITS {
        let iops = |seconds| {
            let declared = declare(VolumeType::Gp3, 100, Some(at.0));
            let role = declared_advice(&partly(at, seconds), Settings::default(), &declared).roles.remove(0);
            role.best().unwrap().config.iops as f64
        };
        let advised: Vec<(u64, f64)> = (6..=20).map(|seconds| (seconds, iops(seconds))).collect();
        for pair in advised.windows(2) {
            let ((before_s, before), (after_s, after)) = (pair[0], pair[1]);
            assert!((after / before).ln().abs() <= 5.0 * (after_s as f64 / before_s as f64).ln(), "{at:?} {pair:?}");
        }
    }
}

/// The own volume changes nothing, however short the time at its limit.
#[test]
fn the_own_volume_contains_the_run() {
    for (at, seconds) in
        LIMITS.into_iter().flat_map(|at| [5, 10, 12, 15, 20, 30, 45, 90, 300].map(|seconds| (at, seconds)))
    {
        let seen = partly(at, seconds);
        let own = WhatIfArguments { iops: Some(at.0.cast_signed()), size_gib: Some(100), ..asked("gp3") };
        let own = own.check(request(Platform::Ec2)).unwrap();
        let declared = declare(VolumeType::Gp3, 100, Some(at.0));
        let prediction = whatif(&seen, &own, &declared).unwrap()[0].prediction.unwrap();
        let reads = (seconds * at.0 + (900 - seconds) * at.0 / 4) as f64 / 900.0;
        let (ratio, iops) = (prediction.ratio, prediction.iops / reads);
        assert!(ratio.low <= 1.0 && 1.0 <= ratio.high, "{at:?} {seconds}: {ratio:?}");
        assert!((iops - 1.0).abs() <= 0.02, "{at:?} {seconds}: {iops}");
    }
}
