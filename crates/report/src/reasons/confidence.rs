//! Causes that lower the confidence in a recommendation.

use super::percentile::describe_samples;
use super::prediction::describe_missing_input;
use super::{declared_limits, saturation};
use crate::Report;
use ebs_advice::ConfidenceCause;
use ebs_base::format::{brief, brief_duration, brief_iops, count, share, times};
use ebs_prediction::predict::MissingInput;

/// Describes the confidence in the advice with all its causes: `LOW: only 60 s sampled, no whole checkpoint cycle`; `None` without
/// advice.
pub fn describe_all(report: &Report) -> Option<String> {
    let confidence = report.confidence()?;
    let level = confidence.level().name().to_uppercase();
    let causes: Vec<String> = confidence.causes.iter().map(describe).collect();
    Some(if causes.is_empty() { level } else { format!("{level}: {}", causes.join(", ")) })
}

/// Describes a cause in the fewest words: `no checkpoint cycle`.
pub fn describe_briefly(cause: &ConfidenceCause) -> String {
    match cause {
        ConfidenceCause::ShortEvidence { sampled_s } => format!("only {}", brief_duration(*sampled_s)),
        ConfidenceCause::NoCheckpointCycle => "no checkpoint cycle".to_owned(),
        ConfidenceCause::FewSamples(evidence) => {
            let (effective, required) = (count(evidence.effective.floor()), count(evidence.required as f64));
            let plural = if effective == "1" { "" } else { "s" };
            format!("{effective} independent sample{plural} of {required}")
        }
        ConfidenceCause::InstanceUnknown => "instance unknown".to_owned(),
        ConfidenceCause::NoPrediction(MissingInput::Sessions) => "hardly any client load".to_owned(),
        ConfidenceCause::Saturated { owner, unmet_factor } => {
            format!("{} saturated (demand estimated at {}x)", owner.name(), brief(unmet_factor.middle))
        }
        ConfidenceCause::PredictionWithoutWaits { .. } => "predicted without wait events".to_owned(),
        ConfidenceCause::WidePrediction { .. } => "prediction within a factor of 2 only".to_owned(),
        cause => describe(cause),
    }
}

/// Describes a cause in a few words: `instance type unknown`.
pub fn describe(cause: &ConfidenceCause) -> String {
    match cause {
        ConfidenceCause::ShortEvidence { sampled_s } => format!("only {} s sampled", count(*sampled_s)),
        ConfidenceCause::NoCheckpointCycle => "no whole checkpoint cycle".to_owned(),
        ConfidenceCause::FewSamples(evidence) => format!("p99 not bounded by {}", describe_samples(evidence)),
        ConfidenceCause::CoarseSamples { interval_s } => {
            format!("samples of {} s hide shorter peaks", count(*interval_s))
        }
        ConfidenceCause::Gaps { missing_share } => format!("{} of the window not sampled", share(*missing_share)),
        ConfidenceCause::ConfigurationChanged => "volume changed within the samples".to_owned(),
        ConfidenceCause::Imported => "imported: no wait events".to_owned(),
        ConfidenceCause::InstanceUnknown => "instance type unknown".to_owned(),
        ConfidenceCause::NotMeasuredOnEbs => "not measured on EBS".to_owned(),
        ConfidenceCause::ThroughputUnknown => "throughput unknown: sized by IOPS alone".to_owned(),
        ConfidenceCause::LatencyUnknown => "latency unknown".to_owned(),
        ConfidenceCause::LimitOrDemand(flat) => {
            format!("flat at {}: limit or demand, unknown without latency", saturation::describe_level(flat))
        }
        ConfidenceCause::NoPrediction(missing) => format!("no prediction: {}", describe_missing_input(*missing)),
        ConfidenceCause::Saturated { owner, unmet_factor } => {
            format!("{} saturated: unmet demand estimated at {}x", owner.name(), times(unmet_factor.middle))
        }
        ConfidenceCause::UnmetDemandUnknown { owner } => {
            format!("{} saturated: unmet demand unknown", owner.name())
        }
        ConfidenceCause::HiddenBursts => "bursts within the averages may exceed these volumes".to_owned(),
        ConfidenceCause::DailyCycle(known_s) => format!("only {} s of a daily cycle counted", count(*known_s)),
        ConfidenceCause::SaturationUnsure => "saturation likely, not certain".to_owned(),
        ConfidenceCause::LimitUnsure => "several limits near, which binds is unknown".to_owned(),
        ConfidenceCause::SpentCreditsUnknown { .. } => "burst credits of the instance unknown".to_owned(),
        ConfidenceCause::PredictionWithoutWaits { ratio, .. } => {
            format!(
                "wait events not sampled: throughput predicted within {} to {}x",
                times(ratio.low),
                times(ratio.high)
            )
        }
        ConfidenceCause::WidePrediction { ratio } => {
            format!("throughput predicted within {} to {}x", times(ratio.low), times(ratio.high))
        }
        ConfidenceCause::LoadUnsure { iops_factor } => {
            format!("closed or open loop not certain ({}x the IOPS)", times(*iops_factor))
        }
        ConfidenceCause::DeclarationExceeded(exceeded) => declared_limits::describe_exceeded(exceeded),
        ConfidenceCause::DeclaredLimitRefuted(refuted) => declared_limits::describe_refuted(refuted),
        ConfidenceCause::CountDoubt { device_iops, merged_iops } => {
            format!("{} to {} IOPS: EBS may merge requests", brief_iops(*merged_iops), brief_iops(*device_iops))
        }
        ConfidenceCause::UntestedPrediction => {
            "demand predicted below all that predictions were tested with".to_owned()
        }
        ConfidenceCause::SizeBelowForecast { requested_gib, used_gib, .. } if requested_gib < used_gib => {
            format!("{} GiB requested, {} GiB used", count(*requested_gib as f64), count(*used_gib as f64))
        }
        ConfidenceCause::SizeBelowForecast { requested_gib, required_gib, .. } => {
            format!("{} GiB requested, {} GiB needed", count(*requested_gib as f64), count(*required_gib as f64))
        }
        ConfidenceCause::SizeUnknown => "size of the data unknown".to_owned(),
    }
}
