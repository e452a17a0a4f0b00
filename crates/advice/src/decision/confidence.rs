//! Confidence in a recommendation: low, medium or high, with the causes that lower it.
//!
//! | level | rule |
//! |---|---|
//! | high | no cause |
//! | medium | one or two minor causes |
//! | low | a major cause, or three minor ones |
//!
//! The rule is a choice. A cause is major where the size of the recommended volumes itself may be wrong by a multiple.

use crate::current::current_volume::ExceededDeclaration;
use crate::current::refuted_limit::RefutedLimit;
use crate::current::size::SizeRemark;
use crate::decision::confidence_level::{CauseWeight, ConfidenceLevel};
use crate::decision::idle::MIN_CHANGE_S;
use crate::decision::role_advice::RoleAdvice;
use crate::evaluate::candidate::Candidate;
use crate::insufficient::{SHORT_SECONDS, cycle_seconds};
use crate::request::settings::Request;
use ebs_aws::catalogue::LimitKind;
use ebs_base::range::Range;
use ebs_base::units::{SECOND_US, gib};
use ebs_prediction::LimitOwner;
use ebs_prediction::predict::MissingInput;
use ebs_prediction::saturation::FlatRate;
use ebs_samples::evidence::{Coverage, Tier, Window};
use ebs_stats::QuantileEvidence;
use ebs_stats::averaging::COARSE_S;
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::io_profile::{Metric, find};
use ebs_workload::merging::MAJOR_COUNT_RATIO;

/// A cause that lowers the confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConfidenceCause {
    /// The evidence is shorter than [`SHORT_SECONDS`].
    ShortEvidence {
        /// Seconds with samples.
        sampled_s: f64,
    },
    /// The evidence contains no whole checkpoint cycle.
    NoCheckpointCycle,
    /// Samples are fewer, or neighbours more alike, than a bound of the 99th percentile needs.
    FewSamples(QuantileEvidence),
    /// Samples are averages over more than 1.5 s, which hide peaks.
    CoarseSamples {
        /// Length of a sample, seconds.
        interval_s: f64,
    },
    /// A part of the window has no samples.
    Gaps {
        /// Share of the window without samples, 0 to 1.
        missing_share: f64,
    },
    /// The configuration of volumes was changed within the samples, which are judged by one of both.
    ConfigurationChanged,
    /// Another program took the samples, without waits of sessions.
    Imported,
    /// The instance type is not known.
    InstanceUnknown,
    /// The current device is not known to be an EBS volume.
    NotMeasuredOnEbs,
    /// The samples hold no bytes: volumes are sized by IOPS alone.
    ThroughputUnknown,
    /// The samples hold no latencies: saturation cannot be detected.
    LatencyUnknown,
    /// The rate is flat at the level of a limit: without latencies, the limit cannot be told from demand.
    LimitOrDemand(FlatRate),
    /// The database cannot be predicted on other volumes.
    NoPrediction(MissingInput),
    /// The volume, or the instance, was saturated: the unmet demand is estimated.
    Saturated {
        /// Owner of the likeliest limit.
        owner: LimitOwner,
        /// Demand without the limit, relative to the observed demand.
        unmet_factor: Range,
    },
    /// The volume, or the instance, was saturated, and the unmet demand is not known.
    UnmetDemandUnknown {
        /// Owner of the likeliest limit.
        owner: LimitOwner,
    },
    /// The rate levels off as at a limit, which is not certain.
    SaturationUnsure,
    /// The rate levels off near several limits, and which of them binds is not known.
    LimitUnsure,
    /// The instance's limit binds only if its burst credits were spent before the evidence.
    SpentCreditsUnknown {
        /// The limited rate.
        limited: LimitKind,
    },
    /// Throughput is predicted by the device's counts, because waits were not sampled.
    PredictionWithoutWaits {
        /// Throughput relative to the current one.
        ratio: Range,
        /// True where the volumes are sized by it, as the load driver is known to be closed.
        sizes: bool,
    },
    /// The interval of the predicted throughput is wide.
    WidePrediction {
        /// Throughput relative to the current one.
        ratio: Range,
    },
    /// The load may be a closed loop or an open one, which need different volumes.
    LoadUnsure {
        /// IOPS of the volumes for the observed demand over those for a closed loop.
        iops_factor: f64,
    },
    /// Bursts that averages hide could make the volumes too small: the level is one step lower.
    HiddenBursts,
    /// Production was counted for so many seconds, less than a day: its load has a daily cycle, and jobs come every night.
    DailyCycle(f64),
    /// The declared volumes cannot have served what was observed.
    DeclarationExceeded(ExceededDeclaration),
    /// The samples show a limit below the declared one.
    DeclaredLimitRefuted(RefutedLimit),
    /// EBS may merge requests that the device counts apart.
    CountDoubt {
        /// IOPS as the device counts, and if all that may be merged are.
        device_iops: f64,
        /// See above.
        merged_iops: f64,
    },
    /// The demand on the recommended volumes is predicted below the least that predictions were tested with.
    UntestedPrediction,
    /// The size of the data is not known.
    SizeUnknown,
    /// The requested size is below that by use and growth.
    SizeBelowForecast {
        /// min_size_gib, GiB.
        requested_gib: u64,
        /// GiB in use.
        used_gib: u64,
        /// The size by use and growth, GiB.
        required_gib: u64,
    },
}

/// Seconds below which short evidence is a major cause: a fifth of [`SHORT_SECONDS`]. A choice.
const MAJOR_SHORT_S: f64 = 120.0;

/// Independent samples below which too few of them are a major cause. A choice.
const MAJOR_FEW_SAMPLES: f64 = 60.0;

/// Ratio of the ends of a prediction's interval from which on it is wide. A choice.
const WIDE_RATIO: f64 = 2.0;

/// Factor of unmet demand from which on its estimate is a major cause. A choice.
const MAJOR_UNMET_FACTOR: f64 = 2.0;

/// Ratio of the IOPS for both kinds of load from which on an unsure kind is a cause: below it the default headroom covers either.
const MIN_LOAD_FACTOR: f64 = 1.2;

/// Ratio of the IOPS for both kinds of load from which on an unsure kind is a major cause. A choice.
const MAJOR_LOAD_FACTOR: f64 = 2.0;

/// Share of the window without samples that is reported.
const MIN_GAP_SHARE: f64 = 0.05;

impl ConfidenceCause {
    /// Name of the cause in JSON.
    pub fn code(&self) -> &'static str {
        match self {
            ConfidenceCause::ShortEvidence { .. } => "short_evidence",
            ConfidenceCause::NoCheckpointCycle => "no_checkpoint_cycle",
            ConfidenceCause::FewSamples(_) => "few_samples",
            ConfidenceCause::CoarseSamples { .. } => "coarse_samples",
            ConfidenceCause::Gaps { .. } => "gaps",
            ConfidenceCause::ConfigurationChanged => "configuration_changed",
            ConfidenceCause::Imported => "imported",
            ConfidenceCause::InstanceUnknown => "instance_unknown",
            ConfidenceCause::NotMeasuredOnEbs => "not_measured_on_ebs",
            ConfidenceCause::ThroughputUnknown => "throughput_unknown",
            ConfidenceCause::LatencyUnknown => "latency_unknown",
            ConfidenceCause::LimitOrDemand(_) => "limit_or_demand",
            ConfidenceCause::NoPrediction(_) => "no_prediction",
            ConfidenceCause::Saturated { .. } => "saturated",
            ConfidenceCause::UnmetDemandUnknown { .. } => "unmet_demand_unknown",
            ConfidenceCause::SaturationUnsure => "saturation_unsure",
            ConfidenceCause::LimitUnsure => "limit_unsure",
            ConfidenceCause::SpentCreditsUnknown { .. } => "spent_credits_unknown",
            ConfidenceCause::PredictionWithoutWaits { .. } => "prediction_without_waits",
            ConfidenceCause::WidePrediction { .. } => "wide_prediction",
            ConfidenceCause::LoadUnsure { .. } => "load_unsure",
            ConfidenceCause::HiddenBursts => "hidden_bursts",
            ConfidenceCause::DailyCycle(_) => "daily_cycle",
            ConfidenceCause::DeclarationExceeded(_) => "declaration_exceeded",
            ConfidenceCause::DeclaredLimitRefuted(_) => "declared_limit_refuted",
            ConfidenceCause::CountDoubt { .. } => "count_doubt",
            ConfidenceCause::UntestedPrediction => "untested_prediction",
            ConfidenceCause::SizeUnknown => "size_unknown",
            ConfidenceCause::SizeBelowForecast { .. } => "size_below_forecast",
        }
    }

    /// Weight of the cause.
    pub fn weight(&self) -> CauseWeight {
        let major = match self {
            ConfidenceCause::ShortEvidence { sampled_s } => *sampled_s < MAJOR_SHORT_S,
            ConfidenceCause::FewSamples(evidence) => evidence.effective < MAJOR_FEW_SAMPLES,
            ConfidenceCause::UnmetDemandUnknown { .. }
            | ConfidenceCause::ThroughputUnknown
            | ConfidenceCause::LimitOrDemand(_)
            | ConfidenceCause::DailyCycle(_)
            | ConfidenceCause::DeclarationExceeded(_)
            | ConfidenceCause::DeclaredLimitRefuted(_)
            | ConfidenceCause::UntestedPrediction
            | ConfidenceCause::ConfigurationChanged => true,
            ConfidenceCause::SizeBelowForecast { requested_gib, used_gib, .. } => requested_gib < used_gib,
            ConfidenceCause::PredictionWithoutWaits { ratio, sizes } => *sizes && ratio.high > WIDE_RATIO * ratio.low,
            ConfidenceCause::LoadUnsure { iops_factor } => *iops_factor >= MAJOR_LOAD_FACTOR,
            ConfidenceCause::CountDoubt { device_iops, merged_iops } => *device_iops >= MAJOR_COUNT_RATIO * merged_iops,
            ConfidenceCause::Saturated { unmet_factor, .. } => unmet_factor.middle >= MAJOR_UNMET_FACTOR,
            _ => false,
        };
        if major { CauseWeight::Major } else { CauseWeight::Minor }
    }
}

/// Confidence in a recommendation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Confidence {
    /// The causes that lower it, major ones first; each once.
    pub causes: Vec<ConfidenceCause>,
}

/// The evidence that the confidence is derived from.
pub struct ConfidenceEvidence<'a> {
    /// The samples.
    pub window: &'a Window,
    /// Amount of the samples.
    pub coverage: &'a Coverage,
    /// Whole checkpoint cycles; `None` where the evidence does not show them.
    pub checkpoint_cycles: Option<usize>,
    /// checkpoint_timeout while the samples were taken, seconds; `None` where it is not known.
    pub checkpoint_timeout_s: Option<f64>,
    /// Declarations of volumes and instance.
    pub declared: &'a Declarations,
    /// The request.
    pub request: &'a Request,
    /// True of a look-back, which may begin before the extension was installed.
    pub is_lookback: bool,
    /// True of production as exporters count it, false of a run or a look-back, whose time its user chose.
    pub is_production: bool,
}

impl Confidence {
    /// Derives the confidence in the advice for these roles.
    pub fn new<'a>(evidence: &ConfidenceEvidence, roles: impl Iterator<Item = &'a RoleAdvice> + Clone) -> Confidence {
        let mut causes = evidence.causes();
        for role in roles {
            for cause in role_causes(role, evidence) {
                if !causes.iter().any(|known| known.code() == cause.code()) {
                    causes.push(cause);
                }
            }
        }
        causes.sort_by_key(|cause| cause.weight() == CauseWeight::Minor);
        Confidence { causes }
    }

    /// The level, by the table.
    pub fn level(&self) -> ConfidenceLevel {
        let is_major = |cause: &ConfidenceCause| cause.weight() == CauseWeight::Major;
        let hides_bursts = self.causes.contains(&ConfidenceCause::HiddenBursts);
        let level = match self.causes.len() - usize::from(hides_bursts) {
            0 => ConfidenceLevel::High,
            1 | 2 if !self.causes.iter().any(is_major) => ConfidenceLevel::Medium,
            _ => ConfidenceLevel::Low,
        };
        if hides_bursts { level.lower() } else { level }
    }
}

impl ConfidenceEvidence<'_> {
    /// Causes in the evidence as a whole.
    fn causes(&self) -> Vec<ConfidenceCause> {
        let coverage = self.coverage;
        let imported = self.window.sampling.tier == Tier::Imported;
        let missing_share = self.missing_share();
        let known_s = coverage.sampled_s - coverage.without_device_s;
        let short = coverage.sampled_s < SHORT_SECONDS;
        let below_cycle = coverage.sampled_s < cycle_seconds(self.checkpoint_timeout_s);
        let no_cycle = below_cycle && self.checkpoint_cycles.unwrap_or(0) == 0 && !imported;
        let causes = [
            (short, ConfidenceCause::ShortEvidence { sampled_s: coverage.sampled_s }),
            (no_cycle, ConfidenceCause::NoCheckpointCycle),
            (coverage.interval_s > COARSE_S, ConfidenceCause::CoarseSamples { interval_s: coverage.interval_s }),
            (missing_share > MIN_GAP_SHARE, ConfidenceCause::Gaps { missing_share }),
            (!self.window.changes.is_empty(), ConfidenceCause::ConfigurationChanged),
            (self.window.has_counts_alone(), ConfidenceCause::Imported),
            (self.request.instance.is_none(), ConfidenceCause::InstanceUnknown),
            (!imported && !self.is_on_ebs(), ConfidenceCause::NotMeasuredOnEbs),
            (self.is_production && known_s < MIN_CHANGE_S, ConfidenceCause::DailyCycle(known_s)),
        ];
        causes.into_iter().filter_map(|(applies, cause)| applies.then_some(cause)).collect()
    }

    /// Share of the window without samples; of a look-back, of the time from its first sample on.
    fn missing_share(&self) -> f64 {
        let coverage = self.coverage;
        let first = self.window.intervals.first().filter(|_| self.is_lookback);
        let from_first_s = first.map(|first| {
            let began_us = first.at_us.saturating_sub_unsigned(first.dt_us);
            self.window.to_us.saturating_sub(began_us) as f64 / SECOND_US as f64
        });
        let whole_s = from_first_s.unwrap_or(coverage.window_s).min(coverage.window_s);
        1.0 - coverage.sampled_s / whole_s.max(coverage.sampled_s).max(1.0)
    }

    /// True where every current volume is detected or declared as EBS.
    fn is_on_ebs(&self) -> bool {
        let mut volumes = self.window.current.iter().filter_map(|&volume| self.window.layout.volumes.get(volume));
        volumes.all(|volume| Attached::find(volume, self.declared).is_some())
    }
}

/// Causes in the advice for a role.
fn role_causes(role: &RoleAdvice, evidence: &ConfidenceEvidence) -> Vec<ConfidenceCause> {
    let figure = find(&role.state.figures, Metric::Requests);
    let few = figure.and_then(|figure| figure.p99_evidence).filter(|evidence| evidence.bounded.is_some());
    let mut causes: Vec<ConfidenceCause> = few.map(ConfidenceCause::FewSamples).into_iter().collect();
    if let Some(saturation) = &role.state.saturation {
        if !saturation.limit.is_saturation_sure() {
            causes.push(ConfidenceCause::SaturationUnsure);
        }
        if !saturation.limit.is_match_sure() {
            causes.push(ConfidenceCause::LimitUnsure);
        }
        if saturation.limit.requires_spent_credits() {
            causes.push(ConfidenceCause::SpentCreditsUnknown { limited: saturation.limit.limited });
        }
        causes.push(match saturation.unmet_demand {
            Ok(unmet) => ConfidenceCause::Saturated { owner: saturation.limit.owner, unmet_factor: unmet.factor },
            Err(_) => ConfidenceCause::UnmetDemandUnknown { owner: saturation.limit.owner },
        });
    }
    let exceeded = role.state.checked.exceeded_owner().filter(|_| role.state.saturation.is_none());
    causes.extend(exceeded.map(|owner| ConfidenceCause::UnmetDemandUnknown { owner }));
    causes.extend(role.state.group.demand.bytes_unknown.then_some(ConfidenceCause::ThroughputUnknown));
    causes.extend((!role.state.group.demand.timed).then_some(ConfidenceCause::LatencyUnknown));
    causes.extend(role.state.flat_rate.map(ConfidenceCause::LimitOrDemand));
    let imported = evidence.window.has_counts_alone();
    let sizes = role.state.is_sized_without_waits();
    match (&role.state.predictor, role.best().and_then(|best| best.ratio())) {
        (Err(MissingInput::Waits), Some(ratio)) => {
            let cause = ConfidenceCause::PredictionWithoutWaits { ratio, sizes };
            // That waits are missing is said of imported samples already.
            causes.extend(Some(cause).filter(|cause| !imported || cause.weight() == CauseWeight::Major));
        }
        (Err(missing), _) if !imported && role.state.group.demand.timed => {
            causes.push(ConfidenceCause::NoPrediction(*missing));
        }
        (Ok(_), Some(ratio)) if ratio.high > WIDE_RATIO * ratio.low => {
            causes.push(ConfidenceCause::WidePrediction { ratio });
        }
        _ => {}
    }
    causes.extend(load_cause(role));
    causes.extend(role.decision.may_regret_bursts.then_some(ConfidenceCause::HiddenBursts));
    let exceeded = role.current.as_ref().and_then(|current| current.exceeded);
    causes.extend(exceeded.map(ConfidenceCause::DeclarationExceeded));
    causes.extend(role.present().refuted_limit().map(ConfidenceCause::DeclaredLimitRefuted));
    let doubt = role.state.count_doubt.as_ref().map(|doubt| (doubt.device_iops, doubt.merged_iops));
    causes.extend(doubt.map(|(device_iops, merged_iops)| ConfidenceCause::CountDoubt { device_iops, merged_iops }));
    if role.best().is_some_and(|best| role.state.is_scale_untested(best.config.volume_type)) {
        causes.push(ConfidenceCause::UntestedPrediction);
    }
    if role.requirement.size_gib.is_none() {
        causes.push(ConfidenceCause::SizeUnknown);
    }
    causes.extend(size_cause(role));
    causes
}

/// The requested size, where it is below that by use and growth.
fn size_cause(role: &RoleAdvice) -> Option<ConfidenceCause> {
    let used_gib = gib(role.state.size.used_bytes?);
    role.state.size.remarks.iter().find_map(|remark| match *remark {
        SizeRemark::BelowForecast { requested_gib, required_gib } => {
            Some(ConfidenceCause::SizeBelowForecast { requested_gib, used_gib, required_gib })
        }
        _ => None,
    })
}

/// The kind of the load, where it is not sure and changes the order.
fn load_cause(role: &RoleAdvice) -> Option<ConfidenceCause> {
    let closed = role.closed_option.as_ref()?;
    let open = role.peak_option.as_ref().or_else(|| role.best())?;
    let iops = |candidate: &Candidate| candidate.config.ceiling(candidate.volumes).iops;
    let iops_factor = iops(open) / iops(closed);
    (iops_factor >= MIN_LOAD_FACTOR).then_some(ConfidenceCause::LoadUnsure { iops_factor })
}

#[cfg(test)]
#[path = "confidence_tests.rs"]
mod tests;
