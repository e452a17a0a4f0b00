//! A demand that was cut off at a limit is never met by a smaller one, whatever percentile and headroom are requested.

use super::advise::tests::{DATA, Load, declare, declared_advice, window};
use crate::request::settings::Settings;
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_samples::evidence::{CounterDelta, DeviceCounts};

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
