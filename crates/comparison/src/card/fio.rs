//! Grades of what fio measured. A job counts for a test if it is that test: same kind, same size, as many jobs.

use super::Line;
use super::grade::{Kind, SOURCE, Test, latency_grade, scaling_grade, scaling_thresholds, size};
use ebs_base::format;
use ebs_imports::drivers::fio::{Fio, Job, Side};

/// What a job that is this test measured.
struct Found<'a> {
    p95_ms: f64,
    job: &'a Job,
    side: &'a Side,
    device: Option<&'a str>,
    /// How many others there are of the same test.
    others: usize,
}

/// The line of a test, or why there is none.
pub(super) fn latency(test: &Test, imports: &[Fio]) -> Result<Line, String> {
    let found = find(test, test.users, imports)?;
    Ok(Line {
        measured: Some(found.p95_ms),
        grade: latency_grade(test, found.p95_ms).map(str::to_owned),
        basis: Some("fio"),
        device: found.device.map(str::to_owned),
        note: note(&found),
        ..test.line()
    })
}

/// The line of how a test scales.
pub(super) fn scaling(test: &Test, imports: &[Fio]) -> Line {
    let name = test.name.rsplit_once(',').map_or(test.name, |(name, _)| name);
    let line = Line {
        test: format!("{name}, scaling {} to {} users", test.users, test.scaled_users),
        unit: Some("growth of p95 / growth of users"),
        thresholds: Some(scaling_thresholds()),
        source: Some(SOURCE),
        ..Line::default()
    };
    let pair = find(test, test.users, imports).and_then(|base| Ok((base, find(test, test.scaled_users, imports)?)));
    match pair {
        Err(why) => Line { note: format!("not measured: {why}"), ..line },
        Ok((base, _)) if base.p95_ms <= 0.0 => Line { note: "not measured: the p95 was 0 ms".to_owned(), ..line },
        Ok((base, scaled)) => {
            // To nine decimals: (4.4 / 2 - 1) / 2 is 0.6, and a limit must not be missed by the last bit.
            let growth = ((scaled.p95_ms / base.p95_ms - 1.0) / test.factor() * 1e9).round() / 1e9;
            let (few, many) = (format::ms(base.p95_ms), format::ms(scaled.p95_ms));
            Line {
                measured: Some(growth),
                grade: scaling_grade(growth).map(str::to_owned),
                basis: Some("fio"),
                device: base.device.filter(|device| scaled.device == Some(*device)).map(str::to_owned),
                note: format!("p95 {few} ms, and {many} ms with {} times as many users", test.factor()),
                ..line
            }
        }
    }
}

/// The latest job that is this test with so many users.
fn find<'a>(test: &Test, users: u64, imports: &'a [Fio]) -> Result<Found<'a>, String> {
    let what = || format!("{} of {} by {users} jobs", test.rw, size(test.block_bytes));
    if imports.is_empty() {
        return Err("nothing of fio was imported".to_owned());
    }
    let jobs = || imports.iter().flat_map(|fio| fio.jobs.iter().map(|job| (job, fio.device.as_deref())));
    let all: Vec<_> = jobs().filter(|(job, _)| is(job, test, users)).collect();
    let Some((job, device)) = all.last().copied() else { return Err(format!("fio did no {}", what())) };
    if job.error != 0 {
        return Err(format!("fio's job {} failed with error {}", job.name, job.error));
    }
    let side = match test.kind {
        Kind::Read => job.read.as_ref(),
        Kind::Write => job.write.as_ref(),
    };
    let side = side.ok_or_else(|| format!("fio's job {} did no {}", job.name, test.kind.plural()))?;
    let p95_us = side.percentile_us(95.0).ok_or_else(|| {
        let copies = "of several jobs they are known with group_reporting or json+";
        format!("fio's job {} has no 95th percentile ({copies})", job.name)
    })?;
    Ok(Found { p95_ms: p95_us / 1000.0, job, side, device, others: all.len() - 1 })
}

fn is(job: &Job, test: &Test, users: u64) -> bool {
    job.rw == test.rw && job.block_bytes == Some(test.block_bytes) && job.jobs == users && job.iodepth == 1
}

fn note(found: &Found) -> String {
    let Found { job, side, others, .. } = found;
    let mut parts = vec![format!("job {}, {} a second", job.name, format::rate(side.iops))];
    match job.direct {
        Some(true) => {}
        Some(false) => {
            parts.push("through the page cache (direct=1 was not set), which answers in the volume's place".to_owned())
        }
        None => parts.push("not known whether through the page cache".to_owned()),
    }
    if side.percentiles_of != "clat" {
        parts.push("with the time of submission (lat_percentiles)".to_owned());
    }
    if *others > 0 {
        parts.push(format!("the latest of {}", others + 1));
    }
    parts.join("; ")
}
