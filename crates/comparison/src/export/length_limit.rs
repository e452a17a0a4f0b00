//! Length of a value as JSON, measured without writing it anywhere.

use std::io::{self, Write};

use serde::Serialize;

/// Bytes that are left of so many after the value as JSON; `None` where it has more.
pub(super) fn room_left(value: &impl Serialize, bytes: usize) -> Option<usize> {
    let mut limit = LengthLimit(bytes);
    serde_json::to_writer(&mut limit, value).ok().map(|()| limit.0)
}

/// Writer that counts and discards bytes up to a limit.
struct LengthLimit(usize);

impl Write for LengthLimit {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
