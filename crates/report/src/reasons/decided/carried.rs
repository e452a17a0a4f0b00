//! Reasons to keep the present volume where others are sized for demand that the counts do not show.

use super::Decided;
use crate::reasons::candidate::describe_volumes;
use crate::reasons::unit::describe_counted;
use ebs_advice::{Candidate, CarriedDemand, RefutedLimit};
use ebs_base::format::{count, pct, rate, size, usd};
use ebs_base::units::Usd;

/// Describes demand that the present volume carried, and the price of volumes for the upper end of it.
pub(super) fn present_suffices(decided: &Decided, carried: &CarriedDemand) -> String {
    let (high, limits) = (carried.demand_high, carried.limits);
    let exceeds = |high: f64, limit: f64| high * (1.0 + carried.headroom_pct / 100.0) > limit;
    let by_mibps = exceeds(high.mibps, limits.mibps);
    let by_iops = exceeds(high.iops, limits.iops) || !by_mibps;
    let headroom = pct(carried.headroom_pct);
    let iops = || {
        let text = format!("{} IOPS + {headroom} headroom of {}", rate(carried.demand.iops), count(limits.iops));
        (text, format!("{} IOPS", rate(high.iops)))
    };
    let mibps = || {
        let text = format!("{} MiB/s + {headroom} headroom of {}", size(carried.demand.mibps), count(limits.mibps));
        (text, format!("{} MiB/s", size(high.mibps)))
    };
    let each = [by_iops.then(iops), by_mibps.then(mibps)];
    let (demand, high): (Vec<String>, Vec<String>) = each.into_iter().flatten().unzip();
    let interval = decided.interval_s.map_or(String::new(), |seconds| format!("{} s ", count(seconds)));
    let more = decided.present.and_then(|present| present.usd_month).and(carried.candidate.saving);
    let price = more.map_or("more".to_owned(), |saving| format!("{} a month more", usd(Usd::default() - saving)));
    format!(
        "the present volume carried the demand: p{} {}; seconds within {interval}averages may have reached {} (upper end of the CI), for which {} \
         would cost {price}",
        carried.percentile,
        demand.join(", "),
        high.join(" and "),
        describe_volumes(&carried.candidate)
    )
}

/// Describes a limit that refutes the description.
pub(super) fn description_refuted(refuted: &RefutedLimit, candidate: &Candidate) -> String {
    format!(
        "at least: demand stops at {} for {} of the time, below the described {}, and actual demand is unknown: check the description, and limits \
         of the instance, before any change; for what was let through {} would suffice",
        describe_counted(refuted.limited, refuted.level),
        pct(100.0 * refuted.seconds_share),
        describe_counted(refuted.limited, refuted.declared),
        describe_volumes(candidate)
    )
}
