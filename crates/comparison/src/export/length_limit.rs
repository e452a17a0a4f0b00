//! Length of a value as JSON, measured without writing it anywhere.

use std::io::{self, Write};

use serde::Serialize;

/// True if the value is at most so many bytes as JSON.
pub(super) fn fits(value: &impl Serialize, bytes: usize) -> bool {
    serde_json::to_writer(LengthLimit(bytes), value).is_ok()
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
