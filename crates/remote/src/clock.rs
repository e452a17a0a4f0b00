//! Length of an interval between two readings of a server whose clock is not ours.
//!
//! The server's clock is read beside its counters, so that a slow link does not lengthen an interval. But it may be set. Our own
//! monotonic clock shows it: a query cannot take longer at the server than for us, and what it takes for us beyond that is the round
//! trip of the link, which is about the same each time.

/// Difference between the clocks that is no clock step, microseconds, as for the sampler.
const TOLERANCE_US: i64 = 100_000;

/// Longest time in which the counters of one reading may have been read, microseconds: counters of different times make rates wrong.
const MAX_READING_US: i64 = 100_000;

/// Longest interval, in multiples of the one that was set: a longer one hides its seconds, and is a gap.
const MAX_INTERVALS: f64 = 2.5;

/// Times of a reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadingTimes {
    /// Time of the request by our monotonic clock, microseconds.
    pub sent_us: u64,
    /// Time of the answer by our monotonic clock, microseconds.
    pub received_us: u64,
    /// Beginning of the query by the server's clock, microseconds since 1970.
    pub arrived_us: i64,
    /// Time by the server's clock before its counters were read.
    pub began_us: i64,
    /// Time by the server's clock after its counters were read.
    pub ended_us: i64,
}

/// Reason for which nothing is known between two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The counters of a reading were not read at one time.
    SlowReading,
    /// No reading came for longer than a sample may cover.
    Late,
    /// The server's clock was set.
    ClockStep,
    /// The link was slow for once, or the server's clock was set back.
    SlowLink,
}

/// The readings over one connection.
#[derive(Clone, Debug, Default)]
pub struct Link {
    last: Option<ReadingTimes>,
    /// Shortest round trip so far, microseconds.
    round_trip_us: Option<i64>,
}

impl ReadingTimes {
    /// Time of the reading by the server's clock, microseconds since 1970.
    pub fn at_us(&self) -> i64 {
        self.began_us.midpoint(self.ended_us)
    }

    /// Earliest time of the reading by our clock, if the server's clock was not set within the query.
    fn earliest_us(&self) -> i64 {
        signed(self.sent_us).saturating_add(self.at_us().saturating_sub(self.arrived_us))
    }

    /// Time of the query beyond its time at the server.
    fn round_trip_us(&self) -> i64 {
        signed(self.received_us.saturating_sub(self.sent_us)) - self.ended_us.saturating_sub(self.arrived_us)
    }

    fn is_slow(&self) -> bool {
        !(0..=MAX_READING_US).contains(&self.ended_us.saturating_sub(self.began_us))
    }
}

impl Link {
    /// Adds a reading; returns the length of the interval since the last one, microseconds, `None` for the first. `interval_us` is the
    /// length that was set.
    pub fn add(&mut self, now: ReadingTimes, interval_us: u64) -> Result<Option<u64>, Gap> {
        let round_trip_us = now.round_trip_us();
        let shortest_us = self.round_trip_us.unwrap_or(round_trip_us).min(round_trip_us).max(0);
        self.round_trip_us = Some(shortest_us);
        let Some(before) = self.last.replace(now) else { return Ok(None) };
        if now.is_slow() || before.is_slow() {
            return Err(Gap::SlowReading);
        }
        let elapsed_us = now.at_us().saturating_sub(before.at_us());
        let shortest_interval_us = now.earliest_us() - signed(before.received_us) - TOLERANCE_US;
        let longest_interval_us = signed(now.received_us) - before.earliest_us() + TOLERANCE_US;
        let is_possible = (shortest_interval_us..=longest_interval_us).contains(&elapsed_us);
        if elapsed_us <= 0 || !is_possible || round_trip_us < -TOLERANCE_US {
            return Err(Gap::ClockStep);
        }
        if elapsed_us as f64 > MAX_INTERVALS * interval_us as f64 {
            return Err(Gap::Late);
        }
        if round_trip_us > shortest_us + TOLERANCE_US {
            return Err(Gap::SlowLink);
        }
        Ok(Some(elapsed_us.unsigned_abs()))
    }
}

fn signed(us: u64) -> i64 {
    i64::try_from(us).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: u64 = 1_000_000;

    /// A query that was sent at `sent_us`, arrived after `there_us`, took `took_us` until its reading, and came back after `back_us`. The
    /// server's clock is ahead by `ahead_us` when it arrives, and by `step_us` more from then on.
    fn reading(sent_us: u64, [there_us, took_us, back_us]: [u64; 3], ahead_us: i64, step_us: i64) -> ReadingTimes {
        let arrived_us = (sent_us + there_us).cast_signed() + ahead_us;
        let at_us = arrived_us + took_us.cast_signed() + step_us;
        let received_us = sent_us + there_us + took_us + back_us;
        ReadingTimes { sent_us, received_us, arrived_us, began_us: at_us, ended_us: at_us }
    }

    /// Readings of a link that is as fast as this at its best.
    fn link() -> Link {
        let mut link = Link::default();
        assert_eq!(link.add(reading(0, [5_000, 0, 5_000], 1 << 45, 0), SECOND), Ok(None));
        link
    }

    proptest! {
        /// However slow each way of the link is, the interval is that of the server, or there is none.
        #[test]
        fn a_slow_link_changes_no_interval(there in 0u64..2_000_000, back in 0u64..2_000_000, took in 0u64..SECOND) {
            let now = reading(10_000, [there, took, back], 1 << 45, 0);
            match link().add(now, SECOND) {
                Ok(elapsed_us) => prop_assert_eq!(elapsed_us, Some(there + took + 5_000)),
                Err(gap) => prop_assert!(matches!(gap, Gap::Late | Gap::SlowLink) && there + back > 100_000, "{:?}", gap),
            }
        }

        /// A clock that is set within the query or before it is noticed.
        #[test]
        fn a_clock_step_is_a_gap(step in 200_000i64..1 << 40, back in any::<bool>(), within in any::<bool>(), took in 0u64..SECOND) {
            let step = if back { -step } else { step };
            let (before, within) = if within { (0, step) } else { (step, 0) };
            let now = reading(SECOND, [5_000, took, 5_000], (1 << 45) + before, within);
            prop_assert!(matches!(link().add(now, SECOND), Err(Gap::ClockStep | Gap::SlowLink)));
        }
    }

    #[test]
    fn what_was_not_read_at_one_time_is_a_gap() {
        let mut link = link();
        let good = reading(10_000, [5_000, SECOND, 5_000], 1 << 45, 0);
        assert_eq!(link.add(good, SECOND), Ok(Some(SECOND + 10_000)));
        let slow = reading(SECOND + 20_000, [5_000, SECOND, 5_000], 1 << 45, 0);
        let slow = ReadingTimes { began_us: slow.began_us - 200_000, ..slow };
        assert_eq!(link.add(slow, SECOND), Err(Gap::SlowReading));
        // Nor is it one to compare with.
        let next = reading(2 * SECOND + 30_000, [5_000, SECOND, 5_000], 1 << 45, 0);
        assert_eq!(link.add(next, SECOND), Err(Gap::SlowReading));
        let late = reading(9 * SECOND, [5_000, SECOND, 5_000], 1 << 45, 0);
        assert_eq!(link.add(late, SECOND), Err(Gap::Late));
    }
}
