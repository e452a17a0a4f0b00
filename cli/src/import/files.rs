//! The files of one run, each read by its kind, made one report.

use std::collections::HashSet;
use std::fs::{File, canonicalize};
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use ebs_imports::driver::{Driver, DriverError, Kind, PgbenchLogs, Report, jobs, read as read_output, recognise};

use super::hammer_db;
use crate::error::Error;

/// What the files are to be.
pub struct Wanted<'a> {
    /// Their kind; `None`: as they begin.
    pub kind: Option<Kind>,
    /// A job of HammerDB's.
    pub job: Option<&'a str>,
    /// Whether what lacks its end is taken.
    pub partial: bool,
}

/// Bytes by which a file is recognised.
const BEGINNING: usize = 8 << 10;

/// What a driver prints in a day with a line a second is a few MB; more than this is something else.
const LONGEST_OUTPUT: u64 = 256 << 20;

/// A log of pgbench's has lines of some 40 bytes.
const LONGEST_LINE: u64 = 1 << 10;

/// Reads them. Files of different kinds complete each other: the first that knows a figure has it.
pub fn read(files: &[String], wanted: &Wanted) -> Result<(Driver, Report), Error> {
    let mut whole: Option<(Driver, Report)> = None;
    let mut logs = Logs::default();
    once_each(files)?;
    for file in files {
        let (kind, bytes) = open(file, wanted)?;
        let refused = |error| Error::Driver { file: file.clone(), error };
        let report = match kind {
            Kind::PgbenchLog => {
                logs.file(file, bytes)?;
                None
            }
            Kind::Output(driver) => {
                let text = text(file, bytes)?;
                Some(read_output(driver, &text, wanted.partial).map_err(refused)?)
            }
            Kind::HammerdbJobs => Some(jobs(&text(file, bytes)?, wanted.job).map_err(refused)?),
            Kind::HammerdbDatabase => Some(hammer_db::read(file, wanted)?),
        };
        let driver = kind.driver();
        let (of, known) = whole.get_or_insert_with(|| (driver, Report::default()));
        if *of != driver {
            let message = format!("\"{file}\" is of {}, and another file of {}", driver.name(), of.name());
            return Err(Error::Argument { message, hint: "Import each driver's files by themselves." });
        }
        complete(known, report.unwrap_or_default());
    }
    let (driver, mut report) = whole.unwrap_or((Driver::Pgbench, Report::default()));
    if let Some(log) = logs.report()? {
        complete(&mut report, log);
    }
    Ok((driver, report))
}

/// Two patterns that overlap would count transactions twice.
fn once_each(files: &[String]) -> Result<(), Error> {
    let mut seen = HashSet::new();
    // What cannot be found is refused when it is opened.
    let mut paths = files.iter().map(|file| (file, canonicalize(file).unwrap_or_else(|_| PathBuf::from(file))));
    match paths.find(|(_, path)| !seen.insert(path.clone())) {
        Some((file, _)) => Err(Error::Argument {
            message: format!("\"{file}\" is named twice"),
            hint: "Name each file once: what is in it would be counted twice.",
        }),
        None => Ok(()),
    }
}

/// Fills in what is not known yet.
fn complete(report: &mut Report, other: Report) {
    let (own, more) = (&mut report.figures, other.figures);
    own.tps = own.tps.or(more.tps);
    own.latency_ms = own.latency_ms.or(more.latency_ms);
    own.latency_stddev_ms = own.latency_stddev_ms.or(more.latency_stddev_ms);
    own.latency_max_ms = own.latency_max_ms.or(more.latency_max_ms);
    own.nopm = own.nopm.or(more.nopm);
    own.tpm = own.tpm.or(more.tpm);
    own.clients = own.clients.or(more.clients);
    own.seconds = own.seconds.or(more.seconds);
    own.transactions = own.transactions.or(more.transactions);
    own.failed = own.failed.or(more.failed);
    fill(&mut own.percentiles, more.percentiles);
    report.version = report.version.take().or(other.version);
    fill(&mut report.series, other.series);
    fill(&mut report.queries, other.queries);
    fill(&mut report.query_sets, other.query_sets);
    fill(&mut report.procedures, other.procedures);
    report.failures.extend(other.failures);
}

fn fill<T>(own: &mut Vec<T>, more: Vec<T>) {
    if own.is_empty() {
        *own = more;
    }
}

/// A file, at its beginning, and what it is.
fn open(file: &str, wanted: &Wanted) -> Result<(Kind, Box<dyn BufRead>), Error> {
    let unreadable = |error| Error::File { file: file.to_owned(), error };
    let raw: Box<dyn Read> = match file {
        "-" => Box::new(io::stdin()),
        _ => Box::new(File::open(file).map_err(unreadable)?),
    };
    let mut beginning = Vec::with_capacity(BEGINNING);
    let mut raw = raw.take(BEGINNING as u64);
    raw.read_to_end(&mut beginning).map_err(unreadable)?;
    let kind = wanted.kind.or_else(|| recognise(&beginning));
    let foreign = DriverError::Foreign("output, log or job of pgbench, HammerDB, sysbench or go-tpc");
    let kind = kind.ok_or_else(|| Error::Driver { file: file.to_owned(), error: foreign })?;
    let rest = io::Cursor::new(beginning).chain(raw.into_inner());
    Ok((kind, Box::new(BufReader::new(rest))))
}

fn text(file: &str, bytes: Box<dyn BufRead>) -> Result<String, Error> {
    let mut text = Vec::new();
    let unreadable = |error| Error::File { file: file.to_owned(), error };
    let read = bytes.take(LONGEST_OUTPUT + 1).read_to_end(&mut text).map_err(unreadable)?;
    if read as u64 > LONGEST_OUTPUT {
        return Err(unreadable(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "more than a load driver prints (256 MiB)",
        )));
    }
    // What is no UTF-8 cannot be a line that we read, but may stand beside them.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The log files of all threads.
#[derive(Default)]
struct Logs {
    logs: PgbenchLogs,
    last: Option<String>,
}

impl Logs {
    fn file(&mut self, file: &str, mut bytes: Box<dyn BufRead>) -> Result<(), Error> {
        let refused = |error| Error::Driver { file: file.to_owned(), error };
        let (mut line, mut ended) = (Vec::new(), true);
        loop {
            line.clear();
            let read = bytes.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            if read.map_err(|error| Error::File { file: file.to_owned(), error })? == 0 {
                break;
            }
            ended = line.ends_with(b"\n");
            self.logs.line(&String::from_utf8_lossy(&line)).map_err(refused)?;
        }
        self.last = Some(file.to_owned());
        self.logs.end_of_file(ended).map_err(refused)
    }

    fn report(self) -> Result<Option<Report>, Error> {
        let Some(file) = self.last else { return Ok(None) };
        self.logs.finish().map(Some).map_err(|error| Error::Driver { file, error })
    }
}
