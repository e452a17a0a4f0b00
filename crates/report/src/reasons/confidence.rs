//! Causes that lower the confidence in a recommendation, and evidence that would raise it.

use super::prediction::describe_missing_input;
use ebs_advice::{Confidence, ConfidenceCause};
use ebs_base::format::{count, share, times};

/// Describes a cause in a few words: `instance type unknown`.
pub fn describe(cause: &ConfidenceCause) -> String {
    match cause {
        ConfidenceCause::ShortEvidence { sampled_s } => format!("only {} s sampled", count(*sampled_s)),
        ConfidenceCause::NoCheckpointCycle => "no whole checkpoint cycle".to_owned(),
        ConfidenceCause::FewSamples { samples } => format!("{} samples do not bound the p99", count(*samples as f64)),
        ConfidenceCause::CoarseSamples { interval_s } => {
            format!("samples of {} s hide shorter peaks", count(*interval_s))
        }
        ConfidenceCause::Gaps { missing_share } => format!("{} of the window not sampled", share(*missing_share)),
        ConfidenceCause::Imported => "imported: no wait events".to_owned(),
        ConfidenceCause::InstanceUnknown => "instance type unknown".to_owned(),
        ConfidenceCause::NotMeasuredOnEbs => "not measured on EBS".to_owned(),
        ConfidenceCause::LatencyUnknown => "latency unknown".to_owned(),
        ConfidenceCause::NoPrediction(missing) => format!("no prediction: {}", describe_missing_input(*missing)),
        ConfidenceCause::Saturated { unmet_factor } => {
            format!("volume saturated: unmet demand estimated at {}x", times(unmet_factor.middle))
        }
        ConfidenceCause::UnmetDemandUnknown => "volume saturated: unmet demand unknown".to_owned(),
        ConfidenceCause::SaturationUnsure => "saturation likely, not certain".to_owned(),
        ConfidenceCause::WidePrediction { ratio } => {
            format!("throughput predicted within {} to {}x", times(ratio.low), times(ratio.high))
        }
        ConfidenceCause::SizeUnknown => "size of the data unknown".to_owned(),
    }
}

/// Describes the evidence or the arguments that would raise the confidence, each once.
pub fn describe_remedies(confidence: &Confidence, instance: Option<&str>) -> Vec<String> {
    let mut remedies: Vec<String> = Vec::new();
    for cause in &confidence.causes {
        let remedy = match cause {
            ConfidenceCause::ShortEvidence { .. }
            | ConfidenceCause::NoCheckpointCycle
            | ConfidenceCause::FewSamples { .. } => "sample 10 min or more (2 checkpoints)".to_owned(),
            ConfidenceCause::CoarseSamples { .. } | ConfidenceCause::Imported => {
                "sample with ebs_advisor, 1 s".to_owned()
            }
            ConfidenceCause::Gaps { .. } => "sample without gaps (ebs_status())".to_owned(),
            ConfidenceCause::InstanceUnknown => format!("instance => '{}'", instance.unwrap_or("r6i.4xlarge")),
            ConfidenceCause::NotMeasuredOnEbs => "run it on EBS".to_owned(),
            ConfidenceCause::LatencyUnknown => "samples with latencies".to_owned(),
            ConfidenceCause::NoPrediction(_) => "sample under client load".to_owned(),
            ConfidenceCause::Saturated { .. }
            | ConfidenceCause::UnmetDemandUnknown
            | ConfidenceCause::SaturationUnsure => "measure on a faster volume".to_owned(),
            ConfidenceCause::WidePrediction { .. } => "measure latency on the target volume".to_owned(),
            ConfidenceCause::SizeUnknown => "min_size_gib => …".to_owned(),
        };
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    remedies
}
