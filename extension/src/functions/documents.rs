//! Limits of documents that are given to us, in size and depth: checked before anything reads them.

use ebs_base::input::count_json_values;
use ebs_base::json_array::{ArrayError, for_each_element};
use ebs_base::json_nesting::nesting_levels;
use pgrx::{AnyElement, JsonB, PgSqlErrorCode};
use serde_json::Value;

use crate::errors::Error;
use crate::ffi::{self, JsonError};
use crate::interrupts::check_interrupts;
use crate::memory;

/// Longest report or array that is imported, bytes: a week of seconds of one disk as iostat prints it.
const IMPORT_LIMIT: usize = 64 << 20;
/// Longest text of log events, bytes: PostgreSQL's longest text. They are read one by one.
const EVENTS_LIMIT: usize = 1 << 30;
/// Longest configuration, and longest answers of a fleet, bytes: some 100,000 volumes as the AWS CLI prints them.
const CONFIGURATION_LIMIT: usize = 128 << 20;
/// Longest document of runs, bytes: what PostgreSQL takes for one jsonb, which is what ebs_run_export gives.
const RUNS_LIMIT: usize = 256 << 20;
/// Longest note, and longest details of a result, bytes.
pub const NOTE_LIMIT: usize = 1 << 20;
/// Deepest nesting of a note: a document of runs, in which it stands three levels down, must still be read (127).
const NOTE_LEVELS: usize = 100;

/// Reads a note, or details of a result.
pub fn read_note(argument: Option<AnyElement>, what: &str) -> Result<Option<JsonB>, Error> {
    let hint = "Keep what is long in a file, and its name in the note.";
    memory::require_piece(what)?;
    let note = ffi::json_argument(argument, NOTE_LIMIT, &check_interrupts)
        .map_err(|error| document_error(error, what, NOTE_LIMIT, hint))?;
    if note.as_ref().is_some_and(|JsonB(value)| nesting_levels(value) > NOTE_LEVELS) {
        let detail = format!("At most {NOTE_LEVELS} levels are kept.");
        return Err(limit_exceeded(format!("{what} is nested too deep"), detail, hint));
    }
    Ok(note)
}

/// Reads an array or an object that is imported.
pub fn read_import(argument: Option<AnyElement>, what: &str) -> Result<Option<JsonB>, Error> {
    memory::require_piece(what)?;
    ffi::json_argument(argument, IMPORT_LIMIT, &check_interrupts)
        .map_err(|error| document_error(error, what, IMPORT_LIMIT, IMPORT_IN_PARTS))
}

/// Reads an array that is imported, element by element; anything but an array is refused with the error of `no_array`.
pub fn read_array(
    argument: Option<AnyElement>,
    what: &str,
    no_array: impl Fn() -> Error,
    visit: impl FnMut(Value) -> Result<(), Error>,
) -> Result<(), Error> {
    let argument = argument.ok_or_else(&no_array)?;
    memory::require_piece(what)?;
    let read = ffi::with_json_text(&argument, IMPORT_LIMIT, |text| for_each_element(text, &check_interrupts, visit));
    match read.map_err(|error| document_error(error, what, IMPORT_LIMIT, IMPORT_IN_PARTS))? {
        Ok(()) => Ok(()),
        Err(ArrayError::NotArray) => Err(no_array()),
        Err(ArrayError::Element(error)) => Err(error),
        Err(ArrayError::Malformed(error)) => {
            Err(document_error(JsonError::from_serde(&error), what, IMPORT_LIMIT, IMPORT_IN_PARTS))
        }
    }
}

/// Checks the length of a report that is imported.
pub fn check_report(argument: Option<&str>) -> Result<&str, Error> {
    memory::require_piece("the report")?;
    check_length(argument, "the report", IMPORT_LIMIT)
}

/// Checks the length of log events, of which a few figures each are kept.
pub fn check_events(argument: Option<&str>) -> Result<&str, Error> {
    memory::require_piece("the events")?;
    check_length(argument, "the events", EVENTS_LIMIT)
}

/// Checks the length of a configuration that is imported.
pub fn check_configuration(argument: Option<&str>) -> Result<&str, Error> {
    memory::require_piece("the configuration")?;
    check_length(argument, "the configuration", CONFIGURATION_LIMIT)
}

/// Checks the length of answers of a fleet, and ensures the memory to read them.
pub fn check_fleet_answers(argument: Option<&str>) -> Result<&str, Error> {
    let text = check_length(argument, "the document", CONFIGURATION_LIMIT)?;
    let values = count_json_values(text, &check_interrupts);
    memory::require(values.saturating_mul(size_of::<Value>()), "The document")?;
    Ok(text)
}

/// Checks the length of a document of runs, and ensures the memory to read it.
pub fn check_runs(argument: Option<&str>) -> Result<&str, Error> {
    let text = check_length(argument, "the document", RUNS_LIMIT)?;
    // Few strings have such characters: samples are base64.
    let values = count_json_values(text, &check_interrupts);
    // At least: arrays that grow, objects and what becomes of it all take more, which is checked while it is read.
    memory::require(values.saturating_mul(size_of::<Value>()), "The document")?;
    Ok(text)
}

/// Hint on a document that is too large.
const IMPORT_IN_PARTS: &str = "Import it in parts: fewer hours, devices or runs at once.";

fn check_length<'a>(argument: Option<&'a str>, what: &str, limit: usize) -> Result<&'a str, Error> {
    let text = argument.unwrap_or_default();
    if text.len() > limit {
        Err(document_error(JsonError::TooLarge(text.len()), what, limit, IMPORT_IN_PARTS))
    } else {
        Ok(text)
    }
}

fn document_error(error: JsonError, what: &str, limit: usize, hint: &str) -> Error {
    match error {
        JsonError::TooLarge(bytes) => {
            let detail = format!("It has {bytes} bytes, and at most {limit} ({} MiB) are taken.", limit >> 20);
            limit_exceeded(format!("{what} is too large"), detail, hint)
        }
        JsonError::Unreadable(problem) => limit_exceeded(
            format!("{what} cannot be read: {problem}"),
            "Nothing was kept.".to_owned(),
            NUMBERS_AND_DEPTH,
        ),
    }
}

/// Hint on JSON that PostgreSQL accepts, and no program reads.
const NUMBERS_AND_DEPTH: &str = "Numbers are those of double precision, and nesting ends after 127 levels.";

/// Error of a document beyond a limit.
pub(super) fn limit_exceeded(message: String, detail: String, hint: &str) -> Error {
    Error::new(PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED, message, hint).with_detail(detail)
}
