//! Rates divided by transactions.

use super::spent::seconds;

/// PostgreSQL's page, bytes; servers built with another size are rare, and pages are then counted as so many of these.
pub(super) const PAGE: f64 = 8192.0;

/// From figures over time to figures of a transaction.
pub(super) struct Per {
    pub(super) tps: f64,
}

impl Per {
    /// Of so many at any time, or so much a second.
    pub(super) fn tx(&self, rate: f64) -> f64 {
        rate / self.tps
    }

    /// Of a count over some time; zero where there was none.
    pub(super) fn counted(&self, count: u64, known_us: u64) -> f64 {
        if known_us > 0 { self.tx(count as f64 / seconds(known_us)) } else { 0.0 }
    }
}
