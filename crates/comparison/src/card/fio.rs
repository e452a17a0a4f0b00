//! Grades from reports of fio. A job counts for a test if it has the same kind, size and number of jobs.

use super::grade::{Kind, Test, latency_grade, scaling_grade};
use super::line::{Basis, Grade, Line, Subject};
use super::note::{FioJob, NotMeasured, Note};
use ebs_imports::drivers::fio::{Fio, Job, Side};

/// A job that is this test, with its measurement.
struct Measurement<'a> {
    p95_ms: f64,
    job: &'a Job,
    side: &'a Side,
    device: Option<&'a str>,
    /// Number of jobs of the same test, of which it is the latest.
    jobs: usize,
}

/// The line of a test, or the reason for which there is none.
pub(super) fn latency(test: &'static Test, imports: &[Fio]) -> Result<Line, NotMeasured> {
    let measurement = find(test, test.users, imports)?;
    Ok(Line {
        measured: Some(measurement.p95_ms),
        grade: latency_grade(test, measurement.p95_ms).map(Grade::exact),
        basis: Some(Basis::Fio),
        device: measurement.device.map(str::to_owned),
        ..Line::new(Subject::Latency(test), note(&measurement))
    })
}

/// The line of a test's scaling.
pub(super) fn scaling(test: &'static Test, imports: &[Fio]) -> Line {
    let subject = Subject::Scaling(test);
    let pair = find(test, test.users, imports).and_then(|base| Ok((base, find(test, test.scaled_users, imports)?)));
    match pair {
        Err(reason) => Line::not_measured(subject, vec![reason]),
        Ok((base, _)) if base.p95_ms <= 0.0 => Line::not_measured(subject, vec![NotMeasured::ZeroLatency]),
        Ok((base, scaled)) => {
            // Rounded to nine decimals: (4.4 / 2 - 1) / 2 is 0.6, and a limit must not be missed by the last bit.
            let growth = ((scaled.p95_ms / base.p95_ms - 1.0) / test.factor() * 1e9).round() / 1e9;
            let note = Note::Scaling { p95_ms: base.p95_ms, scaled_p95_ms: scaled.p95_ms };
            Line {
                measured: Some(growth),
                grade: scaling_grade(growth).map(Grade::exact),
                basis: Some(Basis::Fio),
                device: base.device.filter(|device| scaled.device == Some(*device)).map(str::to_owned),
                ..Line::new(subject, note)
            }
        }
    }
}

/// Finds the latest job that is this test with so many users.
fn find<'a>(test: &Test, users: u64, imports: &'a [Fio]) -> Result<Measurement<'a>, NotMeasured> {
    if imports.is_empty() {
        return Err(NotMeasured::NoImport);
    }
    let jobs = || imports.iter().flat_map(|fio| fio.jobs.iter().map(|job| (job, fio.device.as_deref())));
    let all: Vec<_> = jobs().filter(|(job, _)| is_test(job, test, users)).collect();
    let Some((job, device)) = all.last().copied() else { return Err(NotMeasured::NoJob { users }) };
    let name = || job.name.clone();
    if job.error != 0 {
        return Err(NotMeasured::JobFailed { job: name(), error: job.error });
    }
    let side = match test.kind {
        Kind::Read => job.read.as_ref(),
        Kind::Write => job.write.as_ref(),
    };
    let side = side.ok_or_else(|| NotMeasured::NoRequestsOfJob { job: name() })?;
    let p95_us = side.percentile_us(95.0).ok_or_else(|| NotMeasured::NoPercentile { job: name() })?;
    Ok(Measurement { p95_ms: p95_us / 1000.0, job, side, device, jobs: all.len() })
}

fn is_test(job: &Job, test: &Test, users: u64) -> bool {
    job.rw == test.rw && job.block_bytes == Some(test.block_bytes) && job.jobs == users && job.iodepth == 1
}

fn note(measurement: &Measurement) -> Note {
    let Measurement { job, side, jobs, .. } = measurement;
    Note::Fio(FioJob {
        job: job.name.clone(),
        iops: side.iops,
        direct: job.direct,
        with_submission: side.percentiles_of != "clat",
        jobs: *jobs,
    })
}
