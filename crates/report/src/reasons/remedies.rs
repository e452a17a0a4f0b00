//! Evidence and arguments that would raise the confidence.

use super::changes;
use crate::Report;
use ebs_advice::{Confidence, ConfidenceCause, SHORT_SECONDS, cycle_seconds};
use ebs_aws::catalogue::{LimitKind, known_instance};
use ebs_base::format::count;
use ebs_prediction::LimitOwner;
use ebs_prediction::predict::MissingInput;
use ebs_samples::evidence::Tier;
use ebs_stats::averaging::COARSE_S;

/// The evidence that remedies depend on.
struct Evidence<'a> {
    sampled_s: f64,
    interval_s: f64,
    checkpoint_timeout_s: Option<f64>,
    instance: Option<&'a str>,
    /// Call that compares the samples before and after the latest change of the configuration.
    comparison: Option<String>,
    /// True where the instance's limit binds, on any volumes.
    is_instance_bound: bool,
    /// True of imported samples.
    is_imported: bool,
}

/// Describes the evidence or the arguments that would raise the confidence, each once; empty where nothing would.
pub fn describe(report: &Report) -> Vec<String> {
    let evidence = Evidence {
        sampled_s: report.coverage.sampled_s,
        interval_s: report.coverage.interval_s,
        checkpoint_timeout_s: report.checkpoint_timeout_s,
        instance: report.instance(),
        comparison: report.window.changes.last().map(|change| changes::describe_comparison(report, change)),
        is_instance_bound: report.roles().any(|role| role.instance_saturation.is_some()),
        is_imported: report.window.sampling.tier == Tier::Imported,
    };
    report.confidence().map(|confidence| evidence.describe(&confidence)).unwrap_or_default()
}

/// Describes the argument that names the instance: `instance => 'r6i.4xlarge'`; with an ellipsis where its type is not known.
pub fn describe_instance(instance: Option<&str>) -> String {
    format!("instance => '{}'", instance.filter(|name| known_instance(name).is_some()).unwrap_or("…"))
}

impl Evidence<'_> {
    fn describe(&self, confidence: &Confidence) -> Vec<String> {
        let mut remedies: Vec<String> = Vec::new();
        for cause in &confidence.causes {
            let remedy = self.describe_remedy(cause, confidence);
            if !remedies.contains(&remedy) {
                remedies.push(remedy);
            }
        }
        remedies
    }

    fn describe_remedy(&self, cause: &ConfidenceCause, confidence: &Confidence) -> String {
        match cause {
            ConfidenceCause::FewSamples(_) if self.interval_s > COARSE_S => self.describe_finer_samples().to_owned(),
            ConfidenceCause::ShortEvidence { .. }
            | ConfidenceCause::NoCheckpointCycle
            | ConfidenceCause::FewSamples(_) => self.describe_longer(confidence),
            ConfidenceCause::CoarseSamples { .. } | ConfidenceCause::Imported | ConfidenceCause::HiddenBursts => {
                self.describe_finer_samples().to_owned()
            }
            ConfidenceCause::Gaps { .. } if self.is_imported => "samples without gaps".to_owned(),
            ConfidenceCause::Gaps { .. } => "sample without gaps (ebs_status())".to_owned(),
            ConfidenceCause::NoPrediction(MissingInput::Waits) | ConfidenceCause::PredictionWithoutWaits { .. } => {
                self.describe_waits().to_owned()
            }
            ConfidenceCause::ConfigurationChanged => {
                format!("compare before and after: {}", self.comparison.as_deref().unwrap_or_default())
            }
            ConfidenceCause::InstanceUnknown => describe_instance(self.instance),
            ConfidenceCause::DailyCycle(_) => "count a day or more".to_owned(),
            ConfidenceCause::SizeUnknown => "min_size_gib => …".to_owned(),
            ConfidenceCause::SizeBelowForecast { required_gib, .. } => format!("min_size_gib => {required_gib}"),
            cause => match describe_measurement(cause) {
                FASTER_VOLUME if self.is_instance_bound => LARGER_INSTANCE.to_owned(),
                measurement => measurement.to_owned(),
            },
        }
    }

    fn describe_finer_samples(&self) -> &'static str {
        match self.is_imported {
            true => "sample with ebs_advisor, 1 s",
            false => "samples of 1 s (ebs_advisor.sample_interval)",
        }
    }

    /// Describes the evidence of wait events: this server's sampler has no part in what was imported.
    fn describe_waits(&self) -> &'static str {
        match self.is_imported {
            true => self.describe_finer_samples(),
            false => "sample wait events (ebs_status())",
        }
    }

    /// Describes samples over more time, as long as the cause that takes longest requires.
    fn describe_longer(&self, confidence: &Confidence) -> String {
        let required_s = |cause: &ConfidenceCause| match cause {
            ConfidenceCause::ShortEvidence { .. } => SHORT_SECONDS,
            ConfidenceCause::NoCheckpointCycle => {
                cycle_seconds(self.checkpoint_timeout_s.map(|timeout_s| 2.0 * timeout_s))
            }
            ConfidenceCause::FewSamples(few) if self.interval_s <= COARSE_S => {
                self.sampled_s * few.required as f64 / few.effective.max(1.0)
            }
            _ => 0.0,
        };
        let longest_s = confidence.causes.iter().map(required_s).fold(0.0, f64::max);
        let cycles = confidence.causes.contains(&ConfidenceCause::NoCheckpointCycle);
        let cycles = if cycles { " (2 checkpoints)" } else { "" };
        format!("sample {} or more{cycles}", describe_at_least(longest_s))
    }
}

/// Describes a duration rounded up to minutes, from two hours on to hours.
fn describe_at_least(seconds: f64) -> String {
    let minutes = (seconds / 60.0).ceil();
    if minutes <= 120.0 { format!("{} min", count(minutes)) } else { format!("{} h", count((minutes / 60.0).ceil())) }
}

const FASTER_VOLUME: &str = "measure on a faster volume";
const LARGER_INSTANCE: &str = "measure on a larger instance";

/// Describes another measurement.
fn describe_measurement(cause: &ConfidenceCause) -> &'static str {
    match cause {
        ConfidenceCause::NotMeasuredOnEbs => "run it on EBS",
        ConfidenceCause::ThroughputUnknown => "samples with bytes (ReadThroughput and WriteThroughput)",
        ConfidenceCause::LatencyUnknown
        | ConfidenceCause::LimitOrDemand(_)
        | ConfidenceCause::NoPrediction(MissingInput::Times) => "samples with latencies",
        ConfidenceCause::NoPrediction(MissingInput::Sessions) => "sample under client load",
        ConfidenceCause::SpentCreditsUnknown { limited: LimitKind::Iops } => "CloudWatch's EBSIOBalance%",
        ConfidenceCause::SpentCreditsUnknown { limited: LimitKind::Throughput } => "CloudWatch's EBSByteBalance%",
        ConfidenceCause::LimitUnsure => "EBS's own counts (ebs-nvme-stats)",
        ConfidenceCause::Saturated { owner: LimitOwner::Instance, .. }
        | ConfidenceCause::UnmetDemandUnknown { owner: LimitOwner::Instance } => LARGER_INSTANCE,
        ConfidenceCause::WidePrediction { .. } | ConfidenceCause::UntestedPrediction => {
            "measure latency on the target volume"
        }
        ConfidenceCause::LoadUnsure { .. } => "measure at the rate of production (pgbench --rate)",
        ConfidenceCause::DeclaredLimitRefuted(_) => "check the declared limit",
        ConfidenceCause::CountDoubt { .. } => "compare with CloudWatch's VolumeReadOps on EBS",
        _ => FASTER_VOLUME,
    }
}

#[cfg(test)]
#[path = "remedies_tests.rs"]
mod tests;
