//! Rates divided by transactions.

use super::time_breakdown::seconds;
use ebs_base::units::PAGE_BYTES;

/// PostgreSQL's page, bytes; servers built with another size are rare, and pages are then counted as so many of these.
pub(super) const PAGE: f64 = PAGE_BYTES as f64;

/// Divides rates by the rate of transactions.
pub(super) struct PerTransaction {
    pub(super) tps: f64,
}

impl PerTransaction {
    /// A mean number, or an amount a second, as an amount per transaction.
    pub(super) fn rate(&self, rate: f64) -> f64 {
        rate / self.tps
    }

    /// A count over `known_us` microseconds, per transaction; zero where that is no time.
    pub(super) fn count(&self, count: u64, known_us: u64) -> f64 {
        if known_us > 0 { self.rate(count as f64 / seconds(known_us)) } else { 0.0 }
    }
}
