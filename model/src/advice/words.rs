//! The limit that decides, and why, in words.

use super::candidate::{Bound, Candidate};
use super::judge::Case;
use crate::catalogue::{VolumeConfig, VolumeType};
use crate::demand::ratio;
use crate::format::{at_least, count, pct, rate, size, usd};
use crate::mix::mean_iops;
use crate::price::bill;
use crate::search::Beyond;

/// The limit a type cannot reach.
pub fn bound_of(beyond: Beyond) -> Bound {
    match beyond {
        Beyond::Size => Bound::Size,
        Beyond::Iops => Bound::VolumeIops,
        Beyond::Throughput => Bound::VolumeThroughput,
    }
}

/// Of IOPS and throughput, the one the need fills most.
pub fn tightest(case: &Case, config: &VolumeConfig, volumes: u64) -> Bound {
    let ceiling = config.ceiling(volumes);
    if case.need.iops / ceiling.iops >= case.need.mibps / ceiling.mibps {
        Bound::VolumeIops
    } else {
        Bound::VolumeThroughput
    }
}

/// What decided a feasible volume's provisioning.
pub fn deciding(case: &Case, config: &VolumeConfig, volumes: u64) -> Bound {
    let ceiling = config.ceiling(volumes);
    let least = VolumeConfig::new(config.volume_type, config.size_gib, None, None);
    let sized_for_itself = case.need.size_gib.is_some_and(|gib| gib.div_ceil(volumes) == config.size_gib);
    if config.volume_type == VolumeType::Gp2 && (case.need.iops > ceiling.iops || case.need.mibps > ceiling.mibps) {
        Bound::Credits
    } else if least == Ok(*config) && (config.volume_type != VolumeType::Gp2 || sized_for_itself) {
        Bound::None
    } else {
        bought(case, config, volumes)
    }
}

/// Of IOPS and throughput, the one that made this volume as large as it is.
fn bought(case: &Case, config: &VolumeConfig, volumes: u64) -> Bound {
    let bill = bill(config, volumes, case.request.prices);
    let more_iops_than_needed = (config.iops * volumes) as f64 >= case.need.iops + volumes as f64;
    match config.volume_type {
        VolumeType::Gp2 => tightest(case, config, volumes),
        VolumeType::Gp3 if bill.throughput > bill.iops => Bound::VolumeThroughput,
        VolumeType::Gp3 => Bound::VolumeIops,
        // Throughput comes with IOPS: more of these than needed were bought for it.
        VolumeType::Io1 | VolumeType::Io2 if more_iops_than_needed => Bound::VolumeThroughput,
        VolumeType::Io1 | VolumeType::Io2 => Bound::VolumeIops,
    }
}

/// Why this candidate, or why not.
pub fn reason(case: &Case, candidate: &Candidate, beyond: Option<Beyond>) -> String {
    let config = &candidate.config;
    let name = config.volume_type.name();
    match (beyond, candidate.bound) {
        (Some(beyond), _) => out_of_reach(case, candidate, beyond),
        (None, Bound::InstanceIops | Bound::InstanceThroughput) => instance(case),
        (None, Bound::Durability) => {
            let promised = config.volume_type.spec().durability_pct;
            format!(
                "{name} promises {promised} % durability a year, {} % asked for",
                case.request.durability_pct.unwrap_or(0.0)
            )
        }
        (None, Bound::Budget) => {
            let over = case.request.budget_usd.map_or(candidate.bill.total(), |budget| candidate.bill.total() - budget);
            format!("{} a month over the budget", usd(over))
        }
        (None, _) if !candidate.feasible => format!(
            "throttles {} of seconds (limit {})",
            pct(candidate.outcome.throttled_pct()),
            pct(case.request.rule.max_throttled_pct)
        ),
        (None, bound) => {
            format!("{}{}{}", enough(case, candidate, bound), throttled(candidate), slower(case, candidate))
        }
    }
}

fn throttled(candidate: &Candidate) -> String {
    match candidate.outcome.throttled_pct() {
        0.0 => String::new(),
        some => format!("; throttled {} of seconds", pct(some)),
    }
}

/// Little's law: with as many requests in flight as were seen, and the latency published for the type, fewer would be
/// served than were seen. A closed workload then slows down and asks for less. Silent where the device was mostly idle
/// (sessions hardly wait for it), and for large requests (latencies are published for 16 KiB).
fn slower(case: &Case, candidate: &Candidate) -> String {
    let demand = case.demand;
    let total = demand.total();
    let in_flight = total.weighted_ms as f64 / 1_000.0 / demand.seconds();
    let small = ratio(total.read_bytes + total.write_bytes, total.reads + total.writes).is_some_and(|b| b <= 65_536.0);
    let spec = candidate.config.volume_type.spec();
    let Some(reads) = demand.read_share().filter(|_| demand.timed && small && in_flight >= 0.5) else {
        return String::new();
    };
    let served = 1_000.0 * in_flight / (reads * spec.read_ms + (1.0 - reads) * spec.write_ms);
    match served < 0.9 * mean_iops(demand) {
        true => format!(
            "; with {} in flight, as here, it serves some {} a second: sessions would wait",
            size(in_flight),
            count(served)
        ),
        false => String::new(),
    }
}

fn enough(case: &Case, candidate: &Candidate, bound: Bound) -> String {
    let config = &candidate.config;
    let need = &case.need;
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
        (Bound::Credits, _) => format!(
            "burst credits carry the peaks: {} IOPS on average, {} without credits",
            rate(mean_iops(case.demand)),
            count(ceiling.iops)
        ),
        (Bound::VolumeThroughput, _) => format!("{} MiB/s needed{}", size(need.mibps), headroom(case, bound)),
        _ => format!("{} IOPS needed{}", at_least(need.iops), headroom(case, bound)),
    }
}

/// How the need came about: `: p99 is at most 14,500, and 20 % headroom`.
fn headroom(case: &Case, bound: Bound) -> String {
    let rule = &case.request.rule;
    let (percentile, raised) = match bound {
        Bound::VolumeThroughput => (size(case.need.percentile.mibps), case.need.mibps_raised),
        _ => (rate(case.need.percentile.iops), case.need.iops_raised),
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

fn out_of_reach(case: &Case, candidate: &Candidate, beyond: Beyond) -> String {
    let volume_type = candidate.config.volume_type;
    let spec = volume_type.spec();
    let each = if candidate.volumes > 1 { " each" } else { "" };
    let (needed, most, unit) = match beyond {
        Beyond::Iops => (case.need.iops, spec.max_iops, "IOPS"),
        Beyond::Throughput => (case.need.mibps, spec.max_mibps, "MiB/s"),
        Beyond::Size => (case.need.size_gib.unwrap_or(0) as f64, spec.max_gib, "GiB"),
    };
    let more = match (needed / most as f64).ceil() as u64 {
        volumes if volumes > case.request.max_volumes && volumes <= 28 => {
            format!(" (max_volumes => {volumes} reaches it)")
        }
        _ => String::new(),
    };
    format!("{} {unit} needed, {} has at most {}{each}{more}", at_least(needed), volume_type.name(), count(most as f64))
}

fn instance(case: &Case) -> String {
    let Some(short) = case.instance_short else { return String::new() };
    let name = case.request.instance.map_or("the instance", |instance| instance.instance_type.as_str());
    let limit = match short.bound {
        Bound::InstanceIops => format!("{} IOPS", count(short.baseline.iops)),
        _ => format!("{} MiB/s", count(short.baseline.mibps)),
    };
    let throttled = pct(short.outcome.throttled_pct());
    format!("{name} carries {limit} without end and throttles {throttled} of seconds: a larger volume buys nothing")
}
