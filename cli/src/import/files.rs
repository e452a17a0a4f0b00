//! Reads the files of one run, each by its kind, into one report.

use std::io::{self, BufRead, Read};

use ebs_imports::drivers::{Driver, DriverError, Report, jobs, read as read_output};
use ebs_imports::format::{Format, Kind, Reader};
use ebs_imports::formats::{or_recognised, recognise};

use super::bounds::{MAX_LINE, MAX_OUTPUT};
use super::hammer_db;
use super::merge::fill_gaps;
use super::pgbench_logs::LogReader;
use crate::error::Error;

/// The user's choice of what to read.
pub struct Selection<'a> {
    /// Format of the files, of a load driver; `None`: recognised by their beginning.
    pub format: Option<&'static Format>,
    /// HammerDB job; `None`: the only one.
    pub job: Option<&'a str>,
    /// Accepts output without its end.
    pub partial: bool,
}

/// A file of a load driver.
pub struct DriverFile<'a> {
    /// Its name.
    pub file: &'a str,
    /// Its kind.
    pub kind: Kind,
    /// Its bytes.
    pub bytes: Box<dyn BufRead>,
}

/// Reads the files. Those of different kinds complete each other: the first that has a figure counts.
pub fn read(files: Vec<DriverFile>, selection: &Selection) -> Result<(Driver, Report), Error> {
    let mut result: Option<(Driver, Report)> = None;
    let mut logs = LogReader::default();
    for DriverFile { file, kind, bytes } in files {
        let report = match kind {
            Kind::PgbenchLog => {
                logs.read(file, bytes)?;
                Report::default()
            }
            Kind::Output(driver) => {
                let text = read_text(file, bytes)?;
                read_output(driver, &text, selection.partial)
                    .map_err(|error| unreadable(file, error, &text, selection))?
            }
            Kind::HammerdbJobs => {
                let text = read_text(file, bytes)?;
                jobs(&text, selection.job).map_err(|error| unreadable(file, error, &text, selection))?
            }
            Kind::HammerdbDatabase => hammer_db::read(file, selection.job, selection.partial)?,
        };
        let driver = kind.driver();
        let (first_driver, merged) = result.get_or_insert_with(|| (driver, Report::default()));
        if *first_driver != driver {
            let message = format!("\"{file}\" is of {}, and another file of {}", driver.name(), first_driver.name());
            return Err(Error::InvalidArgument { message, hint: "Import each driver's files by themselves." });
        }
        if has_other_result(merged, &report) {
            let message = format!("\"{file}\" has another result than the files before it");
            return Err(Error::InvalidArgument { message, hint: "Import the files of each run by themselves." });
        }
        fill_gaps(merged, report);
    }
    let (driver, mut merged) = result.unwrap_or((Driver::Pgbench, Report::default()));
    if let Some(log) = logs.into_report()? {
        refuse_other_log(&merged, &log)?;
        fill_gaps(&mut merged, log);
    }
    Ok((driver, merged))
}

/// True of the results of two runs: output, jobs and database of one run have the same.
fn has_other_result(report: &Report, other: &Report) -> bool {
    let differ = |one: Option<f64>, other: Option<f64>| one.zip(other).is_some_and(|(one, other)| one != other);
    differ(report.figures.tps, other.figures.tps) || differ(report.figures.nopm, other.figures.nopm)
}

/// Part of a run's transactions by which its log may differ from its summary.
const MAX_LOG_EXCESS: f64 = 0.01;

/// Refuses logs whose transactions are not those that the summary counts.
fn refuse_other_log(report: &Report, log: &Report) -> Result<(), Error> {
    match report.figures.transactions.zip(log.figures.transactions) {
        Some((counted, logged)) if counted.abs_diff(logged) as f64 > MAX_LOG_EXCESS * counted as f64 => {
            Err(Error::InvalidArgument {
                message: format!("the log has {logged} transactions, and the summary counts {counted}"),
                hint: "Name the log files of all threads of this run, and no other's.",
            })
        }
        _ => Ok(()),
    }
}

/// Error of a file in which no driver's output is found.
const UNKNOWN: DriverError = DriverError::Foreign("output, log or job of pgbench, HammerDB, sysbench or go-tpc");

/// Error of a file that was read as of the chosen format, or of the one that its beginning looked like.
fn unreadable(file: &str, error: DriverError, text: &str, selection: &Selection) -> Error {
    let error = match (selection.format, error) {
        (Some(chosen), error) => or_recognised(error, text, chosen),
        (None, DriverError::Foreign(_)) => UNKNOWN,
        (None, error) => error,
    };
    foreign(file, error, text.as_bytes())
}

/// Error of a file; of one that nothing was found in, the format of which it looks.
fn foreign(file: &str, error: DriverError, beginning: &[u8]) -> Error {
    let file = file.to_owned();
    match other_format(beginning).filter(|_| matches!(error, DriverError::Foreign(_))) {
        Some(other) => Error::OtherFile { file, other },
        None => Error::DriverFile { file, error },
    }
}

/// The format of a file that is of no load driver.
fn other_format(beginning: &[u8]) -> Option<&'static Format> {
    recognise(beginning).filter(|format| !matches!(format.reader, Reader::Driver(_)))
}

fn read_text(file: &str, mut bytes: Box<dyn BufRead>) -> Result<String, Error> {
    let mut text = Vec::new();
    let unreadable = |error| Error::ReadFile { file: file.to_owned(), error };
    let too_large = |problem| Err(unreadable(io::Error::new(io::ErrorKind::FileTooLarge, problem)));
    loop {
        match bytes.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut text).map_err(unreadable)? as u64 {
            0 => break,
            length if length > MAX_LINE => return too_large("a line is longer than a load driver prints (8 MiB)"),
            _ if text.len() as u64 > MAX_OUTPUT => return too_large("more than a load driver prints (64 MiB)"),
            _ => (),
        }
    }
    // A line that is not UTF-8 is not from a driver, but may stand between its lines.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_the_transactions_of_its_summary() {
        let counting = |transactions: Option<u64>| {
            let mut report = Report::default();
            report.figures.transactions = transactions;
            report
        };
        let refused = |counted, logged| refuse_other_log(&counting(counted), &counting(logged)).err();
        for (counted, logged) in [(Some(10_002), Some(10_002)), (Some(10_002), Some(9_950)), (None, Some(3))] {
            assert!(refused(counted, logged).is_none(), "{counted:?} {logged:?}");
        }
        let error = refused(Some(10_002), Some(3)).unwrap();
        assert_eq!(error.to_string(), "the log has 3 transactions, and the summary counts 10002");
    }
}
