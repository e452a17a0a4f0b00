//! Budget of samples on request: anybody who may begin runs can request one as often as they like, and each makes a block.

use std::time::Duration;

use super::FixedSchedule;

/// Requests that are answered at once after a time without any: a run with a few marks, and the beginning of the next.
pub const BURST: u32 = 5;

/// Longest time in which the budget grows by one request, where samples are farther apart: a beginning that waits for its sample has other
/// sessions wait for its lock, 5 s at most.
const MAX_REFILL: Duration = Duration::from_secs(2);

/// A bucket of requests that may be answered at once. It grows by one in each interval between samples, at the same times as the samples
/// are due, so that a request that finds it empty is answered by the next of them.
#[derive(Debug)]
pub struct RequestBudget {
    refills: FixedSchedule,
    left: u32,
}

impl RequestBudget {
    /// Returns a budget that is full but for `spent` requests, for samples of this interval.
    pub fn new(spent: u32, interval: Duration, now_us: u64) -> RequestBudget {
        RequestBudget { refills: refills(interval, now_us), left: BURST.saturating_sub(spent) }
    }

    /// Changes the interval.
    pub fn set_interval(&mut self, interval: Duration, now_us: u64) {
        self.refills = refills(interval, now_us);
    }

    /// Time at which it grows next, microseconds.
    pub fn due_us(&self) -> u64 {
        self.refills.due_us()
    }

    /// Adds a request if an interval has passed. One for several that have: they went without a sample.
    pub fn refill(&mut self, now_us: u64) {
        if self.refills.take_due(now_us).is_some() {
            self.left = BURST.min(self.left + 1);
        }
    }

    /// Spends a request; false where none is left.
    pub fn take(&mut self) -> bool {
        let has_one = self.left > 0;
        self.left -= u32::from(has_one);
        has_one
    }

    /// True where as many intervals have passed as requests were answered.
    pub fn is_full(&self) -> bool {
        self.left == BURST
    }
}

fn refills(interval: Duration, now_us: u64) -> FixedSchedule {
    FixedSchedule::new(interval.min(MAX_REFILL), now_us)
}
