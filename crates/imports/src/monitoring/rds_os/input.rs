//! Bytes of events, of any length, with a bound between two events.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use super::{MAX_EVENT_BYTES, SOURCE};
use crate::monitoring::ImportError;

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

/// Bytes that are read from the source at once.
const BUFFER: usize = 64 << 10;

/// Source of bytes with one byte of look-ahead between values. It has a buffer of its own: JSON is read byte by byte, and a call of the
/// source for each would take several times as long.
pub(super) struct Input<'a> {
    source: &'a mut dyn Read,
    buffer: Box<[u8]>,
    /// Part of the buffer that is still to be read.
    rest: Range<usize>,
    /// Bytes that may be read until the next event has begun.
    left: &'a Cell<usize>,
    pause: &'a dyn Fn(),
}

impl<'a> Input<'a> {
    pub fn new(source: &'a mut dyn Read, left: &'a Cell<usize>, pause: &'a dyn Fn()) -> Input<'a> {
        Input { source, buffer: vec![0; BUFFER].into_boxed_slice(), rest: 0..0, left, pause }
    }

    /// The first byte of the next value, which stays; `None` at the end. White space and commas are skipped.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        self.left.set(MAX_EVENT_BYTES);
        while let Some(byte) = self.byte()? {
            if !byte.is_ascii_whitespace() && byte != b',' && !BYTE_ORDER_MARK.contains(&byte) {
                self.rest.start -= 1;
                return Ok(Some(byte));
            }
        }
        Ok(None)
    }

    /// The text up to the next white space, such as the time before a message; `None` of one that is longer, or not ASCII.
    pub fn word(&mut self, max_bytes: usize) -> io::Result<Option<String>> {
        let mut text = String::new();
        while let Some(byte) = self.byte()?.filter(|byte| !byte.is_ascii_whitespace()) {
            if !byte.is_ascii() || text.len() >= max_bytes {
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

    /// Reads the next piece; false at the end.
    #[cold]
    fn refill(&mut self) -> io::Result<bool> {
        (self.pause)();
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::new(ErrorKind::FileTooLarge, TooLong));
        }
        let read = loop {
            match self.source.read(&mut self.buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.left.set(left.saturating_sub(read));
        self.rest = 0..read;
        Ok(read > 0)
    }
}

/// Bytes of UTF-8's byte order mark.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

impl Read for Input<'_> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() && !self.refill()? {
            return Ok(0);
        }
        let Some(first) = buffer.first_mut() else { return Ok(0) };
        *first = self.buffer[self.rest.start];
        self.rest.start += 1;
        Ok(1)
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
