//! Standard output.

use std::io::{self, Write};

use crate::error::Error;

/// Prints bytes or text. A closed pipe is an error like any other.
pub fn print(output: impl AsRef<[u8]>) -> Result<(), Error> {
    io::stdout().write_all(output.as_ref()).map_err(Error::WriteOutput)
}
