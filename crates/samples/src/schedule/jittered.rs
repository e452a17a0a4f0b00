//! Jittered schedule of sweeps: a fixed one with random shifts, so that activity with the same period is not always or never
//! sampled.

use std::time::Duration;

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// Maximum number of intervals that one sweep stands for: the current wait event says nothing about a second ago.
const MAX_INTERVALS_PER_SWEEP: u64 = 10;

/// Due times of sweeps, by the monotonic clock.
#[derive(Debug)]
pub struct JitteredSchedule {
    interval_us: u64,
    /// Next multiple of the interval, and the due time of its sweep.
    point_us: u64,
    due_us: u64,
    swept_us: u64,
    random: Pcg32,
}

impl JitteredSchedule {
    /// Returns a schedule whose first sweep is due about one interval from `now_us`.
    pub fn new(interval: Duration, now_us: u64) -> JitteredSchedule {
        let interval_us = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX).max(1);
        let random = Pcg32::seed_from_u64(now_us);
        let mut schedule = JitteredSchedule { interval_us, point_us: now_us, due_us: now_us, swept_us: now_us, random };
        schedule.plan(now_us);
        schedule
    }

    /// Time at which the next sweep is due, microseconds.
    pub fn due_us(&self) -> u64 {
        self.due_us
    }

    /// The interval.
    pub fn interval_us(&self) -> u64 {
        self.interval_us
    }

    /// Returns the time that a sweep taken now stands for, microseconds, if one is due, and schedules the next.
    pub fn take_due(&mut self, now_us: u64) -> Option<u64> {
        if now_us < self.due_us {
            return None;
        }
        let stands_for = (now_us - self.swept_us).min(MAX_INTERVALS_PER_SWEEP * self.interval_us);
        self.swept_us = now_us;
        self.plan(now_us);
        Some(stands_for)
    }

    /// Schedules the first multiple of the interval that is still to come, up to a tenth of the interval early or late.
    fn plan(&mut self, now_us: u64) {
        let passed = now_us.saturating_sub(self.point_us) / self.interval_us;
        self.point_us += (passed + 1) * self.interval_us;
        let span = self.interval_us / 5;
        let jitter = u64::from(self.random.next_u32()) * span / u64::from(u32::MAX);
        self.due_us = (self.point_us + jitter).saturating_sub(span / 2);
    }
}
