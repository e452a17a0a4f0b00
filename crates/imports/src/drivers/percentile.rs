//! Percentiles of latency, as load drivers print them.

/// The latency that a share of all transactions did not exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percentile {
    /// The share, per cent.
    pub percent: f64,
    /// The latency, milliseconds.
    pub ms: f64,
}
