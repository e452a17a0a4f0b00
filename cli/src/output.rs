//! Standard output.

use std::io::{self, Write};

use crate::error::Error;

/// Prints bytes or a text; a pipe that nobody reads any more is an error like others.
pub fn print(output: impl AsRef<[u8]>) -> Result<(), Error> {
    io::stdout().write_all(output.as_ref()).map_err(Error::WriteOutput)
}
