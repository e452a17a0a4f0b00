//! Rates that a volume sustains or bursts to.

use ebs_base::units::MIB;

/// Sustained maximum of a volume or an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ceiling {
    /// I/Os per second, as EBS counts them.
    pub iops: f64,
    /// MiB per second.
    pub mibps: f64,
}

/// A limited rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Requests a second.
    Iops,
    /// Bytes a second.
    Throughput,
}

impl LimitKind {
    /// Both.
    pub const BOTH: [LimitKind; 2] = [LimitKind::Iops, LimitKind::Throughput];

    /// Unit in which it is sold.
    pub fn unit(self) -> &'static str {
        match self {
            LimitKind::Iops => "IOPS",
            LimitKind::Throughput => "MiB/s",
        }
    }

    /// A rate of requests or of bytes per second in that unit.
    pub fn in_unit(self, counted: f64) -> f64 {
        match self {
            LimitKind::Iops => counted,
            LimitKind::Throughput => counted / MIB as f64,
        }
    }
}

impl Ceiling {
    /// One of its rates: I/Os per second, or MiB per second.
    pub fn rate(&self, kind: LimitKind) -> f64 {
        match kind {
            LimitKind::Iops => self.iops,
            LimitKind::Throughput => self.mibps,
        }
    }

    /// One of its rates: I/Os per second, or bytes per second.
    pub fn counted(&self, kind: LimitKind) -> f64 {
        match kind {
            LimitKind::Iops => self.iops,
            LimitKind::Throughput => self.mibps * MIB as f64,
        }
    }
}
