//! The difference of a cumulative counter between two readings of it.

use serde::{Deserialize, Serialize};

use ebs_base::counter::{Counters, Delta};

/// Counts of one interval, as far as its two readings give them: an unknown count is never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CounterDelta<T> {
    /// The counts of the interval.
    Known(T),
    /// The counters were reset between the readings.
    Reset,
    /// One of the readings failed.
    Failed,
}

impl<C: Counters> CounterDelta<C> {
    /// Returns the sum of both, which is known only if both are.
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (CounterDelta::Known(a), CounterDelta::Known(b)) => CounterDelta::Known(a.plus(b)),
            (CounterDelta::Failed, _) | (_, CounterDelta::Failed) => CounterDelta::Failed,
            _ => CounterDelta::Reset,
        }
    }

    /// Subtracts the earlier reading from the later one. `None` is a reading that failed.
    pub(super) fn between(before: Option<C>, now: Option<C>) -> Self {
        let (Some(before), Some(now)) = (before, now) else { return CounterDelta::Failed };
        CounterDelta::from(now.since(before))
    }
}

impl<T> From<Delta<T>> for CounterDelta<T> {
    fn from(delta: Delta<T>) -> Self {
        match delta {
            Delta::Advanced(counts) => CounterDelta::Known(counts),
            Delta::Reset => CounterDelta::Reset,
        }
    }
}
