//! File of a run while it is watched: it survives a crash of the watch, and is removed when the run is kept.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ebs_base::format::plain;
use ebs_comparison::export::{Run, write};
use serde_json::Value;

use super::claim::Claim;
use super::document::{file_name, import_command, is_same_file, replace};
use super::evidence::Evidence;
use crate::error::Error;
use crate::postgres::Connection;

/// Least time between two writes.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// Least ratio of the time between two writes and the time that a write takes.
const INTERVAL_PER_WRITE: u32 = 100;

/// File of a run, in the current directory. It is written in a thread of its own: samples go on meanwhile.
pub struct RunFile {
    label: String,
    note: Option<Value>,
    name: String,
    /// Claim of the name until the end of the watch, whether its run is kept or not.
    _claim: Claim,
    /// Write that is under way, with its duration as the result.
    writer: Option<JoinHandle<io::Result<Duration>>>,
    /// Time of the next write; `None` once a write failed.
    next_write: Option<Instant>,
}

impl RunFile {
    /// Claims the file of a label; it is written from the first samples on. Refuses a label that is being watched, and one whose file
    /// exists.
    pub fn new(label: &str, note: Option<Value>, connection: &Connection) -> Result<RunFile, Error> {
        let name = file_name(label);
        let claim = Claim::take(Path::new(&name)).map_err(|_| Error::RunIsWatched { label: plain(label) })?;
        if fs::symlink_metadata(&name).is_ok() {
            return Err(Error::RunFileExists { command: import_command(connection, &name), file: name });
        }
        let label = label.to_owned();
        Ok(RunFile { label, note, name, _claim: claim, writer: None, next_write: Some(Instant::now()) })
    }

    /// Writes what was seen, if it is time; returns the reason for which it cannot be written, once.
    pub fn update(&mut self, evidence: &Evidence) -> Option<String> {
        if self.writer.as_ref().is_some_and(|writer| !writer.is_finished()) {
            return None;
        }
        let problem = self.finish_write();
        let is_due = self.next_write.is_some_and(|next| Instant::now() >= next) && evidence.sample_count() > 0;
        if is_due {
            let run = evidence.clone().into_run(&self.label, self.note.clone());
            let name = self.name.clone();
            self.writer = Some(thread::spawn(move || {
                let started = Instant::now();
                write_run(&name, run).map(|()| started.elapsed())
            }));
        }
        problem
    }

    /// Takes the result of the last write.
    fn finish_write(&mut self) -> Option<String> {
        let written = self.writer.take()?.join().unwrap_or_else(|_| Err(io::Error::other("its thread failed")));
        match written {
            Ok(duration) => {
                let interval = WRITE_INTERVAL.max(duration.saturating_mul(INTERVAL_PER_WRITE));
                self.next_write = Some(Instant::now() + interval);
                None
            }
            Err(error) => {
                self.next_write = None;
                Some(format!("\"{}\" cannot be written, so that a crash of this watch loses it: {error}", self.name))
            }
        }
    }

    /// Waits for a write that is under way: a later document of this name is then not replaced by it.
    pub fn stop(&mut self) {
        self.finish_write();
        self.next_write = None;
    }

    /// Removes the file of a run that is kept, unless it was kept there.
    pub fn remove(self, kept: Option<&str>) {
        if !kept.is_some_and(|kept| is_same_file(kept, &self.name)) {
            let _ = fs::remove_file(&self.name);
        }
    }
}

fn write_run(name: &str, run: Run) -> io::Result<()> {
    let document = write(&[run], env!("CARGO_PKG_VERSION"), &|| ()).map_err(io::Error::other)?;
    replace(Path::new(name), |output| {
        let mut writer = BufWriter::new(output);
        serde_json::to_writer(&mut writer, &document)?;
        writer.flush()
    })
}
