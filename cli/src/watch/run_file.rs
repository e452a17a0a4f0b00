//! File of a run while it is watched: it survives a crash of the watch, and is removed when the run is kept.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ebs_comparison::export::{Run, write};
use serde_json::Value;
use tempfile::NamedTempFile;

use super::evidence::Evidence;
use super::keep::{file_name, import_command};
use crate::error::Error;
use crate::psql::Connection;

/// Least time between two writes.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// Least ratio of the time between two writes and the time that a write takes.
const INTERVAL_PER_WRITE: u32 = 100;

/// File of a run, in the current directory. It is written in a thread of its own: samples go on meanwhile.
pub struct RunFile {
    label: String,
    note: Option<Value>,
    name: String,
    /// Write that is under way, with its duration as the result.
    writer: Option<JoinHandle<io::Result<Duration>>>,
    /// Time of the next write; `None` once a write failed.
    next_write: Option<Instant>,
}

impl RunFile {
    /// Chooses the file of a label; it is written from the first samples on. Refuses a label whose file exists.
    pub fn new(label: &str, note: Option<Value>, connection: &Connection) -> Result<RunFile, Error> {
        let name = file_name(label);
        if Path::new(&name).exists() {
            return Err(Error::RunFileExists { command: import_command(connection, &name), file: name });
        }
        Ok(RunFile { label: label.to_owned(), note, name, writer: None, next_write: Some(Instant::now()) })
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
        let is_kept_there = kept.is_some_and(|kept| {
            let places = (fs::canonicalize(kept).ok(), fs::canonicalize(&self.name).ok());
            places.0.is_some() && places.0 == places.1
        });
        if !is_kept_there {
            let _ = fs::remove_file(&self.name);
        }
    }
}

/// Replaces the file in one step: after a crash it is the old document or the new one.
fn write_run(name: &str, run: Run) -> io::Result<()> {
    let document = write(&[run], env!("CARGO_PKG_VERSION"), &|| ()).map_err(io::Error::other)?;
    let mut file = NamedTempFile::new_in(".")?;
    let mut writer = BufWriter::new(file.as_file_mut());
    serde_json::to_writer(&mut writer, &document)?;
    writer.flush()?;
    drop(writer);
    file.as_file().sync_all()?;
    file.persist(name).map_err(|error| error.error)?;
    File::open(".")?.sync_all()
}
