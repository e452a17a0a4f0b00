//! Walks of twelve scenarios: each input from a tenth less to a tenth more in steps of 1 %. A step changes price, IOPS, and the ratio of
//! throughput with both ends of its interval by 5 % or one order at most. A rule and a price list that may step have both answers side by
//! side: each side of the step shows the other's row.

use super::action::Action;
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
pub(super) struct Input {
    pub(super) reads: f64,
    pub(super) read_us: f64,
    pub(super) kib: f64,
    pub(super) wal_writes: f64,
    /// Sessions at work beside those that wait for reads, and those that wait for their clients; `None` without sampled waits.
    pub(super) sessions: Option<[f64; 2]>,
    /// Reads a second of a burst; its seconds, of so many, from this one on.
    pub(super) burst: f64,
    pub(super) burst_s: f64,
    pub(super) every_s: usize,
    pub(super) burst_from_s: usize,
    pub(super) interval_s: f64,
    /// Coefficients of variation of the latency and of the rate.
    pub(super) variation: [f64; 2],
    /// Type, GiB and IOPS of the declared volume.
    pub(super) volume: Option<(VolumeType, f64, Option<f64>)>,
    pub(super) settings: fn() -> Settings,
    pub(super) budget_usd: Option<f64>,
    pub(super) min_gib: Option<f64>,
    pub(super) headroom: Option<f64>,
    pub(super) keep_pct: f64,
}

/// 5,000 reads a second of 8 KiB and 0.5 ms.
pub(super) const STEADY: Input = Input {
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
pub(super) const CLOSED: Option<[f64; 2]> = Some([0.5, 0.0]);

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

    pub(super) fn role(&self) -> RoleAdvice {
        self.roles().remove(0)
    }

    fn roles(&self) -> Vec<RoleAdvice> {
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
        declared_advice(&self.window(), settings, &declared).roles
    }
}

/// An input that is walked: its name, and its change by a factor.
pub(super) type Walk = (&'static str, fn(&mut Input, f64));

pub(super) const RATE: Walk = ("rate", |input, factor| input.reads *= factor);
pub(super) const LATENCY: Walk = ("latency", |input, factor| input.read_us *= factor);
pub(super) const SIZE: Walk = ("size", |input, factor| input.kib *= factor);
pub(super) const CLIENTS: Walk = ("clients", |input, factor| {
    input.reads *= factor;
    input.sessions.as_mut().unwrap()[0] *= factor;
});
pub(super) const CPU: Walk = ("time at work", |input, factor| input.sessions.as_mut().unwrap()[0] *= factor);
pub(super) const THINK_TIME: Walk = ("think time", |input, factor| input.sessions.as_mut().unwrap()[1] *= factor);
pub(super) const LIMIT: Walk = ("limit", |input, factor| match input.volume.as_mut().unwrap() {
    (_, _, Some(iops)) => *iops *= factor,
    (_, gib, None) => *gib *= factor,
});
pub(super) const BURST: Walk = ("burst", |input, factor| input.burst *= factor);
pub(super) const BURST_TIME: Walk =
    ("time of a burst", |input, factor| input.burst_s = (input.burst_s * factor).round());
pub(super) const INTERVAL: Walk = ("interval", |input, factor| input.interval_s *= factor);
pub(super) const BUDGET: Walk = ("budget", |input, factor| *input.budget_usd.as_mut().unwrap() *= factor);
pub(super) const GIB: Walk = ("size of the volume", |input, factor| *input.min_gib.as_mut().unwrap() *= factor);
pub(super) const HEADROOM: Walk = ("headroom", |input, factor| *input.headroom.as_mut().unwrap() *= factor);
pub(super) const KEPT: Walk = ("kept throughput", |input, factor| input.keep_pct *= factor);
pub(super) const WAL_RATE: Walk = ("WAL", |input, factor| input.wal_writes *= factor);

/// The recommended volumes, or those until the instance is larger.
pub(super) fn best(role: &RoleAdvice) -> &Candidate {
    let until_then = || role.candidates.first().filter(|_| role.instance_saturation.is_some());
    role.best().or_else(until_then).unwrap_or_else(|| panic!("nothing is recommended: {:?}", role.candidates.first()))
}

/// Price, IOPS, and the ratio of throughput with its ends, where that is predicted.
fn figures(best: &Candidate) -> Vec<f64> {
    let ratio = best.ratio().map(|ratio| [ratio.low, ratio.middle, ratio.high]);
    let ordered = [usd(best), (best.config.iops * best.volumes) as f64];
    ordered.into_iter().chain(ratio.into_iter().flatten()).collect()
}

pub(super) fn usd(candidate: &Candidate) -> f64 {
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
pub(super) fn large_changes(before: &Candidate, after: &Candidate) -> Vec<String> {
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

/// True of a step that a rule or a price list may make: to another type or number of volumes (rules 4 and 6), to or from the present ones
/// (rule 9), or to another row of the list. Each side then shows the other's volumes.
fn may_step(before: &RoleAdvice, after: &RoleAdvice) -> bool {
    let (old, new) = (best(before), best(after));
    let kind = |one: &Candidate| (one.config.volume_type, one.volumes, one.config.class().map(|class| class.min_gib));
    let is_kept = |role: &RoleAdvice| role.decision.action == Action::Keep;
    (kind(old) != kind(new) || is_kept(before) != is_kept(after)) && shows(before, new) && shows(after, old)
}

/// Steps of a series of inputs that are too large, of each role.
pub(super) fn cliffs(name: &str, inputs: impl Iterator<Item = (f64, Input)>) -> Vec<String> {
    let answers: Vec<(f64, Vec<RoleAdvice>)> = inputs.map(|(at, input)| (at, input.roles())).collect();
    let step = |at: f64, before: &RoleAdvice, after: &RoleAdvice| {
        let changes = large_changes(best(before), best(after));
        (!changes.is_empty() && !may_step(before, after)).then(|| format!("{name} {at:.3}: {}", changes.join(", ")))
    };
    let steps = answers.windows(2).flat_map(|pair| {
        let ((_, before), (at, after)) = (&pair[0], &pair[1]);
        before.iter().zip(after).filter_map(|(before, after)| step(*at, before, after))
    });
    steps.collect()
}

/// Walks each of these inputs of a scenario.
pub(super) fn walk(scenario: &str, base: Input, walks: &[Walk]) {
    let found: Vec<String> = walks.iter().flat_map(|walk| cliffs_of(scenario, base, walk)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn cliffs_of(scenario: &str, base: Input, (name, change): &Walk) -> Vec<String> {
    let inputs = (-10..=10).map(|step| 1.01f64.powi(step)).map(|factor| {
        let mut input = base;
        change(&mut input, factor);
        (factor, input)
    });
    cliffs(&format!("{scenario}, {name}"), inputs)
}

pub(super) fn gp3(iops: f64) -> Option<(VolumeType, f64, Option<f64>)> {
    Some((VolumeType::Gp3, 100.0, Some(iops)))
}
