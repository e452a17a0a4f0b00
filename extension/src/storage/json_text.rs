//! Documents on their way into tables, as JSON text of a length that is known before it is written.

use std::io::{self, Write};

use serde::Serialize;

use crate::errors::Error;
use crate::memory;

/// Returns a value as JSON; the memory for it is required, and allocated, once.
pub fn to_json(value: &impl Serialize, what: &str) -> Result<String, Error> {
    let bytes = json_length(value);
    memory::require(bytes, what)?;
    let mut text = Vec::with_capacity(bytes);
    // A vector accepts every write, and the value was serialized above.
    let _ = serde_json::to_writer(&mut text, value);
    Ok(String::from_utf8(text).unwrap_or_default())
}

/// Length of a value as JSON, bytes.
pub fn json_length(value: &impl Serialize) -> usize {
    let mut counter = ByteCounter(0);
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// Writer that counts bytes and drops them.
struct ByteCounter(usize);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
