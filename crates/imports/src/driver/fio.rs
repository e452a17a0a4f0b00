//! fio's JSON (`--output-format=json` or `json+`), version 3: what each job did, in one shape for all of them.
//!
//! Where the keys come from: `show_thread_status_json` and `add_ddir_status_json` in stat.c of
//! <https://github.com/axboe/fio>. Times are nanoseconds there and microseconds here.

mod document;
mod error;
mod job;
mod options;
mod side;

pub use error::FioError;
use serde::{Deserialize, Serialize};

use ebs_base::input::Pace;
use ebs_base::units::LATEST_US;
use ebs_samples::evidence::Bin;

/// Jobs of one document, copies counted: with json+ each takes some 10 kB.
pub const MAX_JOBS: usize = 10_000;

/// Percentiles of one latency: fio takes 20 (`FIO_IO_U_LIST_MAX_LEN`).
pub const MAX_PERCENTILES: usize = 100;

/// Bins of latencies of one job: fio has 1,856 of them (`FIO_IO_U_PLAT_NR`), the same for all its copies.
pub const MAX_BINS: usize = 4_096;

/// What one fio did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fio {
    /// As it names itself: `fio-3.33`.
    pub version: String,
    /// When it printed this, microseconds since 1970.
    pub ended_us: i64,
    /// How long its longest job took, setting up included, seconds; `None` where it does not say.
    pub elapsed_s: Option<u64>,
    /// The only block device it saw at work; `None` where there were several or none.
    pub device: Option<String>,
    /// Its jobs, in its order. Those that `numjobs` made of one section are one.
    pub jobs: Vec<Job>,
}

/// What the jobs of one section did together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Name of the section.
    pub name: String,
    /// What it did, as fio's option `rw` has it: `randread`, `write`, ….
    pub rw: String,
    /// Bytes of each request; `None` where they differ or what it moved does not bear it out.
    pub block_bytes: Option<u64>,
    /// How many of them ran at the same time.
    pub jobs: u64,
    /// Requests that each kept in flight; 1 for engines that wait for each.
    pub iodepth: u64,
    /// fio's I/O engine; `None` where it was left to its default.
    pub engine: Option<String>,
    /// Whether the page cache was passed by; `None` where it cannot be told.
    pub direct: Option<bool>,
    /// The errno it ended with; 0 is none.
    pub error: i64,
    /// Its reads; `None` without any.
    pub read: Option<Side>,
    /// Its writes.
    pub write: Option<Side>,
}

/// Reads, or writes, of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Requests completed.
    pub ios: u64,
    /// Requests a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// Mean from submission begun to completion, microseconds.
    pub lat_mean_us: Option<f64>,
    /// Mean from submitted to completion, microseconds.
    pub clat_mean_us: Option<f64>,
    /// Whose percentiles follow: `clat` or `lat`.
    pub percentiles_of: String,
    /// Percentiles, ascending; empty where they are not known.
    pub percentiles: Vec<Percentile>,
    /// Requests by latency in log2 buckets, fastest first, empty ones left out; empty without json+. fio rounds a
    /// latency to its own bin first, by 0.8 % at most.
    pub histogram: Vec<Bin>,
}

/// One of fio's percentiles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Percentile {
    /// Which, per cent.
    pub pct: f64,
    /// The latency, microseconds.
    pub us: f64,
}

impl Side {
    /// This percentile, microseconds; `None` where fio was not asked for it.
    pub fn percentile_us(&self, pct: f64) -> Option<f64> {
        self.percentiles.iter().find(|percentile| percentile.pct == pct).map(|percentile| percentile.us)
    }
}

/// Reads what fio printed. Text before the document is skipped; of several documents (`--status-interval`) the last
/// counts, because it has all of it. `pause` is called between pieces of the work, and may unwind.
pub fn read(text: &str, pause: &dyn Fn()) -> Result<Fio, FioError> {
    let document = document::last_of(text, pause)?;
    let jobs = job::jobs(&document, &Pace::new(pause))?;
    let elapsed_s = document.jobs.iter().flatten().filter_map(|job| job.elapsed).max();
    let fio = Fio {
        version: document.version()?,
        ended_us: document.ended_us()?,
        elapsed_s,
        device: document.device(),
        jobs,
    };
    fio.check()?;
    Ok(fio)
}

impl Fio {
    /// Refuses figures that nothing can have: what was stored by somebody else is checked by the same.
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

#[cfg(test)]
#[path = "fio/fio_tests.rs"]
mod tests;
