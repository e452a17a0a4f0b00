//! Rates that a volume sustains or bursts to.

/// What a volume can do without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceiling {
    /// I/Os per second, as EBS counts them.
    pub iops: f64,
    /// MiB per second.
    pub mibps: f64,
}
