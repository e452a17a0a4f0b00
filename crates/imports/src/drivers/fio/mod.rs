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

use crate::format::arguments::{LABEL, REPORT};
use crate::format::{Format, Reader, Sign, SqlFunction};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, recorded};

/// Format of its files.
pub const FORMAT: Format = Format {
    name: "fio",
    kind: "fio's JSON",
    command: "",
    page: "docs/report-card.md",
    shape: "Accepted is what fio 3 prints with --output-format=json or json+.",
    signs: &[Sign::Keys(&["fio version"])],
    reader: Reader::Fio,
    sql: Some(SqlFunction {
        name: "ebs_import_fio",
        arguments: &[&LABEL, &REPORT],
        document: &REPORT,
        comment: "Adds the results of fio 3 (JSON or json+ output) to a run and returns the number of jobs (docs/report-card.md).",
        example: "SELECT ebs_import_fio('demo', pg_read_file('/tmp/fio.json'))",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[recorded!("fio-3.33-plus.json"), recorded!("fio-3.33.json")],
        made: &[
            Made { what: "jobs", make: |bytes| made::fio(bytes / 610, false, 20, 20) },
            Made { what: "copies", make: |bytes| made::fio(bytes / 610, true, 20, 20) },
            Made { what: "documents", make: |bytes| (made::fio(1, true, 20, 20) + "\n").repeat(bytes / 690) },
        ],
    },
};

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
