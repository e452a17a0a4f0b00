//! One limit, as a generic cell rate algorithm (<https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm>): requests are
//! spaced by their cost over the rate, and a tolerance lets some of them come early.

use super::credit_balance::CreditBalance;
use super::settings::Rate;

/// A limit on units per second: I/Os or MiB. Times are in seconds.
#[derive(Clone, Debug)]
pub struct RateLimiter {
    rate: CurrentRate,
    /// Theoretical arrival time of the next request: its arrival if all were evenly spaced.
    theoretical_arrival: f64,
    /// Time in which requests were held back, and the end of the part that is counted.
    exceeded_s: f64,
    counted_until: f64,
}

#[derive(Clone, Debug)]
enum CurrentRate {
    Unlimited,
    Steady(f64),
    Burst(CreditBalance),
}

impl RateLimiter {
    pub fn new(rate: Rate, now: f64) -> RateLimiter {
        let rate = match rate {
            Rate::Unlimited => CurrentRate::Unlimited,
            Rate::Steady(rate) => CurrentRate::Steady(rate),
            Rate::Burst(bucket) => CurrentRate::Burst(CreditBalance::new(bucket, now)),
        };
        RateLimiter { rate, theoretical_arrival: now, exceeded_s: 0.0, counted_until: now }
    }

    /// Earliest release of the next request.
    pub fn earliest_release(&self, tolerance: f64) -> f64 {
        self.theoretical_arrival - tolerance
    }

    /// Returns true if a request of this cost may go at the burst rate, which takes credits.
    pub fn can_burst(&mut self, at: f64, cost: f64) -> bool {
        match &mut self.rate {
            CurrentRate::Burst(credits) => credits.rate(at, cost) > credits.baseline(),
            _ => false,
        }
    }

    /// Releases a request, no earlier than [`Self::earliest_release`].
    pub fn release(&mut self, at: f64, cost: f64) {
        let rate = match &mut self.rate {
            CurrentRate::Unlimited => return,
            CurrentRate::Steady(rate) => *rate,
            CurrentRate::Burst(credits) => {
                let rate = credits.rate(at, cost);
                credits.spend(cost);
                rate
            }
        };
        self.release_at_rate(at, cost, rate);
    }

    /// Releases a request at a rate that depends on another limit.
    pub fn release_at_rate(&mut self, at: f64, cost: f64, rate: f64) {
        self.theoretical_arrival = self.theoretical_arrival.max(at) + cost / rate;
    }

    /// Counts a time in which this limit held a request back.
    pub fn count_exceeded(&mut self, from: f64, until: f64) {
        self.exceeded_s += (until - from.max(self.counted_until)).max(0.0);
        self.counted_until = self.counted_until.max(until);
    }

    /// Seconds in which at least one request was held back.
    pub fn exceeded_s(&self) -> f64 {
        self.exceeded_s
    }

    /// Credits as a share of the bucket; `None` without a bucket.
    pub fn credit_share(&mut self, now: f64) -> Option<f64> {
        match &mut self.rate {
            CurrentRate::Burst(credits) => Some(credits.share(now)),
            _ => None,
        }
    }

    /// Continues the counts at another rate, from now on. Credits are kept as a share if both rates have them.
    pub fn with_rate(mut self, rate: Rate, now: f64, keep_credits: bool) -> RateLimiter {
        let share = if keep_credits { self.credit_share(now) } else { None };
        let rate = match (rate, share) {
            (Rate::Burst(bucket), Some(share)) => Rate::Burst(bucket.filled(share)),
            (rate, _) => rate,
        };
        RateLimiter { exceeded_s: self.exceeded_s, counted_until: self.counted_until, ..RateLimiter::new(rate, now) }
    }
}
