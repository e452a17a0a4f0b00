//! The log files that the threads of one pgbench wrote.

use std::io::{BufRead, Read};

use ebs_imports::drivers::{PgbenchLogs, Report};

use crate::error::Error;

/// Lines have some 40 bytes.
const MAX_LINE: u64 = 1 << 10;

/// The log files of all threads.
#[derive(Default)]
pub struct LogReader {
    logs: PgbenchLogs,
    last_file: Option<String>,
}

impl LogReader {
    /// Reads a log file.
    pub fn read(&mut self, file: &str, mut bytes: Box<dyn BufRead>) -> Result<(), Error> {
        self.last_file = Some(file.to_owned());
        let invalid = |error| Error::DriverFile { file: file.to_owned(), error };
        let mut line = Vec::new();
        let mut line_is_complete = true;
        loop {
            line.clear();
            let length = bytes.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            if length.map_err(|error| Error::ReadFile { file: file.to_owned(), error })? == 0 {
                return self.logs.end_of_file(line_is_complete).map_err(invalid);
            }
            line_is_complete = line.ends_with(b"\n");
            self.logs.line(&String::from_utf8_lossy(&line)).map_err(invalid)?;
        }
    }

    /// The report of all files; `None` where there was no file.
    pub fn into_report(self) -> Result<Option<Report>, Error> {
        let Some(file) = self.last_file else { return Ok(None) };
        self.logs.finish().map(Some).map_err(|error| Error::DriverFile { file, error })
    }
}
