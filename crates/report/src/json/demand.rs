//! The demand on a volume, and its saturation.

use ebs_aws::catalogue::LimitKind;
use ebs_prediction::LimitOwner;
use serde::Serialize;

use super::candidate::{Candidate, RatioRange};
use crate::reasons::saturation::describe_flat_rate;
use crate::reasons::{merging, prediction};
use ebs_advice::{RoleAdvice, Saturation};
use ebs_prediction::saturation::{self, LevelSource, LimitSource};
use ebs_workload::io_profile;

/// A metric of the demand over the sampled intervals.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Figure {
    /// `requests`, `throughput`, `read latency` and so on.
    metric: &'static str,
    /// Unit of the values: `1/s`, `MiB/s`, `KiB`, `ms` or a share.
    unit: &'static str,
    /// Mean over the window.
    mean: Option<f64>,
    /// Median over time.
    p50: Option<f64>,
    /// 95th percentile over time.
    p95: Option<f64>,
    /// 99th percentile over time.
    p99: Option<f64>,
    /// Largest interval.
    max: Option<f64>,
    /// 95 % lower bound of p99.
    p99_low: Option<f64>,
    /// 95 % upper bound of p99.
    p99_high: Option<f64>,
    /// Samples that the bounds rest on.
    p99_evidence: Option<QuantileEvidence>,
}

/// Samples that the bounds of a percentile rest on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct QuantileEvidence {
    /// Number of samples.
    samples: f64,
    /// Number of independent samples that would be worth as much.
    effective: f64,
    /// Fewest independent samples whose maximum bounds the percentile.
    required: u64,
    /// Highest percentile that the maximum bounds; null where p99 is bounded.
    bounded_pct: Option<f64>,
}

impl From<ebs_stats::QuantileEvidence> for QuantileEvidence {
    fn from(evidence: ebs_stats::QuantileEvidence) -> QuantileEvidence {
        let ebs_stats::QuantileEvidence { samples, effective, required, bounded } = evidence;
        QuantileEvidence { samples, effective, required, bounded_pct: bounded.map(|bounded| 100.0 * bounded) }
    }
}

impl From<&io_profile::Figure> for Figure {
    fn from(figure: &io_profile::Figure) -> Figure {
        Figure {
            metric: figure.metric.name(),
            unit: figure.metric.unit(),
            mean: figure.mean,
            p50: figure.p50,
            p95: figure.p95,
            p99: figure.p99,
            max: figure.max,
            p99_low: figure.p99_interval.map(|interval| interval.low),
            p99_high: figure.p99_interval.map(|interval| interval.high),
            p99_evidence: figure.p99_evidence.map(QuantileEvidence::from),
        }
    }
}

/// Counts of requests that EBS may merge, and the volumes for the other count.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CountDoubt {
    /// 99th percentile of IOPS as the device counts.
    device_iops: f64,
    /// 99th percentile of IOPS if EBS merges everything that may be contiguous, up to 256 KiB.
    merged_iops: f64,
    /// 99th percentile of IOPS that is sized for.
    sized_iops: f64,
    /// The cheapest volumes for the other count; null where none suffice.
    other: Option<Candidate>,
    /// The same in words, a sentence each.
    reasons: Vec<String>,
}

impl CountDoubt {
    /// The doubt of a role; `None` where there is none.
    pub(super) fn from_role(role: &RoleAdvice) -> Option<CountDoubt> {
        let doubt = role.state.count_doubt.as_ref()?;
        Some(CountDoubt {
            device_iops: doubt.device_iops,
            merged_iops: doubt.merged_iops,
            sized_iops: doubt.sized_iops,
            other: role.count_option.as_ref().map(Candidate::from),
            reasons: merging::describe(role),
        })
    }
}

/// Saturation of the volume.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AtLimit {
    /// `IOPS` or `throughput`.
    limited: &'static str,
    /// The limit, in unit.
    level: f64,
    /// `1/s` or `MiB/s`.
    unit: &'static str,
    /// `volume` or `instance`, whose limit it likeliest is.
    of: &'static str,
    /// Mean rate in these seconds, in unit: a plateau may lie up to some 10 % below its limit.
    plateau: f64,
    /// Every limit that may be the one that binds, the likeliest first.
    limits: Vec<LimitMatch>,
    /// `declared`, or `inferred` from the samples.
    known_by: &'static str,
    /// False where there is another explanation of the samples, where it is not known which of several limits binds, or whether the
    /// instance's burst credits were spent before.
    sure: bool,
    /// Seconds at the limit, per cent of all.
    seconds_pct: f64,
    /// Average queue depth in these seconds.
    in_flight: f64,
    /// Mean latency of a request in these seconds, ms.
    latency_ms: f64,
    /// Mean latency of a request without a queue, ms.
    latency_without_queue_ms: f64,
    /// True where that was measured below the limit; false where it is published for the type.
    latency_without_queue_measured: bool,
    /// Demand that the same sessions would have without the limit, as a ratio to the demand at it.
    demand_ratio: Option<RatioRange>,
    /// Volume type whose published latency demand_ratio rests on; null where the latency was measured.
    latency_published_for: Option<&'static str>,
    /// True where sessions hardly waited for their clients: such a load saturates any volume.
    closed_loop: Option<bool>,
    /// Reason why demand_ratio is not known, in words.
    not_known: Option<&'static str>,
}

/// A limit near the plateau.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LimitMatch {
    /// `volume` or `instance`.
    of: &'static str,
    /// `IOPS` or `throughput`.
    limited: &'static str,
    /// The limit, in unit.
    level: f64,
    /// `1/s` or `MiB/s`.
    unit: &'static str,
    /// The plateau as a share of the limit.
    plateau_share: f64,
    /// Degree to which the limit explains the plateau, 0 to 1; named from 0.5 on.
    likelihood: f64,
    /// True where it binds only if the instance's burst credits were spent before: it has more for 30 minutes a day, and the evidence is
    /// shorter.
    requires_spent_credits: bool,
}

impl From<&saturation::LimitMatch> for LimitMatch {
    fn from(one: &saturation::LimitMatch) -> LimitMatch {
        let (limited, unit, level) = in_unit(one.limited, one.level);
        let of = one.owner.name();
        LimitMatch {
            of,
            limited,
            level,
            unit,
            plateau_share: one.share,
            likelihood: one.weight,
            requires_spent_credits: one.requires_spent_credits,
        }
    }
}

/// A flat rate, in a demand without latencies.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FlatRate {
    /// `IOPS` or `throughput`.
    limited: &'static str,
    /// The limit, or the median rate where none is known, in unit.
    level: f64,
    /// `1/s` or `MiB/s`.
    unit: &'static str,
    /// `volume` or `instance`, whose limit it is; null where no limit of this level is known.
    of: Option<&'static str>,
    /// `declared`; `published`, where volumes of a type have this limit and that of the volume is not known; or `unknown`.
    known_by: &'static str,
    /// Seconds within 1 % of the limit, per cent of all.
    seconds_pct: f64,
    /// The doubt, in words.
    remark: String,
}

impl From<&saturation::FlatRate> for FlatRate {
    fn from(flat: &saturation::FlatRate) -> FlatRate {
        let (limited, unit, level) = in_unit(flat.limited, flat.level);
        let (of, known_by) = match flat.source {
            LevelSource::Known(owner) => (Some(owner.name()), "declared"),
            LevelSource::Published(_) => (Some(LimitOwner::Volume.name()), "published"),
            LevelSource::Unknown => (None, "unknown"),
        };
        let seconds_pct = 100.0 * flat.seconds_share;
        FlatRate { limited, level, unit, of, known_by, seconds_pct, remark: describe_flat_rate(flat) }
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

impl From<&Saturation> for AtLimit {
    fn from(saturation: &Saturation) -> AtLimit {
        let limit = &saturation.limit;
        let (limited, unit, level) = in_unit(limit.limited, limit.level);
        let unmet = saturation.unmet_demand.ok();
        AtLimit {
            limited,
            level,
            unit,
            of: limit.owner.name(),
            plateau: in_unit(limit.limited, limit.rate).2,
            limits: limit.matches.iter().map(LimitMatch::from).collect(),
            known_by: match limit.source {
                LimitSource::Declared => "declared",
                LimitSource::Inferred => "inferred",
            },
            sure: limit.is_sure(),
            seconds_pct: 100.0 * limit.seconds_share,
            in_flight: limit.in_flight,
            latency_ms: limit.latency_ms,
            latency_without_queue_ms: limit.unqueued.ms,
            latency_without_queue_measured: limit.unqueued.measured.is_some(),
            demand_ratio: unmet.map(|unmet| RatioRange::from(unmet.factor)),
            latency_published_for: unmet.and_then(|unmet| Some(unmet.published?.name())),
            closed_loop: unmet.map(|unmet| unmet.closed),
            not_known: saturation.unmet_demand.err().map(prediction::describe_missing_input),
        }
    }
}
