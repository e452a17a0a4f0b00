//! Load drivers and their files.

/// Command that reads files of load drivers, and its page.
pub(crate) const COMMAND: &str = "ebsctl import";
pub(crate) const PAGE: &str = "docs/driving.md";

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

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Standard output and standard error of a driver.
    Output(Driver),
    /// pgbench's `--log`, with or without `--aggregate-interval`.
    PgbenchLog,
    /// Output of HammerDB's `jobs`.
    HammerdbJobs,
    /// HammerDB's hammer.DB, a database of SQLite.
    HammerdbDatabase,
}

impl Kind {
    /// The driver that wrote it.
    pub fn driver(self) -> Driver {
        match self {
            Kind::Output(driver) => driver,
            Kind::PgbenchLog => Driver::Pgbench,
            Kind::HammerdbJobs | Kind::HammerdbDatabase => Driver::Hammerdb,
        }
    }
}
