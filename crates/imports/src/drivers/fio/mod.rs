//! fio's JSON (`--output-format=json` or `json+`), version 3: what each job did, in one shape for all of them.
//!
//! Source of the keys: `show_thread_status_json` and `add_ddir_status_json` in stat.c of
//! <https://github.com/axboe/fio>. Times are nanoseconds there and microseconds here.

mod document;
mod error;
mod job;
mod options;
mod side;
mod types;

pub use error::FioError;
pub use types::{Fio, Job, MAX_BINS, MAX_JOBS, MAX_PERCENTILES, Percentile, Side};

use ebs_base::input::WorkMeter;

/// Reads what fio printed. Text before the document is skipped; of several documents (`--status-interval`) the last
/// counts, because it has all of it. `pause` is called between pieces of the work, and may unwind.
pub fn read(text: &str, pause: &dyn Fn()) -> Result<Fio, FioError> {
    let document = document::parse_last(text, pause)?;
    let jobs = job::jobs(&document, &WorkMeter::new(pause))?;
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

#[cfg(test)]
#[path = "fio_tests.rs"]
mod tests;
