//! The difference of a cumulative counter between two readings of it.

use serde::{Deserialize, Serialize};

use ebs_base::counter::{Counters, Delta};

/// Counts of one interval, as far as its two readings give them: an unknown count is never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reading<T> {
    /// The counts of the interval.
    Known(T),
    /// The counters were reset between the readings.
    Reset,
    /// One of the readings failed.
    Failed,
}

impl<C: Counters> Reading<C> {
    /// Returns the sum of both, which is known only if both are.
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Reading::Known(a), Reading::Known(b)) => Reading::Known(a.plus(b)),
            (Reading::Failed, _) | (_, Reading::Failed) => Reading::Failed,
            _ => Reading::Reset,
        }
    }

    /// Subtracts the earlier reading from the later one. `None` is a reading that failed.
    pub(super) fn between(before: Option<C>, now: Option<C>) -> Self {
        let (Some(before), Some(now)) = (before, now) else { return Reading::Failed };
        Reading::from(now.since(before))
    }
}

impl<T> From<Delta<T>> for Reading<T> {
    fn from(delta: Delta<T>) -> Self {
        match delta {
            Delta::Advanced(counts) => Reading::Known(counts),
            Delta::Reset => Reading::Reset,
        }
    }
}
