//! Standard output.

use std::io::{self, Write};

use crate::error::Error;

/// Prints a text; a pipe that nobody reads any more is an error like others.
pub fn print(text: &str) -> Result<(), Error> {
    io::stdout().write_all(text.as_bytes()).map_err(Error::Output)
}
