//! pgbench's progress and summary, as of PostgreSQL 9.6 to 18: lines that stand in `printProgressReport` and `printResults` of
//! pgbench.c (<https://github.com/postgres/postgres/blob/master/src/bin/pgbench/pgbench.c>).

use super::event::{Event, Progress, ReportedError};
use super::figure::{count, figure, leading};
use super::reader::{LineReader, LineResult};
use super::report::Report;

/// Elapsed seconds never reach this; seconds since 1970, as of `--progress-timestamp`, always exceed it.
const MIN_EPOCH_S: f64 = 1e9;

/// Reads pgbench's lines. The progress is on standard error, the summary on standard output, all of it at the end.
#[derive(Default)]
pub(super) struct Pgbench;

impl LineReader for Pgbench {
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
        // Lines of single scripts and statements, which are indented, have the same words.
        if let Some(rest) = line.strip_prefix("progress: ") {
            let progress = progress(rest).ok_or("progress: … s, … tps, lat … ms stddev …")?;
            return Ok(LineResult::Event(Event::Progress(progress)));
        }
        if let Some(rest) = line.strip_prefix("pgbench (") {
            let version = rest.split([' ', ',', ')']).next().unwrap_or_default();
            report.version = Some(version.to_owned());
            return Ok(LineResult::Ignored);
        }
        if line.starts_with("starting vacuum") && line.ends_with("end.") {
            return Ok(LineResult::Event(Event::LoadBegins));
        }
        if line.starts_with("transaction type: ") {
            return Ok(LineResult::Event(Event::MeasuringEnds));
        }
        if let Some(message) = ["pgbench: error: ", "pgbench: fatal: "].iter().find_map(|says| line.strip_prefix(says))
        {
            return Ok(LineResult::Event(Event::Failed(ReportedError { user: None, message: message.to_owned() })));
        }
        summary(line, report)
    }

    fn missing_line(&self, report: &Report) -> Option<&'static str> {
        report.figures.tps.is_none().then_some("the line tps = … of pgbench's summary")
    }

    fn description(&self) -> &'static str {
        "output of pgbench"
    }
}

/// `5.0 s, 988.6 tps, lat 4.003 ms stddev 4.967, 0 failed`, and whatever later versions add behind it.
fn progress(rest: &str) -> Option<Progress> {
    let mut parts = rest.split(", ");
    let at = figure(parts.next()?.strip_suffix(" s")?)?;
    let tps = figure(parts.next()?.strip_suffix(" tps")?)?;
    let (latency, stddev) = parts.next()?.strip_prefix("lat ")?.split_once(" ms stddev ")?;
    let measured = |text: &str| figure(text).map(Some).or_else(|| text.ends_with(['N', 'n']).then_some(None));
    // Of no transaction there is no latency: pgbench prints 0.000, and NaN before version 15.
    let latency_ms = measured(latency)?.filter(|_| tps > 0.0);
    measured(stddev)?;
    let failed = parts.find_map(|part| part.strip_suffix(" failed").map(figure));
    let (elapsed_s, epoch_s) = if at < MIN_EPOCH_S { (Some(at), None) } else { (None, Some(at)) };
    let failed = failed.map_or(Some(None), |failed| failed.map(Some))?;
    Some(Progress { elapsed_s, epoch_s, tps: Some(tps), latency_ms, failed, ..Progress::default() })
}

fn summary(line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
    let figures = &mut report.figures;
    let rest = |key: &str| line.strip_prefix(key);
    let number = |text: &str| leading(text).map(|(value, _)| value);
    if let Some(text) = rest("number of clients: ") {
        figures.clients = Some(count(text).ok_or("a number of clients")?);
    } else if let Some(text) = rest("duration: ") {
        figures.seconds = Some(text.strip_suffix(" s").and_then(figure).ok_or("duration: … s")?);
    } else if let Some(text) = rest("number of transactions actually processed: ") {
        // Of how many there were to be, with -t.
        let done = text.split('/').next().unwrap_or_default();
        figures.transactions = Some(count(done).ok_or("a number of transactions")?);
    } else if let Some(text) = rest("number of failed transactions: ") {
        let failed = text.split(' ').next().unwrap_or_default();
        figures.failed = Some(count(failed).ok_or("a number of failed transactions")?);
    } else if let Some(text) = rest("latency average = ").or(rest("latency average: ")) {
        figures.latency_ms = Some(number(text).ok_or("latency average = … ms")?);
    } else if let Some(text) = rest("latency stddev = ").or(rest("latency stddev: ")) {
        figures.latency_stddev_ms = Some(number(text).ok_or("latency stddev = … ms")?);
    } else if let Some(text) = rest("tps = ") {
        // Before version 14 there are two, and the second leaves out what connecting took, as the one of today does.
        figures.tps = Some(number(text).ok_or("tps = …")?);
    } else {
        let others = ["scaling factor: ", "query mode: ", "number of threads: ", "initial connection time = "];
        return Ok(if others.iter().any(|key| line.starts_with(key)) {
            LineResult::Ignored
        } else {
            LineResult::Unrecognized
        });
    }
    Ok(LineResult::Ignored)
}

#[cfg(test)]
#[path = "pgbench_tests.rs"]
mod tests;
