//! One limit, as a generic cell rate algorithm (<https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm>): requests
//! spaced by their cost over the rate, of which a stretch of time may be used ahead or made up for.

use super::credits::Credits;
use super::settings::Rate;

/// A limit in units a second, whatever the unit. Times are in seconds.
#[derive(Clone, Debug)]
pub struct Limit {
    rate: Running,
    /// When the next request would come if all were evenly spaced.
    next: f64,
    /// How long it held requests back, and until when that is counted already.
    exceeded_s: f64,
    counted_until: f64,
}

#[derive(Clone, Debug)]
enum Running {
    Unlimited,
    Steady(f64),
    Credits(Credits),
}

impl Limit {
    pub fn new(rate: Rate, now: f64) -> Limit {
        let rate = match rate {
            Rate::Unlimited => Running::Unlimited,
            Rate::Steady(rate) => Running::Steady(rate),
            Rate::Burst(bucket) => Running::Credits(Credits::new(bucket, now)),
        };
        Limit { rate, next: now, exceeded_s: 0.0, counted_until: now }
    }

    /// When it lets the next request through at the earliest.
    pub fn earliest(&self, tolerance: f64) -> f64 {
        self.next - tolerance
    }

    /// Whether a request of this cost may go at the burst rate; `None` where there are no credits.
    pub fn bursts(&mut self, at: f64, cost: f64) -> Option<bool> {
        match &mut self.rate {
            Running::Credits(credits) => Some(credits.rate(at, cost) > credits.sustained()),
            _ => None,
        }
    }

    /// Lets a request through, no earlier than [`Self::earliest`].
    pub fn take(&mut self, at: f64, cost: f64) {
        let rate = match &mut self.rate {
            Running::Unlimited => return,
            Running::Steady(rate) => *rate,
            Running::Credits(credits) => {
                let rate = credits.rate(at, cost);
                credits.spend(cost);
                rate
            }
        };
        self.take_at(at, cost, rate);
    }

    /// The same at a rate that something else decides.
    pub fn take_at(&mut self, at: f64, cost: f64, rate: f64) {
        self.next = self.next.max(at) + cost / rate;
    }

    /// It was this limit that held a request back from one moment to the other.
    pub fn held_back(&mut self, from: f64, to: f64) {
        self.exceeded_s += (to - from.max(self.counted_until)).max(0.0);
        self.counted_until = self.counted_until.max(to);
    }

    /// Seconds in which at least one request was held back.
    pub fn exceeded_s(&self) -> f64 {
        self.exceeded_s
    }

    /// Credits as a share of the bucket; `None` where there are none.
    pub fn credit_share(&mut self, now: f64) -> Option<f64> {
        match &mut self.rate {
            Running::Credits(credits) => Some(credits.share(now)),
            _ => None,
        }
    }

    /// The same history under another rate: what was let through counts on, at the new rate. Credits are carried over as
    /// a share where both have them.
    pub fn changed(mut self, rate: Rate, now: f64, keep_credits: bool) -> Limit {
        let share = if keep_credits { self.credit_share(now) } else { None };
        let rate = match (rate, share) {
            (Rate::Burst(bucket), Some(share)) => Rate::Burst(bucket.filled(share)),
            (rate, _) => rate,
        };
        Limit { exceeded_s: self.exceeded_s, counted_until: self.counted_until, ..Limit::new(rate, now) }
    }
}
