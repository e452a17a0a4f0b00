//! What a volume is to be like.

use ebs_advisor_model::bucket::Bucket;
use ebs_advisor_model::units::KIB;

use super::ServiceTime;

/// A limit, in I/Os or MiB a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// None.
    Unlimited,
    /// Always the same.
    Steady(f64),
    /// More while there are credits.
    Burst(Bucket),
}

/// What a volume, or an instance, lets through: the sum of reads and writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caps {
    /// I/Os a second.
    pub iops: Rate,
    /// MiB a second.
    pub mibps: Rate,
    /// MiB a second while the credits of `iops` last, where that is more: gp2 of 171 to 333 GiB.
    pub mibps_with_credits: Option<f64>,
}

impl Caps {
    /// None at all.
    pub const NONE: Caps = Caps { iops: Rate::Unlimited, mibps: Rate::Unlimited, mibps_with_credits: None };
}

/// How requests become I/Os.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accounting {
    /// A request is one I/O for each so many bytes begun.
    pub io_bytes: u64,
    /// Whether the volume's throughput counts each I/O as `io_bytes`, as that of HDDs does.
    pub whole: bool,
}

/// All that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The volume's own limits.
    pub volume: Caps,
    /// The instance's limits on all of EBS.
    pub instance: Caps,
    /// How requests are counted.
    pub accounting: Accounting,
    /// How long requests take.
    pub service: ServiceTime,
    /// How much time of a limit may be saved up and used at once, seconds.
    pub tolerance_s: f64,
}

impl Settings {
    /// No limits and no time of service: while the file system is put on a volume and taken off.
    pub fn unlimited() -> Settings {
        Settings {
            volume: Caps::NONE,
            instance: Caps::NONE,
            accounting: Accounting { io_bytes: 256 * KIB, whole: false },
            service: ServiceTime { read_ms: 0.0, write_ms: 0.0, sigma: 0.0 },
            tolerance_s: 0.0,
        }
    }
}
