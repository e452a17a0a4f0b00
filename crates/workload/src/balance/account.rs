//! One direction of the balance: three counts, and what lies between them.

/// Bytes read, or bytes written, as each party counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Bytes that PostgreSQL counts (P); `None` where not known, as in the others.
    pub postgres: Option<i64>,
    /// Bytes that the kernel counts for the server's processes (S).
    pub processes: Option<i64>,
    /// Bytes that the device counts (D).
    pub device: Option<i64>,
}

impl Account {
    /// Bytes that the page cache saved, zero or negative: S - P where PostgreSQL counts more.
    pub fn page_cache(&self) -> Option<i64> {
        Some((self.processes? - self.postgres?).min(0))
    }

    /// Bytes that the processes moved beyond those that PostgreSQL counts: S - P where the kernel counts more.
    pub fn unattributed(&self) -> Option<i64> {
        Some((self.processes? - self.postgres?).max(0))
    }

    /// Bytes that the device moved beyond those of the server's processes: D - S where the device counts more.
    pub fn others(&self) -> Option<i64> {
        Some((self.device? - self.processes?).max(0))
    }

    /// Bytes of the server's processes that the device has not moved, zero or negative: D - S where the kernel counts more.
    pub fn residual(&self) -> Option<i64> {
        Some((self.device? - self.processes?).min(0))
    }

    /// Sum of the four, D - P, where the processes' bytes are not known; `None` where they are.
    pub fn not_split(&self) -> Option<i64> {
        match self.processes {
            None => Some(self.device? - self.postgres?),
            Some(_) => None,
        }
    }

    /// `bytes` in percent of the device's; `None` if it moved nothing or is not known.
    pub fn pct_of_device(&self, bytes: Option<i64>) -> Option<f64> {
        let device = self.device.filter(|device| *device > 0)?;
        Some(100.0 * bytes? as f64 / device as f64)
    }
}
