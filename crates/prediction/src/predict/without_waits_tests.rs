//! Published and recorded runs, predicted from the counts of their devices alone.

// Prints the errors of the predictions, with --nocapture.
#![allow(clippy::disallowed_macros)]

use super::*;
use crate::fileio_runs::{self, FileioRun};
use crate::predict::backtest_errors_tests::Errors;
use crate::predict::backtest_tests::{Run, free, is_other_setting, runs, same};
use crate::predict::predict_tests::on;
use crate::predict::published_tests::{STRIPES, one_volume, stripe};
use crate::predict::{self, DriverPace, Limits};
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::demand_summary::DemandSummary;
use proptest::prelude::*;

/// A demand of so many seconds: requests, and the time of all of them.
fn interval(seconds: f64, [reads, writes]: [u64; 2], [read_ms, write_ms]: [u64; 2]) -> Demand {
    let (read_bytes, write_bytes) = (reads * 8_192, writes * 8_192);
    let counts = DeviceCounts { reads, writes, read_bytes, write_bytes, read_ms, write_ms, ..DeviceCounts::default() };
    let interval = DemandInterval { seconds, counts, ..DemandInterval::default() };
    Demand { timed: true, averaged_s: 1.0, intervals: vec![interval], ..Demand::default() }
}

fn device(demand: &Demand) -> Observed {
    Observed::from_device_counts(&DemandSummary::new(demand), None).unwrap()
}

/// Half an hour of a published run, whose threads always have a request in flight.
fn half_an_hour(run: &FileioRun) -> Demand {
    let count = |share: f64| (1_800.0 * run.iops * share).round() as u64;
    let ms = |share: f64| (1_800e3 * run.threads * share).round() as u64;
    let (reads, writes) = (run.read_share, 1.0 - run.read_share);
    interval(1_800.0, [count(reads), count(writes)], [ms(reads), ms(writes)])
}

/// Two to 128 threads on a volume of 3,000 IOPS, predicted from one by the counts of its device: N over the latency, or the limit.
#[test]
fn published_runs_obey_the_law_of_closed_loops() {
    let runs = fileio_runs::runs();
    let mut found = Errors::default();
    let mut errors = Vec::new();
    for run in runs.iter().filter(|run| run.threads > 1.0) {
        let one = runs.iter().find(|one| one.threads == 1.0 && one.kind == run.kind).unwrap();
        let observed = device(&half_an_hour(one));
        let target = on(observed.read_await_s, observed.write_await_s, Some(fileio_runs::LIMIT));
        let prediction = predict::predict(&observed, &Target { sessions: Some(run.threads), ..target });
        assert!(prediction.without_waits && prediction.iops <= fileio_runs::LIMIT * 1.000_001, "{}", run.name);
        found.add(&Prediction { tps: prediction.ratio, ..prediction }, run.iops / one.iops);
        errors.push((prediction.iops / run.iops - 1.0).abs());
    }
    found.print("published");
    let (mean, worst) = (errors.iter().sum::<f64>() / 84.0, errors.iter().copied().fold(0.0, f64::max));
    println!("mean {mean:.4} worst {worst:.4}");
    assert_eq!(errors.len(), 84);
    assert!(mean < 0.004 && worst < 0.08, "{mean} {worst}");
    assert!(found.covered_pct(1.0) >= 95.0);
}

/// Predictions of the recorded runs from each other by their devices' counts, as ratios.
fn errors(runs: &[Run], is_kind: impl Fn(&Run, &Run) -> bool, truth: impl Fn(&Run) -> f64) -> Errors {
    let mut found = Errors::default();
    for from in runs {
        for to in runs.iter().filter(|to| is_other_setting(from, to) && same(from, to) && is_kind(from, to)) {
            let prediction = predict::predict(&from.device, &Target { sessions: None, ..to.target() });
            let is_within = |limit: Option<f64>, rate: f64| limit.is_none_or(|limit| rate <= limit * 1.000_001);
            let bytes = prediction.mibps * MIB as f64;
            assert!(is_within(to.limits.iops, prediction.iops) && is_within(to.limits.bytes, bytes), "{prediction:?}");
            found.add(&Prediction { tps: prediction.ratio, ..prediction }, truth(to) / from.observed.tps);
        }
    }
    found
}

/// The published runs of a stripe, predicted from one volume by the counts of its device and the 32 clients of pgbench: +2, +3, +4 and −10 %, where
/// unknown clients may as well have thought.
#[test]
fn a_stripe_gives_what_was_published_for_a_closed_driver() {
    let run = one_volume();
    let reads = (1_800.0 * run.tps * run.device_reads).round() as u64;
    let demand = interval(1_800.0, [reads, 0], [(1_800e3 * run.tps * run.read.seconds).round() as u64, 0]);
    let unknown = Observed::from_device_counts(&DemandSummary::new(&demand), Some(LimitKind::Iops)).unwrap();
    let closed = Observed { driver: Some(DriverPace::Closed { clients: run.sessions }), ..unknown };
    for ((volumes, published_tps), expected_pct) in STRIPES.into_iter().zip([2.0, 3.0, 4.0, -10.0]) {
        let published = published_tps / run.tps;
        let [found, middle] = [&closed, &unknown].map(|run| predict::predict(run, &stripe(volumes)));
        let error_pct = 100.0 * (found.ratio.middle / published - 1.0);
        assert!((error_pct - expected_pct).abs() < 0.6, "{volumes} {error_pct} {found:?}");
        assert!(found.ratio.low <= published && published <= found.ratio.high, "{volumes} {found:?}");
        assert!(middle.ratio.middle < 0.75 * published, "{volumes} {middle:?}");
    }
}

/// The same stripe for a driver with a rate: it is kept as far as the run was not at its limit, behind it.
#[test]
fn a_stripe_gives_an_open_driver_its_rate() {
    let demand = interval(1_800.0, [1_800 * 3_000, 0], [32_000 * 1_800, 0]);
    let unknown = device(&demand);
    let open = |limit_weight| Observed { driver: Some(DriverPace::Open), limit_weight, ..unknown };
    for (volumes, _) in STRIPES {
        let [kept, behind, middle] =
            [&open(0.0), &open(1.0), &unknown].map(|run| predict::predict(run, &stripe(volumes)));
        assert!(kept.ratio.middle == 1.0 && kept.ratio.low > 0.9 && kept.ratio.high < 1.1, "{volumes} {kept:?}");
        assert!(kept.paced && !middle.paced);
        assert_eq!(behind.ratio, middle.ratio);
    }
    let least = predict::predict(&open(0.0), &stripe(0.5));
    assert!((least.ratio.middle - 0.5).abs() < 1e-9 && least.bound_by == BindingLimit::VOLUME_IOPS, "{least:?}");
}

/// The figures of docs/prediction.md, and a little room: mean error, coverage and median half width of predictions whose driver is known.
#[test]
fn recorded_runs_predict_each_other_by_their_driver() {
    let runs = runs();
    let kinds: [Kind<3>; 4] = [
        ("all", &|_, _| true, [19.5, 90.0, 41.0]),
        ("no limit", &|from, to| free(from) && free(to), [14.0, 91.0, 49.0]),
        ("limit set", &|from, to| free(from) && !free(to), [10.5, 91.0, 19.0]),
        ("limit lifted", &|from, to| !free(from) && free(to), [40.0, 88.0, 95.0]),
    ];
    for (name, kind, [mean, covered, width]) in kinds {
        let mut found = Errors::default();
        for from in &runs {
            let device = Observed { driver: Some(DriverPace::Closed { clients: from.clients }), ..from.device };
            for to in runs.iter().filter(|to| is_other_setting(from, to) && same(from, to) && kind(from, to)) {
                let prediction = predict::predict(&device, &Target { sessions: None, ..to.target() });
                let truth = to.sustained_tps() / from.observed.tps;
                found.add(&Prediction { tps: prediction.ratio, ..prediction }, truth);
            }
        }
        found.print(&format!("closed driver, {name}"));
        assert!(found.mean_pct() <= mean && found.covered_pct(1.0) >= covered, "{name}");
        assert!(found.median_width_pct() <= width, "{name}");
    }
}

/// A kind of pair, and what is asked of its predictions, per cent.
type Kind<'a, const N: usize> = (&'a str, &'a dyn Fn(&Run, &Run) -> bool, [f64; N]);

/// A throughput to compare with.
type Truth<'a> = (&'a str, &'a dyn Fn(&Run) -> f64);

/// The figures of docs/prediction.md, and a little room.
#[test]
fn recorded_runs_predict_each_other_without_waits() {
    let runs = runs();
    let kinds: [Kind<2>; 5] = [
        ("all", &|_, _| true, [88.0, 92.0]),
        ("no limit", &|from, to| free(from) && free(to), [98.0, 98.0]),
        ("limit set", &|from, to| free(from) && !free(to), [80.0, 90.0]),
        ("limit lifted", &|from, to| !free(from) && free(to), [94.0, 94.0]),
        ("both limited", &|from, to| !free(from) && !free(to), [75.0, 84.0]),
    ];
    for (name, kind, covered) in kinds {
        let truths: [Truth; 2] = [("as recorded", &|run| run.observed.tps), ("sustained", &Run::sustained_tps)];
        for ((truth, tps), covered) in truths.into_iter().zip(covered) {
            let found = errors(&runs, kind, tps);
            found.print(&format!("{name}, {truth}"));
            assert!(found.covered_pct(1.0) >= covered, "{name}, {truth}");
        }
    }
}

/// Waits that become known change the prediction by what they say: that with waits lies within the interval of that without.
#[test]
fn waits_narrow_the_interval() {
    let runs = runs();
    let (mut within, mut all) = (0.0, 0.0);
    for from in &runs {
        for to in runs.iter().filter(|to| is_other_setting(from, to) && same(from, to)) {
            let target = Target { sessions: None, ..to.target() };
            let with = predict::predict(&from.observed, &target).ratio;
            let without = predict::predict(&from.device, &target).ratio;
            all += 1.0;
            within += f64::from(u8::from(without.low <= with.middle && with.middle <= without.high));
        }
    }
    println!("{within} of {all}");
    assert!(within >= 0.95 * all, "{within} of {all}");
}

#[test]
fn what_is_missing_is_named() {
    let demand = interval(1.0, [100, 10], [50, 5]);
    let untimed = Demand { timed: false, ..demand };
    assert_eq!(Observed::from_device_counts(&DemandSummary::new(&untimed), None).unwrap_err(), MissingInput::Times);
    let idle = interval(1.0, [0, 0], [0, 0]);
    assert_eq!(Observed::from_device_counts(&DemandSummary::new(&idle), None).unwrap_err(), MissingInput::Waits);
}

/// Sixteen requests in flight at 1,000 IOPS, 16 ms each, on a volume of 1 ms and 4,000 IOPS: the closed loop reaches its limit, four times as
/// many, with 16 in flight; the open one stays.
#[test]
fn a_run_at_its_limit_gives_anything_up_to_that_of_the_target() {
    let demand = interval(1.0, [1_000, 0], [16_000, 0]);
    let observed = Observed::from_device_counts(&DemandSummary::new(&demand), Some(LimitKind::Iops)).unwrap();
    let found = predict::predict(&observed, &on(1e-3, 1e-3, Some(4_000.0)));
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    assert!(near(found.ratio.middle, 2.0) && near(found.iops, 2_000.0), "{found:?}");
    assert!(found.ratio.low < 1.0 && found.ratio.high > 4.0 && found.ratio.high < 5.0, "{found:?}");
    assert_eq!((found.bound_by, found.also_bound_by), (BindingLimit::Latency, Some(BindingLimit::VOLUME_IOPS)));
    // 16 in flight at 4,000 a second are 4 ms each, 1 ms of it the volume's: half of the queue, as only one law has it.
    assert!(near(found.read_ms.middle, 2.5) && near(found.read_ms.high, 4.0), "{found:?}");
}

/// 100 requests a second of 0.2 ms: one session waits for 2 % of the time. On a volume of 0.8 ms it takes 1.06 s for what took 1 s, and at a
/// limit of 50 IOPS 2 s, of which it thinks 0.98 and waits for the volume 0.08.
#[test]
fn fewer_than_one_in_flight_is_think_time() {
    let observed = device(&interval(100.0, [5_000, 5_000], [1_000, 1_000]));
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    let found = predict::predict(&observed, &on(0.8e-3, 0.8e-3, Some(3_000.0)));
    assert!(near(found.ratio.middle.powi(2), 1.0 / 1.06) && near(found.iops, 100.0 * found.ratio.middle), "{found:?}");
    assert!(found.ratio.low > 0.8 && found.ratio.high < 1.2, "{found:?}");
    let limited = predict::predict(&observed, &on(0.8e-3, 0.8e-3, Some(50.0)));
    assert!(near(limited.ratio.middle, 0.5) && near(limited.read_ms.high, 0.8 + 9.4), "{limited:?}");
}

/// The law has no step at a queue depth of one.
#[test]
fn the_think_time_ends_at_one_in_flight() {
    let ratio = |ms: u64| {
        let observed = device(&interval(100.0, [10_000, 10_000], [ms, ms]));
        predict::predict(&observed, &on(20e-3, 5e-3, None)).ratio
    };
    let [below, at, above] = [49_999, 50_000, 50_001].map(ratio);
    for (low, middle, high) in [(below.low, at.low, above.low), (below.middle, at.middle, above.middle)] {
        assert!((low / middle - 1.0).abs() < 1e-3 && (high / middle - 1.0).abs() < 1e-3, "{low} {middle} {high}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// A run whose sessions do nothing else than wait for the volume, with its waits: the closed loop, which the other law dilutes.
    #[test]
    fn the_closed_law_is_that_of_a_run_with_waits_that_are_all_for_the_volume(
        requests in prop::array::uniform2(1u64..20_000), await_ms in prop::array::uniform2(0.1f64..20.0),
        read in 1e-4..0.02, write in 1e-4..0.02, iops in 100.0..1e5
    ) {
        let ms = [0, 1].map(|i| (requests[i] as f64 * await_ms[i]).ceil() as u64);
        let without = device(&interval(1.0, requests, ms));
        // Fewer than one in flight have think time beside it.
        prop_assume!(without.sessions >= 1.0);
        let with = Observed { without_waits: false, ..without };
        let target = on(read, write, None);
        let (found, closed) = (predict::predict(&without, &target), predict::predict(&with, &target));
        prop_assert!((found.ratio.middle.powi(2) / closed.ratio.middle - 1.0).abs() < 1e-6, "{:?} {:?}", found, closed);
        let target = on(read, write, Some(iops));
        let (found, closed) = (predict::predict(&without, &target), predict::predict(&with, &target));
        prop_assert!(found.ratio.low <= closed.ratio.middle && closed.ratio.middle <= found.ratio.high, "{:?}", found);
    }

    #[test]
    fn every_figure_is_a_number_in_its_interval_and_no_limit_is_passed(
        requests in prop::array::uniform2(0u64..50_000), ms in prop::array::uniform2(0u64..100_000),
        read in 0.0..0.05, write in 0.0..0.05, limits in prop::array::uniform4(prop_oneof![Just(None), (1.0..1e9).prop_map(Some)]),
        more_volumes in 0.1..16.0, more in 1.0..4.0
    ) {
        let demand = interval(1.0, requests, ms);
        prop_assume!(requests[0] + requests[1] > 0 && ms[0] + ms[1] > 0);
        let run = device(&demand);
        let [iops, bytes, instance_iops, instance_bytes] = limits;
        let at = |factor: f64| {
            let times = |limit: Option<f64>| limit.map(|limit| limit * factor);
            let volume = Limits { iops: times(iops), bytes: times(bytes) };
            let instance = Limits { iops: times(instance_iops), bytes: times(instance_bytes) };
            Target { volume, instance, more_volumes, ..on(read, write, None) }
        };
        let found = predict::predict(&run, &at(1.0));
        for range in [found.ratio, found.read_ms, found.write_ms] {
            prop_assert!(range.low.is_finite() && range.high.is_finite() && range.low >= 0.0, "{:?}", found);
            prop_assert!(range.low <= range.middle * 1.000_001 && range.middle <= range.high * 1.000_001, "{:?}", found);
        }
        let most = at(1.0).volume.min(at(1.0).instance);
        prop_assert!(most.iops.is_none_or(|most| found.iops <= most * 1.000_001), "{:?}", found);
        prop_assert!(most.bytes.is_none_or(|most| found.mibps * MIB as f64 <= most * 1.000_001), "{:?}", found);
        prop_assert!(found.in_flight.is_finite() && found.in_flight >= 0.0, "{:?}", found);
        prop_assert_eq!(predict::expect(&run, &at(1.0)).ratio, found.ratio.middle);
        prop_assert!(predict::predict(&run, &at(more)).ratio.middle >= found.ratio.middle * 0.999_999);
    }
}
