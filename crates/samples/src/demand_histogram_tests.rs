//! Tests of the histograms of demand.

use super::*;
use crate::evidence::{Role, Sample, StorageLayout, Volume};
use proptest::prelude::*;

/// Intervals of about a second: amount and length.
fn intervals(most: u64) -> impl Strategy<Value = Vec<(u64, u64)>> {
    let amount = prop_oneof![Just(0), 0..most / 1_000 + 1, 0..most];
    prop::collection::vec((amount, 900_000u64..1_100_000), 1..200)
}

fn histogram(metric: DemandMetric, intervals: &[(u64, u64)]) -> DemandHistogram {
    let mut histogram = DemandHistogram::new(metric);
    intervals.iter().for_each(|&(amount, dt_us)| histogram.add(amount, dt_us));
    histogram
}

fn empty(metric: DemandMetric) -> HistogramReading {
    DemandHistogram::new(metric).reading()
}

fn advanced(delta: Delta<Vec<DemandGroup>>) -> Vec<DemandGroup> {
    match delta {
        Delta::Advanced(groups) => groups,
        Delta::Reset => panic!("counters that only grow do not reset"),
    }
}

/// Rate that is not exceeded in this share of the time.
fn quantile(mut rates: Vec<(f64, u64)>, share: f64) -> f64 {
    rates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let most = rates.iter().map(|rate| rate.1).sum::<u64>() as f64 * share;
    let mut sum = 0.0;
    let within = rates.iter().find(|rate| {
        sum += rate.1 as f64;
        sum >= most
    });
    within.or(rates.last()).map_or(0.0, |rate| rate.0)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) + 1e-6
}

#[test]
fn bounds_are_at_most_five_per_cent_apart_and_short() {
    for metric in DemandMetric::ALL {
        let bounds = metric.bounds();
        assert!(bounds.windows(2).all(|pair| pair[1] > pair[0] && pair[1] <= pair[0] * WIDTH * (1.0 + 1e-12)));
        assert!(bounds.len() < 600, "{}", bounds.len());
        assert!(bounds.iter().all(|bound| bound_label(*bound).len() <= 13));
        assert!(bounds.last().is_some_and(|last| *last > 9e11));
    }
    assert_eq!(DemandMetric::Requests.bounds()[..4], [1.0, 1.05, 1.102, 1.157]);
    assert_eq!(DemandMetric::Bytes.bounds()[..3], [16384.0, 17200.0, 18060.0]);
    assert_eq!([17200.0, 1.05, f64::INFINITY].map(bound_label), ["17200", "1.05", "+Inf"]);
}

#[test]
fn a_rate_that_equals_a_bound_is_in_its_bin() {
    let histogram = histogram(DemandMetric::Requests, &[(1, 1_000_000), (21, 20_000_000), (0, 500_000)]);
    let bins: Vec<_> = histogram.bins().map(|(bound, counts)| (bound, counts.us, counts.amount)).collect();
    assert_eq!(bins, [(1.0, 1_500_000, 1), (1.05, 20_000_000, 21)]);
    assert_eq!(histogram.reading().cumulative_us, [(1.0, 1_500_000), (1.05, 21_500_000), (f64::INFINITY, 21_500_000)]);
}

#[test]
fn demand_above_all_bounds_is_counted_too() {
    let histogram = histogram(DemandMetric::Requests, &[(u64::MAX, 1_000_000)]);
    assert_eq!(histogram.reading().cumulative_us, [(f64::INFINITY, 1_000_000)]);
    let groups = advanced(histogram.reading().since(&empty(DemandMetric::Requests)));
    assert_eq!(groups.len(), 1);
    assert!(groups[0].rate >= 9e11);
}

#[test]
fn a_counter_that_went_back_is_a_reset() {
    let metric = DemandMetric::Requests;
    let (more, less) = (histogram(metric, &[(10, 1_000_000), (90, 1_000_000)]), histogram(metric, &[(10, 1_000_000)]));
    assert_eq!(less.reading().since(&more.reading()), Delta::Reset);
    // As many seconds since the restart as before it, but others.
    let other = histogram(metric, &[(5, 1_000_000), (95, 1_000_000)]);
    let more = histogram(metric, &[(10, 1_000_000), (70, 1_000_000)]);
    assert_eq!(more.reading().since(&other.reading()), Delta::Reset);
}

#[test]
fn values_that_are_no_counts_are_refused() {
    let reading = |buckets: &[(f64, f64)], sum| HistogramReading::from_seconds(DemandMetric::Bytes, buckets, sum);
    assert_eq!(reading(&[(f64::NAN, 1.0)], 1.0), None);
    assert_eq!(reading(&[(1.0, f64::NAN)], 1.0), None);
    assert_eq!(reading(&[(1.0, -1.0)], 1.0), None);
    assert_eq!(reading(&[(1.0, 1.0)], f64::INFINITY), None);
    let unordered = reading(&[(f64::INFINITY, 2.5), (17200.0, 1.5)], 9.0);
    assert_eq!(
        unordered.map(|reading| reading.cumulative_us),
        Some(vec![(17200.0, 1_500_000), (f64::INFINITY, 2_500_000)])
    );
}

#[test]
fn a_block_is_added_by_volume_and_unknown_intervals_are_left_out() {
    let known =
        |reads| CounterDelta::Known(DeviceCounts { reads, read_bytes: reads * 8192, ..DeviceCounts::default() });
    let sample = |devices: Vec<_>| Sample { at_us: 0, dt_us: 1_000_000, devices: devices.into(), reset: false };
    let volume = |role| Volume { roles: vec![role], ..Volume::default() };
    let block = Block {
        layout: StorageLayout { volumes: vec![volume(Role::Data), volume(Role::Wal)], ..StorageLayout::default() },
        samples: vec![
            sample(vec![(0, known(100)), (1, CounterDelta::Failed)]),
            sample(vec![(1, known(7))]),
            sample(vec![(0, CounterDelta::Reset)]),
        ],
        ..Block::default()
    };
    let totals = |(volume, metrics): &(Volume, Vec<DemandHistogram>)| {
        let metrics = metrics.iter().map(|metric| (metric.total_us(), metric.total_amount())).collect::<Vec<_>>();
        (volume.role(), metrics)
    };
    let expected = [
        ("data".to_owned(), vec![(2_000_000, 100), (2_000_000, 819_200)]),
        ("wal".to_owned(), vec![(2_000_000, 7), (2_000_000, 57_344)]),
    ];
    assert_eq!(block_histograms(&block).iter().map(totals).collect::<Vec<_>>(), expected);
}

/// A run that begins between two grid points makes a short interval, whose few requests are no peak.
#[test]
fn a_short_interval_is_joined_with_its_neighbour() {
    let sample = |at_us, dt_us, reads| {
        let counts = DeviceCounts { reads, ..DeviceCounts::default() };
        Sample { at_us, dt_us, devices: [(0, CounterDelta::Known(counts))].into(), reset: false }
    };
    let volumes = vec![Volume { roles: vec![Role::Data], ..Volume::default() }];
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes, ..StorageLayout::default() },
        samples: vec![sample(1_000_000, 1_000_000, 10), sample(1_010_000, 10_000, 91)],
        ..Block::default()
    };
    let bins: Vec<_> = block_histograms(&block)[0].1[0].bins().map(|(_, counts)| counts).collect();
    assert_eq!(bins, [BinCounts { us: 1_010_000, amount: 101 }]);
}

proptest! {
    #[test]
    fn percentiles_differ_by_less_than_five_per_cent(
        requests in intervals(300_000), bytes in intervals(20_000_000_000), share in 0.0..1.0f64,
    ) {
        for (metric, seconds) in [(DemandMetric::Requests, requests), (DemandMetric::Bytes, bytes)] {
            let groups = advanced(histogram(metric, &seconds).reading().since(&empty(metric)));
            let rate = |(amount, us): &(u64, u64)| (*amount as f64 * 1e6 / *us as f64, *us);
            let exact = quantile(seconds.iter().map(rate).collect(), share);
            let read = quantile(groups.iter().map(|group| (group.rate, group.us)).collect(), share);
            let negligible = metric.bounds()[0];
            let within = read < exact * WIDTH && exact < read * WIDTH;
            prop_assert!(within || near(read, exact * WIDTH) || read.max(exact) <= negligible, "{} {}", exact, read);
        }
    }

    #[test]
    fn time_and_amount_are_conserved(first in intervals(300_000), second in intervals(300_000)) {
        let metric = DemandMetric::Requests;
        let before = histogram(metric, &first);
        let mut now = histogram(metric, &first);
        second.iter().for_each(|&(amount, dt_us)| now.add(amount, dt_us));
        let mut merged = before.clone();
        merged.merge(&histogram(metric, &second));
        prop_assert_eq!(&merged, &now);
        let groups = advanced(now.reading().since(&before.reading()));
        prop_assert_eq!(groups.iter().map(|group| group.us).sum::<u64>(), second.iter().map(|pair| pair.1).sum::<u64>());
        let amount: f64 = groups.iter().map(|group| group.rate * group.us as f64 / 1e6).sum();
        prop_assert!(near(amount, second.iter().map(|pair| pair.0).sum::<u64>() as f64), "{}", amount);
        // The difference is what the seconds between have by themselves.
        prop_assert_eq!(groups, advanced(histogram(metric, &second).reading().since(&empty(metric))));
    }

    #[test]
    fn scraped_values_give_the_reading_back(seconds in intervals(20_000_000_000)) {
        let reading = histogram(DemandMetric::Bytes, &seconds).reading();
        let scraped: Vec<_> = reading.cumulative_us.iter().map(|&(bound, us)| (bound, us as f64 / 1e6)).collect();
        let back = HistogramReading::from_seconds(DemandMetric::Bytes, &scraped, reading.amount as f64);
        prop_assert_eq!(back, Some(reading));
    }
}
