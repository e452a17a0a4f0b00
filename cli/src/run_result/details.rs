//! Details of a result as a document.

use std::collections::BTreeMap;

use ebs_base::{object, sparse};
use ebs_imports::drivers::{self, Driver, Figures, Percentile, Progress, Report, ReportedError, thin};
use serde::Serialize;
use serde_json::Value;

/// Points of the driver's series that are kept: an hour of seconds. A row of ebs.run_result is to stay below 200 kB.
const MAX_POINTS: usize = 3_600;

sparse! {
    /// Details of a result as ebsctl keeps them in ebs.run_result. Keys without a value are left out.
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[cfg_attr(test, derive(schemars::JsonSchema))]
    pub struct Details {
        /// `ebsctl run` or `ebsctl import`.
        pub source: Option<&'static str>,
        /// `pgbench`, `hammerdb`, `sysbench` or `go-tpc`.
        pub driver: Option<&'static str>,
        /// Version of the driver, as it names itself.
        pub driver_version: Option<String>,
        /// HammerDB's job, which is the result of one run, once.
        pub job: Option<String>,
        /// Beginning of the job, ISO 8601 in UTC.
        pub job_began: Option<String>,
        /// Latest time at which the job is known to have run, ISO 8601 in UTC.
        pub job_ended: Option<String>,
        /// Clients, threads or active virtual users.
        pub clients: Option<u64>,
        /// Time that the driver measured, seconds: of a run that did not finish, until then.
        pub measured_s: Option<f64>,
        /// Transactions, without those that failed.
        pub transactions: Option<u64>,
        /// Transactions that failed.
        pub failed_transactions: Option<u64>,
        /// Standard deviation of the latency of a transaction, ms.
        pub latency_stddev_ms: Option<f64>,
        /// Longest latency of a transaction, ms.
        pub latency_max_ms: Option<f64>,
        /// Percentiles of the latency of a transaction, ms: `{"p50": 1.9, "p99.9": 33.6}`.
        pub latency_percentiles_ms: BTreeMap<String, f64>,
        /// Queries of TPROC-H, in the order in which they ended.
        pub queries: Vec<Query>,
        /// Sets of queries of TPROC-H.
        pub query_sets: Vec<QuerySet>,
        /// Procedures of TPROC-C, where HammerDB's profiler timed them.
        pub procedures: Vec<Procedure>,
        /// Failures that the driver reported, a line each.
        pub failures: Vec<String>,
        /// Progress that the driver printed, thinned to 3,600 points.
        pub series: Option<Series>,
        /// Names of the imported files.
        pub files: Vec<String>,
        /// True where files without their end were imported on purpose.
        pub partial: Option<bool>,
        /// The command that was run, an argument each, with secrets replaced by `***`.
        pub command: Vec<String>,
        /// `finished`, `failed` or `interrupted`.
        pub ended: Option<&'static str>,
        /// Time that the command took, seconds.
        pub took_s: Option<f64>,
        /// Exit status of the command, unless a signal ended it.
        pub exit_status: Option<u8>,
        /// Name of the signal that ended the command, `SIGKILL`.
        pub exit_signal: Option<String>,
        /// Name of the signal that interrupted ebsctl, `SIGINT`.
        pub interrupted_by: Option<String>,
        /// Clients of this step of a sweep.
        pub sweep_clients: Option<u64>,
        /// Ramp-up that was asked for, seconds.
        pub ramp_up_s: Option<f64>,
        /// True where the figures leave the ramp-up out.
        pub figures_without_ramp_up: Option<bool>,
        /// Reason why there is no result, in words.
        pub incomplete: Option<String>,
        /// Figures of a command that did not finish, which are no result.
        pub until_then: UntilThen,
    }
}

sparse! {
    /// Figures until a command failed or was interrupted. Keys without a value are left out.
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[cfg_attr(test, derive(schemars::JsonSchema))]
    pub struct UntilThen {
        /// Transactions a second.
        pub tps: Option<f64>,
        /// Mean latency of a transaction, ms.
        pub latency_ms: Option<f64>,
        /// New orders a minute.
        pub nopm: Option<f64>,
        /// Transactions a minute.
        pub tpm: Option<f64>,
    }
}

impl UntilThen {
    /// The figures of a result.
    pub fn new(figures: &Figures) -> UntilThen {
        let Figures { tps, latency_ms, nopm, tpm, .. } = *figures;
        UntilThen { tps, latency_ms, nopm, tpm }
    }
}

object! {
    /// A query of TPROC-H.
    #[derive(Debug, PartialEq)]
    pub struct Query(query: &drivers::Query) {
        /// Virtual user that ran it.
        user: Option<u64> = query.user,
        /// Number of the query, 1 to 22.
        query: u64 = query.number,
        /// Time that it took, seconds.
        seconds: f64 = query.seconds,
    }
}

object! {
    /// A set of queries of TPROC-H.
    #[derive(Debug, PartialEq)]
    pub struct QuerySet(set: &drivers::QuerySet) {
        /// Virtual user that ran it.
        user: Option<u64> = set.user,
        /// Time that it took, seconds.
        seconds: Option<f64> = set.seconds,
        /// Geometric mean of the times of its queries that gave rows, seconds.
        geometric_mean_s: Option<f64> = set.geometric_mean_s,
    }
}

object! {
    /// A procedure of TPROC-C, ramp-up included.
    #[derive(Debug, PartialEq)]
    pub struct Procedure(procedure: &drivers::Procedure) {
        /// `NEWORD`, `PAYMENT` and so on.
        procedure: String = procedure.name.clone(),
        /// Number of calls.
        calls: Option<u64> = procedure.calls,
        /// Mean time of a call, ms.
        mean_ms: Option<f64> = procedure.mean_ms,
        /// Percentiles of the time of a call, ms: `{"p95": 3.5}`.
        latency_percentiles_ms: BTreeMap<String, f64> = percentiles(&procedure.percentiles),
    }
}

/// Progress as a table: a name in each point would be most of it.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Series {
    /// Names of the columns that have a value: `elapsed_s`, `epoch_s` (seconds since 1970), `tps`, `nopm`, `tpm`, `latency_ms`
    /// (mean), `latency_percentile` (per cent) and `latency_percentile_ms` (sysbench's progress has no mean), `failed`.
    columns: Vec<&'static str>,
    /// A row for each point, in time order, with a value for each column.
    rows: Vec<Vec<Option<f64>>>,
}

impl Details {
    /// The part that a driver reported.
    pub fn from_report(driver: Driver, report: &Report) -> Details {
        let figures = &report.figures;
        let job = report.job.as_ref();
        Details {
            driver: Some(driver.name()),
            driver_version: report.version.clone(),
            job: job.map(|job| job.id.clone()),
            job_began: job.and_then(|job| job.began.clone()),
            job_ended: job.and_then(|job| job.ended.clone()),
            clients: figures.clients,
            measured_s: figures.seconds,
            transactions: figures.transactions,
            failed_transactions: figures.failed,
            latency_stddev_ms: figures.latency_stddev_ms,
            latency_max_ms: figures.latency_max_ms,
            latency_percentiles_ms: percentiles(&figures.percentiles),
            queries: report.queries.iter().map(Query::from).collect(),
            query_sets: report.query_sets.iter().map(QuerySet::from).collect(),
            procedures: report.procedures.iter().map(Procedure::from).collect(),
            failures: report.failures.iter().map(ReportedError::to_string).collect(),
            series: Series::new(&report.series),
            ..Details::default()
        }
    }

    /// Converts to JSON, keys in alphabetical order.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

object! {
    /// A result as `ebsctl import --dry-run` prints it. Null is not known.
    pub struct ResultDocument<'a>((figures, details): (&Figures, &'a Details)) {
        /// Transactions a second.
        tps: Option<f64> = figures.tps,
        /// Mean latency of a transaction, ms.
        latency_ms: Option<f64> = figures.latency_ms,
        /// New orders a minute.
        nopm: Option<f64> = figures.nopm,
        /// Transactions a minute.
        tpm: Option<f64> = figures.tpm,
        /// Details, as ebs.run_result has them.
        details: &'a Details = details,
    }
}

impl ResultDocument<'_> {
    /// Converts to JSON, keys in alphabetical order.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn percentiles(percentiles: &[Percentile]) -> BTreeMap<String, f64> {
    percentiles.iter().map(|percentile| (format!("p{}", percentile.percent), percentile.ms)).collect()
}

impl Series {
    /// `None` where no column has a value.
    fn new(points: &[Progress]) -> Option<Series> {
        type Column = (&'static str, fn(&Progress) -> Option<f64>);
        const COLUMNS: [Column; 9] = [
            ("elapsed_s", |point| point.elapsed_s),
            ("epoch_s", |point| point.epoch_s),
            ("tps", |point| point.tps),
            ("nopm", |point| point.nopm),
            ("tpm", |point| point.tpm),
            ("latency_ms", |point| point.latency_ms),
            ("latency_percentile", |point| point.percentile.map(|percentile| percentile.percent)),
            ("latency_percentile_ms", |point| point.percentile.map(|percentile| percentile.ms)),
            ("failed", |point| point.failed),
        ];
        let points = thin(points, MAX_POINTS);
        let has_value = |(_, value): &Column| points.iter().any(|point| value(point).is_some());
        let columns: Vec<Column> = COLUMNS.into_iter().filter(has_value).collect();
        let row = |point: &Progress| columns.iter().map(|(_, value)| value(point)).collect();
        let rows = points.iter().map(row).collect();
        let columns: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        (!columns.is_empty()).then_some(Series { columns, rows })
    }
}

#[cfg(test)]
#[path = "details_tests.rs"]
mod tests;
