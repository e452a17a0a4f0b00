//! Errors as users see them: a SQLSTATE of their kind, a detail, a hint.

use std::fmt::{self, Display, Formatter};

use ebs_base::error::Refusal;
use ebs_base::format::plain_page;
use ebs_samples::evidence::codec::CodecError;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::{PgLogLevel, PgSqlErrorCode, spi};

/// An error on its way to the user.
pub struct Failure(ErrorReport);

/// Hint of an error for want of memory.
pub const USE_LESS_MEMORY: &str =
    "Ask for a shorter look-back or run, import in parts, or lower what other sessions may use.";

/// Result of a SQL function.
pub type Outcome<T> = Result<T, ErrorReport>;

impl Failure {
    /// An error with a hint, in PostgreSQL's style: lower case, no full stop in the message, sentences in the hint.
    pub fn new(code: PgSqlErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure(report(code, message, hint))
    }

    /// Ends the statement with it, by unwinding: where nothing can be returned.
    pub fn raise(self) {
        self.0.report(PgLogLevel::ERROR);
    }

    /// The same with a detail.
    pub fn detail(self, detail: impl Into<String>) -> Failure {
        Failure(self.0.set_detail(shown(detail)))
    }
}

/// Says, beside an answer that lacks something, what is missing and how to get it.
pub fn notice(message: impl Into<String>, hint: impl Into<String>) {
    let code = PgSqlErrorCode::ERRCODE_SUCCESSFUL_COMPLETION;
    report(code, message, hint).report(PgLogLevel::NOTICE);
}

/// The same, where there is nothing to be done about it.
pub fn remark(message: impl Into<String>) {
    let code = PgSqlErrorCode::ERRCODE_SUCCESSFUL_COMPLETION;
    ErrorReport::new(code, line(message), "ebs_advisor").report(PgLogLevel::NOTICE);
}

/// Names, labels and documents that somebody else wrote are quoted in messages and hints.
fn report(code: PgSqlErrorCode, message: impl Into<String>, hint: impl Into<String>) -> ErrorReport {
    ErrorReport::new(code, line(message), "ebs_advisor").set_hint(shown(hint))
}

/// Most characters of each: what is quoted may be as long as an argument, 1 GB.
const LONGEST: usize = 4_000;

/// A message is one line: what is quoted in it cannot look like one of its own.
fn line(message: impl Into<String>) -> String {
    shown(message).replace('\n', "?")
}

fn shown(text: impl Into<String>) -> String {
    let text: String = text.into();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => plain_page(&text[..end]) + "…",
        None => plain_page(&text),
    }
}

/// The message alone.
impl Display for Failure {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str(self.0.message())
    }
}

impl From<Failure> for ErrorReport {
    fn from(failure: Failure) -> ErrorReport {
        failure.0
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let code = match &refusal {
            Refusal::UnknownName { .. } => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
            Refusal::OutOfRange { .. } => PgSqlErrorCode::ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
            Refusal::Illegal(_) | Refusal::NotMadeOf { .. } => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        };
        Failure::new(code, refusal.to_string(), refusal.hint())
    }
}

impl From<CodecError> for Failure {
    fn from(error: CodecError) -> Failure {
        let hint = match &error {
            CodecError::UnknownFormat(_) => "Samples written by a later version need that version to be read.",
            CodecError::TooLarge => "Import a shorter time, or longer intervals.",
            CodecError::OutOfMemory => USE_LESS_MEMORY,
            CodecError::Damaged(_) => "Remove the damaged samples, or restore them from a backup.",
        };
        let code = match &error {
            CodecError::TooLarge => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
            CodecError::OutOfMemory => PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY,
            _ => PgSqlErrorCode::ERRCODE_DATA_CORRUPTED,
        };
        Failure::new(code, error.to_string(), hint)
    }
}

impl From<spi::Error> for Failure {
    fn from(error: spi::Error) -> Failure {
        let hint = "This is a defect of ebs_advisor unless the tables in schema ebs were changed by hand.";
        Failure::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, error.to_string(), hint)
    }
}
