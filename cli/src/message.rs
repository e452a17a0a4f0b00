//! Standard error: messages, which nobody may read. A closed pipe, such as that of `2>&1 | head`, ends no command.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Prints a line on standard error, formatted as by `format!`.
macro_rules! print_message {
    ($($text:tt)*) => { $crate::message::print_line(format_args!($($text)*)) };
}
pub(crate) use print_message;

/// Prints a line on standard error. One that cannot be written is given up: there is no other place for it.
pub fn print_line(line: Arguments<'_>) {
    let mut text = line.to_string();
    text.push('\n');
    print_text(&text);
}

/// Prints a text on standard error as it is, likewise.
pub fn print_text(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
