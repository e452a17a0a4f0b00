//! The demand on a volume, and its saturation.

use ebs_aws::catalogue::LimitKind;
use ebs_base::object;
use ebs_prediction::LimitOwner;

use super::candidate::{Candidate, RatioRange};
use crate::reasons::saturation::describe_flat_rate;
use crate::reasons::{merging, prediction};
use ebs_advice::{RoleAdvice, Saturation};
use ebs_prediction::saturation::{self, LevelSource, LimitSource};
use ebs_workload::io_profile;

object! {
    /// A metric of the demand over the sampled intervals.
    pub(super) struct Figure(figure: &io_profile::Figure) {
        /// `requests`, `throughput`, `read latency` and so on.
        metric: &'static str = figure.metric.name(),
        /// Unit of the values: `1/s`, `MiB/s`, `KiB`, `ms` or a share.
        unit: &'static str = figure.metric.unit(),
        /// Mean over the window.
        mean: Option<f64> = figure.mean,
        /// Median over time.
        p50: Option<f64> = figure.p50,
        /// 95th percentile over time.
        p95: Option<f64> = figure.p95,
        /// 99th percentile over time.
        p99: Option<f64> = figure.p99,
        /// Largest interval.
        max: Option<f64> = figure.max,
        /// 95 % lower bound of p99.
        p99_low: Option<f64> = figure.p99_interval.map(|interval| interval.low),
        /// 95 % upper bound of p99.
        p99_high: Option<f64> = figure.p99_interval.map(|interval| interval.high),
        /// Samples that the bounds rest on.
        p99_evidence: Option<QuantileEvidence> = figure.p99_evidence.map(QuantileEvidence::from),
    }
}

object! {
    /// Samples that the bounds of a percentile rest on.
    struct QuantileEvidence(evidence: ebs_stats::QuantileEvidence)
    where {
        let ebs_stats::QuantileEvidence { samples, effective, required, bounded } = evidence;
    } {
        /// Number of samples.
        samples: f64 = samples,
        /// Number of independent samples that would be worth as much.
        effective: f64 = effective,
        /// Fewest independent samples whose maximum bounds the percentile.
        required: u64 = required,
        /// Highest percentile that the maximum bounds; null where p99 is bounded.
        bounded_pct: Option<f64> = bounded.map(|bounded| 100.0 * bounded),
    }
}

object! {
    /// Counts of requests that EBS may merge, and the volumes for the other count.
    pub(super) struct CountDoubt((doubt, role): (&ebs_workload::merging::CountDoubt, &RoleAdvice)) {
        /// 99th percentile of IOPS as the device counts.
        device_iops: f64 = doubt.device_iops,
        /// 99th percentile of IOPS if EBS merges everything that may be contiguous, up to 256 KiB.
        merged_iops: f64 = doubt.merged_iops,
        /// 99th percentile of IOPS that is sized for.
        sized_iops: f64 = doubt.sized_iops,
        /// The cheapest volumes for the other count; null where none suffice.
        other: Option<Candidate> = role.count_option.as_ref().map(Candidate::from),
        /// The same in words, a sentence each.
        reasons: Vec<String> = merging::describe(role),
    }
}

object! {
    /// Saturation of the volume.
    pub(super) struct AtLimit(saturation: &Saturation)
    where {
        let limit = &saturation.limit;
        let (limited, unit, level) = in_unit(limit.limited, limit.level);
        let unmet = saturation.unmet_demand.ok();
    } {
        /// `IOPS` or `throughput`.
        limited: &'static str = limited,
        /// The limit, in unit.
        level: f64 = level,
        /// `1/s` or `MiB/s`.
        unit: &'static str = unit,
        /// `volume` or `instance`, whose limit it likeliest is.
        of: &'static str = limit.owner.name(),
        /// Mean rate in these seconds, in unit: a plateau may lie up to some 10 % below its limit.
        plateau: f64 = in_unit(limit.limited, limit.rate).2,
        /// Every limit that may be the one that binds, the likeliest first.
        limits: Vec<LimitMatch> = limit.matches.iter().map(LimitMatch::from).collect(),
        /// `declared`, or `inferred` from the samples.
        known_by: &'static str = match limit.source {
            LimitSource::Declared => "declared",
            LimitSource::Inferred => "inferred",
        },
        /// False where there is another explanation of the samples, where it is not known which of several limits binds, or whether the
        /// instance's burst credits were spent before.
        sure: bool = limit.is_sure(),
        /// Seconds at the limit, per cent of all.
        seconds_pct: f64 = 100.0 * limit.seconds_share,
        /// Average queue depth in these seconds.
        in_flight: f64 = limit.in_flight,
        /// Mean latency of a request in these seconds, ms.
        latency_ms: f64 = limit.latency_ms,
        /// Mean latency of a request without a queue, ms.
        latency_without_queue_ms: f64 = limit.unqueued.ms,
        /// True where that was measured below the limit; false where it is published for the type.
        latency_without_queue_measured: bool = limit.unqueued.is_measured(),
        /// Demand that the same sessions would have without the limit, as a ratio to the demand at it.
        demand_ratio: Option<RatioRange> = unmet.map(|unmet| RatioRange::from(unmet.factor)),
        /// Volume type whose published latency demand_ratio rests on; null where the latency was measured.
        latency_published_for: Option<&'static str> = unmet.and_then(|unmet| Some(unmet.published?.name())),
        /// True where sessions hardly waited for their clients: such a load saturates any volume.
        closed_loop: Option<bool> = unmet.map(|unmet| unmet.closed),
        /// Reason why demand_ratio is not known, in words.
        not_known: Option<&'static str> = saturation.unmet_demand.err().map(prediction::describe_missing_input),
    }
}

object! {
    /// A limit near the plateau.
    struct LimitMatch(one: &saturation::LimitMatch)
    where {
        let (limited, unit, level) = in_unit(one.limited, one.level);
        let of = one.owner.name();
    } {
        /// `volume` or `instance`.
        of: &'static str = of,
        /// `IOPS` or `throughput`.
        limited: &'static str = limited,
        /// The limit, in unit.
        level: f64 = level,
        /// `1/s` or `MiB/s`.
        unit: &'static str = unit,
        /// The plateau as a share of the limit.
        plateau_share: f64 = one.share,
        /// Degree to which the limit explains the plateau, 0 to 1; named from 0.5 on.
        likelihood: f64 = one.weight,
        /// True where it binds only if the instance's burst credits were spent before: it has more for 30 minutes a day, and the evidence is
        /// shorter.
        requires_spent_credits: bool = one.requires_spent_credits,
    }
}

object! {
    /// A flat rate, in a demand without latencies.
    pub(super) struct FlatRate(flat: &saturation::FlatRate)
    where {
        let (limited, unit, level) = in_unit(flat.limited, flat.level);
        let (of, known_by) = match flat.source {
            LevelSource::Known(owner) => (Some(owner.name()), "declared"),
            LevelSource::Published(_) => (Some(LimitOwner::Volume.name()), "published"),
            LevelSource::Unknown => (None, "unknown"),
        };
        let seconds_pct = 100.0 * flat.seconds_share;
    } {
        /// `IOPS` or `throughput`.
        limited: &'static str = limited,
        /// The limit, or the median rate where none is known, in unit.
        level: f64 = level,
        /// `1/s` or `MiB/s`.
        unit: &'static str = unit,
        /// `volume` or `instance`, whose limit it is; null where no limit of this level is known.
        of: Option<&'static str> = of,
        /// `declared`; `published`, where volumes of a type have this limit and that of the volume is not known; or `unknown`.
        known_by: &'static str = known_by,
        /// Seconds within 1 % of the limit, per cent of all.
        seconds_pct: f64 = seconds_pct,
        /// The doubt, in words.
        remark: String = describe_flat_rate(flat),
    }
}

/// Name of a limited rate, its unit, and a rate in it.
pub(super) fn in_unit(limited: LimitKind, rate: f64) -> (&'static str, &'static str, f64) {
    let (name, unit) = match limited {
        LimitKind::Iops => ("IOPS", "1/s"),
        LimitKind::Throughput => ("throughput", "MiB/s"),
    };
    (name, unit, limited.in_unit(rate))
}
