//! Journal of a run over a fleet: the rows of each batch that is done. The same command, given again after an interruption, continues it
//! over the same time.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use ebs_fleet_report::Row;
use rustix::fs::{Mode, OFlags, openat};
use serde::{Deserialize, Serialize};

use super::transport::TimeRange;
use crate::ownership;

/// Time after its end up to which an interrupted run is continued, milliseconds: a day later its answers are of yesterday.
const MAX_AGE_MS: i64 = 24 * 3_600 * 1_000;

/// Longest line that is read, bytes: a batch is an instance, with at most 128 volumes of some thousand bytes each.
const MAX_LINE: u64 = 16 << 20;
/// Maximum length that is read, bytes: rows of 100,000 volumes have some 400 MB. What is beyond is answered again.
const MAX_BYTES: u64 = 1 << 30;

/// First line of a journal.
#[derive(Serialize, Deserialize)]
struct Header {
    version: String,
    from_ms: i64,
    to_ms: i64,
}

/// Line of a batch.
#[derive(Serialize, Deserialize)]
struct Line {
    batch: String,
    rows: Vec<Row>,
}

/// Journal that is written, or the lack of one where nothing can be written.
pub struct Journal {
    kept: Option<(PathBuf, File)>,
    /// Time that the run is over: of the interrupted run, where one is continued.
    pub range: TimeRange,
    /// Rows by batch that an interrupted run has left.
    pub done: BTreeMap<String, Vec<Row>>,
}

impl Journal {
    /// Continues the journal of the command with this fingerprint, unless there is none, it is too old or `restart` is set: then it begins
    /// one over `range`.
    pub fn open(fingerprint: u32, range: TimeRange, restart: bool) -> io::Result<Journal> {
        let directory = state_directory(&|name| env::var_os(name).map(PathBuf::from)).ok_or_else(|| {
            let reason = "there is no directory of state: HOME, XDG_STATE_HOME and STATE_DIRECTORY are not set";
            io::Error::new(io::ErrorKind::NotFound, reason)
        })?;
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&directory);
        let opened = made.and_then(|()| Journal::open_in(&directory, fingerprint, range, restart));
        opened.map_err(|error| io::Error::new(error.kind(), format!("directory \"{}\": {error}", directory.display())))
    }

    fn open_in(directory: &Path, fingerprint: u32, range: TimeRange, restart: bool) -> io::Result<Journal> {
        let name = format!("fleet-{fingerprint:08x}.jsonl");
        let mut file = open_private(directory, &name)?;
        let path = directory.join(name);
        file.try_lock().map_err(|_| io::Error::new(io::ErrorKind::ResourceBusy, "the same command is running"))?;
        let kept = if restart { None } else { read(&file, range.to_ms) };
        let is_new = kept.is_none();
        let kept = kept.unwrap_or(Kept { range, done: BTreeMap::new(), bytes: 0 });
        file.set_len(kept.bytes)?;
        file.seek(SeekFrom::End(0))?;
        let mut journal = Journal { kept: Some((path, file)), range: kept.range, done: kept.done };
        if is_new {
            journal.write_header()?;
        }
        Ok(journal)
    }

    /// No journal of a run over this time: it cannot be continued.
    pub fn none(range: TimeRange) -> Journal {
        Journal { kept: None, range, done: BTreeMap::new() }
    }

    /// True if the same command would continue the run.
    pub fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// Adds the rows of a batch. After an error nothing more is written, and the error comes once: a line that is cut off ends a journal.
    pub fn add(&mut self, batch: &str, rows: &[Row]) -> io::Result<()> {
        let written = self.write_line(&Line { batch: batch.to_owned(), rows: rows.to_vec() });
        written.map_err(|error| {
            let path = self.kept.take().map(|(path, _)| path.display().to_string()).unwrap_or_default();
            io::Error::new(error.kind(), format!("file \"{path}\": {error}"))
        })
    }

    /// Removes it: the run is complete.
    pub fn remove(self) {
        if let Some((path, _)) = &self.kept {
            let _ = fs::remove_file(path);
        }
    }

    fn write_header(&mut self) -> io::Result<()> {
        let TimeRange { from_ms, to_ms } = self.range;
        self.write_line(&Header { version: env!("CARGO_PKG_VERSION").to_owned(), from_ms, to_ms })
    }

    fn write_line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let Some((_, file)) = &mut self.kept else { return Ok(()) };
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        file.write_all(&text)
    }
}

/// Contents of a journal.
struct Kept {
    range: TimeRange,
    done: BTreeMap<String, Vec<Row>>,
    /// Length of its whole lines: the last may have been cut off.
    bytes: u64,
}

/// Reads a journal that ended at most a day before `now_ms`; `None` of one that is empty, older, or of another version.
fn read(file: &File, now_ms: i64) -> Option<Kept> {
    let mut lines = BufReader::new(file.take(MAX_BYTES));
    let line = read_line(&mut lines).ok()?;
    let mut bytes = line.len() as u64;
    let header: Header = serde_json::from_str(&line).ok()?;
    let is_time = 0 <= header.from_ms && header.from_ms <= header.to_ms && header.to_ms <= now_ms;
    if !is_time || header.version != env!("CARGO_PKG_VERSION") || now_ms - header.to_ms > MAX_AGE_MS {
        return None;
    }
    let mut done = BTreeMap::new();
    loop {
        let line = read_line(&mut lines).ok()?;
        let Some(parsed) = line.strip_suffix('\n').and_then(|line| serde_json::from_str::<Line>(line).ok()) else {
            break;
        };
        bytes += line.len() as u64;
        done.insert(parsed.batch, parsed.rows);
    }
    Some(Kept { range: TimeRange { from_ms: header.from_ms, to_ms: header.to_ms }, done, bytes })
}

/// Reads a line, or the beginning of one that is too long.
fn read_line(lines: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    lines.take(MAX_LINE).read_line(&mut line)?;
    Ok(line)
}

/// Opens or makes a file that is this account's alone, in a directory that is: rows of another account's would become commands that
/// change volumes, and a link of its would be written through.
fn open_private(directory: &Path, name: &str) -> io::Result<File> {
    let uid = ownership::effective_uid();
    let refused = |problem: &str| io::Error::new(io::ErrorKind::PermissionDenied, problem.to_owned());
    let place = File::open(directory)?;
    if let Some(problem) = ownership::private_problem(&place.metadata()?, uid) {
        return Err(refused(problem));
    }
    // Not blocking, for the case of a pipe, whose other end could be awaited for ever.
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(&place, name, flags, Mode::RUSR | Mode::WUSR)?);
    let metadata = file.metadata()?;
    let problem = if metadata.is_file() { ownership::private_problem(&metadata, uid) } else { Some("it is no file") };
    problem.map_or(Ok(file), |problem| Err(refused(&format!("\"{name}\": {problem}"))))
}

/// Directory of state by the XDG specification (<https://specifications.freedesktop.org/basedir-spec/latest/>), or systemd's of a unit
/// (systemd.exec(5), the first of several); `None` for an account without any: that of temporary files is everybody's.
fn state_directory(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name| variable(name).filter(|path| path.is_absolute());
    let of_unit = || {
        let directories = absolute("STATE_DIRECTORY")?;
        let first = directories.to_str()?.split(':').next()?;
        Some(PathBuf::from(first))
    };
    let state = absolute("XDG_STATE_HOME").or_else(of_unit);
    Some(state.or_else(|| Some(absolute("HOME")?.join(".local/state")))?.join("ebsctl"))
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
