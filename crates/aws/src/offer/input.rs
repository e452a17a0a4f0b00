//! Bytes as they are read: counted, and bounded where a damaged file would be held in memory as a whole.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use super::error::{OfferError, Position};

/// Longest string of a JSON text: AWS's longest, the disclaimer, has 300 bytes. A file in which a quote got lost would be
/// one string of hundreds of MB.
const STRING_LIMIT: usize = 1 << 20;

/// Passes over white space and a byte order mark; how many bytes those were.
pub(super) fn skip_blanks(source: &mut impl BufRead) -> Result<u64, OfferError> {
    let mut skipped = 0;
    loop {
        match peek(source) {
            Ok(Some(0xEF | 0xBB | 0xBF | b' ' | b'\t' | b'\r' | b'\n')) => {
                source.consume(1);
                skipped += 1;
            }
            Ok(_) => return Ok(skipped),
            Err(error) => return Err(OfferError::unreadable(Position::Byte(skipped), &error)),
        }
    }
}

/// The next byte, which stays there; `None` at the end.
pub(super) fn peek(source: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match source.fill_buf() {
            Ok(bytes) => return Ok(bytes.first().copied()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A JSON text that counts what was read of it, and refuses endless strings.
pub(super) struct Counted<'a, R> {
    source: R,
    position: &'a Cell<u64>,
    /// Bytes of the string that is open.
    string: Option<usize>,
    escaped: bool,
}

impl<'a, R: BufRead> Counted<'a, R> {
    /// Counts on from what `position` holds.
    pub fn new(source: R, position: &'a Cell<u64>) -> Self {
        Counted { source, position, string: None, escaped: false }
    }

    fn watch(&mut self, byte: u8) -> io::Result<()> {
        match self.string {
            None if byte == b'"' => self.string = Some(0),
            None => {}
            Some(_) if self.escaped => self.escaped = false,
            Some(_) if byte == b'"' => self.string = None,
            Some(length) => {
                self.escaped = byte == b'\\';
                self.string = Some(length + 1);
                if length >= STRING_LIMIT {
                    return Err(io::Error::other(format!("a string is longer than {STRING_LIMIT} bytes")));
                }
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.source.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.source.consume(count);
        self.position.set(self.position.get() + count as u64);
        for &byte in &buffer[..count] {
            self.watch(byte)?;
        }
        Ok(count)
    }
}
