//! Volumes that let requests wait no longer than what is asked for leaves, beyond the latency of their type.
//!
//! What keeps throttling within its limit may still make the few that wait do so for long: 5 s at ten times the IOPS of a
//! volume add 47 ms to the mean of 20 minutes, if as much is asked for meanwhile. More IOPS or MiB/s take that away, no volume
//! takes away the latency of its type. So the search is asked a second time where waiting alone is what was too much, and only
//! there.
//!
//! Where the database can be predicted, less than so many IOPS and so many MiB/s is expected to be too slow, and what is
//! expected never gets better with less of either: they are floors of the search. Else the delays of the replay are what is
//! compared, which follow every request.

use std::ops::RangeInclusive;

use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::explain::explain;
use crate::evaluate::latency;
use crate::replay::TOLERANCE;
use crate::search::{Priced, Shortfall, Task, best_of_type};
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::predict::Expected;

/// The cheapest volumes of a type, as many as are allowed, that meet what is asked for; or what comes near. `None` where the
/// type is not sold.
pub fn cheapest(
    context: &EvaluationContext,
    volume_type: VolumeType,
    counts: RangeInclusive<u64>,
) -> Option<Candidate> {
    let candidate = match search(context, context.task, volume_type, counts.clone())? {
        Ok(found) => evaluate(context, found, None),
        Err(short) => evaluate(context, short.best?, Some(short)),
    };
    Some(faster(context, &candidate, counts).unwrap_or(candidate))
}

/// The cheapest of the same type in which requests wait as little as is asked for, or else those in which they wait least.
/// `None` where something else than waiting is too much.
pub fn faster(context: &EvaluationContext, candidate: &Candidate, counts: RangeInclusive<u64>) -> Option<Candidate> {
    let bound = candidate.bound;
    let too_slow = |one: &Candidate| !one.feasible && [Bound::Latency, Bound::ThroughputRatio].contains(&one.bound);
    let volume_type = candidate.config.volume_type;
    let task = too_slow(candidate).then(|| stricter(context, volume_type)).flatten()?;
    match search(context, &task, volume_type, counts)? {
        Ok(found) => {
            let mut found = evaluate(context, found, None);
            // More was bought than carries the demand, and this is what for.
            if let (true, Some(outcome)) = (found.feasible, found.outcome) {
                found.bound = bound;
                found.reason = explain(context, &found, &outcome, None);
            }
            Some(found)
        }
        Err(short) => Some(evaluate(context, short.best?, None)).filter(too_slow),
    }
}

fn search(
    context: &EvaluationContext,
    task: &Task,
    volume_type: VolumeType,
    counts: RangeInclusive<u64>,
) -> Option<Result<Priced, Shortfall>> {
    best_of_type(volume_type, context.request.platform, &context.request.prices, counts, task)
}

/// Floors of the search are as exact as its comparisons.
const FLOOR_PRECISION: f64 = 1e-10;

/// The task in which requests wait no longer than is asked for; `None` where what is published alone is too much, or where
/// nothing is asked for.
fn stricter<'a>(context: &EvaluationContext<'a>, volume_type: VolumeType) -> Option<Task<'a>> {
    let request = context.request;
    let service = context.predictor.and_then(|predictor| Some((predictor, predictor.service(volume_type)?)));
    let Some((predictor, service)) = service else {
        let (target, (published, _)) = request.latency_target_ms.zip(latency::service_ms(context, volume_type))?;
        // Rounding is no latency.
        return context.task.adding_at_most((published <= target * TOLERANCE).then(|| (target - published).max(0.0))?);
    };
    let enough = |expected: &Expected| {
        let within =
            |target: f64| latency::mixed(context.demand, expected).is_none_or(|mean| mean <= target * TOLERANCE);
        let keeps = |asked: f64| expected.ratio * TOLERANCE >= asked;
        request.latency_target_ms.is_none_or(within) && request.min_throughput_ratio.is_none_or(keeps)
    };
    context.task.carrying_at_least(predictor.least(context.task.series(), service, FLOOR_PRECISION, enough)?)
}

#[cfg(test)]
#[path = "latency_search_tests.rs"]
mod tests;
