//! When a request is answered: held until every limit lets it through, in the order of arrival, then served in parallel with
//! all others.

use ebs_advisor_model::units::MIB;
use rand_core::SeedableRng;
use rand_pcg::Pcg64;

use super::limit::Limit;
use super::time::{nanoseconds, seconds};
use super::{Caps, Rate, RequestKind, Settings};

/// A volume at work.
#[derive(Clone, Debug)]
pub struct Shaper {
    settings: Settings,
    /// IOPS and MiB/s of the volume, then of the instance.
    limits: [Limit; 4],
    random: Pcg64,
    /// What it costs to bring a request here and its answer back, seconds: part of what the caller sees, so it is taken
    /// off the time of service.
    overhead_s: f64,
    last: f64,
}

/// When a request may be served, and when it is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// When all limits had let it through.
    pub released_ns: u64,
    /// When its answer is due.
    pub due_ns: u64,
}

impl Shaper {
    /// A volume that has been idle, with its credits full. The same seed gives the same times of service.
    pub fn new(settings: Settings, now_ns: u64, seed: u64) -> Shaper {
        let now = seconds(now_ns);
        let limits = rates(&settings).map(|rate| Limit::new(rate, now));
        Shaper { settings, limits, random: Pcg64::seed_from_u64(seed), overhead_s: 0.0, last: now }
    }

    /// Takes so much off each time of service from here on.
    pub fn compensate(&mut self, overhead_s: f64) {
        self.overhead_s = overhead_s;
    }

    /// Changes the settings; requests that were admitted before keep their times. Credits stay at their share of the
    /// bucket, or are those of `settings` where they are not to be kept.
    pub fn change(&mut self, settings: Settings, now_ns: u64, keep_credits: bool) {
        let now = self.not_back(now_ns);
        let mut rates = rates(&settings).into_iter();
        let changed = |limit: Limit| limit.changed(rates.next().unwrap_or(Rate::Unlimited), now, keep_credits);
        self.limits = self.limits.clone().map(changed);
        self.settings = settings;
    }

    /// A request arrives.
    pub fn admit(&mut self, now_ns: u64, kind: RequestKind, bytes: u64) -> Admitted {
        let arrived = seconds(now_ns);
        let costs = self.costs(bytes);
        let tolerance = self.settings.tolerance_s;
        let (mut released, mut by) = (self.not_back(now_ns), None);
        for (n, limit) in self.limits.iter().enumerate() {
            if limit.earliest(tolerance) > released {
                (released, by) = (limit.earliest(tolerance), Some(n));
            }
        }
        if let Some(n) = by {
            self.limits[n].held_back(arrived, released);
        }
        self.take(released, costs);
        self.last = released;
        let service = self.settings.service.draw(kind, &mut self.random);
        let due = released + (service - self.overhead_s).max(0.0);
        let released_ns = nanoseconds(released).max(now_ns);
        Admitted { released_ns, due_ns: nanoseconds(due).max(released_ns) }
    }

    fn take(&mut self, at: f64, costs: [f64; 4]) {
        // Which throughput a gp2 volume has depends on whether its IOPS credits last.
        let bursts = self.limits[0].bursts(at, costs[0]);
        let with_credits = self.settings.volume.mibps_with_credits.filter(|_| bursts == Some(true));
        for (n, (limit, cost)) in self.limits.iter_mut().zip(costs).enumerate() {
            match with_credits.filter(|_| n == 1) {
                Some(mibps) => limit.take_at(at, cost, mibps),
                None => limit.take(at, cost),
            }
        }
    }

    /// I/Os and MiB that a request costs the volume, then the instance.
    fn costs(&self, bytes: u64) -> [f64; 4] {
        let accounting = self.settings.accounting;
        let ios = bytes.div_ceil(accounting.io_bytes).max(1);
        let mib = |bytes: u64| bytes as f64 / MIB as f64;
        let counted = if accounting.whole { ios * accounting.io_bytes } else { bytes };
        [ios as f64, mib(counted), ios as f64, mib(bytes)]
    }

    /// Seconds; requests are admitted in the order of arrival, so not before the one before.
    fn not_back(&self, now_ns: u64) -> f64 {
        seconds(now_ns).max(self.last)
    }

    /// What is taken off each time of service, seconds.
    pub fn overhead_s(&self) -> f64 {
        self.overhead_s
    }

    /// What it runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Microseconds in which a limit held requests back: IOPS and throughput of the volume, then of the instance.
    pub fn exceeded_us(&self) -> [u64; 4] {
        self.limits.each_ref().map(|limit| (limit.exceeded_s() * 1e6).round() as u64)
    }

    /// Credits as shares of their buckets, in the same order; `None` where there are none.
    pub fn credit_shares(&mut self, now_ns: u64) -> [Option<f64>; 4] {
        let now = self.not_back(now_ns);
        self.limits.each_mut().map(|limit| limit.credit_share(now))
    }
}

fn rates(settings: &Settings) -> [Rate; 4] {
    let of = |caps: Caps| [caps.iops, caps.mibps];
    let ([a, b], [c, d]) = (of(settings.volume), of(settings.instance));
    [a, b, c, d]
}

#[cfg(test)]
#[path = "shaper_tests.rs"]
mod tests;
