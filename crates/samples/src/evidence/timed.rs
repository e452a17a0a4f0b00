//! Counts with the time for which they are known.

use serde::{Deserialize, Serialize};

use super::CounterDelta;
use ebs_base::counter::Counters;

/// Counts, and the time in which they were known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timed<C> {
    /// The counts.
    pub counts: C,
    /// Time for which the counts are known, microseconds. 0 where nothing is known.
    pub known_us: u64,
}

impl<C: Counters> Timed<C> {
    /// Adds the counts of another period.
    pub fn add(&mut self, other: &Timed<C>) {
        self.counts = self.counts.plus(other.counts);
        self.known_us = self.known_us.saturating_add(other.known_us);
    }

    /// The counts; `None` where nothing is known.
    pub fn known(&self) -> Option<C> {
        (self.known_us > 0).then_some(self.counts)
    }

    /// Adds the counts of an interval of `dt_us` microseconds, if they are known.
    pub(super) fn add_delta(&mut self, delta: CounterDelta<C>, dt_us: u64) {
        if let CounterDelta::Known(counts) = delta {
            self.add(&Timed { counts, known_us: dt_us });
        }
    }
}
