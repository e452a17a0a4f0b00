//! Rates that a volume sustains or bursts to.

/// Sustained maximum of a volume or an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ceiling {
    /// I/Os per second, as EBS counts them.
    pub iops: f64,
    /// MiB per second.
    pub mibps: f64,
}
