//! Documents on their way into tables, as text of a length that is known before it is written.

use std::io::{self, Write};

use serde::Serialize;

use crate::errors::Error;
use crate::memory;

/// A value as JSON; its length is required, and allocated, once.
pub fn text(value: &impl Serialize, what: &str) -> Result<String, Error> {
    let bytes = length(value);
    memory::require(bytes, what)?;
    let mut text = Vec::with_capacity(bytes);
    // Neither a vector nor what is measured above refuses anything.
    let _ = serde_json::to_writer(&mut text, value);
    Ok(String::from_utf8(text).unwrap_or_default())
}

/// Length of a value as JSON, bytes.
pub fn length(value: &impl Serialize) -> usize {
    let mut counted = Counted(0);
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

/// Bytes that were written and dropped.
struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
