//! Events in the output of a load driver.

use std::fmt;

use super::percentile::Percentile;

/// Event that one line of a load driver's output reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Load begins that the result will not count.
    RampUpBegins {
        /// Planned length, seconds.
        seconds: Option<f64>,
    },
    /// Load begins of a driver that has no ramp-up: its result counts what comes from here on, settled or not.
    LoadBegins,
    /// Measuring begins, for a driver with a ramp-up: its result counts from here on.
    MeasuringBegins,
    /// Planned length of measuring, seconds.
    MeasuringLasts(f64),
    /// Figures since the last progress.
    Progress(Progress),
    /// Measuring ends.
    MeasuringEnds,
    /// The driver reports an error.
    Failed(ReportedError),
}

/// Figures of the time since the progress before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Seconds since the driver began to measure.
    pub elapsed_s: Option<f64>,
    /// Seconds since 1970.
    pub epoch_s: Option<f64>,
    /// Transactions a second.
    pub tps: Option<f64>,
    /// Transactions a minute, as HammerDB's counter has them: commits and rollbacks of all databases.
    pub tpm: Option<f64>,
    /// New orders a minute.
    pub nopm: Option<f64>,
    /// Mean latency of a transaction, milliseconds.
    pub latency_ms: Option<f64>,
    /// The percentile of the latency that sysbench shows in place of the mean.
    pub percentile: Option<Percentile>,
    /// Failed transactions: pgbench's since the progress before, sysbench's a second.
    pub failed: Option<f64>,
}

/// Error that a driver reports in its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedError {
    /// HammerDB's virtual user.
    pub user: Option<u64>,
    /// The driver's message.
    pub message: String,
}

/// Number of the virtual user that measures.
const MONITOR: u64 = 1;

/// `virtual user 2: FINISHED FAILED: connection is gone`.
impl fmt::Display for ReportedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.user.map_or(Ok(()), |user| write!(f, "virtual user {user}: "))?;
        f.write_str(&self.message)
    }
}

impl ReportedError {
    /// True if the error ends the measurement although the other users go on: HammerDB's first virtual user takes the counts
    /// and tells the others to stop, and they wait for that.
    pub fn is_monitor(&self) -> bool {
        self.user == Some(MONITOR)
    }
}
