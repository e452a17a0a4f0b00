//! Intervals in which requests wait for a constant limit: the search's innermost computation.

use super::outcome::Measure;
use super::series::{Series, Step};
use ebs_stats::{Part, nanoseconds};

/// Factor within which demand and limit count as equal: a difference by rounding is no wait.
pub(crate) const TOLERANCE: f64 = 1.0 + 1e-9;

/// The steps in which requests waited for a limit, and the duration in each. The rate is constant within a step, so that waiting
/// begins with the step, and lasts to its end or until the backlog is empty. What waits at the end of the recording waits at its beginning,
/// as if it came again. `None` where the total exceeds `max_ns`.
pub(crate) fn waits(series: &Series, measure: Measure, limit: f64, max_ns: u64) -> Option<Vec<Part>> {
    let limit = limit.max(0.0) * TOLERANCE;
    let (mut waits, mut backlog, mut total_ns) = (Vec::new(), 0.0f64, 0);
    let wait = |step: &Step, backlog: &mut f64| {
        let change = step.rate(measure) - limit;
        let waited = if change > 0.0 {
            step.seconds
        } else if *backlog > 0.0 {
            // A backlog that does not change never empties: the division gives infinity.
            (*backlog / -change).min(step.seconds)
        } else {
            return None;
        };
        *backlog = (*backlog + change * step.seconds).max(0.0);
        Some(nanoseconds(waited))
    };
    for (first, chunk, steps) in series.chunks() {
        if backlog <= 0.0 && chunk.max_rates[measure as usize] <= limit {
            continue;
        }
        for (index, step) in (first..).zip(steps) {
            let Some(waited_ns) = wait(step, &mut backlog) else { continue };
            waits.push((index, waited_ns));
            total_ns += waited_ns;
            if total_ns > max_ns {
                return None;
            }
        }
    }
    let mut again = Vec::new();
    for (index, step) in (0..).zip(series.steps()) {
        if backlog <= 0.0 {
            break;
        }
        again.extend(wait(step, &mut backlog).map(|waited_ns| (index, waited_ns)));
    }
    if again.is_empty() {
        return Some(waits);
    }
    let waits = union(&again, &waits);
    (total_of(&waits) <= max_ns).then_some(waits)
}

/// Sum of waits, nanoseconds.
pub(super) fn total_of(waits: &[Part]) -> u64 {
    waits.iter().map(|wait| wait.1).sum()
}

/// Waits for either of two limits. Both begin with the step, so that the longer one contains the shorter.
pub(crate) fn union(a: &[Part], b: &[Part]) -> Vec<Part> {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    let mut union = Vec::with_capacity(a.len().max(b.len()));
    loop {
        let next = match (a.peek().copied(), b.peek().copied()) {
            (None, None) => return union,
            (Some(x), Some(y)) if x.0 == y.0 => (x.0, x.1.max(y.1)),
            (Some(x), Some(y)) if x.0 < y.0 => x,
            (Some(x), None) => x,
            (_, Some(y)) => y,
        };
        union.push(next);
        a.next_if(|part| part.0 == next.0);
        b.next_if(|part| part.0 == next.0);
    }
}
