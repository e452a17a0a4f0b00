//! Standard output: the one door to it, but for what the command of a run prints itself. A closed pipe is an error like any other.

use std::io::{self, IsTerminal, Write};

use crate::error::Error;
use crate::terminal::{data, plain_styled, plain_text};

/// Prints data, such as JSON, CSV or a page: byte for byte, and as a plain text on a terminal.
pub fn print(output: impl AsRef<[u8]>) -> Result<(), Error> {
    write(&data(output.as_ref(), io::stdout().is_terminal()))
}

/// Prints a text for people, which is plain wherever it goes.
pub fn print_text(text: impl AsRef<str>) -> Result<(), Error> {
    write(plain_text(text.as_ref()).as_bytes())
}

/// Prints a text for people that may have colours.
pub fn print_styled(text: impl AsRef<str>) -> Result<(), Error> {
    write(plain_styled(text.as_ref()).as_bytes())
}

fn write(bytes: &[u8]) -> Result<(), Error> {
    io::stdout().write_all(bytes).map_err(Error::WriteOutput)
}
