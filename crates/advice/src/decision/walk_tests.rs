//! Walks of twelve scenarios: each input from a tenth less to a tenth more in steps of 1 %. A step changes price, IOPS, and the ratio of
//! throughput with both ends of its interval by 5 % or one order at most. A rule and a price list that may step have both answers side by
//! side: each side of the step shows the other's row.

use super::advise::tests::{DATA, Load, WAL, declare, declared_advice, dollars, window};
use super::role_advice::RoleAdvice;
use crate::evaluate::candidate::Candidate;
use crate::request::settings::Settings;
use ebs_aws::catalogue::{IOPS_STEP, VolumeType};
use ebs_samples::evidence::{CounterDelta, Tier, WaitTotals, Window};
use ebs_workload::declarations::Declarations;

/// Largest change of a step, a share.
const MAX_STEP: f64 = 0.05;

/// Input of a scenario: rates of reads a second, latencies and times in the unit of their names, sessions on average.
#[derive(Clone, Copy)]
struct Input {
    reads: f64,
    read_us: f64,
    kib: f64,
    wal_writes: f64,
    /// Sessions at work beside those that wait for reads, and those that wait for their clients; `None` without sampled waits.
    sessions: Option<[f64; 2]>,
    /// Reads a second of a burst; its seconds, of so many, from this one on.
    burst: f64,
    burst_s: f64,
    every_s: usize,
    burst_from_s: usize,
    interval_s: f64,
    /// Coefficients of variation of the latency and of the rate.
    variation: [f64; 2],
    /// Type, GiB and IOPS of the declared volume.
    volume: Option<(VolumeType, f64, Option<f64>)>,
    settings: fn() -> Settings,
    budget_usd: Option<f64>,
    min_gib: Option<f64>,
    headroom: Option<f64>,
    keep_pct: f64,
}

/// 5,000 reads a second of 8 KiB and 0.5 ms.
const STEADY: Input = Input {
    reads: 5_000.0,
    read_us: 500.0,
    kib: 8.0,
    wal_writes: 0.0,
    sessions: None,
    burst: 0.0,
    burst_s: 0.0,
    every_s: 300,
    burst_from_s: 0,
    interval_s: 1.0,
    variation: [0.0; 2],
    volume: None,
    settings: Settings::default,
    budget_usd: None,
    min_gib: None,
    headroom: None,
    keep_pct: 98.0,
};

/// Sessions of a closed loop that hardly computes.
const CLOSED: Option<[f64; 2]> = Some([0.5, 0.0]);

impl Input {
    fn window(&self) -> Window {
        let percent = |sessions: f64| (50.0 * sessions).round() as u64;
        let waits = self.sessions.map(|[cpu, client]| {
            let reading = self.reads * self.read_us / 1e6;
            let each = [("IO", "DataFileRead", reading), ("CPU*", "CPU*", cpu), ("Client", "ClientRead", client)];
            each.map(|(class, event, sessions)| (class, event, percent(sessions)))
        });
        let wal = (self.wal_writes > 0.0).then(|| Load { writes: self.wal_writes.round() as u64, ..WAL });
        let loads: Vec<Load> = std::iter::once(DATA).chain(wal).collect();
        let mut seen = window(&loads, waits.as_ref().map_or(&[], |waits| waits.as_slice()));
        if self.volume.is_some_and(|(volume_type, ..)| volume_type == VolumeType::St1) {
            // Counts alone, of which nothing shows a database.
            (seen.sampling.tier, seen.totals.waits) = (Tier::Imported, WaitTotals::default());
        }
        let seconds = self.interval_s.round();
        for (index, interval) in seen.intervals.iter_mut().enumerate() {
            (interval.dt_us, interval.interval_us) = (seconds as u64 * 1_000_000, seconds as u64 * 1_000_000);
            interval.at_us = (index as i64 + 1) * seconds as i64 * 1_000_000;
            let CounterDelta::Known(counts) = &mut interval.devices[0].1 else { panic!("no counts") };
            let place = index % self.every_s;
            let is_burst = place >= self.burst_from_s && ((place - self.burst_from_s) as f64) < self.burst_s;
            // Evenly spread over three deviations and a half, in no order.
            let deviation = 3f64.sqrt() * (((index * 7_919) % 1_009) as f64 / 504.0 - 1.0);
            let rate = if is_burst { self.burst } else { self.reads } * (1.0 + self.variation[1] * deviation);
            let reads = (rate * seconds).round();
            (counts.reads, counts.read_bytes) = (reads as u64, (reads * self.kib * 1_024.0) as u64);
            counts.read_ms = (reads * self.read_us / 1e3 * (1.0 - self.variation[0] * deviation)).round() as u64;
            counts.weighted_ms = counts.read_ms;
        }
        seen
    }

    fn role(&self) -> RoleAdvice {
        let settings = Settings {
            budget_usd: self.budget_usd.map(|usd| dollars(&format!("{usd:.2}"))),
            min_size_gib: self.min_gib.map(|gib| gib.round() as i64),
            headroom: self.headroom,
            keep_throughput_pct: self.keep_pct,
            ..(self.settings)()
        };
        let whole = |value: f64| value.round() as u64;
        let declared = self.volume.map_or(Declarations::default(), |(volume_type, gib, iops)| {
            declare(volume_type, whole(gib), iops.map(whole))
        });
        declared_advice(&self.window(), settings, &declared).roles.remove(0)
    }
}

/// An input that is walked: its name, and its change by a factor.
type Walk = (&'static str, fn(&mut Input, f64));

const RATE: Walk = ("rate", |input, factor| input.reads *= factor);
const LATENCY: Walk = ("latency", |input, factor| input.read_us *= factor);
const SIZE: Walk = ("size", |input, factor| input.kib *= factor);
const CLIENTS: Walk = ("clients", |input, factor| {
    // More sessions at a limit wait longer, and compute no more.
    input.read_us *= factor;
});
const CPU: Walk = ("time at work", |input, factor| input.sessions.as_mut().unwrap()[0] *= factor);
const THINK_TIME: Walk = ("think time", |input, factor| input.sessions.as_mut().unwrap()[1] *= factor);
const LIMIT: Walk = ("limit", |input, factor| match input.volume.as_mut().unwrap() {
    (_, _, Some(iops)) => *iops *= factor,
    (_, gib, None) => *gib *= factor,
});
const BURST: Walk = ("burst", |input, factor| input.burst *= factor);
const BURST_TIME: Walk = ("time of a burst", |input, factor| input.burst_s = (input.burst_s * factor).round());
const INTERVAL: Walk = ("interval", |input, factor| input.interval_s *= factor);
const BUDGET: Walk = ("budget", |input, factor| *input.budget_usd.as_mut().unwrap() *= factor);
const GIB: Walk = ("size of the volume", |input, factor| *input.min_gib.as_mut().unwrap() *= factor);
const HEADROOM: Walk = ("headroom", |input, factor| *input.headroom.as_mut().unwrap() *= factor);
const KEPT: Walk = ("kept throughput", |input, factor| input.keep_pct *= factor);
const WAL_RATE: Walk = ("WAL", |input, factor| input.wal_writes *= factor);

/// The recommended volumes, or those until the instance is larger.
fn best(role: &RoleAdvice) -> &Candidate {
    let until_then = || role.candidates.first().filter(|_| role.instance_saturation.is_some());
    role.best().or_else(until_then).unwrap_or_else(|| panic!("nothing is recommended: {:?}", role.candidates.first()))
}

/// Price, IOPS, and the ratio of throughput with its ends, where that is predicted.
fn figures(best: &Candidate) -> Vec<f64> {
    let ratio = best.ratio().map(|ratio| [ratio.low, ratio.middle, ratio.high]);
    let ordered = [usd(best), (best.config.iops * best.volumes) as f64];
    ordered.into_iter().chain(ratio.into_iter().flatten()).collect()
}

fn usd(candidate: &Candidate) -> f64 {
    candidate.total().cents() as f64 / 100.0
}

/// Price of one order of such volumes: a hundred IOPS, five MiB/s and a GiB of each.
fn order_usd(candidate: &Candidate) -> f64 {
    let of_one = match candidate.config.volume_type {
        VolumeType::Io1 | VolumeType::Io2 => 6.5 + 0.125,
        _ => 0.50 + 0.20 + 0.10,
    };
    of_one * candidate.volumes as f64
}

/// True of volumes of one type and number, at a price that differs by no more than a step may.
fn is_like(one: &Candidate, other: &Candidate) -> bool {
    let kind = |candidate: &Candidate| (candidate.config.volume_type, candidate.volumes);
    kind(one) == kind(other) && (usd(one) - usd(other)).abs() <= MAX_STEP * usd(other) + order_usd(other)
}

/// True where a role shows volumes like these of another one in one of its rows.
fn shows(role: &RoleAdvice, other: &Candidate) -> bool {
    let options = [&role.peak_option, &role.closed_option, &role.count_option, &role.kept_option];
    let variations = role.variations.iter().filter_map(|variation| variation.best.as_ref());
    // The present volumes, which stay where too little is saved or their description is in doubt, and what was found in their place.
    let found = role.decision.reason.found();
    let mut rows = role.candidates.iter().chain(options.into_iter().flatten()).chain(variations).chain(found);
    let mut present = role.current.iter().flat_map(|current| &current.volumes);
    rows.any(|row| is_like(row, other))
        || present.any(|(present, volumes)| {
            let is_like = (present.volume_type, *volumes) == (other.config.volume_type, other.volumes);
            is_like && present.iops.abs_diff(other.config.iops) as f64 <= MAX_STEP * other.config.iops as f64
        })
}

/// Figures of one step that change by too much.
fn large_changes(before: &Candidate, after: &Candidate) -> Vec<String> {
    let [old, new] = [before, after].map(figures);
    if old.len() != new.len() {
        return vec!["the ratio is not predicted on one side".to_owned()];
    }
    let order_iops = (IOPS_STEP * after.volumes.max(before.volumes)) as f64;
    let order_usd = order_usd(after).max(order_usd(before));
    let names = ["usd", "iops", "low", "middle", "high"];
    let changes = names.into_iter().zip(old.iter().copied().zip(new));
    // The throughput follows the IOPS, which are rounded to an order.
    let rounded = |name: &str, value: f64| match name {
        "usd" => order_usd,
        "iops" => order_iops,
        _ => value * order_iops / old[1],
    };
    let is_large = |(name, (old, new)): &(&str, (f64, f64))| {
        let larger = old.max(*new);
        (old - new).abs() > MAX_STEP * larger + rounded(name, larger)
    };
    changes.filter(is_large).map(|(name, (old, new))| format!("{name} {old:.3} {new:.3}")).collect()
}

/// Steps of a series of inputs that are too large, but for those of which each side shows the other's row.
fn cliffs(name: &str, inputs: impl Iterator<Item = (f64, Input)>) -> Vec<String> {
    let roles: Vec<(f64, RoleAdvice)> = inputs.map(|(at, input)| (at, input.role())).collect();
    let step = |pair: &[(f64, RoleAdvice)]| {
        let ((_, before), (at, after)) = (&pair[0], &pair[1]);
        let (old, new) = (best(before), best(after));
        let changes = large_changes(old, new);
        let is_shown = !is_like(old, new) && shows(before, new) && shows(after, old);
        (!changes.is_empty() && !is_shown).then(|| format!("{name} {at:.3}: {}", changes.join(", ")))
    };
    roles.windows(2).filter_map(step).collect()
}

/// Walks each of these inputs of a scenario.
fn walk(scenario: &str, base: Input, walks: &[Walk]) {
    let found: Vec<String> = walks.iter().flat_map(|walk| cliffs_of(scenario, base, walk)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn cliffs_of(scenario: &str, base: Input, (name, change): &Walk) -> Vec<String> {
    let inputs = (90..=110).map(|percent| f64::from(percent) / 100.0).map(|factor| {
        let mut input = base;
        change(&mut input, factor);
        (factor, input)
    });
    cliffs(&format!("{scenario}, {name}"), inputs)
}

fn gp3(iops: f64) -> Option<(VolumeType, f64, Option<f64>)> {
    Some((VolumeType::Gp3, 100.0, Some(iops)))
}

#[test]
fn open_and_steady() {
    for reads in [2_700.0, 5_000.0, 73_000.0] {
        walk("open", Input { reads, ..STEADY }, &[RATE, LATENCY, SIZE]);
    }
    walk("open", Input { reads: 9_000.0, headroom: Some(0.5), ..STEADY }, &[HEADROOM]);
}

#[test]
fn bursty() {
    let base = Input { reads: 2_000.0, burst: 9_000.0, burst_s: 30.0, ..STEADY };
    walk("bursts", base, &[RATE, BURST, BURST_TIME, LATENCY, SIZE]);
    for (reads, burst, burst_s) in [(500.0, 9_000.0, 2.0), (2_000.0, 20_000.0, 5.0)] {
        let short = Input { reads, burst, burst_s, every_s: 900, burst_from_s: 895, ..STEADY };
        walk("a short burst", short, &[RATE, BURST, LATENCY]);
    }
}

/// A second of 3,500 to 9,000 at the beginning, within and at the end of a quarter of an hour is the same burst.
#[test]
fn the_place_of_a_burst_does_not_count() {
    for burst in [3_500.0, 5_000.0, 7_000.0, 9_000.0] {
        let base = Input { reads: 1_000.0, burst, burst_s: 1.0, every_s: 900, sessions: Some([2.0, 0.0]), ..STEADY };
        let [first, middle, last] = [0, 450, 899].map(|burst_from_s| Input { burst_from_s, ..base }.role());
        let changes = [&first, &last].map(|end| large_changes(best(&middle), best(end)));
        assert!(changes.iter().all(Vec::is_empty), "{burst}: {changes:?}");
    }
}

#[test]
fn closed_loops() {
    for read_us in [455.0, 740.0] {
        let base = Input { reads: 12_000.0, read_us, sessions: CLOSED, ..STEADY };
        walk("closed", base, &[RATE, LATENCY, SIZE, CPU, CLIENTS]);
        walk("closed on a declared one", Input { volume: gp3(16_000.0), ..base }, &[RATE, LATENCY, SIZE, CPU, LIMIT]);
    }
    walk("closed", Input { reads: 12_000.0, sessions: CLOSED, keep_pct: 90.0, ..STEADY }, &[KEPT]);
    let unsure = Input { reads: 12_000.0, sessions: Some([2.0, 4.0]), ..STEADY };
    walk("unsure", unsure, &[RATE, LATENCY, THINK_TIME, CPU]);
}

#[test]
fn at_the_limit_of_a_volume() {
    for read_us in [700.0, 1_400.0, 2_000.0, 5_000.0, 10_000.0] {
        for reads in [3_600.0, 3_900.0] {
            let base = Input { reads, read_us, sessions: CLOSED, volume: gp3(4_000.0), ..STEADY };
            walk(&format!("{reads} at a limit, {read_us} us"), base, &[RATE, CLIENTS, LIMIT, SIZE, CPU]);
        }
        let open = Input { reads: 3_900.0, read_us, volume: gp3(4_000.0), ..STEADY };
        walk(&format!("open at a limit, {read_us} us"), open, &[RATE, LATENCY, LIMIT]);
    }
}

/// Coefficients of variation of the latency from 0.1 to 2 % in steps of 1 %, those of the rate the same by Little's law, or a fifth of it.
#[test]
fn the_variation_of_the_latency() {
    for (reads, read_us, volume) in
        [(2_955.0, 2_700.0, None), (2_955.0, 2_700.0, gp3(3_000.0)), (3_300.0, 5_000.0, None)]
    {
        for share in [1.0, 0.2] {
            let at = |step: i32| 0.001 * 1.01f64.powi(step);
            let input =
                |cv: f64| Input { reads, read_us, sessions: CLOSED, variation: [cv, share * cv], volume, ..STEADY };
            let found = cliffs("variation", (0..=301).map(at).map(|cv| (cv, input(cv))));
            assert!(found.is_empty(), "{reads} {share}\n{}", found.join("\n"));
            walk(&format!("{reads} {share}"), input(0.004), &[RATE, LATENCY, CPU]);
        }
    }
}

#[test]
fn on_an_instance() {
    let instance = || Settings { instance: Some("m5.large".into()), ..Settings::default() };
    for (reads, read_us, sessions) in [(3_200.0, 500.0, None), (3_600.0, 500.0, CLOSED), (3_500.0, 2_000.0, CLOSED)] {
        let base = Input { reads, read_us, sessions, settings: instance, ..STEADY };
        walk(&format!("{reads} on m5.large"), base, &[RATE, LATENCY, SIZE]);
    }
    let steady = || Settings { instance: Some("r6i.4xlarge".into()), ..Settings::default() };
    let at = Input { reads: 18_500.0, read_us: 2_000.0, sessions: CLOSED, settings: steady, ..STEADY };
    walk("18,500 on r6i.4xlarge", at, &[RATE, LATENCY]);
    let bursts = Input { reads: 1_600.0, burst: 9_000.0, burst_s: 2.0, settings: instance, ..STEADY };
    walk("bursts on m5.large", bursts, &[RATE, BURST, LATENCY]);
}

#[test]
fn gp2_with_credits() {
    for (reads, read_us, sessions) in [(1_250.0, 700.0, None), (1_500.0, 700.0, CLOSED), (2_900.0, 2_000.0, CLOSED)] {
        let volume = Some((VolumeType::Gp2, 500.0, None));
        walk(&format!("{reads} on gp2"), Input { reads, read_us, sessions, volume, ..STEADY }, &[RATE, LATENCY, LIMIT]);
    }
}

#[test]
fn sequential() {
    for (kib, reads) in [(64.0, 150.0), (64.0, 1_500.0), (256.0, 600.0), (256.0, 2_500.0)] {
        let base = Input { reads, kib, read_us: 1_000.0, ..STEADY };
        walk(&format!("{kib} KiB"), base, &[RATE, SIZE, LATENCY]);
        let st1 = Some((VolumeType::St1, 2_000.0, None));
        walk(
            &format!("{kib} KiB on st1"),
            Input { volume: st1, read_us: 5_000.0, ..base },
            &[RATE, SIZE, LATENCY, LIMIT],
        );
    }
}

#[test]
fn imports() {
    for interval_s in [1.0, 60.0, 300.0] {
        let base = Input { interval_s, reads: 4_000.0, burst: 6_000.0, burst_s: 1.0, every_s: 2, ..STEADY };
        walk(&format!("{interval_s} s"), base, &[RATE, BURST, LATENCY, SIZE, INTERVAL]);
        let declared = Input { volume: gp3(7_000.0), ..base };
        walk(&format!("{interval_s} s, declared"), declared, &[RATE, BURST, LATENCY, LIMIT]);
    }
}

#[test]
fn rds_about_400_gib() {
    let rds = || Settings { platform: "rds".into(), ..Settings::default() };
    // The steps of the list at 400 GiB, and at 2,500 IOPS of less, are below.
    for (gib, reads) in [(300.0, 2_200.0), (360.0, 2_200.0), (450.0, 2_200.0), (450.0, 9_000.0)] {
        let base = Input { reads, read_us: 700.0, min_gib: Some(gib), settings: rds, ..STEADY };
        walk(&format!("{gib} GiB"), base, &[RATE, LATENCY, GIB, SIZE]);
    }
}

/// gp3 of RDS has 3,000 IOPS below 400 GiB, and 12,000 from there on: a step of AWS's list, each side of which is a row of the other.
#[test]
fn a_step_of_the_price_list_has_its_other_side_beside_it() {
    let settings = || Settings { platform: "rds".into(), ..Settings::default() };
    let role = |reads| Input { reads, read_us: 700.0, min_gib: Some(300.0), settings, ..STEADY }.role();
    let (below, above) = (role(2_500.0), role(2_525.0));
    assert_eq!([&below, &above].map(|role| best(role).total().to_string()), ["34.5", "46"]);
    for (role, other) in [(&above, &below), (&below, &above)] {
        assert!(role.candidates.iter().any(|one| one.config == best(other).config), "{:?}", best(other));
    }
    let of_size = |gib| Input { reads: 2_200.0, read_us: 700.0, min_gib: Some(gib), settings, ..STEADY }.role();
    let (below, above) = (of_size(399.0), of_size(400.0));
    let figures = [&below, &above].map(|role| (best(role).config.iops, usd(best(role))));
    assert_eq!(figures.map(|figures| figures.0), [3_000, 12_000]);
    assert!(figures[1].1 - figures[0].1 < 0.12, "{figures:?}");
}

#[test]
fn data_and_wal() {
    walk("both", Input { reads: 3_000.0, wal_writes: 500.0, ..STEADY }, &[RATE, LATENCY, WAL_RATE]);
    let busy = Input { reads: 6_000.0, wal_writes: 3_000.0, sessions: CLOSED, ..STEADY };
    walk("busy", busy, &[RATE, LATENCY, WAL_RATE]);
}

#[test]
fn within_a_budget() {
    for budget in [30.0, 40.0] {
        let base = Input { reads: 9_000.0, budget_usd: Some(budget), ..STEADY };
        walk("open", base, &[RATE, LATENCY, BUDGET, SIZE]);
        walk("closed", Input { sessions: CLOSED, ..base }, &[RATE, LATENCY, BUDGET]);
    }
}
