//! Limits and times of a volume.

use ebs_aws::bucket::Bucket;
use ebs_base::units::KIB;

use super::service_time::ServiceTime;

/// A limit, in IOPS or MiB/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// No limit.
    Unlimited,
    /// A constant limit.
    Steady(f64),
    /// A burst rate while there are credits, then a baseline.
    Burst(Bucket),
}

/// Limits of a volume or an instance, each on the sum of reads and writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caps {
    /// I/Os per second.
    pub iops: Rate,
    /// MiB per second.
    pub mibps: Rate,
    /// MiB per second while the credits of `iops` last, where that is more: gp2 of 171 to 333 GiB.
    pub mibps_with_credits: Option<f64>,
}

impl Caps {
    /// No limits.
    pub const UNLIMITED: Caps = Caps { iops: Rate::Unlimited, mibps: Rate::Unlimited, mibps_with_credits: None };

    /// Returns true if a limit has burst credits.
    pub fn has_credits(&self) -> bool {
        matches!((self.iops, self.mibps), (Rate::Burst(_), _) | (_, Rate::Burst(_)))
    }

    /// Fills all buckets to this share.
    pub fn with_credit_share(self, share: f64) -> Caps {
        let fill = |rate| match rate {
            Rate::Burst(bucket) => Rate::Burst(bucket.filled(share)),
            rate => rate,
        };
        Caps { iops: fill(self.iops), mibps: fill(self.mibps), ..self }
    }
}

/// Conversion of requests into I/Os.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accounting {
    /// Maximum size of an I/O; a larger request counts as several.
    pub io_bytes: u64,
    /// True if each I/O counts as `io_bytes` of the volume's throughput, as on HDDs.
    pub whole_ios: bool,
}

/// All settings of a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The volume's own limits.
    pub volume: Caps,
    /// The instance's limits on all of EBS.
    pub instance: Caps,
    /// Conversion of requests into I/Os.
    pub accounting: Accounting,
    /// Time of a request that no limit holds back.
    pub service: ServiceTime,
    /// Burst tolerance: time of a limit that may be saved up and used at once, in seconds.
    pub burst_tolerance_s: f64,
}

impl Settings {
    /// No limits and no service time: settings while the file system is mounted and unmounted.
    pub fn unlimited() -> Settings {
        Settings {
            volume: Caps::UNLIMITED,
            instance: Caps::UNLIMITED,
            accounting: Accounting { io_bytes: 256 * KIB, whole_ios: false },
            service: ServiceTime { read_ms: 0.0, write_ms: 0.0, sigma: 0.0 },
            burst_tolerance_s: 0.0,
        }
    }
}
