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

use super::candidate::{Bound, Candidate};
use super::judge::{Case, judge};
use super::{latency, words};
use crate::replay::SAME;
use crate::search::{Priced, Short, Task, best_of_type};
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::predict::Expected;

/// The cheapest volumes of a type, as many as are allowed, that meet what is asked for; or what comes near. `None` where the
/// type is not sold.
pub fn cheapest(case: &Case, volume_type: VolumeType, counts: RangeInclusive<u64>) -> Option<Candidate> {
    let candidate = match search(case, case.task, volume_type, counts.clone())? {
        Ok(found) => judge(case, found, None),
        Err(short) => judge(case, short.best?, Some(short)),
    };
    Some(faster(case, &candidate, counts).unwrap_or(candidate))
}

/// The cheapest of the same type in which requests wait as little as is asked for, or else those in which they wait least.
/// `None` where something else than waiting is too much.
pub fn faster(case: &Case, candidate: &Candidate, counts: RangeInclusive<u64>) -> Option<Candidate> {
    let bound = candidate.bound;
    let too_slow = |one: &Candidate| !one.feasible && [Bound::Latency, Bound::ThroughputRatio].contains(&one.bound);
    let volume_type = candidate.config.volume_type;
    let task = too_slow(candidate).then(|| stricter(case, volume_type)).flatten()?;
    match search(case, &task, volume_type, counts)? {
        Ok(found) => {
            let mut found = judge(case, found, None);
            // More was bought than carries the demand, and this is what for.
            if let (true, Some(outcome)) = (found.feasible, found.outcome) {
                found.bound = bound;
                found.reason = words::reason(case, &found, &outcome, None);
            }
            Some(found)
        }
        Err(short) => Some(judge(case, short.best?, None)).filter(too_slow),
    }
}

fn search(
    case: &Case,
    task: &Task,
    volume_type: VolumeType,
    counts: RangeInclusive<u64>,
) -> Option<Result<Priced, Short>> {
    best_of_type(volume_type, case.request.platform, &case.request.prices, counts, task)
}

/// Floors of the search are as exact as its comparisons.
const EXACT: f64 = 1e-10;

/// The task in which requests wait no longer than is asked for; `None` where what is published alone is too much, or where
/// nothing is asked for.
fn stricter<'a>(case: &Case<'a>, volume_type: VolumeType) -> Option<Task<'a>> {
    let request = case.request;
    let service = case.outlook.and_then(|outlook| Some((outlook, outlook.service(volume_type)?)));
    let Some((outlook, service)) = service else {
        let (target, (published, _)) = request.latency_target_ms.zip(latency::service_ms(case, volume_type))?;
        // Rounding is no latency.
        return case.task.adding_at_most((published <= target * SAME).then(|| (target - published).max(0.0))?);
    };
    let enough = |expected: &Expected| {
        let within = |target: f64| latency::mixed(case.demand, expected).is_none_or(|mean| mean <= target * SAME);
        let keeps = |asked: f64| expected.ratio * SAME >= asked;
        request.latency_target_ms.is_none_or(within) && request.min_throughput_ratio.is_none_or(keeps)
    };
    case.task.carrying_at_least(outlook.least(case.task.series(), service, EXACT, enough)?)
}

#[cfg(test)]
#[path = "waiting_tests.rs"]
mod tests;
