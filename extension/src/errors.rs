//! Errors as users see them: a SQLSTATE of their kind, a detail, a hint.

use std::fmt::{self, Display, Formatter};

use ebs_answer::AnswerError;
use ebs_base::error::InputError;
use ebs_base::message::{printable, single_line};
use ebs_base::storage_limits::LimitExceeded;
use ebs_samples::evidence::codec::CodecError;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::{PgLogLevel, PgSqlErrorCode, spi};

/// Hint of an out-of-memory error.
pub const USE_LESS_MEMORY: &str =
    "Ask for a shorter look-back or run, import in parts, or lower what other sessions may use.";

/// An error that a user will see.
pub struct Error {
    report: ErrorReport,
    code: PgSqlErrorCode,
}

/// Result of a SQL function.
pub type SqlResult<T> = Result<T, ErrorReport>;

impl Error {
    /// An error with a hint, in PostgreSQL's style: lower case, no full stop in the message, sentences in the hint.
    pub fn new(code: PgSqlErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Error {
        Error { report: report(code, message, hint), code }
    }

    /// An error of an argument.
    pub fn invalid_parameter(message: impl Into<String>, hint: impl Into<String>) -> Error {
        Error::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, hint)
    }

    /// The same error with a detail.
    pub fn with_detail(self, detail: impl Into<String>) -> Error {
        Error { report: self.report.set_detail(printable(&detail.into())), ..self }
    }

    /// True if stored data is damaged.
    pub fn is_corruption(&self) -> bool {
        self.code == PgSqlErrorCode::ERRCODE_DATA_CORRUPTED
    }

    /// Ends the statement with it, by unwinding: for places that cannot return a result.
    pub fn raise(self) {
        self.report.report(PgLogLevel::ERROR);
    }
}

/// The message alone.
impl Display for Error {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str(self.report.message())
    }
}

/// Tells the user of something that an answer lacks.
pub fn notice(message: impl Into<String>) {
    let code = PgSqlErrorCode::ERRCODE_SUCCESSFUL_COMPLETION;
    ErrorReport::new(code, single_line(&message.into()), "ebs_advisor").report(PgLogLevel::NOTICE);
}

/// The same, with a hint on how to get it.
pub fn notice_with_hint(message: impl Into<String>, hint: impl Into<String>) {
    let code = PgSqlErrorCode::ERRCODE_SUCCESSFUL_COMPLETION;
    report(code, message, hint).report(PgLogLevel::NOTICE);
}

/// Warns the user of something that an answer lacks and should have, with a remedy.
pub fn warning_with_hint(message: impl Into<String>, hint: impl Into<String>) {
    report(PgSqlErrorCode::ERRCODE_WARNING, message, hint).report(PgLogLevel::WARNING);
}

fn report(code: PgSqlErrorCode, message: impl Into<String>, hint: impl Into<String>) -> ErrorReport {
    ErrorReport::new(code, single_line(&message.into()), "ebs_advisor").set_hint(printable(&hint.into()))
}

impl From<Error> for ErrorReport {
    fn from(error: Error) -> ErrorReport {
        error.report
    }
}

impl From<InputError> for Error {
    fn from(refusal: InputError) -> Error {
        let code = match &refusal {
            InputError::UnknownName { .. } => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
            InputError::OutOfRange { .. } => PgSqlErrorCode::ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
            InputError::UnknownValue { .. }
            | InputError::Illegal { .. }
            | InputError::Conflict { .. }
            | InputError::NotMadeOf { .. } => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        };
        let error = Error::new(code, refusal.to_string(), refusal.hint());
        match refusal.detail() {
            Some(detail) => error.with_detail(detail),
            None => error,
        }
    }
}

impl From<AnswerError> for Error {
    fn from(refusal: AnswerError) -> Error {
        let code = match &refusal {
            AnswerError::UnknownStorage(_) => PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED,
            AnswerError::UnknownShare(_) => PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
        };
        Error::new(code, refusal.to_string(), refusal.hint()).with_detail(refusal.detail())
    }
}

impl From<LimitExceeded> for Error {
    fn from(limit: LimitExceeded) -> Error {
        Error::new(PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED, limit.message, limit.hint).with_detail(limit.detail)
    }
}

impl From<CodecError> for Error {
    fn from(error: CodecError) -> Error {
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
        Error::new(code, error.to_string(), hint)
    }
}

impl From<spi::Error> for Error {
    fn from(error: spi::Error) -> Error {
        let hint = "This is a defect of ebs_advisor unless the tables in schema ebs were changed by hand.";
        Error::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, error.to_string(), hint)
    }
}
