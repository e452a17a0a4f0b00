//! HammerDB's output, as hammerdbcli prints it and as its log and its table JOBOUTPUT keep it: TPROC-C and TPROC-H, 4 to 6. The
//! lines stand in pgoltp.tcl and pgolap.tcl (<https://github.com/TPC-Council/HammerDB/tree/master/src/postgresql>).

use std::collections::BTreeMap;

use crate::drivers::event::{Event, Progress, ReportedError};
use crate::drivers::figure::{between, count, figure, leading};
use crate::drivers::reader::{LineError, LineReader, LineResult};
use crate::drivers::report::{Query, QuerySet, Report};
#[cfg(any(test, feature = "made"))]
use crate::drivers::samples;
use crate::format::{COMMAND, Driver, Format, Kind, PAGE, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, Sample};

/// Output of HammerDB.
pub(in crate::drivers) const FORMAT: Format = Format {
    name: "hammerdb",
    kind: "output of HammerDB",
    command: COMMAND,
    page: PAGE,
    shape: "Accepted is what hammerdbcli prints, or its log.",
    signs: &[Sign::Line(|line| ["Vuser ", "Hammerdb Log @", "Timestamp "].iter().any(|sign| line.starts_with(sign)))],
    reader: Reader::Driver(Kind::Output(Driver::Hammerdb)),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[
            Sample::text(samples::TPROC_C),
            Sample::text(samples::TPROC_C_6),
            Sample::text(samples::TPROC_H),
            Sample::text(samples::TPROC_C_HANGS),
        ],
        made: &[
            Made { what: "errors of users", make: |bytes| made::hammerdb_errors(bytes / 60) },
            Made { what: "sets of queries", make: |bytes| made::hammerdb_query_sets(bytes / 110) },
            Made { what: "a line of users", make: |bytes| "Vuser ".repeat(bytes / 6) },
        ],
    },
};

/// Reads HammerDB's lines.
#[derive(Default)]
pub(in crate::drivers) struct Hammerdb {
    measuring: bool,
    complete: bool,
    /// True once a ramp-up, or the measurement, began.
    ramped_up: bool,
    measured: bool,
    /// Lines since the first virtual user began again behind load: a run begins so, and a check of the schema.
    since_running: Option<usize>,
    /// Length that was announced, seconds: measured only if the run comes to its end.
    announced_s: Option<f64>,
    /// The last error of each virtual user that had one.
    errors: BTreeMap<u64, String>,
    /// Sets of queries whose mean is not known yet, by their users: their places in the report.
    open_sets: BTreeMap<Option<u64>, Vec<usize>>,
}

const RESULT: &str = "System achieved … NOPM from … TPM";

impl LineReader for Hammerdb {
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, LineError> {
        let (user, text) = split_user(line);
        self.since_running = self.since_running.map(|lines| lines + 1);
        let has_load = self.ramped_up || self.measured || !report.queries.is_empty();
        if user == Some(1) && text == "RUNNING" && has_load {
            self.since_running = Some(0);
        }
        if self.is_of_second_run(text, report) {
            return Err(LineError::SecondRun { lines_ago: self.since_running.unwrap_or(0) });
        }
        if let Some(said) = self.phase(text, report)? {
            return Ok(said);
        }
        // `51426 PostgreSQL tpm`, maybe behind the minutes of the user that measures.
        if let Some(tpm) = text.strip_suffix(" tpm") {
            let counter = tpm.rsplit("...,").next().unwrap_or_default();
            let number = counter.trim().split(' ').next().unwrap_or_default();
            let Some(tpm) = figure(number) else { return Ok(LineResult::Unrecognized) };
            return Ok(LineResult::Event(Event::Progress(Progress { tpm: Some(tpm), ..Progress::default() })));
        }
        if let Some(said) = self.failure(user, text) {
            return Ok(said);
        }
        if let Some(said) = result(text, report)? {
            if report.figures.nopm.is_some() {
                report.figures.seconds = report.figures.seconds.or(self.announced_s);
            }
            return Ok(said);
        }
        if let Some(said) = self.queries(user, text, report)? {
            return Ok(said);
        }
        if let Some(version) = text.strip_prefix("HammerDB CLI v") {
            report.version = Some(version.to_owned());
        } else if text.starts_with("ALL VIRTUAL USERS COMPLETE") {
            self.complete = true;
        } else if user.is_none() {
            return Ok(LineResult::Unrecognized);
        }
        Ok(LineResult::Ignored)
    }

    fn missing_line(&self, report: &Report) -> Option<&'static str> {
        let has_result = report.figures.nopm.is_some();
        match report.queries.is_empty() {
            _ if has_result => None,
            true => Some("HammerDB's line TEST RESULT"),
            false if report.query_sets.is_empty() => Some("HammerDB's line Completed … query set(s)"),
            // Streams end one after the other.
            false => (!self.complete).then_some("HammerDB's line ALL VIRTUAL USERS COMPLETE"),
        }
    }

    fn description(&self) -> &'static str {
        "output of HammerDB"
    }
}

/// `Vuser 2:FINISHED SUCCESS` is user 2 and the rest. A line that another user's began without ending it (HammerDB prints
/// minutes so: `1  ...,`) is that of the user named last.
fn split_user(line: &str) -> (Option<u64>, &str) {
    let Some(at) = line.rfind("Vuser ") else { return (None, line.trim()) };
    let (before, rest) = (&line[..at], &line[at + "Vuser ".len()..]);
    match rest.split_once(':') {
        Some((number, text)) if before.is_empty() || before.ends_with(',') => match count(number) {
            Some(user) => (Some(user), text.trim()),
            None => (None, line.trim()),
        },
        _ => (None, line.trim()),
    }
}

impl Hammerdb {
    /// True of a line that comes once a run, where this log already has it: the logs of several runs, and of a script that varies
    /// its users (`vuset`), have a result each. Queries of TPROC-H are those of one run until all users have ended, and TPROC-C has none.
    fn is_of_second_run(&mut self, text: &str, report: &Report) -> bool {
        let again = |begun: &mut bool| std::mem::replace(begun, true);
        if text.starts_with("Beginning rampup time of ") {
            return again(&mut self.ramped_up) || self.measured || !report.queries.is_empty();
        }
        if text.contains("Taking start Transaction Count") || text.contains("Taking start DRITA snapshot") {
            return again(&mut self.measured) || !report.queries.is_empty();
        }
        let is_query =
            text.starts_with("query ") || (text.starts_with("Completed ") && text.contains(" query set(s) in "));
        // The same result again is one that `jobs` shows.
        let differ = |one: Option<f64>, other: Option<f64>| one.zip(other).is_some_and(|(one, other)| one != other);
        let is_other = |(nopm, tpm)| differ(report.figures.nopm, nopm) || differ(report.figures.tpm, tpm);
        let ended = self.complete || self.since_running.is_some();
        (is_query && ended && !report.queries.is_empty()) || achieved(text).is_some_and(is_other)
    }

    /// Ramp-up, window, end.
    fn phase(&mut self, text: &str, report: &mut Report) -> Result<Option<LineResult>, &'static str> {
        let event = if let Some(rest) = text.strip_prefix("Beginning rampup time of ") {
            let minutes = leading(rest).filter(|(_, unit)| unit.starts_with("minute")).map(|(minutes, _)| minutes);
            Event::RampUpBegins { seconds: Some(60.0 * minutes.ok_or("Beginning rampup time of … minutes")?) }
        } else if let Some(rest) = text.strip_prefix("Timing test period of ") {
            let seconds = 60.0 * leading(rest).ok_or("Timing test period of … in minutes")?.0;
            self.announced_s = Some(seconds);
            Event::MeasuringLasts(seconds)
        } else if text.contains("Taking start Transaction Count") || text.contains("Taking start DRITA snapshot") {
            self.measuring = true;
            Event::MeasuringBegins
        } else if text.contains("Taking end Transaction Count") || text.contains("Taking end DRITA snapshot") {
            match std::mem::take(&mut self.measuring) {
                true => {
                    report.figures.seconds = self.announced_s;
                    Event::MeasuringEnds
                }
                false => return Ok(Some(LineResult::Ignored)),
            }
        } else {
            return Ok(None);
        };
        Ok(Some(LineResult::Event(event)))
    }

    /// `Error in Virtual User 1: …` says why, and `FINISHED FAILED` that it was the end of that user.
    fn failure(&mut self, user: Option<u64>, text: &str) -> Option<LineResult> {
        if let Some((number, why)) = text.strip_prefix("Error in Virtual User ").and_then(|rest| rest.split_once(':')) {
            if let Some(user) = count(number) {
                self.errors.insert(user, why.trim().to_owned());
            }
            return Some(LineResult::Ignored);
        }
        if text != "FINISHED FAILED" {
            return None;
        }
        let why = user.and_then(|user| self.errors.get(&user));
        let message = why.map_or(text.to_owned(), |why| format!("{text}: {why}"));
        Some(LineResult::Event(Event::Failed(ReportedError { user, message })))
    }
}

/// `TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM`, or `… achieved 48102 PostgreSQL TPM at 20753 NOPM`.
fn result(text: &str, report: &mut Report) -> Result<Option<LineResult>, &'static str> {
    if let Some((users, _)) = text.split_once(" Active Virtual Users configured") {
        report.figures.clients = Some(count(users).ok_or("… Active Virtual Users configured")?);
        return Ok(Some(LineResult::Ignored));
    }
    let Some((nopm, tpm)) = achieved(text) else { return Ok(None) };
    let (nopm, tpm) = (nopm.ok_or(RESULT)?, tpm.ok_or(RESULT)?);
    (report.figures.nopm, report.figures.tpm) = (Some(nopm), Some(tpm));
    Ok(Some(LineResult::Ignored))
}

/// New orders and transactions a minute of a result, each where it is a number; `None` of another line.
fn achieved(text: &str) -> Option<(Option<f64>, Option<f64>)> {
    let (_, achieved) = text.split_once("System achieved ")?;
    Some(match achieved.contains(" NOPM from ") {
        true => (achieved.split(' ').next().and_then(figure), between(achieved, " NOPM from ", " ")),
        false => (between(achieved, " TPM at ", " "), achieved.split(' ').next().and_then(figure)),
    })
}

impl Hammerdb {
    /// TPROC-H: queries, sets of them, and their geometric mean.
    fn queries(
        &mut self,
        user: Option<u64>,
        text: &str,
        report: &mut Report,
    ) -> Result<Option<LineResult>, &'static str> {
        const QUERY: &str = "query … completed in … seconds";
        if let Some((number, took)) = text.strip_prefix("query ").and_then(|rest| rest.split_once(" completed in ")) {
            let seconds = leading(took).filter(|(_, unit)| unit.starts_with("second")).ok_or(QUERY)?.0;
            report.queries.push(Query { user, number: count(number).ok_or(QUERY)?, seconds });
        } else if let Some((_, took)) = text.split_once(" query set(s) in ").filter(|_| text.starts_with("Completed "))
        {
            let seconds = leading(took).ok_or("Completed … query set(s) in … seconds")?.0;
            self.open_sets.entry(user).or_default().push(report.query_sets.len());
            report.query_sets.push(QuerySet { user, seconds: Some(seconds), geometric_mean_s: None });
        } else if let Some((_, mean)) = text.split_once("Geometric mean of query times returning rows") {
            let mean = mean.split_once(" is ").and_then(|(_, mean)| figure(mean));
            let mean = mean.ok_or("Geometric mean of query times returning rows (…) is …")?;
            let open = self.open_sets.get_mut(&user).and_then(Vec::pop);
            match open.and_then(|place| report.query_sets.get_mut(place)) {
                Some(set) => set.geometric_mean_s = Some(mean),
                None => report.query_sets.push(QuerySet { user, seconds: None, geometric_mean_s: Some(mean) }),
            }
        } else {
            return Ok(None);
        }
        Ok(Some(LineResult::Ignored))
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
