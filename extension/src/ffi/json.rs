//! jsonb arguments, measured before they are read: reading takes some ten times their size.

use ebs_base::input;
use pgrx::{AnyElement, JsonB, direct_function_call, pg_sys};

/// Error of a jsonb argument.
pub enum JsonError {
    /// Length of an argument that is too long, bytes.
    TooLarge(usize),
    /// Problem with a number or a depth that JSON in PostgreSQL may have, and no program reads.
    Unreadable(String),
}

impl JsonError {
    /// Error of serde_json's, without the position in a text that the user has not seen.
    pub fn from_serde(error: &serde_json::Error) -> JsonError {
        JsonError::Unreadable(error.to_string().split(" at line ").next().unwrap_or_default().to_owned())
    }
}

/// Reads a jsonb argument of at most `max_bytes`. pgrx would read it whole before the function begins, and end with an internal
/// error where it is nested too deep: so functions of this extension take it as AnyElement.
pub fn json_argument(
    argument: Option<AnyElement>,
    max_bytes: usize,
    check_interrupts: &dyn Fn(),
) -> Result<Option<JsonB>, JsonError> {
    let Some(argument) = argument else { return Ok(None) };
    let value = with_json_text(&argument, max_bytes, |text| input::json(text, check_interrupts))?;
    Ok(Some(JsonB(value.map_err(|error| JsonError::from_serde(&error))?)))
}

/// Reads the text of a jsonb argument of at most `max_bytes`. The text is memory of PostgreSQL.
pub fn with_json_text<R>(
    argument: &AnyElement,
    max_bytes: usize,
    read: impl FnOnce(&str) -> R,
) -> Result<R, JsonError> {
    // SAFETY: extension/sql declares every argument that comes here as jsonb, which is a varlena; its size is in its
    // header or in the pointer to where it is kept, and nothing is fetched.
    let bytes = unsafe { pg_sys::toast_raw_datum_size(argument.datum()) };
    if bytes > max_bytes {
        return Err(JsonError::TooLarge(bytes));
    }
    // SAFETY: a jsonb; what comes out is a C string of PostgreSQL's, read before its memory context ends.
    let text: Option<&core::ffi::CStr> = unsafe { direct_function_call(pg_sys::jsonb_out, &[Some(argument.datum())]) };
    // In UTF-8 it is borrowed.
    Ok(read(&text.unwrap_or_default().to_string_lossy()))
}
