//! The reason for an action in few words, for a table: the limit or the cause, and by how much.

use super::{Decided, describe_days};
use crate::reasons::instance_type::describe_type;
use crate::reasons::unit::{describe_briefly, describe_counted, describe_rate};
use ebs_advice::{ActionReason, Addition, Candidate, CarriedDemand, Excess, KeptShare, Provisioning};
use ebs_aws::catalogue::{Ceiling, Instance, LimitKind, Platform, VolumeConfig};
use ebs_base::format::{at_least, brief, brief_ms, count, durability, pct, rate, size, usd, whole_pct};
use ebs_base::units::GIB;
use ebs_prediction::BindingLimit;

/// Describes the reason in few words: `m5.large sustains 3,600 of 4,861 IOPS`.
pub fn describe_reason_briefly(reason: &ActionReason, decided: &Decided) -> String {
    match reason {
        ActionReason::Sufficient(best) | ActionReason::PresentTooSmall(best) => {
            growth(decided).unwrap_or_else(|| sufficient(best))
        }
        ActionReason::PresentMissesTarget { missed, .. } => {
            missed.first().map_or("a requested target is missed".to_owned(), |target| missed_target(decided, target))
        }
        ActionReason::NegligibleSaving { saved, .. } => format!("a change would save {} a month", usd(*saved)),
        ActionReason::PresentSuffices(carried) => present_suffices(carried),
        ActionReason::DescriptionRefuted { refuted, .. } => {
            let level = describe_counted(refuted.limited, refuted.level);
            format!("demand stops at {level}, {} described", count(refuted.limited.in_unit(refuted.declared)))
        }
        ActionReason::InstanceBinds { instance, bound, required, .. } => {
            instance_binds(decided.platform, instance, *bound, *required)
        }
        ActionReason::NothingSuffices(None) => "no volume meets everything requested".to_owned(),
        ActionReason::NothingSuffices(Some(nearest)) => nothing_suffices(nearest),
        ActionReason::ConfigurationUnknown(_) => "its present configuration is unknown".to_owned(),
        ActionReason::Idle { requests, seconds } => {
            format!("{} requests in {}", count(*requests as f64), describe_days(*seconds))
        }
    }
}

/// Describes a larger size: `100 GiB full in 20 days`; `None` where the size stays.
fn growth(decided: &Decided) -> Option<String> {
    let (present, recommended) = (decided.present?, decided.volumes?);
    let gib = |config: &VolumeConfig, volumes: u64| config.size_gib * volumes;
    let present_gib = gib(&present.config, present.volumes);
    let space = decided.space.filter(|_| gib(&recommended.config, recommended.volumes) > present_gib)?;
    let present_gib = count(present_gib as f64);
    Some(match space.full_in_days {
        Some(days) => format!("{present_gib} GiB are full in {} days", count(days)),
        None => format!("{} of {present_gib} GiB are used", rate(space.used / GIB as f64)),
    })
}

/// Describes the basis of sufficient volumes.
fn sufficient(best: &Candidate) -> String {
    let Some(provisioning) = best.provisioning() else { return nothing_suffices(best) };
    match provisioning {
        Provisioning::Included { required } => both_needed(required),
        Provisioning::OtherBottleneck { bound, .. } => format!("bottleneck {}, not the volume", bound.name()),
        Provisioning::InstanceBaseline { instance_type, limited, baseline, .. } => {
            let name = describe_type(instance_type, best.config.platform);
            format!("{name} sustains {}", describe_rate(*limited, *baseline))
        }
        Provisioning::AsCurrent { limits, .. } => format!("today's {} IOPS carried the demand", count(limits.iops)),
        Provisioning::SavesTooLittle { saved } => format!("a change would save {} a month", usd(*saved)),
        Provisioning::DescriptionRefuted(refuted) => {
            format!("demand stops at {}", describe_counted(refuted.limited, refuted.level))
        }
        Provisioning::KeepsThroughput { kept, .. } | Provisioning::Relaxed { kept: Some(kept), .. } => kept_share(kept),
        Provisioning::Relaxed { relaxation, kept: None } => match relaxation.headroom {
            Some(headroom) if headroom < 0.01 => "no headroom: that costs too much".to_owned(),
            Some(headroom) => format!("{} headroom: more costs too much", pct((100.0 * headroom + 1e-9).floor())),
            None => "throttles; carrying all costs too much".to_owned(),
        },
        Provisioning::Sequential { request_kib } => format!("it carried requests of {} KiB", rate(*request_kib)),
        Provisioning::Credits { mean_iops } => format!("burst credits suffice: mean {} IOPS", rate(*mean_iops)),
        Provisioning::ForLatency(latency) => format!("for a latency of {} ms", brief_ms(latency.target_ms)),
        Provisioning::ForThroughput(throughput) => {
            format!("for {}x current throughput", brief(throughput.min_ratio))
        }
        Provisioning::Demand { limited, required, percentile, percentile_high, addition } => {
            demand(*limited, (*required, *percentile_high), *percentile, addition)
        }
    }
}

/// Describes a requirement, with the demand and the headroom that it consists of: `4,519 IOPS needed (p99 3,766 + 20 %)`.
fn demand(limited: LimitKind, (required, high): (f64, f64), percentile: f64, addition: &Addition) -> String {
    let needed = format!("{} needed", describe_needed(limited, required));
    match addition {
        Addition::HeadroomPct(headroom) if *headroom > 0.0 => {
            let high = if limited == LimitKind::Iops { rate(high) } else { size(high) };
            format!("{needed} (p{percentile} {high} + {})", pct(*headroom))
        }
        Addition::HeadroomPct(_) | Addition::MaxThrottledPct(_) => format!("{needed} (p{percentile})"),
        Addition::AssumedPeak { factor, .. } => format!("{needed} ({}x the average)", brief(*factor)),
        Addition::CutOff => format!("at least {needed}"),
    }
}

fn describe_needed(limited: LimitKind, required: f64) -> String {
    match limited {
        LimitKind::Iops => format!("{} IOPS", at_least(required)),
        LimitKind::Throughput => format!("{} MiB/s", size(required)),
    }
}

fn both_needed(required: &Ceiling) -> String {
    format!("{} IOPS and {} MiB/s needed", rate(required.iops), size(required.mibps))
}

fn kept_share(kept: &KeptShare) -> String {
    let used = describe_briefly(LimitKind::Iops, kept.used.iops);
    format!("keeps {} of throughput, at {used}", whole_pct(kept.share()))
}

fn missed_target(decided: &Decided, (bound, Excess { required, limit }): &(BindingLimit, Excess)) -> String {
    let name = decided.present.map_or("it", |present| present.config.volume_type.name());
    match bound {
        BindingLimit::Durability => {
            format!("{name} promises {} % durability, {} % asked", durability(*limit), durability(*required))
        }
        BindingLimit::Latency => {
            format!("{name} takes {} ms a request, {} asked", brief_ms(*required), brief_ms(*limit))
        }
        _ => format!("{name} gives {} of throughput, {} asked", brief(*limit), brief(*required)),
    }
}

/// Describes demand that the present volume carried: `p99 7,463 of 12,000 IOPS`; of throughput where less of that is left.
fn present_suffices(carried: &CarriedDemand) -> String {
    let (demand, limits) = (carried.demand, carried.limits);
    let is_iops = demand.iops * limits.mibps >= demand.mibps * limits.iops;
    match is_iops {
        true => format!("p{} {} of {} IOPS", carried.percentile, rate(demand.iops), count(limits.iops)),
        false => format!("p{} {} of {} MiB/s", carried.percentile, size(demand.mibps), count(limits.mibps)),
    }
}

fn instance_binds(platform: Platform, instance: &Instance, bound: BindingLimit, required: Ceiling) -> String {
    let limited = bound.kind().unwrap_or(LimitKind::Iops);
    let needed = describe_rate(limited, required.rate(limited));
    let name = describe_type(&instance.instance_type, platform);
    format!("{name} sustains {} of {needed}", count(instance.baseline().rate(limited)))
}

/// Describes the limit that the nearest volumes violate: `none suffices: 90,000 IOPS needed`.
fn nothing_suffices(nearest: &Candidate) -> String {
    match (nearest.bound.kind(), nearest.excess) {
        (Some(limited), Some(excess)) => format!("none suffices: {} needed", describe_needed(limited, excess.required)),
        _ => format!("none suffices: {} misses", nearest.bound.name()),
    }
}

#[cfg(test)]
#[path = "brief_tests.rs"]
mod tests;
