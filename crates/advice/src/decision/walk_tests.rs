//! Walks: an input of a scenario from a tenth less to a tenth more in steps of 1 %. A step changes price, throughput and the ends of its
//! interval by 5 % or one order at most, but where a rule that may step has its two answers side by side.

use super::advise::tests::{DATA, Load, WAL, advice, declare, declared_advice, dollars, rds, window};
use super::role_advice::RoleAdvice;
use crate::request::settings::Settings;
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::{CounterDelta, Window};

/// Largest change of a step, a share.
const MAX_STEP: f64 = 0.05;

/// The same where a limit becomes likely, from 0.86 to 0.94 of its level: a queue of 2.7 times the latency hides twice the demand in eight steps.
const MAX_LIMIT_STEP: f64 = 0.10;

/// Price of one order: a hundred IOPS and five MiB/s of gp3, and a GiB, dollars a month.
const ORDER_USD: f64 = 0.50 + 0.20 + 0.08;

/// Price, and the ratio of throughput with its ends, where that is predicted.
fn answer(role: &RoleAdvice) -> Vec<f64> {
    let best = role.best().unwrap_or_else(|| panic!("nothing is recommended: {:?}", role.candidates.first()));
    let price = best.total().cents() as f64 / 100.0;
    let ratio = best.ratio().map(|ratio| [ratio.low, ratio.middle, ratio.high]);
    std::iter::once(price).chain(ratio.into_iter().flatten()).collect()
}

/// Steps of a walk that are too large: factor, before, after.
fn cliffs(max_step: f64, of: &dyn Fn(f64) -> RoleAdvice) -> Vec<String> {
    let points: Vec<(f64, Vec<f64>)> =
        (90..=110).map(|pct| f64::from(pct) / 100.0).map(|factor| (factor, answer(&of(factor)))).collect();
    let step = |pair: &[(f64, Vec<f64>)]| {
        let ((_, before), (factor, after)) = (&pair[0], &pair[1]);
        let each = before.iter().zip(after).enumerate();
        let large = each.filter(|(at, (a, b))| {
            let allowed = max_step * a.max(**b) + if *at == 0 { ORDER_USD } else { 0.0 };
            (*a - *b).abs() > allowed
        });
        let text = |(at, (a, b)): (usize, (&f64, &f64))| {
            format!("{factor} {}: {a:.3} {b:.3}", ["usd", "low", "middle", "high"][at])
        };
        large.map(text).collect::<Vec<String>>()
    };
    points.windows(2).flat_map(step).collect()
}

fn scaled(count: u64, factor: f64) -> u64 {
    (count as f64 * factor).round() as u64
}

/// Reads of 8 KiB at this rate and latency, with these waits.
fn reading(reads: u64, read_us: u64, waits: &[(&str, &str, u64)]) -> Window {
    let mut seen = window(&[Load { reads, read_ms: reads * read_us / 1_000, ..DATA }], waits);
    for (_, delta) in seen.intervals.iter_mut().flat_map(|interval| &mut interval.devices) {
        let CounterDelta::Known(counts) = delta else { panic!("{delta:?}") };
        counts.weighted_ms = counts.read_ms;
    }
    seen
}

/// The same with other rates in the first seconds of each five minutes.
fn bursting(base: u64, burst: u64, seconds: usize) -> Window {
    let mut seen = reading(base, 500, &[]);
    for (second, interval) in seen.intervals.iter_mut().enumerate() {
        for (_, delta) in &mut interval.devices {
            let CounterDelta::Known(counts) = delta else { panic!("{delta:?}") };
            if second % 300 < seconds {
                (counts.reads, counts.read_bytes, counts.read_ms) = (burst, burst * 8_192, burst / 2);
            }
        }
    }
    seen
}

/// Averages of so many seconds, of this rate and a half more by turns.
fn averaged(reads: u64, seconds: u64) -> Window {
    let mut seen = reading(reads, 500, &[]);
    for (index, interval) in (0..).zip(&mut seen.intervals) {
        (interval.dt_us, interval.interval_us) = (seconds * 1_000_000, seconds * 1_000_000);
        interval.at_us = ((index + 1) * seconds * 1_000_000) as i64;
        for (_, delta) in &mut interval.devices {
            let CounterDelta::Known(counts) = delta else { panic!("{delta:?}") };
            counts.reads = seconds * if index % 2 == 0 { reads } else { reads * 3 / 2 };
            (counts.read_bytes, counts.read_ms) = (counts.reads * 8_192, counts.reads / 2);
            counts.weighted_ms = counts.read_ms;
        }
    }
    seen
}

/// 1,000 a second, and one second of a burst at this place.
fn burst_at(second: usize, burst: u64) -> Window {
    let mut seen = reading(1_000, 500, &[("CPU*", "CPU*", 100), ("IO", "DataFileRead", 25)]);
    for (_, delta) in &mut seen.intervals[second].devices {
        let CounterDelta::Known(counts) = delta else { panic!("{delta:?}") };
        (counts.reads, counts.read_bytes, counts.read_ms) = (burst, burst * 8_192, burst / 2);
    }
    seen
}

fn closed(reads: u64, read_us: u64) -> Window {
    reading(reads, read_us, &[("IO", "DataFileRead", reads * read_us / 20_000), ("CPU*", "CPU*", reads / 40)])
}

/// Walks from a tenth less to a tenth more.
fn walk(name: &str, of: impl Fn(f64) -> RoleAdvice) {
    walk_by(MAX_STEP, name, of);
}

fn walk_by(max_step: f64, name: &str, of: impl Fn(f64) -> RoleAdvice) {
    let found = cliffs(max_step, &of);
    assert!(found.is_empty(), "{name}\n{}", found.join("\n"));
}

fn role(seen: &Window, settings: Settings) -> RoleAdvice {
    advice(seen, settings).roles.remove(0)
}

fn plain() -> Settings {
    Settings::default()
}

#[test]
fn open_loops() {
    walk("rate", |f| role(&reading(scaled(5_000, f), 500, &[]), plain()));
    walk("rate of a burst", |f| role(&bursting(2_000, scaled(9_000, f), 30), plain()));
    walk("rate beside a burst", |f| role(&bursting(scaled(2_000, f), 9_000, 30), plain()));
    walk("averages of a minute", |f| role(&averaged(scaled(4_000, f), 60), plain()));
    walk("averages of five minutes", |f| role(&averaged(scaled(4_000, f), 300), plain()));
    walk("headroom", |f| role(&reading(9_000, 500, &[]), Settings { headroom: Some(0.5 * f), ..plain() }));
}

/// A second of 3,500 to 9,000 at the beginning, within and at the end of a quarter of an hour is the same burst.
#[test]
fn the_place_of_a_burst_does_not_count() {
    for burst in [3_500, 5_000, 7_000, 9_000] {
        let [first, middle, last] = [0, 450, 899].map(|second| answer(&role(&burst_at(second, burst), plain())));
        for (middle, ends) in middle.iter().zip(first.iter().zip(&last)) {
            let is_like = |end: &f64| (end - middle).abs() <= MAX_STEP * middle;
            assert!(is_like(ends.0) && is_like(ends.1), "{burst}: {middle} {ends:?}");
        }
    }
}

#[test]
fn closed_loops() {
    walk("rate", |f| role(&closed(scaled(12_000, f), 455), plain()));
    walk("latency", |f| role(&closed(12_000, scaled(740, f)), plain()));
    walk("kept throughput", |f| role(&closed(12_000, 455), Settings { keep_throughput_pct: 90.0 * f, ..plain() }));
    walk("think time of an unsure one", |f| {
        let waits = [("IO", "DataFileRead", 300), ("CPU*", "CPU*", 300), ("Client", "ClientRead", scaled(250, f))];
        role(&reading(12_000, 500, &waits), plain())
    });
}

#[test]
fn limits() {
    let gp3 = declare(VolumeType::Gp3, 100, Some(3_000));
    let declared = |seen: &Window| declared_advice(seen, plain(), &gp3).roles.remove(0);
    walk("below a declared one", |f| declared(&closed(scaled(2_500, f), 700)));
    walk_by(MAX_LIMIT_STEP, "rate at a declared one", |f| declared(&closed(scaled(3_000, f), 2_000)));
    walk("latency at a declared one", |f| declared(&closed(3_000, scaled(1_400, f))));
    let gp2 = declare(VolumeType::Gp2, 500, None);
    walk("gp2 with burst credits", |f| {
        declared_advice(&reading(scaled(1_250, f), 700, &[]), plain(), &gp2).roles.remove(0)
    });
    walk("near the baseline of an instance", |f| {
        role(&reading(scaled(3_200, f), 500, &[]), Settings { instance: Some("m5.large".into()), ..plain() })
    });
}

#[test]
fn sequential_requests_and_places() {
    let sequential = |reads, kib| role(&window(&[Load { reads, kib, read_ms: 1_500, ..DATA }], &[]), plain());
    walk("size of small ones", |f| sequential(1_500, scaled(64, f)));
    walk("rate of large ones", |f| sequential(scaled(600, f), 256));
    walk("RDS below 3,000 IOPS", |f| {
        role(&reading(scaled(2_200, f), 700, &[]), Settings { min_size_gib: Some(300), ..rds() })
    });
    walk("data and WAL", |f| {
        let loads = [Load { reads: scaled(3_000, f), read_ms: 2_000, ..DATA }, Load { writes: 500, ..WAL }];
        role(&window(&loads, &[]), plain())
    });
}

#[test]
fn budgets() {
    let within = |usd: f64| Settings { budget_usd: Some(dollars(&format!("{usd:.2}"))), ..plain() };
    walk("rate", |f| role(&reading(scaled(9_000, f), 500, &[]), within(40.0)));
    walk("budget", |f| role(&reading(9_000, 500, &[]), within(40.0 * f)));
}

/// gp3 of RDS has 3,000 IOPS below 400 GiB, and 12,000 from there on: a step of AWS's list, whose lower side is a row of the upper one.
#[test]
fn a_step_of_the_price_list_has_its_other_side_beside_it() {
    let role = |reads| role(&reading(reads, 700, &[]), Settings { min_size_gib: Some(300), ..rds() });
    let total = |role: &RoleAdvice| role.best().unwrap().total().to_string();
    let (below, above) = (role(2_500), role(2_525));
    assert_eq!((total(&below), total(&above)), ("34.5".to_owned(), "46".to_owned()));
    assert!(above.candidates.iter().any(|one| one.config == below.best().unwrap().config));
}
