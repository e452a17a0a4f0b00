//! The document as fio writes it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::FioError;
use ebs_base::input::Pieces;
use ebs_base::units::LATEST_US;

/// Seconds by which the beginning of one run differs between its documents: both times are whole seconds.
const MAX_CLOCK_S: u64 = 3;

/// Options as fio repeats them: names and, most of the time, text.
pub(super) type Options = BTreeMap<String, Value>;

/// The keys that are read.
#[derive(Deserialize)]
pub(super) struct Document {
    #[serde(rename = "fio version")]
    version: Option<String>,
    timestamp: Option<i64>,
    timestamp_ms: Option<i64>,
    #[serde(rename = "global options", default)]
    pub global: Options,
    pub jobs: Option<Vec<JobEntry>>,
    #[serde(default)]
    disk_util: Vec<Disk>,
}

/// One entry of `jobs`.
#[derive(Deserialize)]
pub(super) struct JobEntry {
    pub jobname: String,
    #[serde(default)]
    pub groupid: i64,
    #[serde(default)]
    pub error: i64,
    pub elapsed: Option<u64>,
    #[serde(rename = "job options", default)]
    pub options: Options,
    pub read: Option<SideEntry>,
    pub write: Option<SideEntry>,
}

/// Its reads or writes.
#[derive(Deserialize)]
pub(super) struct SideEntry {
    #[serde(default)]
    pub io_bytes: u64,
    #[serde(default)]
    pub total_ios: u64,
    #[serde(default)]
    pub iops: f64,
    /// KiB a second: all there is before version 3.9.
    #[serde(default)]
    pub bw: f64,
    pub bw_bytes: Option<f64>,
    pub lat_ns: Option<Latency>,
    pub clat_ns: Option<Latency>,
}

/// A latency's figures, nanoseconds.
#[derive(Clone, Deserialize)]
pub(super) struct Latency {
    pub mean: Option<f64>,
    #[serde(default)]
    pub percentile: BTreeMap<String, f64>,
    /// json+ alone: requests by the middle of fio's bin.
    #[serde(default)]
    pub bins: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Disk {
    name: String,
}

/// The last document in the text.
pub(super) fn parse_last(text: &str, pause: &dyn Fn()) -> Result<Document, FioError> {
    let line_at = |at: usize| text[..at].matches('\n').count() + 1;
    let mut start = beginning(text).ok_or(FioError::Foreign)?;
    let mut last: Option<Document> = None;
    loop {
        // Many documents are short, so that none of them calls it.
        pause();
        let mut documents =
            serde_json::Deserializer::from_reader(Pieces::new(&text[start..], pause)).into_iter::<Document>();
        match documents.next() {
            Some(Ok(document)) if last.as_ref().is_some_and(|last| !last.is_earlier_state_of(&document)) => {
                return Err(FioError::SecondRun { line: line_at(start) });
            }
            Some(Ok(document)) => last = Some(document),
            Some(Err(error)) => return Err(parse_error(&error, line_at(start) - 1)),
            None => break,
        }
        let end = start + documents.byte_offset();
        match next_document(&text[end..]) {
            Some(apart) => start = end + apart,
            None => break,
        }
    }
    last.filter(|document| document.version.is_some() && document.jobs.is_some()).ok_or(FioError::Foreign)
}

/// Distance to the next document behind one: a message of fio's or of the shell's may stand between, and a comma in an array.
fn next_document(rest: &str) -> Option<usize> {
    let follows = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
    match rest[follows..].starts_with('{') {
        true => Some(follows),
        false => rest.find("\n{").map(|at| at + 1),
    }
}

/// Beginning of the document: the first character of a line if possible, because messages before it may have braces too.
fn beginning(text: &str) -> Option<usize> {
    if text.starts_with('{') {
        return Some(0);
    }
    text.find("\n{").map(|at| at + 1).or_else(|| text.find('{'))
}

fn parse_error(error: &serde_json::Error, lines_before: usize) -> FioError {
    let line = lines_before + error.line();
    if error.is_eof() {
        return FioError::Truncated { line };
    }
    let problem = error.to_string();
    // The place stands in front.
    let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(problem, _)| problem);
    FioError::Malformed { line, problem: problem.chars().take(200).collect() }
}

impl Document {
    /// Version 3 of fio, whose times are nanoseconds.
    pub fn version(&self) -> Result<String, FioError> {
        let version = self.version.clone().unwrap_or_default();
        let known = version.starts_with("fio-3.") && version.len() <= 64 && version.chars().all(|c| !c.is_control());
        if known { Ok(version) } else { Err(FioError::Version(version.chars().take(64).collect())) }
    }

    /// True if the other document is of the same run, and later: `--status-interval` prints all of it again, with the time since
    /// fio began.
    fn is_earlier_state_of(&self, later: &Document) -> bool {
        let began_s = |document: &Document| {
            let elapsed = document.jobs.iter().flatten().filter_map(|job| job.elapsed).max()?;
            Some(document.ended_us().ok()? / 1_000_000 - i64::try_from(elapsed).ok()?)
        };
        let began = began_s(self).zip(began_s(later));
        began.is_none_or(|(began, later)| began.abs_diff(later) <= MAX_CLOCK_S)
            && self.ended_us().ok() <= later.ended_us().ok()
    }

    /// Time at which it was printed, microseconds since 1970.
    pub fn ended_us(&self) -> Result<i64, FioError> {
        let seconds = || self.timestamp.and_then(|seconds| seconds.checked_mul(1_000_000));
        let ended_us = self.timestamp_ms.map_or_else(seconds, |ms| ms.checked_mul(1_000));
        ended_us.filter(|us| (0..LATEST_US).contains(us)).ok_or(FioError::Untimed)
    }

    /// The only device that it saw.
    pub fn device(&self) -> Option<String> {
        let named = |disk: &Disk| disk.name.len() <= 64 && !disk.name.chars().any(char::is_control);
        match self.disk_util.as_slice() {
            [disk] if named(disk) => Some(disk.name.clone()),
            _ => None,
        }
    }
}
