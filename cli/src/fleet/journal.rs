//! Journal of a run over a fleet: the rows of each batch that is done. The same command, given again after an interruption, continues it
//! over the same time.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ebs_fleet_report::Row;
use serde::{Deserialize, Serialize};

use super::transport::TimeRange;

/// Time after its end up to which an interrupted run is continued, milliseconds: a day later its answers are of yesterday.
const MAX_AGE_MS: i64 = 24 * 3_600 * 1_000;

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
        let directory = state_directory();
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&directory);
        let opened = made.and_then(|()| Journal::open_in(&directory, fingerprint, range, restart));
        opened.map_err(|error| io::Error::new(error.kind(), format!("directory \"{}\": {error}", directory.display())))
    }

    fn open_in(directory: &Path, fingerprint: u32, range: TimeRange, restart: bool) -> io::Result<Journal> {
        let path = directory.join(format!("fleet-{fingerprint:08x}.jsonl"));
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path)?;
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
    let mut lines = BufReader::new(file);
    let mut line = String::new();
    let mut bytes = lines.read_line(&mut line).ok()? as u64;
    let header: Header = serde_json::from_str(&line).ok()?;
    if header.version != env!("CARGO_PKG_VERSION") || now_ms.saturating_sub(header.to_ms) > MAX_AGE_MS {
        return None;
    }
    let mut done = BTreeMap::new();
    loop {
        line.clear();
        let length = lines.read_line(&mut line).ok()? as u64;
        let Some(parsed) = line.strip_suffix('\n').and_then(|line| serde_json::from_str::<Line>(line).ok()) else {
            break;
        };
        bytes += length;
        done.insert(parsed.batch, parsed.rows);
    }
    Some(Kept { range: TimeRange { from_ms: header.from_ms, to_ms: header.to_ms }, done, bytes })
}

/// Directory of state by the XDG specification (<https://specifications.freedesktop.org/basedir-spec/latest/>), or that of temporary
/// files for an account without a home.
fn state_directory() -> PathBuf {
    let variable = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    state.unwrap_or_else(env::temp_dir).join("ebsctl")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: TimeRange = TimeRange { from_ms: 1_000, to_ms: 2_000 };

    fn row(volume: &str) -> Row {
        Row { volume: volume.to_owned(), ..Row::default() }
    }

    fn journal_error(directory: &Path) -> io::Error {
        Journal::open_in(directory, 7, RANGE, false).err().unwrap()
    }

    #[test]
    fn an_interrupted_run_is_continued_over_its_own_time() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = Journal::open_in(directory.path(), 7, RANGE, false).unwrap();
        assert!(journal.done.is_empty());
        journal.add("i-1", &[row("vol-1"), row("vol-2")]).unwrap();
        let (_, file) = journal.kept.as_mut().unwrap();
        file.write_all(b"{\"batch\":\"i-2\",\"ro").unwrap();
        assert_eq!(journal_error(directory.path()).kind(), io::ErrorKind::ResourceBusy);
        drop(journal);
        let later = TimeRange { from_ms: 61_000, to_ms: 62_000 };
        let mut continued = Journal::open_in(directory.path(), 7, later, false).unwrap();
        assert_eq!(continued.range, RANGE);
        assert_eq!(continued.done, BTreeMap::from([("i-1".to_owned(), vec![row("vol-1"), row("vol-2")])]));
        // The line that was cut off does not damage the next one.
        continued.add("i-3", &[row("vol-3")]).unwrap();
        drop(continued);
        let done = Journal::open_in(directory.path(), 7, later, false).unwrap().done;
        assert_eq!(done.keys().collect::<Vec<_>>(), ["i-1", "i-3"]);
    }

    #[test]
    fn another_command_an_old_run_and_a_restart_begin_anew() {
        let directory = tempfile::tempdir().unwrap();
        let open = |fingerprint, to_ms, restart| {
            Journal::open_in(directory.path(), fingerprint, TimeRange { from_ms: 0, to_ms }, restart).unwrap()
        };
        open(7, 1_000, false).add("i-1", &[row("vol-1")]).unwrap();
        assert!(open(8, 1_000, false).done.is_empty());
        assert_eq!(open(7, 1_000 + MAX_AGE_MS, false).done.len(), 1);
        assert!(open(7, 1_001 + MAX_AGE_MS, false).done.is_empty());
        open(7, 1_000, false).add("i-1", &[row("vol-1")]).unwrap();
        assert!(open(7, 1_000, true).done.is_empty());
        let journal = open(7, 1_000, true);
        let (path, _) = journal.kept.as_ref().unwrap();
        let path = path.clone();
        journal.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_journal_that_cannot_be_written_is_given_up_once() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut journal =
            Journal { kept: Some((PathBuf::from("/dev/full"), full)), range: RANGE, done: BTreeMap::new() };
        assert!(journal.is_kept());
        let error = journal.add("i-1", &[row("vol-1")]).unwrap_err();
        assert!(error.to_string().starts_with("file \"/dev/full\": No space left on device"), "{error}");
        assert!(!journal.is_kept() && journal.add("i-2", &[row("vol-2")]).is_ok());
        assert!(Journal::none(RANGE).add("i-1", &[]).is_ok());
    }
}
