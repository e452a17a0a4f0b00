//! A candidate: its volumes, its price, and the reason for or against it.

use super::availability;
use super::instance_type::describe_type;
use super::observed::Observed;
use super::provisioning::{describe_kept, describe_provisioning, describe_source, mean_latency, predicted_throughput};
use super::saturation;
use super::unit::{describe_rate, describe_unit};
use ebs_advice::replay::{AddedLatency, Outcome};
use ebs_advice::{
    Candidate, InstanceSaturated, OutOfReach, QueuedLatency, Reason, Saturation, Shortage, Sufficient, Throttling,
};
use ebs_aws::catalogue::{Ceiling, VolumeConfig};
use ebs_base::format::{
    at_least, brief, brief_iops, brief_ms, count, durability, ms, pct, size, times, usd, whole_pct,
};
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::Source;

/// Factor below which two decimals show no unmet demand.
const NEGLIGIBLE_FACTOR: f64 = 1.005;

/// Describes the reason, as in the column `reason` of ebs_options.
pub fn describe_reason(candidate: &Candidate) -> String {
    describe_reason_with(Observed::Run, candidate)
}

/// Describes the reason with the thing whose counts it rests on.
pub fn describe_reason_with(observed: Observed, candidate: &Candidate) -> String {
    let volume_type = candidate.config.volume_type;
    let name = volume_type.name();
    match &candidate.reason {
        Reason::Unsuitable => volume_type.characteristics().unfit.clone().unwrap_or_default(),
        Reason::Unavailable(unavailable) => availability::describe(name, unavailable),
        Reason::InstanceSaturated(instance) => instance_saturated(observed, candidate, instance),
        Reason::OutOfReach(reason) => out_of_reach(candidate, reason),
        Reason::Durability { promised_pct, requested_pct } => {
            format!(
                "{}{name} promises {} % durability a year, {} % requested",
                describe_stripe(candidate),
                durability(*promised_pct),
                durability(*requested_pct)
            )
        }
        Reason::Latency(latency) => format!("{name} takes {}", mean_latency(latency)),
        Reason::Throughput(throughput) => predicted_throughput(throughput),
        Reason::Throttling(reason) => {
            let waits = candidate.outcome.as_ref().and_then(describe_waits);
            format!("{}{}", throttling(reason), waits.map_or(String::new(), |waits| format!("; {waits}")))
        }
        Reason::KeepsLess { kept, requested } => {
            format!("{}, {} requested", describe_kept(candidate, kept), whole_pct(*requested))
        }
        Reason::Shortage(shortage) => describe_shortage(shortage),
        Reason::OverBudget { excess, others } if *others == Usd::default() => {
            format!("{} a month over the budget", usd(*excess))
        }
        Reason::OverBudget { excess, others } => {
            format!("{} a month over the budget, with {} for the other volumes", usd(*excess), usd(*others))
        }
        Reason::LogVolumeSuffices => {
            let ceiling = candidate.config.ceiling(candidate.volumes);
            format!("its {} IOPS and {} MiB/s carry the WAL", count(ceiling.iops), count(ceiling.mibps))
        }
        Reason::Sufficient(reason) => sufficient(observed, candidate, reason),
    }
}

/// Describes the instance's limit: `m5.large sustains 3,600 IOPS (18,750 IOPS for 30 minutes a day) and throttles
/// 12 % of seconds; …`.
fn instance_saturated(observed: Observed, candidate: &Candidate, instance: &InstanceSaturated) -> String {
    let limit = |ceiling: &Ceiling| describe_rate(instance.limited, ceiling.rate(instance.limited));
    let burst = instance.burst.map_or(String::new(), |(maximum, exhausted_s)| {
        let exhausted = exhausted_s.map_or(String::new(), |seconds| format!(", gone after {} s", count(seconds)));
        format!(" ({} for 30 minutes a day{exhausted})", limit(&maximum))
    });
    let name = describe_type(instance.instance_type, candidate.config.platform);
    let baseline = limit(&instance.baseline);
    match &instance.reached {
        Some(plateau) => format!(
            "{name} sustains {baseline}{burst}, and {}; a larger volume will not help{}",
            saturation::describe_plateau(observed.name(), plateau),
            saturation::describe_condition(plateau)
        ),
        None => format!(
            "{name} sustains {baseline}{burst} and throttles {} of seconds; a larger volume will not help",
            pct(instance.throttled_pct)
        ),
    }
}

/// Describes a requirement above the type's maximum: `90,000 IOPS needed, gp3 has at most 80,000 (max_volumes => 2 reaches it)`.
fn out_of_reach(candidate: &Candidate, reason: &OutOfReach) -> String {
    let (required, unit, max) =
        (at_least(reason.required), describe_unit(reason.resource), count(reason.max_per_volume));
    let each = if candidate.volumes > 1 { " each" } else { "" };
    let reached =
        reason.reached_by_volumes.map_or(String::new(), |volumes| format!(" (max_volumes => {volumes} reaches it)"));
    let on =
        reason.on_instance.map_or(String::new(), |instance| format!(" on {instance}, which is not built on Nitro"));
    format!("{required} {unit} needed, {} has at most {max}{each}{on}{reached}", candidate.config.volume_type.name())
}

/// Describes throttling, with the upper end of its interval where that decides: `throttles 3.1 % of seconds (limit 1.0 %)`, or, where only the
/// requests that wait are too many, `queues 12 % of requests (limit 1.0 %)`.
fn throttling(reason: &Throttling) -> String {
    let max = pct(reason.max_throttled_pct);
    let share = |share_pct: f64, high_pct: f64, of: &str| match share_pct > reason.max_throttled_pct {
        true => format!("{} of {of}", pct(share_pct)),
        false => format!("{} of {of}, at most {}", pct(share_pct), pct(high_pct)),
    };
    let throttles = match reason.is_of_time() {
        true => {
            format!("throttles {} (limit {max})", share(reason.throttled_pct, reason.throttled_high_pct, "seconds"))
        }
        false => format!("queues {} (limit {max})", share(reason.waiting_pct, reason.waiting_high_pct, "requests")),
    };
    match reason.credits {
        Some(credits) if credits.for_good => {
            format!("burst credits last {} s and do not come back; then it {throttles}", count(credits.after_s))
        }
        Some(credits) => format!("{throttles}; burst credits last {} s", count(credits.after_s)),
        None => throttles,
    }
}

/// Describes a requirement beyond the limits of a size: `309 IOPS needed on average, 300 without burst credits`.
fn describe_shortage(shortage: &Shortage) -> String {
    let unit = shortage.limited.unit();
    let (required, limit) = (at_least(shortage.required), count(shortage.limit));
    match (shortage.of_mean, shortage.of_plateau) {
        (true, _) => format!("{required} {unit} needed on average, {limit} without burst credits"),
        (_, true) => format!("{required} {unit} needed at the limit that was reached, {limit} without burst credits"),
        _ => format!("{required} {unit} needed, it has {limit}"),
    }
}

fn sufficient(observed: Observed, candidate: &Candidate, reason: &Sufficient) -> String {
    let queue = candidate.queue_limit.map_or(String::new(), |limit| {
        let (depth, served) = (size(limit.queue_depth), count(limit.requests_per_s));
        let demand = count(limit.demanded_per_s);
        let delivers = format!("at the observed queue depth of {depth} it delivers about {served} of {demand} IOPS");
        match limit.is_closed {
            true => format!("; {delivers}: sessions would wait"),
            false => format!("; if sessions wait for each answer, {delivers}"),
        }
    });
    let saturation = reason.saturation.as_ref().map_or(String::new(), |saturation| hidden_demand(observed, saturation));
    let queued =
        candidate.queued_latency.as_ref().map_or(String::new(), |queued| format!("; {}", describe_queued(queued)));
    format!("{}{queue}{saturation}{queued}", describe_provisioning(candidate, &reason.provisioning))
}

/// Describes latency if requests stay in flight: `8.7 ms a request if 32 stay in flight, at 3,700 IOPS`.
pub fn describe_queued(queued: &QueuedLatency) -> String {
    format!(
        "{} ms a request if {} stay in flight, at {} IOPS",
        brief_ms(queued.ms()),
        brief(queued.in_flight),
        brief_iops(queued.requests_per_s)
    )
}

/// Describes hidden demand: `; at least: the run was at a limit of 3,000 IOPS, behind which some 3.20 times as much was asked
/// for`.
fn hidden_demand(observed: Observed, saturation: &Saturation) -> String {
    let more = match saturation.unmet_demand {
        Ok(unmet) if unmet.factor.middle < NEGLIGIBLE_FACTOR => "and actual demand is hardly more".to_owned(),
        Ok(unmet) => format!("and actual demand is about {}x", times(unmet.factor.middle)),
        Err(_) => "and actual demand is unknown".to_owned(),
    };
    format!("; at least: {} of {}, {more}", observed.at_limit(), saturation::describe_limit(saturation))
}

/// Describes volumes as they are ordered: `gp3, 2 × 250 GiB, 8,400 IOPS, 125 MiB/s each`.
pub fn describe_volumes(candidate: &Candidate) -> String {
    describe_config(&candidate.config, candidate.volumes)
}

/// Describes so many volumes of a configuration likewise.
pub fn describe_config(config: &VolumeConfig, volumes: u64) -> String {
    let each = if volumes > 1 { " each" } else { "" };
    let size = count(config.size_gib as f64);
    if !config.volume_type.is_ebs() {
        return format!("{}, {size} GiB", config.volume_type.name());
    }
    format!(
        "{}, {volumes} × {size} GiB, {} IOPS, {} MiB/s{each}",
        config.volume_type.name(),
        count(config.iops as f64),
        count(config.throughput_mibps as f64)
    )
}

/// Describes the stripe before the name of its type: `a stripe of 4 `; empty for one volume.
fn describe_stripe(candidate: &Candidate) -> String {
    if candidate.volumes > 1 { format!("a stripe of {} ", candidate.volumes) } else { String::new() }
}

/// Describes what recommended volumes rest on: `then bound by volume IOPS · … · throttled 0.3 % of seconds · … · risk low`.
pub fn describe_recommendation(best: &Candidate) -> String {
    let mut parts = vec![describe_bound(best.bound_by()), describe_reason(best)];
    parts.extend(describe_price(best));
    if best.volumes > 1 {
        parts.push(format!("durability of the stripe {} % a year", durability(best.durability_pct())));
    }
    if let Some(outcome) = &best.outcome {
        parts.push(format!("throttled {} of seconds", pct(outcome.throttled_pct())));
        parts.extend(describe_waits(outcome));
    }
    if let Some(ratio) = best.ratio() {
        let (low, high) = (times(ratio.low), times(ratio.high));
        let without = if best.ratio_without_waits().is_some() { ", without wait events" } else { "" };
        parts.push(format!("predicted throughput {}x current ({low} to {high}x{without})", times(ratio.middle)));
    }
    parts.extend(best.risk.map(|risk| format!("risk {}", risk.name())));
    parts.join(" · ")
}

/// Describes the limiting factor of the database once it is on volumes: today's is the bottleneck.
pub(super) fn describe_bound(bound: BindingLimit) -> String {
    format!("then bound by {}", bound.name())
}

/// Share of requests, and longest wait in ms, below which waits are not worth a sentence. A choice.
const NOTABLE_WAITS: (f64, f64) = (0.01, 10.0);

/// Describes the requests that wait for a limit, where they are many and wait for long: `60 % of requests wait, up to 2.00 s`. A short
/// burst is a small share of the time and may be most of the requests.
pub fn describe_waits(outcome: &Outcome) -> Option<String> {
    let waits = notable_waits(outcome)?;
    let longest = match waits.max_ms {
        max_ms if max_ms < 1_000.0 => format!("{} ms", ms(max_ms)),
        max_ms => format!("{} s", size(max_ms / 1_000.0)),
    };
    Some(format!("{} of requests wait, up to {longest}", whole_pct(waits.waiting_share)))
}

/// The waits for a limit, where they are many and long.
pub(super) fn notable_waits(outcome: &Outcome) -> Option<AddedLatency> {
    outcome.added.filter(|waits| waits.waiting_share >= NOTABLE_WAITS.0 && waits.max_ms >= NOTABLE_WAITS.1)
}

/// Describes the saving against the current volumes, `, saves $12.00`; empty where their price is the same or unknown.
pub fn describe_saving(saved: Option<Usd>) -> String {
    match saved {
        Some(saved) if saved > Usd::default() => format!(", saves {}", usd(saved)),
        Some(saved) if saved < Usd::default() => format!(", {} more than today", usd(Usd::default() - saved)),
        _ => String::new(),
    }
}

/// Describes striping and latency, which is predicted, else published for the type.
pub fn describe_latency(candidate: &Candidate) -> String {
    let raid = if candidate.volumes > 1 { "RAID 0, " } else { "" };
    let latency = |value: Option<f64>| value.map_or("–".to_owned(), ms);
    let source = match (candidate.prediction.is_some(), candidate.latency_source()) {
        (true, Some(Source::Scaled)) => "predicted, published latency scaled as measured here",
        (true, _) => "predicted",
        (false, source) => describe_source(source.unwrap_or(Source::Published)),
    };
    let (read_ms, write_ms, queue) = match candidate.queued_latency {
        Some(_) => (candidate.unqueued_read_ms(), candidate.unqueued_write_ms(), " without a queue"),
        None => (candidate.read_ms(), candidate.write_ms(), ""),
    };
    format!("{raid}read {}, write {} ms{queue} ({source})", latency(read_ms), latency(write_ms))
}

/// Describes the parts of the price, where there are several.
fn describe_price(candidate: &Candidate) -> Option<String> {
    let bill = candidate.bill?;
    let parts = [(bill.storage, "storage"), (bill.iops, "IOPS"), (bill.throughput, "throughput")];
    let paid: Vec<String> = parts
        .iter()
        .filter(|(amount, _)| *amount > Usd::default())
        .map(|(amount, part)| format!("{} {part}", usd(*amount)))
        .collect();
    (paid.len() > 1).then(|| paid.join(" + "))
}

#[cfg(test)]
#[path = "candidate_tests.rs"]
pub(in crate::reasons) mod tests;
