//! The cheapest volumes of a type for a scenario, and of all types.
//!
//! Volumes that keep throttling within its limit may still let the throttled requests wait for long: 5 s at ten times the IOPS
//! of a volume add 47 ms to the mean of 20 minutes. More IOPS or MiB/s shorten the queueing, but not the service time of the
//! type. Therefore the search runs a second time where volumes miss the requested latency or throughput, and only there.
//!
//! The prediction, if there is one, never improves with fewer IOPS or MiB/s, so that the lowest ones that suffice are floors of
//! the search. Else the search compares the delays of the replay, which follow every request.

use std::ops::RangeInclusive;

use crate::evaluate::candidate::{Candidate, max_durable_volumes};
use crate::evaluate::case::Case;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::latency;
use crate::evaluate::provisioning::Basis;
use crate::evaluate::successor::{is_replaced, with_current_limits};
use crate::replay::TOLERANCE;
use crate::scenario::Scenario;
use crate::search::{Found, Task, best_of_type};
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::Expected;

/// Finds the cheapest volumes of all types that meet everything that was requested except the budget.
pub fn cheapest_of_all(sizings: &Sizings) -> Option<Candidate> {
    let scenario = sizings.scenario;
    if scenario.instance_saturation.is_some() {
        return None;
    }
    let counts = |volume_type| 1..=durable_stripe(scenario, volume_type).max(1);
    let feasible = |found: &Found| found.shortfall.is_none();
    let of_type = |volume_type| search(sizings, &sizings.get(volume_type).task, volume_type, counts(volume_type));
    let mut found: Vec<Found> = VolumeType::suitable().filter_map(of_type).filter(feasible).collect();
    found.sort_by_key(|found| found.priced.order());
    let mut best: Option<Candidate> = None;
    for found in found {
        if best.as_ref().is_some_and(|best| best.order() <= found.priced.order()) {
            break;
        }
        // A faster one is dearer, perhaps than the next type.
        let candidate = evaluate_found(sizings, found, counts(found.priced.config.volume_type));
        if candidate.feasible && best.as_ref().is_none_or(|best| candidate.order() < best.order()) {
            best = Some(candidate);
        }
    }
    let as_current = with_current_limits(sizings, best.as_slice());
    let best = best.into_iter().chain(as_current).min_by_key(Candidate::order)?;
    let successor = best.config.volume_type.successor().and_then(|one| cheapest_of_type(sizings, one, counts(one)));
    Some(successor.filter(|successor| is_replaced(&best, successor, scenario)).unwrap_or(best))
}

/// Finds the cheapest volumes of a type, in one of these numbers, that meet the request; or those that come nearest. `None`
/// where the type is not sold, or no number is allowed.
pub fn cheapest_of_type(sizings: &Sizings, volume_type: VolumeType, counts: RangeInclusive<u64>) -> Option<Candidate> {
    if counts.is_empty() {
        return None;
    }
    let found = search(sizings, &sizings.get(volume_type).task, volume_type, counts.clone())?;
    Some(evaluate_found(sizings, found, counts))
}

/// Most volumes in a stripe of a type with the requested durability; zero where not even one volume has it.
pub fn durable_stripe(scenario: &Scenario, volume_type: VolumeType) -> u64 {
    max_durable_volumes(volume_type, scenario.request.max_stripe(), scenario.request.durability_pct)
}

fn search(sizings: &Sizings, task: &Task, volume_type: VolumeType, counts: RangeInclusive<u64>) -> Option<Found> {
    let request = &sizings.scenario.request;
    Found::from_result(best_of_type(volume_type, request.platform, &request.prices, counts, task)?)
}

/// Evaluates volumes that were found; where these miss the requested latency or throughput, the cheapest that meet it, or else those that
/// come nearest.
fn evaluate_found(sizings: &Sizings, found: Found, counts: RangeInclusive<u64>) -> Candidate {
    let missed = |candidate: &Candidate| {
        let is_target = matches!(candidate.bound, BindingLimit::Latency | BindingLimit::ThroughputRatio);
        Some(candidate.bound).filter(|_| is_target && !candidate.feasible)
    };
    let candidate = evaluate(sizings, found, Basis::Requirement);
    let Some(target) = missed(&candidate) else { return candidate };
    let volume_type = candidate.config.volume_type;
    let faster = stricter_task(&Case::new(sizings, &found), volume_type)
        .and_then(|task| search(sizings, &task, volume_type, counts))
        .and_then(|faster| {
            // The nearest ones are not short of the demand, but of the target.
            let nearest = evaluate(sizings, Found::from(faster.priced), Basis::Target(target));
            (faster.shortfall.is_none() || missed(&nearest).is_some()).then_some(nearest)
        });
    faster.unwrap_or(candidate)
}

/// Precision of the floors of the search, as fine as its comparisons.
const FLOOR_PRECISION: f64 = 1e-10;

/// The task with the requested latency and throughput; `None` where the service time alone is too long, or nothing is
/// requested.
fn stricter_task<'a>(case: &Case<'a>, volume_type: VolumeType) -> Option<Task<'a>> {
    let (scenario, request) = (case.scenario, &case.scenario.request);
    let Some(predictor) = scenario.predictor.filter(|predictor| predictor.service(volume_type).is_some()) else {
        let (target_ms, (service_ms, _)) = request.latency_target_ms.zip(latency::service_ms(scenario, volume_type))?;
        // A service time that exceeds the target only by rounding leaves no time for queueing, but does not miss it.
        let queueing_ms = (service_ms <= target_ms * TOLERANCE).then(|| (target_ms - service_ms).max(0.0))?;
        return case.sizing.task.with_max_added_ms(queueing_ms);
    };
    let enough = |expected: &Expected| {
        let mean_ms = latency::expected_ms(&scenario.demand, expected);
        let is_fast = |target_ms: f64| mean_ms.is_none_or(|mean_ms| mean_ms <= target_ms * TOLERANCE);
        let keeps_throughput = |min_ratio: f64| expected.ratio * TOLERANCE >= min_ratio;
        request.latency_target_ms.is_none_or(is_fast) && request.min_throughput_ratio.is_none_or(keeps_throughput)
    };
    let floor = predictor.min_ceiling(&scenario.series, volume_type, FLOOR_PRECISION, enough)?;
    case.sizing.task.with_floor(floor)
}

#[cfg(test)]
#[path = "cheapest_tests.rs"]
pub(crate) mod tests;
