//! The limit that decides, and why, in words.

use crate::current::bottleneck::BottleneckCause;
use crate::current::saturation::Saturation;
use crate::evaluate::candidate::{Bound, Candidate, Excess};
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::latency::service_ms;
use crate::replay::{Outcome, TOLERANCE};
use crate::request::settings::MAX_VOLUMES;
use crate::search::{Lack, Shortfall};
use ebs_aws::catalogue::{Ceiling, IopsRule, MibpsRule, VolumeConfig, VolumeType};
use ebs_base::format::{at_least, count, ms, pct, range, rate, size, times, usd};
use ebs_base::units::Usd;
use ebs_prediction::predict::{LimitingFactor, Source};
use ebs_workload::demand::ratio;
use ebs_workload::io_profile::mean_iops;

/// The limit a type cannot reach.
pub fn bound_of(lack: Lack) -> Bound {
    match lack {
        Lack::Size => Bound::Size,
        Lack::Iops => Bound::VolumeIops,
        Lack::Throughput => Bound::VolumeThroughput,
        Lack::InstanceIops => Bound::InstanceIops,
        Lack::InstanceThroughput => Bound::InstanceThroughput,
    }
}

/// What makes this volume throttle more than is allowed: its credits, where they ran out, or the tightest of its limits; and
/// how much more would be needed of it.
pub fn throttling(context: &EvaluationContext, candidate: &Candidate, outcome: &Outcome) -> (Bound, Option<Excess>) {
    let ceiling = candidate.config.ceiling(candidate.volumes);
    let bound = match outcome.credits.is_some() {
        true => Bound::Credits,
        false => tightest(context, &candidate.config, candidate.volumes),
    };
    let missed = match bound {
        Bound::VolumeThroughput => Excess { needed: context.need.mibps, most: ceiling.mibps },
        _ => Excess { needed: context.need.iops, most: ceiling.iops },
    };
    (bound, (missed.needed > missed.most).then_some(missed))
}

/// Of IOPS and throughput, the one the need fills most.
pub fn tightest(context: &EvaluationContext, config: &VolumeConfig, volumes: u64) -> Bound {
    let ceiling = config.ceiling(volumes);
    if context.need.iops / ceiling.iops >= context.need.mibps / ceiling.mibps {
        Bound::VolumeIops
    } else {
        Bound::VolumeThroughput
    }
}

/// What decided a feasible volume's provisioning.
pub fn deciding(context: &EvaluationContext, candidate: &Candidate) -> Bound {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let ceiling = config.ceiling(volumes);
    if let Some(baseline) = context.request.instance_baseline() {
        // More than the instance carries was wanted, for headroom, and this volume gives it all that.
        if context.wanted.iops > baseline.iops && ceiling.iops >= baseline.iops.floor() {
            return Bound::InstanceIops;
        }
        if context.wanted.mibps > baseline.mibps && ceiling.mibps >= baseline.mibps.floor() {
            return Bound::InstanceThroughput;
        }
    }
    let sized_for_itself = context.need.size_gib.is_some_and(|gib| gib.div_ceil(volumes) == config.size_gib);
    let sized = config.class().is_some_and(|class| class.iops_rule == IopsRule::Size);
    if context.need.iops > ceiling.iops || context.need.mibps > ceiling.mibps {
        Bound::Credits
    } else if bought_nothing(candidate) && (!sized || sized_for_itself) {
        held(context)
    } else {
        bought(context, candidate)
    }
}

/// What holds the database back instead of the volume. With less than one session at work there is nothing to gain for
/// anybody.
fn held(context: &EvaluationContext) -> Bound {
    match context.held.filter(|held| held.is_not_the_volume() && held.active >= 1.0).map(|held| held.by) {
        Some(BottleneckCause::Known(LimitingFactor::Cpu)) => Bound::Cpu,
        Some(BottleneckCause::Known(LimitingFactor::Locks)) => Bound::Locks,
        _ => Bound::None,
    }
}

/// Whether IOPS and throughput are no more than the type includes.
fn bought_nothing(candidate: &Candidate) -> bool {
    let config = &candidate.config;
    config.class().is_some_and(|class| {
        config.iops == class.iops_at_least(config.size_gib)
            && config.throughput_mibps == class.mibps_at_least(config.size_gib, config.iops)
    })
}

/// Of IOPS and throughput, the one that made this volume as large as it is.
fn bought(context: &EvaluationContext, candidate: &Candidate) -> Bound {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let bill = candidate.bill.unwrap_or_default();
    let more_iops_than_needed = (config.iops * volumes) as f64 >= context.need.iops + volumes as f64;
    match config.class().map(|class| (class.iops_rule, class.mibps_rule)) {
        Some((IopsRule::Provisioned, MibpsRule::Provisioned)) if bill.throughput > bill.iops => Bound::VolumeThroughput,
        // Throughput comes with IOPS: more of these than needed were bought for it.
        Some((IopsRule::Provisioned, MibpsRule::Iops)) if more_iops_than_needed => Bound::VolumeThroughput,
        Some((IopsRule::Provisioned, _)) => Bound::VolumeIops,
        _ => tightest(context, config, volumes),
    }
}

/// Why this candidate, or why not.
pub fn reason(
    context: &EvaluationContext,
    candidate: &Candidate,
    outcome: &Outcome,
    short: Option<Shortfall>,
) -> String {
    let name = candidate.config.volume_type.name();
    let request = context.request;
    match (short, candidate.bound) {
        (_, Bound::Unfit) => candidate.config.volume_type.promise().unfit.clone().unwrap_or_default(),
        (_, Bound::InstanceIops | Bound::InstanceThroughput) if !candidate.feasible => instance(context),
        (Some(short), _) => out_of_reach(context, candidate, short),
        (None, Bound::Durability) => {
            let promised = candidate.config.volume_type.durability_pct();
            let asked = request.durability_pct.unwrap_or(0.0);
            format!("{name} promises {promised} % durability a year, {asked} % asked for")
        }
        (None, Bound::Latency) if !candidate.feasible => format!("{name} takes {}", latency(context, candidate)),
        (None, Bound::ThroughputRatio) if !candidate.feasible => throughput(context, candidate),
        (None, _) if !candidate.feasible => throttles(outcome, request.rule.max_throttled_pct),
        (None, bound) => {
            let behind = context.truncated.as_ref().map_or(String::new(), behind);
            format!("{}{}{behind}", enough(context, candidate, bound), slower(context, candidate))
        }
    }
}

/// Over the budget, together with what the other roles cost at least.
pub fn over_budget(over: Usd, others: Usd) -> String {
    match others == Usd::default() {
        true => format!("{} a month over the budget", usd(over)),
        false => format!("{} a month over the budget, with {} for the other volumes", usd(over), usd(others)),
    }
}

/// A latency that io2 gives and this volume does not, ms, rounded up to a hundredth; `None` where there is none between.
pub fn faster_than(context: &EvaluationContext, best: &Candidate) -> Option<f64> {
    let (io2, _) = service_ms(context, VolumeType::Io2)?;
    let target = (100.0 * io2).ceil() / 100.0;
    (target < best.latency_ms?).then_some(target)
}

/// Little's law: with as many requests in flight as were seen, and the latency published for the type, fewer would be
/// served than were seen. A closed workload then slows down and asks for less. Silent where the device was mostly idle
/// (sessions hardly wait for it), and for large requests (latencies are published for 16 KiB).
fn slower(context: &EvaluationContext, candidate: &Candidate) -> String {
    let demand = context.demand;
    let total = demand.total();
    let in_flight = total.weighted_ms as f64 / 1_000.0 / demand.seconds();
    let small = ratio(total.read_bytes.saturating_add(total.write_bytes), total.reads.saturating_add(total.writes))
        .is_some_and(|b| b <= 65_536.0);
    let spec = candidate.config.volume_type.promise();
    let told = candidate.expected.is_some();
    let Some(reads) = demand.read_share().filter(|_| !told && demand.timed && small && in_flight >= 0.5) else {
        return String::new();
    };
    let served =
        1_000.0 * in_flight / (reads * spec.read_ms.unwrap_or(1.0) + (1.0 - reads) * spec.write_ms.unwrap_or(1.0));
    match served < 0.9 * mean_iops(demand) {
        true => format!(
            "; with {} in flight, as here, it serves some {} a second: sessions would wait",
            size(in_flight),
            count(served)
        ),
        false => String::new(),
    }
}

/// `some 0.78 ms a request (published) and 47 ms of waiting, 5 asked for`.
fn latency(context: &EvaluationContext, candidate: &Candidate) -> String {
    let all = candidate.latency_ms.unwrap_or(0.0);
    let (service, source) = service_ms(context, candidate.config.volume_type).unwrap_or((all, Source::Published));
    let source = match source {
        Source::Published => "published",
        Source::Measured => "as measured",
        Source::Given => "as given",
    };
    let waiting =
        if all > service * TOLERANCE { format!(" and {} ms of waiting", ms(all - service)) } else { String::new() };
    let asked = ms(context.request.latency_target_ms.unwrap_or(0.0));
    format!("some {} ms a request ({source}){waiting}, {asked} asked for", ms(service))
}

fn throughput(context: &EvaluationContext, candidate: &Candidate) -> String {
    format!(
        "the database would do some {} of what it does now, {} asked for",
        candidate.expected.map_or("–".to_owned(), |expected| times(expected.ratio)),
        times(context.request.min_throughput_ratio.unwrap_or(0.0))
    )
}

fn enough(context: &EvaluationContext, candidate: &Candidate, bound: Bound) -> String {
    let config = &candidate.config;
    let need = &context.need;
    let ceiling = config.ceiling(candidate.volumes);
    match (bound, config.volume_type) {
        (Bound::None, VolumeType::Gp3) => format!(
            "the included {} IOPS and {} MiB/s cover the demand with headroom ({} IOPS, {} MiB/s)",
            count(ceiling.iops),
            count(ceiling.mibps),
            rate(need.iops),
            size(need.mibps)
        ),
        (Bound::None, VolumeType::Gp2) => {
            format!("the {} IOPS and {} MiB/s of this size cover the demand", count(ceiling.iops), count(ceiling.mibps))
        }
        (Bound::None, _) => format!("{} IOPS, the fewest sold, cover the demand", count(ceiling.iops)),
        (Bound::Cpu, _) => includes_enough(context, "the CPUs hold it back"),
        (Bound::Locks, _) => includes_enough(context, "sessions wait for each other's locks"),
        (Bound::InstanceIops | Bound::InstanceThroughput, _) => all_it_carries(context, bound),
        (Bound::Credits, _) => format!(
            "burst credits carry the peaks: {} IOPS on average, {} without credits",
            rate(mean_iops(context.demand)),
            count(ceiling.iops)
        ),
        (Bound::Latency, _) => format!("more than the demand needs, to wait less: {}", latency(context, candidate)),
        (Bound::ThroughputRatio, _) => {
            format!("more than the demand needs, to wait less: {}", throughput(context, candidate))
        }
        (Bound::VolumeThroughput, _) => format!("{} MiB/s needed{}", size(need.mibps), headroom(context, bound)),
        _ => format!("{} IOPS needed{}", at_least(need.iops), headroom(context, bound)),
    }
}

/// That more buys nothing, because of what.
fn includes_enough(context: &EvaluationContext, why: &str) -> String {
    let most = context.held.map_or(String::new(), |held| range(&held.at_most));
    format!("{why}: no volume would give more than {most} of now, and what this one includes covers the demand")
}

/// Below this, two decimals say that nothing more was asked for.
const NEGLIGIBLE_FACTOR: f64 = 1.005;

/// `; at least: it was seen at a limit of 3,000 IOPS, behind which are some 3.20 times as much`.
fn behind(truncated: &Saturation) -> String {
    let more = match truncated.beyond {
        Ok(beyond) if beyond.factor.middle < NEGLIGIBLE_FACTOR => "behind which hardly more was asked for".to_owned(),
        Ok(beyond) => format!("behind which some {} times as much was asked for", times(beyond.factor.middle)),
        Err(_) => "and what was asked for is not known".to_owned(),
    };
    format!("; at least: the run was at a limit of {}, {more}", truncated.level())
}

/// That the instance leaves less headroom than was asked for, and how much.
fn all_it_carries(context: &EvaluationContext, bound: Bound) -> String {
    let (Some(instance), rule) = (context.request.instance, &context.request.rule) else { return String::new() };
    let (baseline, percentile) = (instance.baseline(), context.need.percentile);
    let (carried, at_most, left) = match bound {
        Bound::InstanceThroughput => {
            (format!("{} MiB/s", count(baseline.mibps)), size(percentile.mibps), baseline.mibps / percentile.mibps)
        }
        _ => (format!("{} IOPS", count(baseline.iops)), rate(percentile.iops), baseline.iops / percentile.iops),
    };
    let left = pct(100.0 * (left - 1.0).max(0.0));
    let (name, asked) = (&instance.instance_type, pct(rule.headroom * 100.0));
    format!(
        "{carried}, all that {name} carries: p{} is at most {at_most}, which leaves {left} headroom, not {asked}",
        rule.percentile
    )
}

/// How the need came about: `: p99 is at most 14,500, and 20 % headroom`.
fn headroom(context: &EvaluationContext, bound: Bound) -> String {
    let rule = &context.request.rule;
    let (percentile, raised) = match bound {
        Bound::VolumeThroughput => {
            (size(context.need.percentile.mibps), context.need.mibps > context.task.need().mibps + 1.0)
        }
        _ => (rate(context.need.percentile.iops), context.need.iops > context.task.need().iops + 1.0),
    };
    if raised {
        let limit = pct(rule.max_throttled_pct);
        return format!(
            ": p{} is at most {percentile}, but only so many keep throttling within {limit}",
            rule.percentile
        );
    }
    format!(": p{} is at most {percentile}, and {} headroom", rule.percentile, pct(rule.headroom * 100.0))
}

fn out_of_reach(context: &EvaluationContext, candidate: &Candidate, short: Shortfall) -> String {
    let each = candidate.volumes;
    let most = short.most / each as f64;
    let more = match (short.needed / most).ceil() as u64 {
        volumes
            if volumes > context.request.most_volumes()
                && volumes <= MAX_VOLUMES
                && !context.request.platform.is_rds() =>
        {
            format!(" (max_volumes => {volumes} reaches it)")
        }
        _ => String::new(),
    };
    let (needed, unit) = (at_least(short.needed), short.lack.unit());
    let each = if each > 1 { " each" } else { "" };
    format!("{needed} {unit} needed, {} has at most {}{each}{more}", candidate.config.volume_type.name(), count(most))
}

/// `throttles 3.1 % of seconds (limit 1.0 %)`, with the upper end of its interval where that decides, and when credits ran out.
fn throttles(outcome: &Outcome, limit: f64) -> String {
    let (seen, high) = (outcome.throttled_pct(), outcome.throttled_high_pct);
    let at_most = if seen > limit { String::new() } else { format!(", at most {}", pct(high)) };
    let credits = outcome
        .credits
        .map_or(String::new(), |exhausted| format!("; burst credits last {} s", count(exhausted.after_s)));
    format!("throttles {} of seconds{at_most} (limit {}){credits}", pct(seen), pct(limit))
}

fn instance(context: &EvaluationContext) -> String {
    let (Some(short), Some(instance)) = (context.instance_short, context.request.instance) else {
        return String::new();
    };
    let limit = |ceiling: Ceiling| match short.bound {
        Bound::InstanceIops => format!("{} IOPS", count(ceiling.iops)),
        _ => format!("{} MiB/s", count(ceiling.mibps)),
    };
    let burst = short.burst.map_or(String::new(), |burst| {
        let gone = burst.credits.map_or(String::new(), |credits| format!(", gone after {} s", count(credits.after_s)));
        format!(" ({} for 30 minutes a day{gone})", limit(instance.maximum()))
    });
    let throttled = pct(short.outcome.throttled_pct());
    format!(
        "{} carries {} without end{burst} and throttles {throttled} of seconds: a larger volume buys nothing",
        instance.instance_type,
        limit(short.baseline)
    )
}
