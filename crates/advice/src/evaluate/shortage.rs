//! Requirement that volumes sized by their GiB (gp2) do not meet, although the recorded seconds pass: the search refuses these.

use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::reason::Shortage;
use crate::replay::Measure;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, IopsRule, LimitKind};
use ebs_prediction::{BindingLimit, LimitOwner};

/// The requirement that is not met, and the limit that it exceeds; `None` where the search accepts the volumes, or another type.
pub fn find_shortage(context: &EvaluationContext, candidate: &Candidate) -> Option<(BindingLimit, Shortage)> {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let class = config.class().filter(|class| class.iops_rule == IopsRule::Size)?;
    if context.task.is_feasible(class, config, volumes) {
        return None;
    }
    let (steady, burst) = (config.ceiling(volumes), Burst::ceiling(class, config, volumes));
    let (series, with_headroom) = (context.task.series(), 1.0 + context.task.rule().headroom);
    let mean = |measure| series.mean(measure) * with_headroom;
    let mean = Ceiling { iops: mean(Measure::Requests), mibps: mean(Measure::Mib) };
    for (required, of_mean) in [(mean, true), (context.task.steady_floor(), false)] {
        if let Some((limited, required, limit)) = exceeded(required, steady).filter(|_| burst != steady) {
            return Some((BindingLimit::Credits, Shortage { limited, required, limit, of_mean, of_plateau: !of_mean }));
        }
    }
    shortage_of(context.task.requirement().ceiling(), burst)
}

/// The requirement that exceeds these limits; `None` where they suffice.
pub fn shortage_of(required: Ceiling, limits: Ceiling) -> Option<(BindingLimit, Shortage)> {
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
