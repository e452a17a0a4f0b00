//! Rows as JSON lines: written, and read back, so that parts of a sharded run are put together again.

use std::io::{self, BufRead, Read, Write};

use ebs_fleet_row::Row;

/// Longest line that is read, bytes: a row has a few thousand.
const MAX_LINE_BYTES: usize = 4 << 20;

/// Writes rows, a line of JSON each.
pub fn write_json<'a>(rows: impl IntoIterator<Item = &'a Row>, writer: &mut impl Write) -> io::Result<()> {
    rows.into_iter().try_for_each(|row| write_row(row, writer))
}

/// Writes one row as a line of JSON.
pub fn write_row(row: &Row, writer: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *writer, row)?;
    writer.write_all(b"\n")
}

/// Error of rows that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input failed.
    #[error("{0}")]
    Input(#[from] io::Error),
    /// A line is not a row.
    #[error("line {line} is not a row of ebsctl fleet: {reason}")]
    Row {
        /// Number of the line, from 1.
        line: u64,
        /// The reason, with the column.
        reason: String,
    },
    /// A line is longer than any row.
    #[error("line {line} is longer than 4 MiB, which no row of ebsctl fleet is")]
    TooLong {
        /// Number of the line, from 1.
        line: u64,
    },
}

/// Reads one row from a line of JSON; keys that are not known are ignored, missing ones have no value.
pub fn read_row(line: &str) -> Result<Row, String> {
    let row: Row = serde_json::from_str(line).map_err(|error| without_line(&error))?;
    if row.volume.is_empty() { Err("it names no volume".to_owned()) } else { Ok(row) }
}

/// Reads rows, a line of JSON each; blank lines are skipped.
pub fn read_rows(reader: impl BufRead) -> impl Iterator<Item = Result<Row, ReadError>> {
    let (mut reader, mut number, mut ended) = (reader, 0, false);
    std::iter::from_fn(move || {
        while !ended {
            number += 1;
            let row = next_line(&mut reader, number).and_then(|line| match line {
                Some(line) if line.trim().is_empty() => Ok(None),
                Some(line) => read_row(&line).map(Some).map_err(|reason| ReadError::Row { line: number, reason }),
                None => {
                    ended = true;
                    Ok(None)
                }
            });
            // After an error the rest has no meaning.
            ended |= row.is_err();
            if let Some(row) = row.transpose() {
                return Some(row);
            }
        }
        None
    })
}

/// Reads a line with its end; `None` at the end of the input.
fn next_line(reader: &mut impl BufRead, number: u64) -> Result<Option<String>, ReadError> {
    let mut line = Vec::new();
    let length = reader.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
    if length > MAX_LINE_BYTES {
        return Err(ReadError::TooLong { line: number });
    }
    let not_text = |_| ReadError::Row { line: number, reason: "it is not UTF-8".to_owned() };
    if length == 0 { Ok(None) } else { String::from_utf8(line).map(Some).map_err(not_text) }
}

/// The message of an error without its place, of which only the column has a meaning here.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(message) => format!("{message}, at column {}", error.column()),
        None => text,
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
