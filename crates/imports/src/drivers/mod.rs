//! Parsers of load drivers' output and files: pgbench, HammerDB, sysbench, go-tpc and fio. Text in, events and figures out.
//!
//! A [`Follower`] is fed line by line, because a run is marked while its driver is at work; [`read`] reads a whole text by
//! the same means. What a driver did not say is `None`: no figure is made of another but where a function says so.

mod error;
mod event;
mod figure;
pub mod fio;
mod follower;
mod gotpc;
mod hammerdb;
mod knee;
mod log_line;
mod percentile;
mod pgbench;
mod pgbench_aggregates;
mod pgbench_log;
mod pgbench_transactions;
mod reader;
mod report;
mod sysbench;
mod thin;

pub use crate::format::{Driver, Kind};
pub use error::DriverError;
pub use event::{Event, Progress, ReportedError};
pub use follower::{Follower, read};
pub use hammerdb::jobs;
pub use knee::{Knee, Step, knee};
pub use percentile::Percentile;
pub use pgbench_log::PgbenchLogs;
pub use report::{Figures, Job, Procedure, Query, QuerySet, Report};
pub use thin::thin;

use crate::format::Format;

/// Formats of load drivers.
pub(crate) const FORMATS: &[&Format] = {
    let [output, jobs, database] = hammerdb::FORMATS;
    &[&pgbench::FORMAT, output, &sysbench::FORMAT, &gotpc::FORMAT, jobs, database, &pgbench_log::FORMAT, &fio::FORMAT]
};

#[cfg(any(test, feature = "made"))]
mod samples;
