//! Search for volumes whose queueing keeps within the requested latency and throughput.
//!
//! Volumes that keep throttling within its limit may still let the throttled requests wait for long: 5 s at ten times the IOPS
//! of a volume add 47 ms to the mean of 20 minutes. More IOPS or MiB/s shorten the queueing, but not the service time of the
//! type. Therefore the search runs a second time where a candidate fails for its latency or throughput, and only there.
//!
//! The prediction, if there is one, never improves with fewer IOPS or MiB/s, so that the lowest ones that suffice are floors of
//! the search. Else the search compares the delays of the replay, which follow every request.

use ebs_prediction::BindingLimit;
use std::ops::RangeInclusive;

use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::explain::explain;
use crate::evaluate::latency;
use crate::replay::TOLERANCE;
use crate::search::{Priced, Shortfall, Task, best_of_type};
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::predict::Expected;

/// Finds the cheapest volumes of a type, in one of these numbers, that meet the request; or those that come nearest. `None`
/// where the type is not sold.
pub fn cheapest(
    context: &EvaluationContext,
    volume_type: VolumeType,
    counts: RangeInclusive<u64>,
) -> Option<Candidate> {
    let context = &context.for_type(volume_type);
    let candidate = match search(context, context.task, volume_type, counts.clone())? {
        Ok(priced) => evaluate(context, priced, None),
        Err(shortfall) => evaluate(context, shortfall.best?, Some(shortfall)),
    };
    Some(search_faster(context, &candidate, counts).unwrap_or(candidate))
}

/// Finds the cheapest volumes of a candidate's type that meet the requested latency and throughput, or else those that come
/// nearest. `None` where the candidate meets them, or fails for another reason.
pub fn search_faster(
    context: &EvaluationContext,
    candidate: &Candidate,
    counts: RangeInclusive<u64>,
) -> Option<Candidate> {
    let is_slow = |candidate: &Candidate| {
        !candidate.feasible && [BindingLimit::Latency, BindingLimit::ThroughputRatio].contains(&candidate.bound)
    };
    let volume_type = candidate.config.volume_type;
    let context = &context.for_type(volume_type);
    let task = is_slow(candidate).then(|| stricter_task(context, volume_type)).flatten()?;
    match search(context, &task, volume_type, counts)? {
        Ok(priced) => {
            let mut faster = evaluate(context, priced, None);
            // It has more IOPS or MiB/s than the demand requires, because of this bound.
            if let (true, Some(outcome)) = (faster.feasible, faster.outcome) {
                faster.bound = candidate.bound;
                faster.reason = explain(context, &faster, &outcome, None);
            }
            Some(faster)
        }
        Err(shortfall) => Some(evaluate(context, shortfall.best?, None)).filter(is_slow),
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

/// Precision of the floors of the search, as fine as its comparisons.
const FLOOR_PRECISION: f64 = 1e-10;

/// The task with the requested latency and throughput; `None` where the service time alone is too long, or nothing is
/// requested.
fn stricter_task<'a>(context: &EvaluationContext<'a>, volume_type: VolumeType) -> Option<Task<'a>> {
    let request = context.request;
    let Some(predictor) = context.predictor.filter(|predictor| predictor.service(volume_type).is_some()) else {
        let (target_ms, (service_ms, _)) = request.latency_target_ms.zip(latency::service_ms(context, volume_type))?;
        // A service time that exceeds the target only by rounding leaves no time for queueing, but does not miss it.
        let queueing_ms = (service_ms <= target_ms * TOLERANCE).then(|| (target_ms - service_ms).max(0.0))?;
        return context.task.with_max_added_ms(queueing_ms);
    };
    let enough = |expected: &Expected| {
        let mean_ms = latency::expected_ms(&context.demand, expected);
        let is_fast = |target_ms: f64| mean_ms.is_none_or(|mean_ms| mean_ms <= target_ms * TOLERANCE);
        let keeps_throughput = |min_ratio: f64| expected.ratio * TOLERANCE >= min_ratio;
        request.latency_target_ms.is_none_or(is_fast) && request.min_throughput_ratio.is_none_or(keeps_throughput)
    };
    let floor = predictor.min_ceiling(context.series, volume_type, FLOOR_PRECISION, enough)?;
    context.task.with_floor(floor)
}

#[cfg(test)]
#[path = "latency_search_tests.rs"]
pub(crate) mod tests;
