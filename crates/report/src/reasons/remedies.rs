//! Evidence and arguments that would raise the confidence.

use ebs_advice::{Confidence, ConfidenceCause};
use ebs_prediction::saturation::LimitOwner;

/// Describes the evidence or the arguments that would raise the confidence, each once.
pub fn describe(confidence: &Confidence, instance: Option<&str>) -> Vec<String> {
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
            ConfidenceCause::LatencyUnknown | ConfidenceCause::LimitOrDemand(_) => "samples with latencies".to_owned(),
            ConfidenceCause::LimitUnsure => "EBS's own counts (ebs-nvme-stats)".to_owned(),
            ConfidenceCause::NoPrediction(_) => "sample under client load".to_owned(),
            ConfidenceCause::Saturated { owner: LimitOwner::Instance, .. }
            | ConfidenceCause::UnmetDemandUnknown { owner: LimitOwner::Instance } => {
                "measure on a larger instance".to_owned()
            }
            ConfidenceCause::Saturated { .. }
            | ConfidenceCause::UnmetDemandUnknown { .. }
            | ConfidenceCause::SaturationUnsure => "measure on a faster volume".to_owned(),
            ConfidenceCause::WidePrediction { .. } => "measure latency on the target volume".to_owned(),
            ConfidenceCause::LoadUnsure { .. } => "measure at the rate of production (pgbench --rate)".to_owned(),
            ConfidenceCause::CountDoubt { .. } => "compare with CloudWatch's VolumeReadOps on EBS".to_owned(),
            ConfidenceCause::SizeUnknown => "min_size_gib => …".to_owned(),
        };
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    remedies
}
