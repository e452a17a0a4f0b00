//! Documents that are given to us: how large and how deep they may be, before anything reads them.

use ebs_base::json_array::{ArrayError, for_each_element};
use pgrx::{AnyElement, JsonB, PgSqlErrorCode};
use serde_json::Value;

use crate::errors::Error;
use crate::ffi::{self, JsonError};
use crate::interrupts::check_interrupts;
use crate::memory;

/// Longest report or array that is imported, bytes: a week of seconds of one disk as iostat prints it.
const IMPORT_LIMIT: usize = 64 << 20;
/// Longest document of runs, bytes: what PostgreSQL takes for one jsonb, which is what ebs_run_export gives.
const RUNS_LIMIT: usize = 256 << 20;
/// Longest note, and longest details of a result, bytes.
pub const NOTE_LIMIT: usize = 1 << 20;
/// Deepest nesting of a note: a document of runs, in which it stands three levels down, must still be read (127).
const NOTE_LEVELS: usize = 100;

/// A note, or details of a result.
pub fn note(argument: Option<AnyElement>, what: &str) -> Result<Option<JsonB>, Error> {
    let hint = "Keep what is long in a file, and its name in the note.";
    memory::require_piece(what)?;
    let note = ffi::json_argument(argument, NOTE_LIMIT, &check_interrupts)
        .map_err(|unread| refused(unread, what, NOTE_LIMIT, hint))?;
    if note.as_ref().is_some_and(|JsonB(value)| levels(value) > NOTE_LEVELS) {
        let detail = format!("At most {NOTE_LEVELS} levels are kept.");
        return Err(too_much(format!("{what} is nested too deep"), detail, hint));
    }
    Ok(note)
}

/// An array or an object that is imported.
pub fn imported(argument: Option<AnyElement>, what: &str) -> Result<Option<JsonB>, Error> {
    memory::require_piece(what)?;
    ffi::json_argument(argument, IMPORT_LIMIT, &check_interrupts)
        .map_err(|unread| refused(unread, what, IMPORT_LIMIT, PARTS))
}

/// Gives each element of an array that is imported; anything but an array is refused with what `no_array` gives.
pub fn each(
    argument: Option<AnyElement>,
    what: &str,
    no_array: impl Fn() -> Error,
    give: impl FnMut(Value) -> Result<(), Error>,
) -> Result<(), Error> {
    let argument = argument.ok_or_else(&no_array)?;
    memory::require_piece(what)?;
    let read = ffi::with_json_text(&argument, IMPORT_LIMIT, |text| for_each_element(text, &check_interrupts, give));
    match read.map_err(|unread| refused(unread, what, IMPORT_LIMIT, PARTS))? {
        Ok(()) => Ok(()),
        Err(ArrayError::NotArray) => Err(no_array()),
        Err(ArrayError::Refused(failure)) => Err(failure),
        Err(ArrayError::Malformed(error)) => Err(refused(JsonError::from_serde(&error), what, IMPORT_LIMIT, PARTS)),
    }
}

/// A report that is imported.
pub fn report(argument: Option<&str>) -> Result<&str, Error> {
    memory::require_piece("the report")?;
    short(argument, "the report", IMPORT_LIMIT)
}

/// A document of runs.
pub fn runs(argument: Option<&str>) -> Result<&str, Error> {
    let text = short(argument, "the document", RUNS_LIMIT)?;
    // What separates or begins values; in texts, too, of which few have any: samples are base64.
    let begins = |byte: &&u8| matches!(byte, b',' | b'[' | b'{');
    let in_piece = |piece: &[u8]| {
        check_interrupts();
        piece.iter().filter(begins).count()
    };
    let values: usize = text.as_bytes().chunks(PIECE).map(in_piece).sum();
    // At least: arrays that grow, objects and what becomes of it all take more, which is checked while it is read.
    memory::require(values.saturating_mul(size_of::<Value>()), "The document")?;
    Ok(text)
}

/// Bytes that are counted between two pauses: a millisecond or so.
const PIECE: usize = 1 << 20;

/// How more is imported than goes at once.
const PARTS: &str = "Import it in parts: fewer hours, devices or runs at once.";

fn short<'a>(argument: Option<&'a str>, what: &str, limit: usize) -> Result<&'a str, Error> {
    let text = argument.unwrap_or_default();
    if text.len() > limit { Err(refused(JsonError::TooLarge(text.len()), what, limit, PARTS)) } else { Ok(text) }
}

fn refused(unread: JsonError, what: &str, limit: usize, hint: &str) -> Error {
    match unread {
        JsonError::TooLarge(bytes) => {
            let detail = format!("It has {bytes} bytes, and at most {limit} ({} MiB) are taken.", limit >> 20);
            too_much(format!("{what} is too large"), detail, hint)
        }
        JsonError::Unreadable(problem) => {
            too_much(format!("{what} cannot be read: {problem}"), "Nothing was kept.".to_owned(), NUMBERS)
        }
    }
}

/// What JSON in PostgreSQL may hold, and no program reads.
const NUMBERS: &str = "Numbers are those of double precision, and nesting ends after 127 levels.";

pub(super) fn too_much(message: String, detail: String, hint: &str) -> Error {
    Error::new(PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED, message, hint).with_detail(detail)
}

/// Levels that a value is nested; a number has none. Level by level, not by recursion.
fn levels(value: &Value) -> usize {
    let mut levels = 0;
    let mut level = vec![value];
    loop {
        let nested = level.iter().any(|value| value.is_array() || value.is_object());
        if !nested {
            return levels;
        }
        levels += 1;
        let below = level.into_iter().flat_map(|value| match value {
            Value::Array(values) => values.iter().collect(),
            Value::Object(values) => values.values().collect(),
            _ => Vec::new(),
        });
        level = below.collect();
    }
}
