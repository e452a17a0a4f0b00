//! The verdict on volumes: the limit that they violate, or the one that decided their provisioning, each with its reason.

use crate::evaluate::availability::Unavailable;
use crate::evaluate::candidate::{Excess, stripe_durability_pct};
use crate::evaluate::case::Case;
use crate::evaluate::measured::Measured;
use crate::evaluate::provisioning::{kept_share, limited, mean_latency, throughput, tightest_limit};
use crate::evaluate::reason::{InstanceSaturated, OutOfReach, Reason, Shortage, Throttling};
use crate::replay::{Outcome, TOLERANCE};
use crate::request::settings::MAX_VOLUMES;
use crate::scenario::instance_saturation::InstanceSaturation;
use crate::search::Shortfall;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Instance, IopsRule, LimitKind};
use ebs_prediction::{BindingLimit, LimitOwner};

/// A requirement that volumes do not meet.
pub struct Violation {
    /// The limit that they violate.
    pub bound: BindingLimit,
    /// The excess over it; `None` where it has no figure.
    pub excess: Option<Excess>,
    /// The reason against them.
    pub reason: Reason,
}

impl Violation {
    /// The first violation; performance before promises. `None` of volumes that meet everything requested except the budget.
    pub fn find(
        case: &Case,
        measured: &Measured,
        shortfall: Option<Shortfall>,
        missed_targets: &[(BindingLimit, Excess)],
    ) -> Option<Violation> {
        let volume_type = measured.priced.config.volume_type;
        if volume_type.characteristics().unfit.is_some() {
            return Some(Violation { bound: BindingLimit::Unfit, excess: None, reason: Reason::Unsuitable });
        }
        if let Some(found) = Unavailable::find(&case.scenario.request, case.scenario.current, volume_type) {
            let reason = Reason::Unavailable(found);
            return Some(Violation { bound: BindingLimit::Unavailable, excess: None, reason });
        }
        if let Some(saturation) = &case.instance_saturation {
            return Some(by_instance(case, saturation));
        }
        if let Some(shortfall) = shortfall {
            let excess = Some(Excess { required: shortfall.required, limit: shortfall.max });
            let reason = Reason::OutOfReach(out_of_reach(case, measured, shortfall));
            return Some(Violation { bound: shortfall.resource, excess, reason });
        }
        if case.sizing.closed_weight <= 0.0 && !measured.outcome.is_within(case.sizing.max_throttled_pct()) {
            let (bound, excess) = throttling_limit(case, measured);
            return Some(Violation { bound, excess, reason: Reason::Throttling(throttling(case, &measured.outcome)) });
        }
        let shortage = find_shortage(case, measured);
        shortage.map(Violation::from).or_else(|| by_target(case, measured, *missed_targets.first()?))
    }

    /// Volumes that serve the recorded seconds, and not the requirement, whose percentile and headroom may be above all of them.
    pub fn of_requirement(case: &Case, measured: &Measured) -> Option<Violation> {
        let ceiling = measured.priced.config.ceiling(measured.priced.volumes);
        let violation = Violation::from(shortage_of(case.sizing.task.requirement().ceiling(), ceiling)?);
        let requested = case.scenario.request.rule.keep_throughput;
        let reason = kept_share(case, measured).map(|kept| Reason::KeepsLess { kept, requested });
        Some(Violation { reason: reason.unwrap_or(violation.reason), ..violation })
    }
}

impl From<(BindingLimit, Shortage)> for Violation {
    fn from((bound, shortage): (BindingLimit, Shortage)) -> Violation {
        let excess = Some(Excess { required: shortage.required, limit: shortage.limit });
        Violation { bound, excess, reason: Reason::Shortage(shortage) }
    }
}

fn by_instance(case: &Case, saturation: &InstanceSaturation) -> Violation {
    let limited = limited(saturation.bound);
    let required = case.sizing.task.required_without_instance().rate(limited);
    let limit = saturation.baseline.rate(limited);
    let excess = Some(Excess { required, limit }).filter(|_| required > limit);
    Violation { bound: saturation.bound, excess, reason: Reason::InstanceSaturated(instance_saturated(saturation)) }
}

fn by_target(case: &Case, measured: &Measured, (bound, excess): (BindingLimit, Excess)) -> Option<Violation> {
    let reason = match bound {
        BindingLimit::Durability => Reason::Durability { promised_pct: excess.limit, requested_pct: excess.required },
        BindingLimit::Latency => Reason::Latency(mean_latency(case, measured)),
        _ => Reason::Throughput(throughput(case, measured)),
    };
    Some(Violation { bound, excess: Some(excess), reason })
}

/// Requested durability, latency and throughput that volumes miss, with the excesses, whatever else they lack. Where a queue only grows,
/// their latency is at least the service time.
pub fn missed_targets(case: &Case, measured: &Measured) -> Vec<(BindingLimit, Excess)> {
    let request = &case.scenario.request;
    let promised = stripe_durability_pct(measured.priced.config.volume_type, measured.priced.volumes);
    let durability = request.durability_pct.map(|requested| (BindingLimit::Durability, requested, promised));
    let latency_ms = measured.latency_ms.or(measured.service.map(|(ms, _)| ms));
    let latency = latency_ms.zip(request.latency_target_ms).map(|(ms, target)| (BindingLimit::Latency, ms, target));
    let ratio = measured.expected.map(|expected| expected.ratio);
    let throughput =
        request.min_throughput_ratio.zip(ratio).map(|(least, ratio)| (BindingLimit::ThroughputRatio, least, ratio));
    let targets = [durability, latency, throughput].into_iter().flatten();
    targets
        .filter(|(_, required, limit)| *required > limit * TOLERANCE)
        .map(|(bound, required, limit)| (bound, Excess { required, limit }))
        .collect()
}

/// The cause of too much throttling: the volume's credits, where they ran out, or the tightest of its limits; and the
/// requirement that exceeds it.
fn throttling_limit(case: &Case, measured: &Measured) -> (BindingLimit, Option<Excess>) {
    let ceiling = measured.priced.config.ceiling(measured.priced.volumes);
    let bound = match measured.outcome.credits.is_some() {
        true => BindingLimit::Credits,
        false => tightest_limit(case, &measured.priced.config, measured.priced.volumes),
    };
    let excess = match bound {
        BindingLimit::VOLUME_THROUGHPUT => Excess { required: case.sizing.requirement().mibps, limit: ceiling.mibps },
        _ => Excess { required: case.sizing.requirement().iops, limit: ceiling.iops },
    };
    (bound, (excess.required > excess.limit).then_some(excess))
}

fn throttling(case: &Case, outcome: &Outcome) -> Throttling {
    Throttling {
        throttled_pct: outcome.throttled_pct(),
        throttled_high_pct: outcome.throttled_high_pct,
        waiting_pct: outcome.waiting_pct,
        waiting_high_pct: outcome.waiting_high_pct,
        max_throttled_pct: case.sizing.max_throttled_pct(),
        credits: outcome.credits,
    }
}

fn instance_saturated(saturation: &InstanceSaturation) -> InstanceSaturated {
    let exhausted_s = |burst: &Outcome| burst.credits.map(|credits| credits.after_s);
    InstanceSaturated {
        instance_type: &saturation.instance.instance_type,
        limited: limited(saturation.bound),
        baseline: saturation.baseline,
        burst: saturation.burst.as_ref().map(|burst| (saturation.instance.maximum(), exhausted_s(burst))),
        reached: saturation.reached,
        throttled_pct: saturation.outcome.throttled_pct(),
    }
}

fn out_of_reach(case: &Case, measured: &Measured, shortfall: Shortfall) -> OutOfReach {
    let request = &case.scenario.request;
    let Shortfall { resource, required, max, .. } = shortfall;
    let max_per_volume = max / measured.priced.volumes as f64;
    let volumes = (required / max_per_volume).ceil() as u64;
    let reaches = volumes > request.max_stripe() && volumes <= MAX_VOLUMES && !request.platform.is_rds();
    let limits_volume = |instance: &&Instance| {
        resource == BindingLimit::VOLUME_IOPS
            && instance.max_volume_iops().is_some_and(|iops| iops as f64 == max_per_volume)
    };
    let on_instance = request.instance.filter(limits_volume).map(|instance| instance.instance_type.as_str());
    OutOfReach { resource, required, max_per_volume, on_instance, reached_by_volumes: reaches.then_some(volumes) }
}

/// The requirement that is not met, and the limit that it exceeds; `None` where the search accepts the volumes, or another type.
fn find_shortage(case: &Case, measured: &Measured) -> Option<(BindingLimit, Shortage)> {
    let (config, volumes) = (&measured.priced.config, measured.priced.volumes);
    let class = config.class().filter(|class| class.iops_rule == IopsRule::Size)?;
    if case.sizing.task.is_feasible(class, config, volumes) {
        return None;
    }
    let (steady, burst) = (config.ceiling(volumes), Burst::ceiling(class, config, volumes));
    for (required, of_mean) in [(case.sizing.task.sustained(), true), (case.sizing.task.steady_floor(), false)] {
        if let Some((limited, required, limit)) = exceeded(required, steady).filter(|_| burst != steady) {
            return Some((BindingLimit::Credits, Shortage { limited, required, limit, of_mean, of_plateau: !of_mean }));
        }
    }
    shortage_of(case.sizing.task.requirement().ceiling(), burst)
}

/// The requirement that exceeds these limits; `None` where they suffice.
fn shortage_of(required: Ceiling, limits: Ceiling) -> Option<(BindingLimit, Shortage)> {
    let (limited, required, limit) = exceeded(required, limits)?;
    Some((
        BindingLimit::Rate(LimitOwner::Volume, limited),
        Shortage { limited, required, limit, of_mean: false, of_plateau: false },
    ))
}

/// The limit that is exceeded, IOPS before throughput, with the requirement and the limit.
fn exceeded(required: Ceiling, limit: Ceiling) -> Option<(LimitKind, f64, f64)> {
    let limits = LimitKind::BOTH.map(|kind| (kind, required.rate(kind), limit.rate(kind)));
    limits.into_iter().find(|(_, required, limit)| required > limit)
}

#[cfg(test)]
#[path = "shortage_tests.rs"]
mod tests;
