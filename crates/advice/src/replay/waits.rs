//! Intervals in which something waits for a constant limit: the search's innermost computation.

use super::series::{Measure, Series};
use ebs_stats::{Part, nanoseconds};

/// Demand and limit are the same if they differ by less: rounding is not waiting.
pub(crate) const TOLERANCE: f64 = 1.0 + 1e-9;

/// The steps in which something waited for a limit, and for how much of each. Within a step the rate does not change, so
/// what waited did so from its beginning: for all of it, or until the backlog was gone. `None` where it would be more than
/// `most_ns` in all.
pub(crate) fn waits(series: &Series, measure: Measure, limit: f64, most_ns: u64) -> Option<Vec<Part>> {
    let limit = limit.max(0.0) * TOLERANCE;
    let (mut found, mut backlog, mut all_ns) = (Vec::new(), 0.0f64, 0);
    for (first, chunk, steps) in series.chunks() {
        if backlog <= 0.0 && chunk.most[measure as usize] <= limit {
            continue;
        }
        for (index, step) in (first..).zip(steps) {
            let change = step.rate(measure) - limit;
            let waited = if change > 0.0 {
                step.seconds
            } else if backlog > 0.0 {
                // Without any change the backlog never goes: the division gives infinity.
                (backlog / -change).min(step.seconds)
            } else {
                continue;
            };
            backlog = (backlog + change * step.seconds).max(0.0);
            found.push((index, nanoseconds(waited)));
            all_ns += nanoseconds(waited);
            if all_ns > most_ns {
                return None;
            }
        }
    }
    Some(found)
}

/// Intervals in which something waited for either of two limits. Both begin with the step, so the longer holds the shorter.
pub(crate) fn either(a: &[Part], b: &[Part]) -> Vec<Part> {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    let mut both = Vec::with_capacity(a.len().max(b.len()));
    loop {
        let next = match (a.peek().copied(), b.peek().copied()) {
            (None, None) => return both,
            (Some(x), Some(y)) if x.0 == y.0 => (x.0, x.1.max(y.1)),
            (Some(x), Some(y)) if x.0 < y.0 => x,
            (Some(x), None) => x,
            (_, Some(y)) => y,
        };
        both.push(next);
        a.next_if(|part| part.0 == next.0);
        b.next_if(|part| part.0 == next.0);
    }
}
