//! Results of one fio: jobs, latencies and their limits.

use serde::{Deserialize, Serialize};

use super::error::FioError;
use ebs_base::units::LATEST_US;
use ebs_samples::evidence::Bin;

/// Jobs of one document, copies counted: with json+ each takes some 10 kB.
pub const MAX_JOBS: usize = 10_000;

/// Percentiles of one latency: fio takes 20 (`FIO_IO_U_LIST_MAX_LEN`).
pub const MAX_PERCENTILES: usize = 100;

/// Bins of latencies of one job: fio has 1,856 of them (`FIO_IO_U_PLAT_NR`), the same for all its copies.
pub const MAX_BINS: usize = 4_096;

/// Results of one call of fio.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fio {
    /// Version, as fio names itself: `fio-3.33`.
    pub version: String,
    /// Time at which it was printed, microseconds since 1970.
    pub ended_us: i64,
    /// Time of its longest job, setup included, seconds; `None` where the document has none.
    pub elapsed_s: Option<u64>,
    /// The only block device with I/O, `nvme1n1`; not known where there were several or none.
    pub device: Option<String>,
    /// Jobs in the order of the report, at most 10,000. Those that `numjobs` made of one section are one.
    pub jobs: Vec<Job>,
}

/// Results of the jobs of one section, added up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Job {
    /// Name of the section.
    pub name: String,
    /// Type of I/O, as in fio's option `rw`: `randread`, `write`, ….
    pub rw: String,
    /// Bytes of each request; not known where they differ, or differ from the bytes that were moved.
    pub block_bytes: Option<u64>,
    /// Number of jobs that ran at the same time.
    pub jobs: u64,
    /// Queue depth of each job; 1 for engines that wait for each request.
    pub iodepth: u64,
    /// I/O engine; not known where it was left to its default.
    pub engine: Option<String>,
    /// True for direct I/O, which bypasses the page cache; `None` where it is not known.
    pub direct: Option<bool>,
    /// errno that it ended with; 0 is none.
    pub error: i64,
    /// Reads, if there were any.
    pub read: Option<Side>,
    /// Writes, if there were any.
    pub write: Option<Side>,
}

/// Reads, or writes, of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// Requests completed.
    pub ios: u64,
    /// Requests a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// Mean latency from the begin of submission to completion, microseconds.
    pub lat_mean_us: Option<f64>,
    /// Mean latency from the end of submission to completion, microseconds.
    pub clat_mean_us: Option<f64>,
    /// Latency that the percentiles are of: `clat` or `lat`.
    pub percentiles_of: String,
    /// Percentiles of the latency, ascending, at most 100; empty where they are not known.
    pub percentiles: Vec<Percentile>,
    /// Requests by latency in log2 buckets, fastest first, empty ones left out; empty without json+. fio rounds a
    /// latency to its own bin first, by 0.8 % at most.
    pub histogram: Vec<Bin>,
}

/// A percentile of the latency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Percentile {
    /// The share of requests, per cent.
    pub pct: f64,
    /// Latency, microseconds.
    pub us: f64,
}

impl Side {
    /// Returns this percentile, microseconds; `None` where fio was not told to compute it.
    pub fn percentile_us(&self, pct: f64) -> Option<f64> {
        self.percentiles.iter().find(|percentile| percentile.pct == pct).map(|percentile| percentile.us)
    }

    /// Refuses figures out of range, with the reason.
    fn check(&self) -> Result<(), String> {
        if self.percentiles.len() > MAX_PERCENTILES || self.histogram.len() > MAX_BINS {
            return Err(format!("there are more than {MAX_PERCENTILES} percentiles or {MAX_BINS} bins"));
        }
        let percentiles = self.percentiles.iter().map(|percentile| percentile.us);
        let means = [self.lat_mean_us, self.clat_mean_us];
        let figures = [self.iops, self.bytes_per_s].into_iter().chain(means.into_iter().flatten()).chain(percentiles);
        if figures.into_iter().any(|figure| !(0.0..1e15).contains(&figure)) {
            return Err("a figure is negative or too large".to_owned());
        }
        let ascending = self.percentiles.windows(2).all(|pair| pair[0].pct < pair[1].pct && pair[0].us <= pair[1].us);
        if !ascending || self.percentiles.iter().any(|percentile| !(0.0..=100.0).contains(&percentile.pct)) {
            return Err("percentiles do not ascend".to_owned());
        }
        let apart = self.histogram.windows(2).all(|pair| pair[0].upper_us.is_some_and(|end| end <= pair[1].lower_us));
        let whole = self.histogram.iter().all(|bin| bin.upper_us.is_none_or(|end| bin.lower_us < end));
        if apart && whole { Ok(()) } else { Err("bins of the histogram overlap".to_owned()) }
    }
}

impl Fio {
    /// Refuses impossible figures. Documents from other databases are checked by the same.
    pub fn check(&self) -> Result<(), FioError> {
        if self.jobs.is_empty() {
            return Err(FioError::Empty);
        }
        if self.jobs.len() > MAX_JOBS {
            return Err(FioError::TooMuch { most: MAX_JOBS, what: "jobs" });
        }
        if !(0..LATEST_US).contains(&self.ended_us) {
            return Err(FioError::Untimed);
        }
        for (number, job) in (1..).zip(&self.jobs) {
            for side in [&job.read, &job.write].into_iter().flatten() {
                side.check().map_err(|problem| FioError::Figure { job: number, problem })?;
            }
        }
        Ok(())
    }
}
