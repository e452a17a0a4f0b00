//! The instance's limits against the demand on all volumes together.

use super::instance_saturation::{InstancePlateau, InstanceSaturation};
use super::part::Part;
use crate::replay::{InstanceLimit, Outcome, Series, replay, replay_ceiling};
use crate::request::settings::Request;
use crate::requirement::Requirement;
use ebs_aws::catalogue::{Ceiling, LimitKind, Platform, Purpose, Sustained, VolumeType, classes_of};
use ebs_prediction::saturation::LimitMatch;
use ebs_prediction::{BindingLimit, LimitOwner};
use ebs_workload::demand::Demand;

/// Detects saturation of the instance by its baseline, which no volume can change: by the demand on the type that is asked for
/// least, or by a plateau at its limit; `None` where the baseline suffices.
pub fn detect_instance_saturation(all: &Part) -> Option<InstanceSaturation> {
    let (series, scale) = all.least_series();
    let rule = all.inputs.request.rule;
    let required = || Requirement::from_percentile(all.percentile(rule), None, rule).ceiling().times(scale);
    detect(all, (series, &required), all.reached_instance())
}

/// Detects the same by the other count of the requests: a plateau of requests is none by that count.
pub fn detect_other_count_saturation(all: &Part, demand: &Demand) -> Option<InstanceSaturation> {
    let rule = all.inputs.request.rule;
    let required = || Requirement::from_demand(demand, None, rule, all.inputs.pause).ceiling();
    detect(all, (&Series::new(demand), &required), all.reached_instance_throughput())
}

fn detect(
    all: &Part,
    (series, required): (&Series, &dyn Fn() -> Ceiling),
    reached: Option<LimitMatch>,
) -> Option<InstanceSaturation> {
    let request = all.inputs.request;
    let instance = request.instance?;
    let baseline = instance.baseline();
    let outcome = replay_ceiling(series, baseline);
    let is_within = outcome.is_within(request.rule.max_throttled_pct);
    if is_within && reached.is_none() {
        return None;
    }
    // What is far above the limit was not at it.
    let is_near = |limit: &LimitMatch| baseline_share(limit, baseline) <= MAX_SHARE;
    let reached = reached.filter(|limit| is_within || is_near(limit));
    let limited = match reached {
        Some(limit) => limit.limited,
        None => {
            let required = required();
            let by_iops = required.iops / baseline.iops >= required.mibps / baseline.mibps;
            if by_iops { LimitKind::Iops } else { LimitKind::Throughput }
        }
    };
    let bound = BindingLimit::Rate(LimitOwner::Instance, limited);
    let plateau = || InstancePlateau::from_saturation(all.state.saturation.as_ref()?);
    let reached = reached.and_then(|_| plateau());
    Some(InstanceSaturation { instance, bound, baseline, reached, outcome, burst: replay_burst(series, request) })
}

/// Plateau over the instance's sustained limit, as a share, up to which it is at that limit: as wide as the band above a limit in which
/// saturation is sought.
const MAX_SHARE: f64 = 1.05;

/// Plateau over the sustained limit of the same rate, as a share.
fn baseline_share(limit: &LimitMatch, baseline: Ceiling) -> f64 {
    limit.share * limit.level / baseline.counted(limit.limited)
}

/// Replays the demand on volumes without limits, with the instance's 30 minutes a day; `None` where it has none.
fn replay_burst(series: &Series, request: &Request) -> Option<Outcome> {
    let instance = request.instance.filter(|instance| instance.sustained == Sustained::Burst30Min)?;
    let limit = InstanceLimit::Burst { baseline: instance.baseline(), maximum: instance.maximum() };
    // Limits above those of any instance.
    let class = classes_of(Platform::Ec2, VolumeType::provisioned(), Purpose::Any).last()?;
    let largest = class.least(class.max_gib, class.max_iops, 0)?;
    replay(series, &largest, 28, limit, 0.0)
}

#[cfg(test)]
#[path = "instance_limit_tests.rs"]
mod tests;
