use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use ebs_base::units::GIB;

const HOUR_US: i64 = 3_600_000_000;
const ONE: f64 = GIB as f64;

/// Two weeks, an hour apart.
fn hours(used: impl Fn(f64) -> f64) -> Vec<(i64, u64)> {
    (0..=336).map(|hour| (hour * HOUR_US, used(hour as f64 / 24.0).round() as u64)).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs().max(1.0)
}

fn uniform(random: &mut Pcg64) -> f64 {
    random.next_u64() as f64 / u64::MAX as f64
}

/// Standard normal: twelve uniforms are near enough for coverage.
fn normal(random: &mut Pcg64) -> f64 {
    (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
}

/// Bytes added to a trend of 1 GiB a day by the hour: two weeks that are seen, and the month after.
type Noise = fn(&mut Pcg64) -> Box<dyn FnMut(&mut Pcg64) -> f64>;

const KINDS: [(&str, Noise); 4] = [
    ("independent", |_| Box::new(|random| 2.0 * normal(random))),
    ("autoregressive, 0.6", |_| {
        let mut level = 0.0;
        Box::new(move |random| {
            level = 0.6 * level + normal(random);
            level
        })
    }),
    ("autoregressive, 0.95", |_| {
        let mut level = 0.0;
        Box::new(move |random| {
            level = 0.95 * level + 0.3 * normal(random);
            level
        })
    }),
    // Each hour adds an exponentially distributed amount instead of its mean: a random walk around the trend.
    ("inserts", |_| {
        let mut level = 0.0;
        Box::new(move |random| {
            level += (-(1.0 - uniform(random)).max(1e-12).ln() - 1.0) / 24.0;
            level
        })
    }),
];

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    for (name, noise) in KINDS {
        let (mut slopes, mut forecasts) = (0, 0);
        for seed in 0..200 {
            let mut random = Pcg64::seed_from_u64(seed);
            let mut next = noise(&mut random);
            let all: Vec<f64> =
                (0..=336 + 720).map(|hour| ONE * (100.0 + f64::from(hour) / 24.0 + next(&mut random))).collect();
            let points: Vec<_> = (0..).zip(&all[..=336]).map(|(hour, used)| (hour * HOUR_US, *used as u64)).collect();
            let growth = Growth::from_points(&points).unwrap();
            let holds =
                |interval: ConfidenceInterval, truth: f64| u32::from(interval.low <= truth && truth <= interval.high);
            slopes += holds(growth.per_day_interval, ONE);
            forecasts += holds(growth.forecast_interval, all[336 + 720]);
        }
        assert!(slopes >= 180 && forecasts >= 180, "{name}: {slopes} slopes and {forecasts} forecasts of 200");
    }
}

#[test]
fn constant_use_does_not_grow() {
    let growth = Growth::from_points(&hours(|_| 100.0 * ONE)).unwrap();
    let nothing = ConfidenceInterval { low: 0.0, high: 0.0 };
    assert_eq!((growth.days, growth.per_day, growth.per_day_interval, growth.steps), (14.0, 0.0, nothing, None));
    assert_eq!((growth.forecast, growth.forecast_interval.high), (100.0 * ONE, 100.0 * ONE));
}

#[test]
fn linear_use_keeps_its_slope() {
    let growth = Growth::from_points(&hours(|day| (100.0 + 2.0 * day) * ONE)).unwrap();
    assert!(near(growth.per_day, 2.0 * ONE) && near(growth.per_day_interval.high, 2.0 * ONE), "{growth:?}");
    // 128 GiB after two weeks, and 60 more in a month.
    assert!(near(growth.forecast, 188.0 * ONE) && near(growth.forecast_interval.high, 188.0 * ONE), "{growth:?}");
    assert_eq!(growth.steps, None);
}

#[test]
fn what_shrinks_is_expected_to_stay() {
    let growth = Growth::from_points(&hours(|day| (100.0 - 2.0 * day) * ONE)).unwrap();
    assert!(near(growth.per_day, -2.0 * ONE), "{growth:?}");
    assert_eq!((growth.forecast, growth.forecast_interval.low), (72.0 * ONE, 72.0 * ONE));
}

/// 1 GiB a day, and on the fifth day 50 GiB at once or over nine hours: the slope stays, the upper end allows for as much
/// again as often, 30 days over 14.
#[test]
fn a_bulk_load_is_no_trend_and_widens_the_interval() {
    for hours_long in [0.01, 9.0] {
        let load = |day: f64| 50.0 * ((day - 4.9) * 24.0 / hours_long).clamp(0.0, 1.0);
        let growth = Growth::from_points(&hours(|day| (100.0 + day + load(day)) * ONE)).unwrap();
        let steps = growth.steps.unwrap();
        assert!(steps.count == 1 && (steps.bytes / ONE - 50.0).abs() < 1.0, "{growth:?}");
        assert!((steps.days_ago - 9.0).abs() < 0.5, "{growth:?}");
        assert!((growth.per_day / ONE - 1.0).abs() < 0.05, "{growth:?}");
        assert!((growth.forecast / ONE - 194.0).abs() < 2.0, "{growth:?}");
        let more = (growth.forecast_interval.high - growth.forecast) / ONE;
        assert!((100.0..130.0).contains(&more), "{more} {growth:?}");
    }
}

/// A purge on the tenth day, of 700 GiB: 100 are in use since, and nothing grows.
#[test]
fn a_purge_begins_anew() {
    let purged = hours(|day| (if day < 10.0 { 800.0 } else { 100.0 }) * ONE);
    let growth = Growth::from_points(&purged).unwrap();
    assert_eq!((growth.days, growth.forecast_interval.high, growth.steps), (4.0, 100.0 * ONE, None));
    assert_eq!(since_fall(&purged).len(), 97);
    // A day is too short for a trend: that of the time before goes on.
    let growth = Growth::from_points(&hours(|day| (if day < 13.0 { 800.0 } else { 100.0 }) * ONE)).unwrap();
    assert_eq!((growth.days, growth.forecast_interval.high, growth.steps), (14.0, 100.0 * ONE, None));
}

/// 350 GiB for two hours, in one night or in every one: as much may be in use again, and nothing grows.
#[test]
fn temporary_use_is_no_growth() {
    for nights in [9.0..10.0, 0.0..14.0] {
        let is_used = |day: f64| nights.contains(&day) && (0.1..0.2).contains(&day.fract());
        let points = hours(|day| (if is_used(day) { 650.0 } else { 300.0 }) * ONE);
        assert_eq!(since_fall(&points).len(), points.len());
        let high = Growth::from_points(&points).unwrap().forecast_interval.high / ONE;
        assert!((650.0..700.0).contains(&high), "{high}");
    }
}

/// 200 GiB come every midnight, and go until the next: the month after has no more.
#[test]
fn a_daily_cycle_is_no_growth() {
    let cycle = hours(|day| (500.0 - 200.0 * day.fract()) * ONE);
    for points in [&cycle[..169], &cycle[..]] {
        let high = Growth::from_points(points).unwrap().forecast_interval.high / ONE;
        assert!((500.0..600.0).contains(&high), "{high}");
    }
}

#[test]
fn a_bulk_load_of_the_last_hour_counts_as_used() {
    let growth = Growth::from_points(&hours(|day| (if day > 13.97 { 150.0 } else { 100.0 }) * ONE)).unwrap();
    assert_eq!((growth.used, growth.forecast), (150.0 * ONE, 150.0 * ONE));
    assert!(growth.steps.is_some_and(|steps| steps.days_ago < 0.5), "{growth:?}");
}

#[test]
fn too_little_evidence_shows_no_growth() {
    let all = hours(|day| (100.0 + day) * ONE);
    assert_eq!(Growth::from_points(&[]), None);
    assert_eq!(Growth::from_points(&all[..48]), None);
    assert!(Growth::from_points(&all[..49]).is_some());
    let sparse: Vec<_> = all.iter().copied().step_by(24).collect();
    assert_eq!(Growth::from_points(&sparse), None);
}

/// Two clusters of moments a week apart weigh as the time between them does.
#[test]
fn a_gap_is_bridged() {
    let all = hours(|day| (100.0 + day) * ONE);
    let apart: Vec<_> = all[..40].iter().chain(&all[300..]).copied().collect();
    assert!(near(Growth::from_points(&apart).unwrap().per_day, ONE));
}

fn figures(growth: &Growth) -> [f64; 6] {
    let (rate, forecast) = (growth.per_day_interval, growth.forecast_interval);
    [growth.per_day, rate.low, rate.high, growth.forecast, forecast.low, forecast.high]
}

proptest! {
    #[test]
    fn any_use_gives_figures_in_order(used in prop::collection::vec(0u64..1 << 46, 24..100), hour_s in 8_000i64..100_000) {
        let points: Vec<_> = (0..).zip(&used).map(|(n, used)| (n * hour_s * 1_000_000, *used)).collect();
        let growth = Growth::from_points(&points).unwrap();
        prop_assert!(figures(&growth).iter().all(|figure| figure.is_finite()), "{growth:?}");
        let (rate, forecast) = (growth.per_day_interval, growth.forecast_interval);
        prop_assert!(rate.low <= growth.per_day && growth.per_day <= rate.high);
        prop_assert!(forecast.low <= growth.forecast && growth.forecast <= forecast.high && growth.used <= forecast.low);
    }

    #[test]
    fn it_scales_with_use(used in prop::collection::vec(1u64..1 << 30, 30..60), factor in 2u64..1_000) {
        let growth = |factor: u64| {
            let points: Vec<_> = (0..).zip(&used).map(|(n, used)| (n * 2 * HOUR_US, used * factor)).collect();
            Growth::from_points(&points).unwrap()
        };
        for (one, scaled) in figures(&growth(1)).into_iter().zip(figures(&growth(factor))) {
            prop_assert!((scaled - factor as f64 * one).abs() <= 1e-6 * scaled.abs().max(1.0), "{one} {scaled}");
        }
    }

    #[test]
    fn it_does_not_depend_on_the_date(used in prop::collection::vec(1u64..1 << 40, 30..60), later in 0i64..1 << 50) {
        let growth = |later: i64| {
            let points: Vec<_> = (0..).zip(&used).map(|(n, used)| (later + n * 2 * HOUR_US, *used)).collect();
            Growth::from_points(&points)
        };
        prop_assert_eq!(growth(0), growth(later));
    }
}
