//! Demand of which one average, or few, are known, as reports of AWR have them.

use super::advise::tests::{DATA, Load, advice, window};
use super::role_advice::RoleAdvice;
use crate::evaluate::reason::{Addition, Provisioning};
use crate::request::settings::Settings;
use ebs_samples::evidence::{CounterDelta, DeviceCounts, Role, Window};

/// Averages of these requests a second over so many seconds each, without latencies.
fn averages(rates: &[u64], seconds: u64) -> Window {
    let mut seen = window(&[Load { reads: 1_000, ..DATA }], &[]);
    seen.layout.volumes[0].timed = false;
    seen.intervals.truncate(rates.len());
    for ((index, interval), rate) in (0..).zip(&mut seen.intervals).zip(rates) {
        (interval.dt_us, interval.interval_us) = (seconds * 1_000_000, seconds * 1_000_000);
        interval.at_us = ((index + 1) * seconds * 1_000_000) as i64;
        let (reads, writes) = (seconds * rate * 5 / 6, seconds * rate / 6);
        let counts = DeviceCounts {
            reads,
            writes,
            read_bytes: reads * 8_192,
            write_bytes: writes * 8_192,
            ..DeviceCounts::default()
        };
        for (_, delta) in &mut interval.devices {
            *delta = CounterDelta::Known(counts);
        }
    }
    (seen.from_us, seen.to_us) = (0, (rates.len() as u64 * seconds * 1_000_000) as i64);
    seen
}

fn role(rates: &[u64], seconds: u64, settings: Settings) -> RoleAdvice {
    advice(&averages(rates, seconds), settings).roles.remove(0)
}

/// The AWR hour of `sql/import_elsewhere.sql`, of 4,367 IOPS: 8,734 with the default headroom, and not 23,800; a shorter average no more.
#[test]
fn one_hour_is_sized_for_twice_its_mean() {
    for seconds in [60, 600, 1_800, 3_600] {
        let hour = role(&[4_367], seconds, Settings::default());
        let best = hour.best().unwrap();
        assert_eq!(best.config.iops, 8_800, "{seconds}");
        let Some(Provisioning::Demand { addition, .. }) = best.provisioning() else { panic!("{:?}", best.reason) };
        let Addition::AssumedPeak { averages: 1, averaged_s, factor } = addition else { panic!("{addition:?}") };
        assert_eq!((*averaged_s, (factor * 100.0).round()), (seconds as f64, 200.0));
    }
    let without = role(&[4_367], 3_600, Settings { headroom: Some(0.0), ..Settings::default() });
    assert_eq!(without.best().unwrap().config.iops, 7_300);
}

/// An AWR of redo alone is one volume of WAL, which has no reads, and nothing beside it.
#[test]
fn wal_alone_is_sized_as_wal() {
    let mut seen = averages(&[1_000], 3_600);
    seen.layout.volumes[0].roles = vec![Role::Wal];
    for (_, delta) in &mut seen.intervals[0].devices {
        let writes = 3_600 * 4_000;
        *delta = CounterDelta::Known(DeviceCounts { writes, write_bytes: writes * 4_096, ..DeviceCounts::default() });
    }
    let advice = advice(&seen, Settings::default());
    assert!(advice.consolidated.is_none() && advice.separate_wal.is_none());
    let [wal] = advice.roles.as_slice() else { panic!("{}", advice.roles.len()) };
    let best = wal.best().unwrap();
    assert_eq!((wal.state.group.role.as_str(), best.config.iops), ("wal", 8_000));
}

/// A quiet hour beside it changes nothing, and no hour counts for more than twice the busiest; short averages keep the model.
#[test]
fn few_hours_are_sized_for_twice_the_busiest() {
    let iops = |rates: &[u64], seconds| role(rates, seconds, Settings::default()).best().unwrap().config.iops;
    assert_eq!(iops(&[4_367, 1_100], 3_600), 8_800);
    assert!((5_300..=8_800).contains(&iops(&[1_100, 4_367, 2_000, 800, 3_000], 3_600)));
    let minutes = role(&[4_367; 60], 60, Settings::default());
    let Some(Provisioning::Demand { addition, .. }) = minutes.best().unwrap().provisioning() else { panic!() };
    assert!(matches!(addition, Addition::HeadroomPct(_)), "{addition:?}");
}

/// One per cent more of the interval changes the volumes by 5 % or an order at most, whatever the number of averages.
#[test]
fn no_length_of_an_average_is_an_edge() {
    for rates in [&[4_367][..], &[4_367, 1_100], &[4_000; 5], &[3_000; 12]] {
        let lengths = std::iter::successors(Some(500u64), |seconds| Some(seconds * 101 / 100 + 1));
        let lengths = lengths.take_while(|seconds| *seconds <= 2_200).step_by(3);
        let sized = lengths.map(|seconds| (seconds, role(rates, seconds, Settings::default()).requirement.iops));
        let sized: Vec<(u64, f64)> = sized.collect();
        for pair in sized.windows(2) {
            // Three steps of one per cent.
            assert!((pair[1].1 / pair[0].1 - 1.0).abs() <= 0.05, "{} averages: {pair:?}", rates.len());
        }
    }
}
