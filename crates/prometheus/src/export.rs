//! JSON lines of VictoriaMetrics' export: one line a series, or a piece of one
//! (<https://docs.victoriametrics.com/victoriametrics/#how-to-export-data-in-json-line-format>).

use std::io::{BufRead, Read};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::collector::Collector;
use super::error::ReadError;
use super::json_value::{Milliseconds, Value};
use super::{Labels, collector, foreign};

/// One line.
#[derive(Deserialize)]
struct Line {
    metric: Labels,
    values: Vec<Value>,
    timestamps: Vec<Milliseconds>,
}

/// Labels of a line that stay as they are written.
#[derive(Deserialize)]
struct LineLabels<'a> {
    #[serde(borrow)]
    metric: &'a RawValue,
}

/// Reads a line into the collector.
pub fn read_line(line: &[u8], collector: &mut Collector) -> Result<(), ReadError> {
    let line: Line = serde_json::from_slice(line)?;
    if line.values.len() != line.timestamps.len() {
        let (values, times) = (line.values.len(), line.timestamps.len());
        return Err(ReadError::invalid(format!("a line has {values} values and {times} timestamps")));
    }
    let mut writer = collector.open(line.metric)?;
    writer.reserve(line.values.len());
    line.timestamps.iter().zip(&line.values).try_for_each(|(time, value)| writer.push(time.0, value.0))
}

/// Reads lines to the end of the input.
pub fn read_lines(input: &mut dyn BufRead, collector: &mut Collector) -> Result<(), ReadError> {
    let mut lines = Lines::new(input, collector.limits().piece_bytes);
    while lines.advance()? {
        read_line(lines.line(), collector).map_err(|error| lines.explain(error))?;
    }
    Ok(())
}

/// Labels of a line as it writes them; the rest of the line is checked to be JSON.
pub fn raw_labels(line: &[u8]) -> Result<&str, ReadError> {
    let labels: LineLabels = serde_json::from_slice(line)?;
    Ok(labels.metric.get())
}

/// Parses labels as [`raw_labels`] gives them.
pub fn parse_labels(raw: &str, limits: &super::Limits) -> Result<Labels, ReadError> {
    let labels = serde_json::from_str(raw)?;
    collector::check_labels(&labels, limits)?;
    Ok(labels)
}

/// Lines of an input, of bounded length, without the empty ones.
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    max_bytes: usize,
    number: u64,
    is_ended: bool,
    start: u64,
    end: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of an input, at most this long.
    pub fn new(input: R, max_bytes: usize) -> Lines<R> {
        Lines { input, line: Vec::new(), max_bytes, number: 0, is_ended: true, start: 0, end: 0 }
    }

    /// Reads the next line that is not empty; false at the end of the input.
    pub fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            self.line.clear();
            self.number += 1;
            self.start = self.end;
            let read = self.input.by_ref().take(self.max_bytes as u64 + 1).read_until(b'\n', &mut self.line)?;
            if read == 0 {
                return Ok(false);
            }
            self.end += read as u64;
            self.is_ended = self.line.last() == Some(&b'\n');
            if self.is_ended {
                self.line.pop();
            }
            if self.line.len() > self.max_bytes {
                return Err(ReadError::TooLarge { bound: self.max_bytes, what: "bytes in a line" });
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// The line that was last read, without its end.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Number of the line that was last read, or could not be, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Position in the input of the line that was last read, bytes.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The error of the line that was last read: the server's own, or that of another format; one without an end is cut off unless it is
    /// complete JSON.
    pub fn explain(&self, error: ReadError) -> ReadError {
        let problem = match error {
            ReadError::Invalid(problem) | ReadError::CutOff(problem) => problem,
            error => return error,
        };
        match foreign::recognize(&self.line) {
            Some(error) => error,
            None if serde_json::from_slice::<IgnoredAny>(&self.line).is_ok() => ReadError::Invalid(problem),
            None if self.is_ended => ReadError::Invalid(problem),
            None => ReadError::CutOff(problem),
        }
    }
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
