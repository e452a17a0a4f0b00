//! The records of a CSV, one at a time, in memory that does not grow.

use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, Reader};

use super::error::{OfferError, Position};

/// Longest record, bytes: AWS's are some 2,000. One quote too many makes one record of all that follows, which the csv
/// crate would hold whole; its core lets us give the buffer.
const RECORD_LIMIT: usize = 1 << 18;
/// Most columns of a record: AWS's have some 140.
const COLUMN_LIMIT: usize = 1_024;

/// Reads records.
pub(super) struct Records<R> {
    source: R,
    core: Reader,
    text: Vec<u8>,
    ends: Vec<usize>,
    columns: usize,
    line: u64,
}

impl<R: BufRead> Records<R> {
    /// Returns a reader at the beginning of a file.
    pub fn new(source: R) -> Self {
        let (text, ends) = (vec![0; RECORD_LIMIT], vec![0; COLUMN_LIMIT]);
        Records { source, core: Reader::new(), text, ends, columns: 0, line: 1 }
    }

    /// Position of the record's beginning.
    pub fn at(&self) -> Position {
        Position::Line(self.line)
    }

    /// Fields of the record.
    pub fn len(&self) -> usize {
        self.columns
    }

    /// A field of the record; none beyond its last.
    pub fn field(&self, column: usize) -> Result<&str, OfferError> {
        let end = self.ends[..self.columns].get(column).copied().unwrap_or(0);
        let start = if column == 0 { 0 } else { self.ends[..self.columns].get(column - 1).copied().unwrap_or(end) };
        let broken = |_| self.broken(format!("column {} is not UTF-8", column + 1));
        std::str::from_utf8(self.text.get(start..end).unwrap_or_default()).map_err(broken)
    }

    /// Error of a malformed record.
    pub fn broken(&self, what: impl Into<String>) -> OfferError {
        OfferError::Broken { at: self.at(), what: what.into() }
    }

    /// Goes to the next record; `false` at the end.
    pub fn advance(&mut self) -> Result<bool, OfferError> {
        self.line = self.core.line();
        let (mut bytes, mut columns, mut quotes, mut last) = (0, 0, 0usize, None);
        self.columns = 0;
        loop {
            let input = match self.source.fill_buf() {
                Ok(input) => input,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(OfferError::unreadable(self.at(), &error)),
            };
            let over = input.is_empty();
            let (result, read, written, ended) =
                self.core.read_record(input, &mut self.text[bytes..], &mut self.ends[columns..]);
            quotes += input[..read].iter().filter(|byte| **byte == b'"').count();
            last = input[..read].last().copied().or(last);
            self.source.consume(read);
            bytes += written;
            columns += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => {
                    return Err(self.broken(format!("it is longer than {RECORD_LIMIT} bytes")));
                }
                ReadRecordResult::OutputEndsFull => {
                    return Err(self.broken(format!("it has more than {COLUMN_LIMIT} columns")));
                }
                ReadRecordResult::End => return Ok(false),
                // AWS quotes every field, so a last line without its line feed is whole where its last quote is closed.
                ReadRecordResult::Record if over && (!quotes.is_multiple_of(2) || last != Some(b'"')) => {
                    return Err(self.broken("the file ends in the middle of it"));
                }
                ReadRecordResult::Record => {
                    self.columns = columns;
                    return Ok(true);
                }
            }
        }
    }
}
