//! The pace of sweeps: an absolute grid with jitter, so that what comes at the same rhythm is not always or never seen.

use std::time::Duration;

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// Most intervals that one sweep stands for: what a process waited for now says nothing of a second ago.
const MOST: u64 = 10;

/// Due times of sweeps, by the monotonic clock.
#[derive(Debug)]
pub struct Pace {
    interval_us: u64,
    /// The next point of the grid, and when its sweep is due.
    point_us: u64,
    due_us: u64,
    swept_us: u64,
    random: Pcg32,
}

impl Pace {
    /// A pace whose first sweep is due about one interval from `now_us`.
    pub fn new(interval: Duration, now_us: u64) -> Pace {
        let interval_us = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX).max(1);
        let random = Pcg32::seed_from_u64(now_us);
        let mut pace = Pace { interval_us, point_us: now_us, due_us: now_us, swept_us: now_us, random };
        pace.plan(now_us);
        pace
    }

    /// Time at which the next sweep is due, microseconds.
    pub fn due_us(&self) -> u64 {
        self.due_us
    }

    /// The interval.
    pub fn interval_us(&self) -> u64 {
        self.interval_us
    }

    /// The time that a sweep now stands for, if one is due; the next is planned then.
    pub fn take_due(&mut self, now_us: u64) -> Option<u64> {
        if now_us < self.due_us {
            return None;
        }
        let stands_for = (now_us - self.swept_us).min(MOST * self.interval_us);
        self.swept_us = now_us;
        self.plan(now_us);
        Some(stands_for)
    }

    /// The first point after the last one that is still to come, up to a tenth of the interval early or late.
    fn plan(&mut self, now_us: u64) {
        let passed = now_us.saturating_sub(self.point_us) / self.interval_us;
        self.point_us += (passed + 1) * self.interval_us;
        let span = self.interval_us / 5;
        let jitter = u64::from(self.random.next_u32()) * span / u64::from(u32::MAX);
        self.due_us = (self.point_us + jitter).saturating_sub(span / 2);
    }
}
