//! Burst credits: performance of a volume or an instance above its baseline, for a limited time.
//!
//! | bucket | holds | earns | source |
//! |---|---|---|---|
//! | gp2 | 5,400,000 I/Os for each volume | its baseline IOPS | <https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html> |
//! | st1, sc1 | 1 TiB for each TiB | its baseline MiB/s | <https://docs.aws.amazon.com/ebs/latest/userguide/hdd-vols.html> |
//! | instance | 30 minutes of what the maximum adds to the baseline, IOPS and MiB/s each | what is left of the baseline, no faster than to be full in 24 hours | <https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ebs-optimized.html> |
//!
//! Every bucket is full at the start. Of instances AWS says only that the maximum lasts 30 minutes at least once in 24
//! hours; the bucket is our reading of that, and a cautious one: real instances may refill faster.

use crate::catalogue::{Ceiling, Class, VolumeConfig};
use ebs_base::units::{GIB, MIB};

/// Credits of one gp2 volume, one an I/O.
pub const GP2_CREDITS: f64 = 5_400_000.0;
/// Time for which an instance can use its burst maximum in one cycle, seconds.
pub const INSTANCE_BURST_S: f64 = 1_800.0;
/// Length of that cycle, seconds.
pub const INSTANCE_CYCLE_S: f64 = 86_400.0;

/// Credits, and what can be done with and without them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    level: f64,
    capacity: f64,
    sustained: f64,
    burst: f64,
    refill: f64,
}

/// Limits of a volume over time: its own rates, and its burst credits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Burst {
    /// None: the ceiling holds always.
    Never(Ceiling),
    /// gp2: credits are I/Os, and some sizes move more MiB/s while there are any.
    Iops {
        /// Credits.
        bucket: Bucket,
        /// MiB/s with credits and without.
        mibps: (f64, f64),
    },
    /// st1, sc1: credits are MiB, of which each I/O costs one.
    Mibps(Bucket),
}

impl Burst {
    /// Limits of `volumes` equal volumes of a class, striped evenly.
    pub fn new(class: &Class, config: &VolumeConfig, volumes: u64) -> Burst {
        let steady = config.ceiling(volumes);
        let burst = Burst::ceiling(class, config, volumes);
        let (parts, size) = ((volumes * class.stripes) as f64, (volumes * config.size_gib) as f64);
        if config.volume_type.is_hdd() {
            // Each I/O counts as 1 MiB, so the tighter of the two limits both.
            let (sustained, burst) = (steady.mibps.min(steady.iops), burst.mibps.min(burst.iops));
            return Burst::Mibps(Bucket::full(size * (GIB / MIB) as f64, sustained, burst, f64::INFINITY));
        }
        if burst.iops <= steady.iops {
            return Burst::Never(steady);
        }
        let bucket = Bucket::full(GP2_CREDITS * parts, steady.iops, burst.iops, f64::INFINITY);
        Burst::Iops { bucket, mibps: (burst.mibps, steady.mibps) }
    }

    /// Combined maximum of `volumes` volumes while they have credits; never below that without credits.
    pub fn ceiling(class: &Class, config: &VolumeConfig, volumes: u64) -> Ceiling {
        let steady = config.ceiling(volumes);
        let of_one = class.burst(config.size_gib);
        of_one.map_or(steady, |one| one.times(volumes as f64).max(steady))
    }
}

impl Bucket {
    /// A full bucket. `sustained` and `burst` are rates without and with credits, `refill` the fastest it fills.
    pub fn full(capacity: f64, sustained: f64, burst: f64, refill: f64) -> Bucket {
        Bucket { level: capacity, capacity, sustained, burst, refill }
    }

    /// The bucket of an instance, for one of its two limits; `None` where its maximum is its baseline.
    pub fn of_instance(baseline: f64, maximum: f64) -> Option<Bucket> {
        let capacity = INSTANCE_BURST_S * (maximum - baseline);
        (capacity > 0.0).then(|| Bucket::full(capacity, baseline, maximum, capacity / INSTANCE_CYCLE_S))
    }

    /// The same bucket, filled to a share of what it holds.
    pub fn filled(self, share: f64) -> Bucket {
        Bucket { level: self.capacity * share.clamp(0.0, 1.0), ..self }
    }

    /// Credits left.
    #[inline]
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Credits left, as a share of the bucket.
    #[inline]
    pub fn share(&self) -> f64 {
        if self.capacity > 0.0 { self.level / self.capacity } else { 1.0 }
    }

    /// Rate available at this moment, units a second.
    #[inline]
    pub fn rate(&self) -> f64 {
        if self.level > 0.0 { self.burst } else { self.sustained }
    }

    /// Rate available while there are credits, units a second.
    #[inline]
    pub fn burst(&self) -> f64 {
        self.burst
    }

    /// Rate available without credits, units a second.
    #[inline]
    pub fn sustained(&self) -> f64 {
        self.sustained
    }

    /// The same with slightly higher rates: demand that equals a limit must not wait because of rounding.
    pub fn widened(self, by: f64) -> Bucket {
        Bucket { sustained: self.sustained * by, burst: self.burst * by, ..self }
    }

    /// Credits earned a second at this rate; negative where they are spent.
    #[inline]
    pub fn change(&self, done: f64) -> f64 {
        let left = self.sustained - done;
        if left > 0.0 && self.level >= self.capacity { 0.0 } else { left.min(self.refill) }
    }

    /// Seconds until it is empty or full.
    #[inline]
    pub fn seconds_left(&self, change: f64) -> f64 {
        match change {
            change if change < 0.0 => self.level / -change,
            change if change > 0.0 => (self.capacity - self.level) / change,
            _ => f64::INFINITY,
        }
    }

    /// Advances by `seconds` at this many credits a second; an empty bucket stays empty, and a full one full.
    #[inline]
    pub fn pass(&mut self, change: f64, seconds: f64) {
        let ends = seconds >= self.seconds_left(change);
        self.level = match change {
            _ if !ends => (self.level + change * seconds).clamp(0.0, self.capacity),
            change if change < 0.0 => 0.0,
            _ => self.capacity,
        };
    }

    /// The bucket after a period in which demand was never above `most`, and `sum` in total; `None` where these do not
    /// determine it. As long as no rate is above what is sustained, credits only grow, so one that is full stays full, and how
    /// far it was filled does not depend on the order.
    #[inline]
    pub fn after(&self, most: f64, sum: f64, seconds: f64) -> Option<Bucket> {
        let least_left = self.sustained - most;
        let earned = match () {
            _ if least_left < 0.0 => return None,
            _ if self.level >= self.capacity => 0.0,
            _ if self.refill.is_infinite() => self.sustained * seconds - sum,
            _ if least_left >= self.refill => self.refill * seconds,
            _ => return None,
        };
        Some(Bucket { level: (self.level + earned).clamp(0.0, self.capacity), ..*self })
    }
}
