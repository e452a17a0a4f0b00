//! Standard error: messages, which nobody may read. A closed pipe, such as that of `2>&1 | head`, ends no command. The one door to it,
//! but for what the command of a run prints itself: messages name files, and have the words of servers.

use std::fmt::Arguments;
use std::io::{self, Write};

use crate::terminal::plain_text;

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

/// Prints a text of several lines on standard error, likewise.
pub fn print_text(text: &str) {
    let _ = io::stderr().write_all(plain_text(text).as_bytes());
}
