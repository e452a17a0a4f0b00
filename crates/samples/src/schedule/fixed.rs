//! Fixed schedule: samples are due at multiples of the interval, however long the one before took.

use std::time::Duration;

/// Due times of samples, by the monotonic clock.
#[derive(Debug)]
pub struct FixedSchedule {
    interval_us: u64,
    due_us: u64,
    missed: u64,
}

impl FixedSchedule {
    /// Returns a schedule whose next sample is due one interval from `now_us`.
    pub fn new(interval: Duration, now_us: u64) -> FixedSchedule {
        let interval_us = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX).max(1);
        FixedSchedule { interval_us, due_us: now_us + interval_us, missed: 0 }
    }

    /// Time at which the next sample is due, microseconds.
    pub fn due_us(&self) -> u64 {
        self.due_us
    }

    /// Returns the delay of a sample taken now, microseconds, if one is due, and schedules the next. Due times that have
    /// passed without a sample count as missed.
    pub fn take_due(&mut self, now_us: u64) -> Option<u64> {
        if now_us < self.due_us {
            return None;
        }
        let late_us = now_us - self.due_us;
        let passed = late_us / self.interval_us;
        self.missed += passed;
        self.due_us += (passed + 1) * self.interval_us;
        Some(late_us)
    }

    /// The interval.
    pub fn interval_us(&self) -> u64 {
        self.interval_us
    }

    /// Due times that passed without a sample.
    pub fn missed(&self) -> u64 {
        self.missed
    }
}
