//! The instance's limits against the demand on all volumes together.

use super::part::Part;
use crate::evaluate::bound::Bound;
use crate::evaluate::context::{InstancePlateau, InstanceSaturation};
use crate::replay::{InstanceLimit, Outcome, replay, replay_ceiling};
use crate::request::settings::Request;
use ebs_aws::catalogue::{Ceiling, Platform, Sustained, VolumeConfig, VolumeType};
use ebs_prediction::predict::LimitKind;

/// Detects saturation of the instance by its baseline, which no volume can change: by the demand on the type that is asked for
/// least, or by a plateau at its limit; `None` where the baseline suffices.
pub(super) fn detect_instance_saturation(
    all: &Part,
    request: &Request,
    pause: &dyn Fn(),
) -> Option<InstanceSaturation> {
    let instance = request.instance?;
    let baseline = instance.baseline();
    let (series, scale) = all.least_series();
    let outcome = replay_ceiling(series, baseline);
    let is_within = outcome.is_within(request.rule.max_throttled_pct);
    let reached = all.reached_instance(request);
    if is_within && reached.is_none() {
        return None;
    }
    let required = all.requirement(None, request.rule, pause);
    let required = Ceiling { iops: required.iops * scale, mibps: required.mibps * scale };
    let reached = reached.filter(|_| is_within);
    let by_iops = match reached {
        Some(limit) => limit.limited == LimitKind::Iops,
        None => required.iops / baseline.iops >= required.mibps / baseline.mibps,
    };
    let bound = if by_iops { Bound::InstanceIops } else { Bound::InstanceThroughput };
    let plateau = || InstancePlateau::from_saturation(all.state.saturation.as_ref()?);
    let reached = reached.and_then(|_| plateau());
    Some(InstanceSaturation { instance, bound, baseline, reached, outcome, burst: replay_burst(all, request) })
}

/// Replays the demand on volumes without limits, with the instance's 30 minutes a day; `None` where it has none.
fn replay_burst(all: &Part, request: &Request) -> Option<Outcome> {
    let instance = request.instance.filter(|instance| instance.sustained == Sustained::Burst30Min)?;
    let limit = InstanceLimit::Burst { baseline: instance.baseline(), maximum: instance.maximum() };
    // Limits above those of any instance.
    let io2 = VolumeConfig::new(Platform::Ec2, VolumeType::Io2, 65_536, Some(256_000), None).ok()?;
    replay(all.least_series().0, &io2, 28, limit, 0.0)
}

#[cfg(test)]
#[path = "instance_limit_tests.rs"]
mod tests;
