//! Jobs from the entries of a document: those that `numjobs` made of one section are joined.

use super::document::{Document, JobEntry, SideEntry};
use super::options::JobOptions;
use super::types::{Job, MAX_JOBS, Side};
use super::{FioError, side};
use ebs_base::input::WorkMeter;

/// Longest name of a job that is kept.
const NAME_LIMIT: usize = 200;

/// The jobs of a document, in its order.
pub(super) fn jobs(document: &Document, meter: &WorkMeter) -> Result<Vec<Job>, FioError> {
    if document.jobs.as_ref().is_some_and(|jobs| jobs.len() > MAX_JOBS) {
        return Err(FioError::TooMuch { most: MAX_JOBS, what: "jobs" });
    }
    let mut sections: Vec<Vec<&JobEntry>> = Vec::new();
    for entry in document.jobs.iter().flatten() {
        meter.step();
        // Copies of a section stand one after the other.
        match sections.last_mut().filter(|copies| same(copies[0], entry)) {
            Some(copies) => copies.push(entry),
            None => sections.push(vec![entry]),
        }
    }
    let numbered = (1..).zip(&sections);
    numbered
        .map(|(number, copies)| {
            job(document, copies, meter).map_err(|problem| FioError::Figure { job: number, problem })
        })
        .collect()
}

fn same(a: &JobEntry, b: &JobEntry) -> bool {
    (&a.jobname, a.groupid) == (&b.jobname, b.groupid)
}

fn job(document: &Document, copies: &[&JobEntry], meter: &WorkMeter) -> Result<Job, String> {
    let options = JobOptions::new(&document.global, copies[0]);
    let sides = |of: fn(&JobEntry) -> Option<&SideEntry>| -> Vec<&SideEntry> {
        copies.iter().filter_map(|entry| of(entry)).filter(|side| side.total_ios > 0).collect()
    };
    let (reads, writes) = (sides(|entry| entry.read.as_ref()), sides(|entry| entry.write.as_ref()));
    let (read, write) = (whole(&reads, meter)?, whole(&writes, meter)?);
    let (read_bytes, write_bytes) = options.block_bytes();
    let moved = |sizes: &[u64], sides: &[&SideEntry]| sizes.iter().copied().find(|size| matches_sizes(*size, sides));
    let block_bytes = match (&read, &write) {
        (Some(_), None) => moved(&read_bytes, &reads),
        (None, Some(_)) => moved(&write_bytes, &writes),
        (Some(_), Some(_)) => moved(&read_bytes, &reads).filter(|size| moved(&write_bytes, &writes) == Some(*size)),
        (None, None) => None,
    };
    Ok(Job {
        name: copies[0].jobname.chars().filter(|c| !c.is_control()).take(NAME_LIMIT).collect(),
        rw: options.rw(),
        block_bytes,
        jobs: if copies.len() > 1 { copies.len() as u64 } else { options.jobs() },
        iodepth: options.iodepth(),
        engine: options.engine(),
        direct: options.direct(),
        error: copies.iter().map(|entry| entry.error).find(|error| *error != 0).unwrap_or(0),
        read,
        write,
    })
}

fn whole(copies: &[&SideEntry], meter: &WorkMeter) -> Result<Option<Side>, String> {
    if copies.is_empty() { Ok(None) } else { side::sum_copies(copies, meter).map(Some) }
}

/// True if the bytes moved match requests of this size, to a hundredth: the last request of a file may be shorter.
fn matches_sizes(size: u64, sides: &[&SideEntry]) -> bool {
    let sum = |of: fn(&SideEntry) -> u64| sides.iter().map(|side| of(side) as f64).sum::<f64>();
    let mean = sum(|side| side.io_bytes) / sum(|side| side.total_ios);
    (mean / size as f64 - 1.0).abs() < 0.01
}
