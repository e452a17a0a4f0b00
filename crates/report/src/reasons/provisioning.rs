//! The basis of the IOPS and throughput of feasible volumes, and the targets that they are chosen for.

use super::instance_type::describe_type;
use super::unit::{describe_briefly, describe_counted, describe_rate};
use ebs_advice::{
    Addition, Candidate, KeptShare, MeanLatency, PredictedThroughput, Provisioning, Relaxation, RelaxationCause,
};
use ebs_aws::catalogue::{Ceiling, LimitKind};
use ebs_base::format::{
    at_least, brief, brief_duration, count, distinct, ms, pct, range, rate, size, times, usd, whole_pct,
};
use ebs_base::range::Range;
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::Source;

/// Describes why feasible volumes have their IOPS and throughput.
pub(super) fn describe_provisioning(candidate: &Candidate, provisioning: &Provisioning) -> String {
    let ceiling = candidate.config.ceiling(candidate.volumes);
    match provisioning {
        Provisioning::Included { required } => included(candidate, required),
        Provisioning::OtherBottleneck { bound, ideal_ratio } => other_bottleneck(*bound, ideal_ratio.as_ref()),
        Provisioning::InstanceBaseline {
            instance_type,
            limited,
            baseline,
            percentile,
            percentile_high,
            headroom_pct,
        } => {
            let carried = describe_rate(*limited, *baseline);
            let at_most = if *limited == LimitKind::Iops { rate(*percentile_high) } else { size(*percentile_high) };
            let name = describe_type(instance_type, candidate.config.platform);
            let left = match 100.0 * (baseline / percentile_high - 1.0) {
                negative if negative < 0.0 => "which exceeds it".to_owned(),
                left_pct => format!("which leaves {}", describe_headroom(left_pct, *headroom_pct)),
            };
            format!("{carried}, the baseline of {name}: p{percentile} is at most {at_most}, {left}")
        }
        Provisioning::AsCurrent { current, limits, required } => {
            let (carried, iops, mibps) = (count(limits.iops), rate(required.iops), size(required.mibps));
            format!(
                "the same as today's {}, whose {carried} IOPS carried the demand; {iops} IOPS and {mibps} MiB/s would be \
                 with the requested headroom",
                current.name()
            )
        }
        Provisioning::SavesTooLittle { saved } => {
            format!("the present volumes carried the demand, and a change would save {} a month", usd(*saved))
        }
        Provisioning::DescriptionRefuted(refuted) => format!(
            "the present volumes, until their description is checked: demand stops at {}, below the described {}",
            describe_counted(refuted.limited, refuted.level),
            describe_counted(refuted.limited, refuted.declared)
        ),
        Provisioning::KeepsThroughput { kept, headroom_pct } => {
            format!("{}{}", describe_kept(candidate, kept), describe_loop_headroom(*headroom_pct))
        }
        Provisioning::Relaxed { relaxation, kept } => describe_relaxed(candidate, relaxation, kept.as_ref()),
        Provisioning::Sequential { request_kib } => describe_sequential(*request_kib),
        Provisioning::Credits { mean_iops } => {
            format!(
                "burst credits carry the peaks: {} IOPS on average, {} without credits",
                rate(*mean_iops),
                count(ceiling.iops)
            )
        }
        Provisioning::ForLatency(latency) => {
            format!("more than the demand needs, to wait less: {}", mean_latency(latency))
        }
        Provisioning::ForThroughput(throughput) => {
            format!("more than the demand needs, to wait less: {}", predicted_throughput(throughput))
        }
        Provisioning::Demand { limited, required, percentile, percentile_high, addition } => {
            demand(*limited, (*required, *percentile_high), *percentile, addition)
        }
    }
}

/// Derives the limit that a closed loop keeps its throughput with: `mean 3,700 IOPS, 4,000 keep 98 % of gp3's full throughput`; where
/// the low end of its interval decided, with `(low end: 95 %)`. Full is what the type gives without a limit. The use is that of the limit that decided.
pub(super) fn describe_kept(candidate: &Candidate, kept: &KeptShare) -> String {
    let limited = nearer_limit(candidate, kept);
    let low = kept.low_share.map_or(String::new(), |low| format!(" (low end: {})", whole_pct(low)));
    let (middle, name) = (whole_pct(kept.share()), candidate.config.volume_type.name());
    let used = describe_briefly(limited, kept.used.rate(limited));
    let limit = count(candidate.config.ceiling(candidate.volumes).rate(limited));
    format!("mean {used}, {limit} keep {middle} of {name}'s full throughput{low}")
}

/// The limit that more of is used on average.
pub(super) fn nearer_limit(candidate: &Candidate, kept: &KeptShare) -> LimitKind {
    let ceiling = candidate.config.ceiling(candidate.volumes);
    let is_iops = kept.used.iops * ceiling.mibps >= kept.used.mibps * ceiling.iops;
    if is_iops { LimitKind::Iops } else { LimitKind::Throughput }
}

/// Describes a headroom that was requested for a closed loop; nothing of none.
pub(super) fn describe_loop_headroom(headroom_pct: f64) -> String {
    if headroom_pct > 0.0 { format!(" + {} headroom", pct(headroom_pct)) } else { String::new() }
}

/// Describes the part of the request that volumes are for, and the price of the whole: `14 % headroom; the requested one would cost $4,318.00
/// (io2)`.
pub(super) fn describe_relaxed(candidate: &Candidate, relaxation: &Relaxation, kept: Option<&KeptShare>) -> String {
    let throttled = || candidate.outcome.map_or(0.0, |outcome| outcome.throttled_pct());
    let part = match (relaxation.headroom, kept) {
        (Some(headroom), Some(kept)) if headroom >= 0.01 => {
            format!("{} + {} headroom", describe_kept(candidate, kept), whole_pct_down(headroom))
        }
        (_, Some(kept)) => describe_kept(candidate, kept),
        (Some(headroom), None) if headroom < 0.01 => "no headroom".to_owned(),
        (Some(headroom), None) => format!("{} headroom", whole_pct_down(headroom)),
        (None, None) => format!("throttles {} of seconds", pct(throttled())),
    };
    let whole = relaxation.whole.map(|(volume_type, volumes, price)| {
        let stripe = if volumes > 1 { format!("{volumes} × ") } else { String::new() };
        format!("{} ({stripe}{})", usd(price), volume_type.name())
    });
    match (relaxation.cause, whole) {
        (RelaxationCause::PriceOfHeadroom, Some(whole)) => {
            format!("{part}; the requested headroom would cost {whole}")
        }
        (RelaxationCause::PriceOfThroughput, whole) => {
            let whole = whole.map_or(String::new(), |whole| format!("; the rest of it would cost {whole}"));
            format!("{part}{whole}")
        }
        (RelaxationCause::PriceOfHeadroom, None) => format!("{part}; no volumes have the requested headroom"),
        (RelaxationCause::Budget(budget), Some(whole)) => {
            format!("the best within {}: {part}; everything requested costs {whole}", usd(budget))
        }
        (RelaxationCause::Budget(budget), None) => format!("the best within {}: {part}", usd(budget)),
    }
}

/// Describes a share in whole per cent, rounded down: less headroom than it says would be a promise.
fn whole_pct_down(share: f64) -> String {
    format!("{} %", (100.0 * share + 1e-9).floor())
}

/// Describes hard disks that stay: `it carried the demand, in requests of 256 KiB, and nothing shows a database on it`.
pub(super) fn describe_sequential(request_kib: f64) -> String {
    format!("it carried the demand, in requests of {} KiB, and nothing shows a database on it", rate(request_kib))
}

fn other_bottleneck(bound: BindingLimit, ideal_ratio: Option<&Range>) -> String {
    let why = match bound {
        BindingLimit::Locks => "sessions wait for each other's locks",
        _ => "the bottleneck is the CPU",
    };
    let most = ideal_ratio.map_or(String::new(), range);
    format!(
        "{why}: no volume would give more than {most} of current throughput, and what this one includes covers the demand"
    )
}

/// Difference of headroom below which it is called the requested one, per cent. A choice.
const NEGLIGIBLE_HEADROOM_PCT: f64 = 0.5;

/// Describes headroom that is less than requested, with decimals where both would be the same without: `19.6 % headroom, not 20.4 %`.
fn describe_headroom(left_pct: f64, requested_pct: f64) -> String {
    let (left, requested) = (pct(left_pct), pct(requested_pct));
    match requested_pct - left_pct {
        missing if missing < NEGLIGIBLE_HEADROOM_PCT => format!("{requested} headroom"),
        _ if left == requested => {
            let (left, requested) = distinct(count, left_pct, requested_pct);
            format!("{left} % headroom, not {requested} %")
        }
        _ => format!("{left} headroom, not {requested}"),
    }
}

/// Describes the requirement with the demand that it is computed from: `17,400 IOPS = p99 demand 14,500 (upper end of its CI)`.
fn demand(limited: LimitKind, (required, percentile_high): (f64, f64), percentile: f64, addition: &Addition) -> String {
    if let Some(assumed) = describe_assumed_peak(addition) {
        return format!("{} {}: {assumed}", at_least(required), limited.unit());
    }
    let (required, at_most) = match limited {
        LimitKind::Iops => (at_least(required), rate(percentile_high)),
        LimitKind::Throughput => (size(required), size(percentile_high)),
    };
    let added = describe_addition(addition);
    format!("{required} {} = p{percentile} demand {at_most} (upper end of its CI){added}", limited.unit())
}

/// Describes the peak that is assumed within averages: `one average over 60 min: sized for 2x its mean, with headroom; peaks within it are
/// unknown`; `None` of another addition.
pub(super) fn describe_assumed_peak(addition: &Addition) -> Option<String> {
    let Addition::AssumedPeak { averages, averaged_s, factor } = addition else { return None };
    let (interval, factor) = (brief_duration(*averaged_s), brief(*factor));
    Some(match averages {
        1 => format!(
            "one average over {interval}: sized for {factor}x its mean, with headroom; peaks within it are unknown"
        ),
        _ => format!(
            "averages over {interval}: sized for {factor}x the greatest, with headroom; peaks within them are unknown"
        ),
    })
}

fn describe_addition(addition: &Addition) -> String {
    match addition {
        Addition::AssumedPeak { .. } => describe_assumed_peak(addition).unwrap_or_default(),
        Addition::HeadroomPct(none) if *none <= 0.0 => String::new(),
        Addition::HeadroomPct(headroom) => format!(" + {} headroom", pct(*headroom)),
        Addition::CutOff => ", and more, as it was cut off at a limit".to_owned(),
        Addition::MaxThrottledPct(limit) => format!(", but only so many keep throttling within {}", pct(*limit)),
    }
}

fn included(candidate: &Candidate, required: &Ceiling) -> String {
    let ceiling = candidate.config.ceiling(candidate.volumes);
    let (iops, mibps) = (count(ceiling.iops), count(ceiling.mibps));
    let volume_type = candidate.config.volume_type;
    if volume_type.has_iops_by_size() {
        format!("the {iops} IOPS and {mibps} MiB/s of this size cover the demand")
    } else if volume_type.bills_all_iops() {
        format!("{iops} IOPS, the fewest sold, cover the demand")
    } else {
        format!(
            "the included {iops} IOPS and {mibps} MiB/s cover the demand with headroom ({} IOPS, {} MiB/s)",
            rate(required.iops),
            size(required.mibps)
        )
    }
}

/// Describes a mean latency and its target: `about 0.78 ms a request (published) and 47 ms of waiting, 5 requested`.
pub(super) fn mean_latency(latency: &MeanLatency) -> String {
    let source = describe_source(latency.source);
    let queueing = latency.queueing_ms.map_or(String::new(), |queueing| format!(" and {} ms of waiting", ms(queueing)));
    let (service, target) = distinct(ms, latency.service_ms, latency.target_ms);
    format!("about {service} ms a request ({source}){queueing}, {target} requested")
}

/// Describes a predicted throughput and the requested one.
pub(super) fn predicted_throughput(throughput: &PredictedThroughput) -> String {
    let predicted = throughput.ratio.map_or("unknown".to_owned(), |ratio| format!("{}x current", times(ratio)));
    format!("predicted throughput is {predicted}, {}x requested", times(throughput.min_ratio))
}

/// Describes the source of a latency without a queue.
pub(super) fn describe_source(source: Source) -> &'static str {
    match source {
        Source::Published => "published",
        Source::Measured => "as measured",
        Source::Scaled => "published, scaled as measured here",
        Source::Given => "as given",
    }
}
