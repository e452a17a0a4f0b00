//! Errors of requests and files, and the ones after which a request is worth another attempt.

use std::io;
use std::time::Duration;

use ebs_prometheus::{PatternError, ReadError, ServerError};

/// Error of one request, or of a file.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The server, or the bound of memory here, allows fewer samples in one answer.
    #[error("the answer is too large: {0}")]
    TooLarge(String),
    /// The server refuses these credentials, or lacks some.
    #[error("the server refuses the request (HTTP {status}){}", message_of(.message))]
    Unauthorized { status: u16, message: String },
    /// The server cannot answer now.
    #[error("the server cannot answer now (HTTP {status}){}", message_of(.message))]
    Unavailable { status: u16, message: String, retry_after: Option<Duration> },
    /// The server was not reached, or the connection broke; curl's message.
    #[error("the server was not reached: {message}")]
    Unreachable { message: String, is_timeout: bool },
    /// An answer ended early.
    #[error("{0}")]
    CutOff(String),
    /// The server has only a part of the samples, by its own word.
    #[error("the server has only a part of the samples: {0}")]
    Partial(String),
    /// The server refuses the request for good.
    #[error("the server refuses the request (HTTP {status}){}", message_of(.message))]
    Refused {
        status: u16,
        message: String,
        /// True of an error of Prometheus' API, which the server found in the request itself.
        is_of_api: bool,
    },
    /// Chunks with an encoding that is not known here.
    #[error("chunks have the unknown encoding {0}")]
    UnknownEncoding(i32),
    /// The answer is not of the format.
    #[error("{0}")]
    Invalid(String),
    /// The certificate of the server, or of the client, is not accepted; curl's message.
    #[error("no secure connection: {0}")]
    Certificate(String),
    /// The server closed a connection over TLS before it had a request; curl's message.
    #[error("the server closed the connection: {0}")]
    Closed(String),
    /// curl does not accept its configuration; its message.
    #[error("curl: {0}")]
    Configuration(String),
    /// A line of the user's file of curl's options is not one.
    #[error("\"{file}\", line {line}: {problem}")]
    CurlFile { file: String, line: usize, problem: String },
    /// curl cannot be run.
    #[error("could not run \"curl\": {0}")]
    StartCurl(#[source] io::Error),
    /// No transport works; the reason of each, and the error of the last, which every server has.
    #[error("no transport works: {reasons}")]
    NoTransport { reasons: String, last: Box<FetchError> },
    /// The server answers, and its answers to one call take too long together.
    #[error("the answers took more than {minutes} minutes together")]
    TooSlow { minutes: u64 },
    /// The user ended the command.
    #[error("interrupted")]
    Interrupted,
    /// A regular expression of a selector is not valid.
    #[error("{0}")]
    Pattern(#[from] PatternError),
    /// A file cannot be read or written.
    #[error("\"{file}\": {error}")]
    File { file: String, error: io::Error },
    /// A file has no samples, as an export that failed leaves it.
    #[error("\"{file}\" has no samples")]
    EmptyFile { file: String },
    /// A line of a file is not valid.
    #[error("\"{file}\", line {line}: {problem}")]
    Line { file: String, line: u64, problem: String },
    /// An argument with an invalid value.
    #[error("{message}")]
    Argument { message: String, hint: &'static str },
    /// The last error of several attempts.
    #[error("{error} (after {attempts} attempts)")]
    Exhausted { attempts: u32, error: Box<FetchError> },
}

fn message_of(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

/// Texts of errors that ask for less: Prometheus, Thanos, Mimir, VictoriaMetrics.
const LIMIT_TEXTS: [&str; 6] =
    ["too many samples", "too many points", "too large", "exceed", "maximum number of", "-search.max"];
/// Texts of errors of time.
const TIMEOUT_TEXTS: [&str; 3] = ["timed out", "timeout", "deadline exceeded"];

fn contains_any(text: &str, patterns: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    patterns.iter().any(|pattern| text.contains(pattern))
}

impl FetchError {
    /// The error of an answer with another status than 200.
    pub fn from_status(status: u16, error: &ServerError, retry_after: Option<Duration>) -> FetchError {
        let message = error.to_string();
        let is_limit = contains_any(&message, &LIMIT_TEXTS) && !contains_any(&message, &TIMEOUT_TEXTS);
        match status {
            401 | 403 | 407 => FetchError::Unauthorized { status, message },
            413 => FetchError::TooLarge(if message.is_empty() { "HTTP 413".to_owned() } else { message }),
            400 | 422 | 500 if is_limit => FetchError::TooLarge(message),
            408 | 425 | 429 | 500..600 => FetchError::Unavailable { status, message, retry_after },
            422 if contains_any(&message, &TIMEOUT_TEXTS) => FetchError::Unavailable { status, message, retry_after },
            _ => FetchError::Refused { status, message, is_of_api: !error.kind.is_empty() },
        }
    }

    /// True if the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            FetchError::Unavailable { .. }
                | FetchError::Unreachable { .. }
                | FetchError::Closed(_)
                | FetchError::CutOff(_)
                | FetchError::Partial(_)
        )
    }

    /// True where the same command may succeed later: of the error itself, whatever number of attempts was made.
    pub fn may_pass(&self) -> bool {
        match self {
            FetchError::Exhausted { error, .. } => error.may_pass(),
            error => error.is_transient(),
        }
    }

    /// True of an error of the server itself (HTTP 500 to 599), also after several attempts.
    pub fn is_server_error(&self) -> bool {
        match self {
            FetchError::Unavailable { status, .. } => (500..600).contains(status),
            FetchError::Exhausted { error, .. } => error.is_server_error(),
            _ => false,
        }
    }

    /// True of an error that every other request would meet, too.
    pub fn is_final(&self) -> bool {
        match self {
            FetchError::Unauthorized { .. }
            | FetchError::Certificate(_)
            | FetchError::Configuration(_)
            | FetchError::CurlFile { .. }
            | FetchError::StartCurl(_)
            | FetchError::NoTransport { .. }
            | FetchError::Argument { .. }
            | FetchError::Interrupted => true,
            FetchError::Exhausted { error, .. } => error.is_final(),
            _ => false,
        }
    }

    /// True if a request for a shorter time may succeed where this one failed, however often it is repeated.
    pub fn is_timeout(&self) -> bool {
        match self {
            FetchError::Unavailable { status, message, .. } => *status == 504 || contains_any(message, &TIMEOUT_TEXTS),
            FetchError::Unreachable { is_timeout, .. } => *is_timeout,
            FetchError::CutOff(_) => true,
            _ => false,
        }
    }

    /// The delay that the server asks for before the next attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            FetchError::Unavailable { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Exit status of a command that ends with it: 1 for files, 2 for usage, 3 for the server, 130 as after Ctrl-C.
    pub fn exit_status(&self) -> u8 {
        match self {
            FetchError::File { .. }
            | FetchError::EmptyFile { .. }
            | FetchError::Line { .. }
            | FetchError::CurlFile { .. } => 1,
            FetchError::Argument { .. } | FetchError::Pattern(_) | FetchError::Configuration(_) => 2,
            FetchError::Interrupted => 130,
            FetchError::Exhausted { error, .. } => error.exit_status(),
            _ => 3,
        }
    }
}

impl From<ReadError> for FetchError {
    fn from(error: ReadError) -> FetchError {
        match error {
            ReadError::Io(error) => FetchError::CutOff(error.to_string()),
            ReadError::CutOff(_) => FetchError::CutOff(error.to_string()),
            ReadError::TooLarge { .. } => FetchError::TooLarge(error.to_string()),
            ReadError::UnknownEncoding(encoding) => FetchError::UnknownEncoding(encoding),
            ReadError::Partial(warning) => FetchError::Partial(warning),
            ReadError::Server(error) => FetchError::from_status(422, &error, None),
            ReadError::Invalid(_) => FetchError::Invalid(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(status: u16, message: &str) -> FetchError {
        FetchError::from_status(status, &ServerError { kind: String::new(), message: message.to_owned() }, None)
    }

    #[test]
    fn limits_of_servers_are_recognised() {
        for (status, message) in [
            (422, "query processing would load too many samples into memory in query execution"),
            (400, "exceeded sample limit (50000000)"),
            (
                422,
                "the query exceeded the maximum number of chunks (limit: 2000000 chunks) (err-mimir-max-chunks-per-query)",
            ),
            (422, "cannot select more than -search.maxSamplesPerQuery=1000000000 samples"),
            (
                422,
                "the number of matching timeseries exceeds 300000; either narrow down the search or increase -search.maxUniqueTimeseries",
            ),
            (413, ""),
        ] {
            assert!(matches!(error(status, message), FetchError::TooLarge(_)), "{message}");
        }
    }

    #[test]
    fn statuses_are_told_apart() {
        assert!(matches!(error(401, ""), FetchError::Unauthorized { .. }));
        assert!(matches!(error(404, "404 page not found"), FetchError::Refused { .. }));
        assert!(matches!(error(422, "unknown function"), FetchError::Refused { .. }));
        let slow = error(503, "query timed out in query execution");
        assert!(slow.is_transient() && slow.is_timeout());
        let busy = error(429, "too many requests: rate limit exceeded");
        assert!(busy.is_transient() && !busy.is_timeout());
        // A deadline is exceeded, not a limit.
        assert!(error(422, "context deadline exceeded").is_timeout());
    }
}
