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
mod recognise;
mod report;
mod sysbench;
mod thin;

pub use error::DriverError;
pub use event::{Event, Progress, ReportedError};
pub use follower::{Follower, read};
pub use hammerdb::jobs;
pub use knee::{Knee, Step, knee};
pub use percentile::Percentile;
pub use pgbench_log::PgbenchLogs;
pub use recognise::{Kind, recognise};
pub use report::{Figures, Job, Procedure, Query, QuerySet, Report};
pub use thin::thin;

ebs_base::named! {
    /// A load driver whose output can be followed, by its name on a command line.
    pub enum Driver {
        /// PostgreSQL's own (<https://www.postgresql.org/docs/current/pgbench.html>).
        Pgbench = "pgbench",
        /// TPROC-C and TPROC-H (<https://www.hammerdb.com>).
        Hammerdb = "hammerdb",
        /// sysbench 1.0 (<https://github.com/akopytov/sysbench>).
        Sysbench = "sysbench",
        /// TPC-C by go-tpc (<https://github.com/pingcap/go-tpc>).
        Gotpc = "go-tpc",
    }
}

#[cfg(test)]
mod robust_tests;
#[cfg(test)]
mod samples;
