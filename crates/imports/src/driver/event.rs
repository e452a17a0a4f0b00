//! What a line of a load driver says of the moment at which it comes.

use std::fmt;

/// What one line of a load driver says of now.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Load begins that the result will not count.
    RampUpBegins {
        /// How long it is to take, seconds.
        seconds: Option<f64>,
    },
    /// Load begins of a driver that has no ramp-up: its result counts what comes from here on, settled or not.
    LoadBegins,
    /// What the result stands for begins, of a driver that was told when.
    MeasuringBegins,
    /// How long measuring is to take, seconds.
    MeasuringLasts(f64),
    /// How it goes.
    Progress(Progress),
    /// What the result stands for is over.
    MeasuringEnds,
    /// Something failed.
    Failed(Failure),
}

/// How it went since the progress before.
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
    /// Mean latency of a transaction, milliseconds; of sysbench the percentile that it was told to show.
    pub latency_ms: Option<f64>,
    /// Failed transactions: pgbench's since the progress before, sysbench's a second.
    pub failed: Option<f64>,
}

/// Something that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// HammerDB's virtual user.
    pub user: Option<u64>,
    /// What the driver says of it.
    pub what: String,
}

/// The virtual user that measures, of several.
const MONITOR: u64 = 1;

/// `virtual user 2: FINISHED FAILED: connection is gone`.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.user.map_or(Ok(()), |user| write!(f, "virtual user {user}: "))?;
        f.write_str(&self.what)
    }
}

impl Failure {
    /// Whether nothing will be measured any more although the others go on: HammerDB's first virtual user takes the counts
    /// and tells the others when it is over, and they wait for that.
    pub fn is_monitor(&self) -> bool {
        self.user == Some(MONITOR)
    }
}
