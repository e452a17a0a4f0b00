//! Traffic shaping: a request is released when every limit lets it through, in the order of arrival, and is then served in
//! parallel with all others.

use ebs_base::units::MIB;
use rand_core::SeedableRng;
use rand_pcg::Pcg64;

use super::rate_limiter::RateLimiter;
use super::request::RequestKind;
use super::settings::{Rate, Settings};
use super::time::{nanoseconds, seconds};

/// The limits of a volume with their history.
#[derive(Clone, Debug)]
pub struct Shaper {
    settings: Settings,
    /// IOPS and MiB/s of the volume, then of the instance.
    limits: [RateLimiter; 4],
    random: Pcg64,
    overhead_s: f64,
    /// Release of the last request, in seconds.
    last_release: f64,
}

/// Times of an admitted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Release by the last of the limits.
    pub released_ns: u64,
    /// Time at which the reply is due.
    pub due_ns: u64,
}

impl Shaper {
    /// A volume that has been idle, with its credits as in `settings`. The same seed gives the same times of service.
    pub fn new(settings: Settings, now_ns: u64, seed: u64) -> Shaper {
        let now = seconds(now_ns);
        let limits = rates(&settings).map(|rate| RateLimiter::new(rate, now));
        Shaper { settings, limits, random: Pcg64::seed_from_u64(seed), overhead_s: 0.0, last_release: now }
    }

    /// Overhead of the path to the emulator and back, in seconds. The caller's latency includes it, so it is subtracted from the
    /// service time.
    pub fn overhead_s(&self) -> f64 {
        self.overhead_s
    }

    /// Sets the overhead that is taken off each time of service.
    pub fn set_overhead(&mut self, overhead_s: f64) {
        self.overhead_s = overhead_s;
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings; requests that were admitted before keep their times. Credits stay at their share of the bucket, or
    /// are those of `settings` if they are not to be kept.
    pub fn change_settings(&mut self, settings: Settings, now_ns: u64, keep_credits: bool) {
        let now = self.monotonic_seconds(now_ns);
        for (limit, rate) in self.limits.iter_mut().zip(rates(&settings)) {
            *limit = limit.clone().with_rate(rate, now, keep_credits);
        }
        self.settings = settings;
    }

    /// Admits a request that arrives now.
    pub fn admit(&mut self, now_ns: u64, kind: RequestKind, bytes: u64) -> Admission {
        let tolerance = self.settings.burst_tolerance_s;
        let (mut release, mut held_by) = (self.monotonic_seconds(now_ns), None);
        for (n, limit) in self.limits.iter().enumerate() {
            if limit.earliest_release(tolerance) > release {
                (release, held_by) = (limit.earliest_release(tolerance), Some(n));
            }
        }
        if let Some(n) = held_by {
            self.limits[n].count_exceeded(seconds(now_ns), release);
        }
        self.release(release, self.costs(bytes));
        self.last_release = release;
        let service = self.settings.service.sample(kind, &mut self.random);
        let due = release + (service - self.overhead_s).max(0.0);
        let released_ns = nanoseconds(release).max(now_ns);
        Admission { released_ns, due_ns: nanoseconds(due).max(released_ns) }
    }

    fn release(&mut self, at: f64, costs: [f64; 4]) {
        // The throughput of some gp2 volumes depends on their IOPS credits.
        let bursts = self.limits[0].can_burst(at, costs[0]);
        let mibps_with_credits = self.settings.volume.mibps_with_credits.filter(|_| bursts);
        for (n, (limit, cost)) in self.limits.iter_mut().zip(costs).enumerate() {
            match mibps_with_credits.filter(|_| n == 1) {
                Some(mibps) => limit.release_at_rate(at, cost, mibps),
                None => limit.release(at, cost),
            }
        }
    }

    /// I/Os and MiB that a request costs the volume, then the instance.
    fn costs(&self, bytes: u64) -> [f64; 4] {
        let accounting = self.settings.accounting;
        let ios = bytes.div_ceil(accounting.io_bytes).max(1);
        let mib = |bytes: u64| bytes as f64 / MIB as f64;
        let volume_bytes = if accounting.whole_ios { ios * accounting.io_bytes } else { bytes };
        [ios as f64, mib(volume_bytes), ios as f64, mib(bytes)]
    }

    /// The time in seconds, no earlier than the last release: requests are released in the order of arrival.
    fn monotonic_seconds(&self, now_ns: u64) -> f64 {
        seconds(now_ns).max(self.last_release)
    }

    /// Microseconds in which a limit held requests back: IOPS and throughput of the volume, then of the instance.
    pub fn exceeded_us(&self) -> [u64; 4] {
        self.limits.each_ref().map(|limit| (limit.exceeded_s() * 1e6).round() as u64)
    }

    /// Credits as shares of their buckets, in the same order; `None` without a bucket.
    pub fn credit_shares(&mut self, now_ns: u64) -> [Option<f64>; 4] {
        let now = self.monotonic_seconds(now_ns);
        self.limits.each_mut().map(|limit| limit.credit_share(now))
    }
}

fn rates(Settings { volume, instance, .. }: &Settings) -> [Rate; 4] {
    [volume.iops, volume.mibps, instance.iops, instance.mibps]
}

#[cfg(test)]
#[path = "shaper_tests.rs"]
mod tests;
