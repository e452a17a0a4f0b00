use super::*;
use crate::run_timeline::Segment;
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, Role, Sample, StorageLayout, Timed, TransactionCounts, Volume,
};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// Autocorrelated noise around one: `alike` is the correlation with the second before.
fn noise(seconds: usize, alike: f64, deviation: f64, seed: u64) -> Vec<f64> {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut normal = || (0..12).map(|_| random.next_u64() as f64 / u64::MAX as f64).sum::<f64>() - 6.0;
    let mut level = normal();
    let mut next = || {
        level = alike * level + (1.0 - alike * alike).sqrt() * normal();
        1.0 + deviation * level
    };
    (0..seconds).map(|_| next()).collect()
}

/// Progress with these numbers of transactions in each second.
fn progress(rates: &[f64]) -> Progress {
    let point = |(second, rate): (i64, &f64)| Point { ended_us: (second + 1) * 1_000_000, seconds: 1.0, count: *rate };
    Progress { work: Work::Transactions, points: (0..).zip(rates).map(point).collect() }
}

/// A minute at a tenth, growing, and nine more.
fn warming_up(seed: u64) -> Vec<f64> {
    let of = |(second, noise): (i32, f64)| 1_000.0 * noise * (1.0 - 0.9 * (-f64::from(second) / 20.0).exp());
    (0..).zip(noise(600, 0.5, 0.05, seed)).map(of).collect()
}

#[test]
fn ramp_up_ends_where_the_rest_is_alike() {
    for seed in 0..50 {
        let found = progress(&warming_up(seed)).ramp_up();
        let RampUp::Ended { at_us, seconds } = found else { panic!("{seed}: {found:?}") };
        assert_eq!(at_us as f64, seconds * 1e6);
        // Within 5 % of its end after a minute.
        assert!((35.0..150.0).contains(&seconds), "{seed}: {seconds}");
    }
}

#[test]
fn a_run_that_never_settles_is_not_cut() {
    let rising: Vec<f64> = (0..600).map(|second| 100.0 + f64::from(second)).collect();
    assert_eq!(progress(&rising).ramp_up(), RampUp::TooLong);
    assert_eq!(progress(&[500.0; 600]).ramp_up(), RampUp::None);
}

#[test]
fn stationary_noise_and_a_day_have_no_ramp_up() {
    for (seconds, alike, deviation) in [
        (60, 0.0, 0.2),
        (120, 0.0, 0.2),
        (120, 0.5, 0.05),
        (120, 0.9, 0.1),
        (600, 0.0, 0.3),
        (600, 0.5, 0.2),
        (600, 0.9, 0.2),
    ] {
        let found =
            (0..400).filter(|&seed| progress(&noise(seconds, alike, deviation, seed)).ramp_up() != RampUp::None);
        let found = found.count();
        assert!(found <= 20, "{found} of 400 noisy runs of {seconds} s have a ramp-up, {alike} alike, {deviation}");
    }
    // A day of sar, ten minutes each, that begins at any hour: a night of a tenth, and ten hours of work.
    let mut found = 0;
    for seed in 0..400 {
        let of = |(tick, noise): (i32, f64)| {
            let hour = f64::from(tick) / 6.0 + (seed % 24) as f64;
            noise * (1.1 - (hour * std::f64::consts::TAU / 24.0).cos())
        };
        let rates: Vec<f64> = (0..).zip(noise(144, 0.5, 0.1, seed)).map(of).collect();
        let points =
            (1..).zip(&rates).map(|(n, rate)| Point { ended_us: n * 600_000_000, seconds: 600.0, count: 600.0 * rate });
        let day = Progress { work: Work::Requests, points: points.collect() };
        found += usize::from(day.ramp_up() != RampUp::None);
    }
    assert!(found <= 20, "{found} of 400 days have a ramp-up");
}

/// 30 s at 20 a second, then 100, but for 5 s at 15 near the end: the ramp-up ends after 30 s, stall or not.
#[test]
fn a_stall_below_the_ramp_up_does_not_hide_it() {
    for seconds in [120, 240, 600] {
        for stall in [None, Some(seconds - 25), Some(seconds - 15), Some(seconds - 5)] {
            let rate = |second: usize| match second {
                0..30 => 20.0,
                _ if stall.is_some_and(|stall| (stall..stall + 5).contains(&second)) => 15.0,
                _ => 100.0,
            };
            let rates: Vec<f64> = (0..seconds).map(rate).collect();
            let found = progress(&rates).ramp_up();
            assert!(matches!(found, RampUp::Ended { seconds: 30.0, .. }), "{seconds} {stall:?}: {found:?}");
        }
    }
}

/// Two minutes at 1,000 a second, of which `seconds` from this second on at this share.
fn interrupted(from: usize, seconds: usize, share: f64) -> Vec<f64> {
    (0..120).map(|second| if (from..from + seconds).contains(&second) { 1_000.0 * share } else { 1_000.0 }).collect()
}

fn state(rates: &[f64]) -> SteadyState {
    let progress = progress(rates);
    let ramp_up = progress.ramp_up();
    let from_us = if let RampUp::Ended { at_us, .. } = ramp_up { at_us } else { i64::MIN };
    let (trend, shortfall) = (progress.trend(from_us), progress.shortfall(from_us));
    Steadiness { work: Some(Work::Transactions), ramp_up, trend, shortfall, checkpoint_cycles: None }.state().unwrap()
}

/// Worked out by hand: 30 s at a fifth lose 30 × 0.8 = 24 of 120 s of work, a fifth.
#[test]
fn a_run_that_lost_four_fifths_for_thirty_seconds_is_not_steady() {
    for from in [15, 20, 45, 60] {
        let SteadyState::Interrupted(lost) = state(&interrupted(from, 30, 0.2)) else {
            panic!("{from}: {:?}", state(&interrupted(from, 30, 0.2)))
        };
        assert!((lost.share - 0.2).abs() < 1e-9 && (lost.seconds - 30.0).abs() < 1e-9, "{lost:?}");
    }
    assert_ne!(state(&interrupted(90, 30, 0.2)), SteadyState::Steady);
}

/// Worked out by hand: 10 s at 0.4 lose 6 of 120 s, 5 %; at 0.41 they lose 4.9 %. From half of the usual rate on a loss counts less: at 0.51 by 29 of
/// 30 parts, so that 30 of 120 s lose 11.8 %; at 0.63 17 of 30 parts of 0.37 are 5.2 %, at 0.64 16 parts of 0.36 are 4.8 %. A dip to 0.7 for
/// a fifth of the time, as checkpoints cause, loses 10 of 30 parts of 0.3: 2 %.
#[test]
fn a_twentieth_of_the_work_lost_is_too_much() {
    assert!(matches!(state(&interrupted(50, 10, 0.40)), SteadyState::Interrupted(_)));
    assert_eq!(state(&interrupted(50, 10, 0.41)), SteadyState::Steady);
    assert!(matches!(state(&interrupted(45, 30, 0.499)), SteadyState::Interrupted(_)));
    let lost = |seconds, rate| progress(&interrupted(45, seconds, rate)).shortfall(i64::MIN).unwrap().share;
    let by_hand = [(30, 0.5, 0.125), (30, 0.51, 0.118), (30, 0.63, 0.052), (30, 0.64, 0.048), (25, 0.7, 0.021)];
    for (seconds, rate, share) in by_hand {
        assert!((lost(seconds, rate) - share).abs() < 5e-4, "{rate}: {}", lost(seconds, rate));
    }
    assert!(matches!(state(&interrupted(45, 30, 0.51)), SteadyState::Interrupted(_)));
    assert!(matches!(state(&interrupted(45, 30, 0.63)), SteadyState::Interrupted(_)));
    assert_eq!(state(&interrupted(45, 30, 0.64)), SteadyState::Steady);
    // Five seconds without any lose 4.2 %, ten 8.3 %.
    assert_eq!(state(&interrupted(50, 5, 0.0)), SteadyState::Steady);
    assert!(matches!(state(&interrupted(50, 10, 0.0)), SteadyState::Interrupted(_)));
}

#[test]
fn noise_and_a_few_requests_are_not_interrupted() {
    for (alike, deviation) in [(0.0, 0.3), (0.5, 0.3), (0.9, 0.2)] {
        let lost = |&seed: &u64| {
            let rates: Vec<f64> = noise(120, alike, deviation, seed).iter().map(|rate| 100.0 * rate.max(0.0)).collect();
            progress(&rates).shortfall(i64::MIN).unwrap().is_relevant()
        };
        let wrong = (0..400).filter(lost).count();
        assert!(wrong <= 20, "{wrong} of 400 noisy runs are interrupted, {alike} alike");
    }
    // A request every other batch.
    let few: Vec<f64> = (0..120).map(|second| if second % 10 == 0 { 1.0 } else { 0.0 }).collect();
    assert_eq!(progress(&few).shortfall(i64::MIN), None);
}

#[test]
fn a_trend_is_seen_and_a_steady_run_seldom_has_one() {
    let falling = |seed| -> Vec<f64> {
        (0..)
            .zip(noise(600, 0.7, 0.1, seed))
            .map(|(second, noise)| noise * (1.2 - 0.4 * f64::from(second) / 600.0))
            .collect()
    };
    let trend = |rates: &[f64]| progress(rates).trend(i64::MIN).unwrap();
    let found = (0..200).map(|seed| trend(&falling(seed)));
    assert!(found.clone().filter(Trend::is_drift).count() >= 190);
    let mean = found.map(|trend| trend.drift).sum::<f64>() / 200.0;
    assert!((mean + 0.4).abs() < 0.03, "{mean}");
    for alike in [0.0, 0.5, 0.9] {
        let wrong = (0..400).filter(|&seed| trend(&noise(600, alike, 0.2, seed)).is_drift()).count();
        assert!(wrong <= 28, "{wrong} of 400 steady runs have a trend, {alike} alike");
    }
}

#[test]
fn a_small_drift_is_none_that_matters() {
    let rates: Vec<f64> = (0..600).map(|second| 1.0 + 0.03 * f64::from(second) / 600.0).collect();
    let trend = progress(&rates).trend(i64::MIN).unwrap();
    assert!(trend.p < 0.001 && !trend.is_drift() && (trend.drift - 0.03).abs() < 0.002, "{trend:?}");
}

fn window(seconds: i64) -> Window {
    let sample = |second: i64| {
        let counts = DeviceCounts { reads: 100, read_bytes: 819_200, ..DeviceCounts::default() };
        Sample {
            at_us: second * 1_000_000,
            dt_us: 1_000_000,
            devices: [(0, CounterDelta::Known(counts))].into(),
            reset: false,
        }
    };
    let volume = Volume { device: "sdf".into(), roles: vec![Role::Data], ..Volume::default() };
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        samples: (1..=seconds).map(sample).collect(),
        ..Block::default()
    };
    Window::assemble([block], 0, seconds * 1_000_000)
}

fn timeline(segments: i64, counts: u64) -> RunTimeline {
    let segment = |n: i64| Segment {
        ended_us: 15_000_000 * n,
        length_us: 15_000_000,
        transactions: Timed { counts: TransactionCounts { commits: counts, rollbacks: 0 }, known_us: 15_000_000 },
        ..Segment::default()
    };
    RunTimeline { segments: (1..=segments).map(segment).collect(), ..RunTimeline::new(0, segments * 15_000_000) }
}

#[test]
fn transactions_are_asked_first_where_they_were_counted_often_enough() {
    let work =
        |window: &Window, timeline: &RunTimeline| Progress::from_window(window, timeline).map(|progress| progress.work);
    assert_eq!(work(&window(600), &timeline(40, 1_000)), Some(Work::Transactions));
    assert_eq!(work(&window(60), &timeline(4, 1_000)), Some(Work::Requests));
    assert_eq!(work(&window(600), &timeline(40, 0)), Some(Work::Requests));
    let mut once = timeline(40, 1_000);
    once.segments[7].transactions.known_us = 0;
    assert_eq!(work(&window(600), &once), Some(Work::Requests));
    assert_eq!(work(&window(20), &timeline(1, 1_000)), None);
}

#[test]
fn too_little_is_not_known_and_a_mark_is_believed() {
    let found = Steadiness::from_window(&window(20), &timeline(1, 9), false);
    assert_eq!((found.work, found.ramp_up, found.trend, found.is_steady()), (None, RampUp::NotKnown, None, None));
    let found = Steadiness::from_window(&window(600), &timeline(40, 1_000), true);
    assert_eq!((found.ramp_up, found.is_steady(), found.checkpoint_cycles), (RampUp::Marked, Some(true), None));
}

proptest! {
    #[test]
    fn it_says_the_same_of_twice_as_much_and_never_cuts_more_than_half(
        rates in prop::collection::vec(0.0f64..1e6, 0..200),
    ) {
        let (once, twice) = (progress(&rates), progress(&rates.iter().map(|rate| 2.0 * rate).collect::<Vec<_>>()));
        prop_assert_eq!(once.ramp_up(), twice.ramp_up());
        if let RampUp::Ended { seconds, .. } = once.ramp_up() {
            prop_assert!(seconds <= rates.len() as f64 / 2.0 + 5.0);
        }
        if let Some(trend) = once.trend(i64::MIN) {
            prop_assert!(trend.drift.is_finite() && (0.0..=1.0).contains(&trend.p), "{:?}", trend);
        }
    }
}
