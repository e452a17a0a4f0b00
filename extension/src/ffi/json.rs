//! jsonb arguments, measured before they are read: reading takes some ten times their size.

use ebs_base::input;
use pgrx::{AnyElement, JsonB, direct_function_call, pg_sys};

/// Why one is not read.
pub enum Unread {
    /// It is this many bytes long.
    TooLarge(usize),
    /// A number or a depth that no program takes; in words.
    Refused(String),
}

impl Unread {
    /// Error of what serde_json does not read; the place in a text that nobody wrote says nothing.
    pub fn malformed(error: &serde_json::Error) -> Unread {
        Unread::Refused(error.to_string().split(" at line ").next().unwrap_or_default().to_owned())
    }
}

/// A jsonb argument of at most so many bytes. pgrx would read it whole before the function begins, and end with an internal
/// error where it is nested too deep: so functions of ours take the argument as it comes.
pub fn json(
    argument: Option<AnyElement>,
    most_bytes: usize,
    check_interrupts: &dyn Fn(),
) -> Result<Option<JsonB>, Unread> {
    let Some(argument) = argument else { return Ok(None) };
    let value = json_text(&argument, most_bytes, |text| input::json(text, check_interrupts))?;
    Ok(Some(JsonB(value.map_err(|error| Unread::malformed(&error))?)))
}

/// Reads the text of a jsonb argument of at most so many bytes. The text is memory of PostgreSQL's.
pub fn json_text<R>(argument: &AnyElement, most_bytes: usize, read: impl FnOnce(&str) -> R) -> Result<R, Unread> {
    // SAFETY: extension/sql declares every argument that comes here as jsonb, which is a varlena; its size stands in its
    // header or in the pointer to where it is kept, and nothing is fetched.
    let bytes = unsafe { pg_sys::toast_raw_datum_size(argument.datum()) };
    if bytes > most_bytes {
        return Err(Unread::TooLarge(bytes));
    }
    // SAFETY: a jsonb; what comes out is a C string of PostgreSQL's, read before its memory context ends.
    let text: Option<&core::ffi::CStr> = unsafe { direct_function_call(pg_sys::jsonb_out, &[Some(argument.datum())]) };
    // In UTF-8 it is borrowed.
    Ok(read(&text.unwrap_or_default().to_string_lossy()))
}
