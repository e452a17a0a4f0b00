//! Confidence in the recommendation for a volume of a fleet: that of the advice, lowered by what months of averages cannot show.

use ebs_advice::{Advice, Candidate, Confidence, ConfidenceEvidence, ConfidenceLevel, Request};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, VolumeConfig};
use ebs_samples::evidence::{Coverage, Window};
use ebs_stats::averaging::COARSE_S;
use ebs_workload::declarations::Declarations;

use super::answer::{Evidence, Grade};

/// Seconds with counts below which changes are not planned, and a volume is not called idle: a day, as load has a daily cycle and jobs come
/// every night; a tenth of it may be missing. A choice.
pub const MIN_CHANGE_S: f64 = 0.9 * 86_400.0;

impl Evidence {
    /// Seconds with known counts.
    pub fn known_s(&self) -> f64 {
        self.coverage * (self.to_us - self.from_us).max(0) as f64 / 1e6
    }

    /// True where averages may hide bursts.
    pub(crate) fn hides_bursts(&self) -> bool {
        self.grade != Grade::Seconds && self.interval_s.is_some_and(|seconds| seconds > COARSE_S)
    }
}

/// Confidence by the advice; low of less than a day.
pub fn confidence(
    evidence: &Evidence,
    advice: &Advice,
    (window, coverage): (&Window, &Coverage),
    (request, declared): (&Request, &Declarations),
) -> ConfidenceLevel {
    let of_advice = ConfidenceEvidence {
        window,
        coverage,
        checkpoint_cycles: None,
        checkpoint_timeout_s: None,
        declared,
        request,
        is_lookback: false,
    };
    match evidence.known_s() < MIN_CHANGE_S {
        true => ConfidenceLevel::Low,
        false => Confidence::new(&of_advice, advice.roles.iter()).level(),
    }
}

/// True where bursts that averages hide could regret the recommended volumes: they have less than the present ones of a rate, and less than
/// the rate within busy time, or that is not known. A limit that stays is none that could be regretted, and EBS's own counts of time above
/// the present limits say nothing on lower ones.
pub fn may_regret_bursts(evidence: &Evidence, present: VolumeConfig, recommended: &Candidate) -> bool {
    let (Some(now), Some(then)) = (burst(&present, 1), burst(&recommended.config, recommended.volumes)) else {
        return false;
    };
    let is_short = |now: f64, then: f64, busy: Option<f64>| then < now && busy.is_none_or(|busy| then < busy);
    let busy = evidence.busy;
    evidence.hides_bursts()
        && (is_short(now.iops, then.iops, busy.map(|busy| busy.iops))
            || is_short(now.mibps, then.mibps, busy.map(|busy| busy.mibps)))
}

/// The most that volumes serve, with burst credits.
fn burst(config: &VolumeConfig, volumes: u64) -> Option<Ceiling> {
    Some(Burst::ceiling(config.class()?, config, volumes))
}
