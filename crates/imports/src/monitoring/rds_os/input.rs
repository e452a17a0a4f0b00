//! Bytes of events, of any length, with a bound between two events.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};

use super::{MAX_EVENT_BYTES, SOURCE};
use crate::monitoring::ImportError;
use ebs_base::input::WorkMeter;

/// Reason for which events cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Their source, such as a file, cannot be read.
    #[error(transparent)]
    Source(#[from] io::Error),
    /// The events themselves are refused.
    #[error(transparent)]
    Events(#[from] ImportError),
}

/// Longest time before a message in an export, bytes.
const MAX_STAMP: usize = 40;

/// Source of bytes with one byte of look-ahead between values.
pub(super) struct Input<'a, R> {
    source: R,
    next: Option<u8>,
    /// Bytes until the next event must have begun.
    left: &'a Cell<usize>,
    meter: WorkMeter<'a>,
}

impl<'a, R: Read> Input<'a, R> {
    pub fn new(source: R, left: &'a Cell<usize>, pause: &'a dyn Fn()) -> Input<'a, R> {
        Input { source, next: None, left, meter: WorkMeter::new(pause) }
    }

    /// The first byte of the next value, which stays; `None` at the end. White space and commas are skipped.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        self.left.set(MAX_EVENT_BYTES);
        while let Some(byte) = self.byte()? {
            if !byte.is_ascii_whitespace() && byte != b',' && !BYTE_ORDER_MARK.contains(&byte) {
                self.next = Some(byte);
                return Ok(Some(byte));
            }
        }
        Ok(None)
    }

    /// The text up to the next white space: the time before a message.
    pub fn stamp(&mut self) -> io::Result<Option<String>> {
        let mut text = String::new();
        while let Some(byte) = self.byte()?.filter(|byte| !byte.is_ascii_whitespace()) {
            if !byte.is_ascii() || text.len() >= MAX_STAMP {
                return Ok(None);
            }
            text.push(char::from(byte));
        }
        Ok(Some(text))
    }

    #[inline]
    fn byte(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        Ok((self.read(&mut byte)? > 0).then_some(byte[0]))
    }
}

/// Bytes of UTF-8's byte order mark.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

impl<R: Read> Read for Input<'_, R> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(first) = buffer.first_mut() else { return Ok(0) };
        if let Some(byte) = self.next.take() {
            *first = byte;
            return Ok(1);
        }
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::new(ErrorKind::FileTooLarge, TooLong));
        }
        self.meter.byte();
        let length = buffer.len().min(left);
        let read = self.source.read(&mut buffer[..length])?;
        self.left.set(left - read);
        Ok(read)
    }
}

/// An event is longer than any of CloudWatch Logs.
#[derive(Debug, thiserror::Error)]
#[error("an event is too long")]
struct TooLong;

/// Error of reading event `number`.
pub(super) fn source_error(error: io::Error, number: usize) -> ReadError {
    if error.get_ref().is_some_and(|inner| inner.is::<TooLong>()) {
        let at = format!("event {number}");
        return ImportError::TooMuch { at, most: MAX_EVENT_BYTES, what: "bytes in an event" }.into();
    }
    ReadError::Source(error)
}

/// Error of JSON in event `number`.
pub(super) fn json_error(error: serde_json::Error, number: usize) -> ReadError {
    if error.is_io() {
        return source_error(error.into(), number);
    }
    ImportError::Malformed { at: format!("event {number} of {SOURCE}"), problem: problem(&error) }.into()
}

/// serde's message, shortened: it quotes a text of any length that stands in place of a number.
pub(super) fn problem(error: &serde_json::Error) -> String {
    if error.is_eof() { "it is cut off".to_owned() } else { error.to_string().chars().take(200).collect() }
}
