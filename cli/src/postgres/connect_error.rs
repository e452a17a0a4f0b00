//! Reasons for which no session is opened.

use ebs_remote::conninfo::ConninfoError;

use crate::error::Error;

/// Reason for which no session is opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The connection's parameters cannot be used.
    #[error("{0}")]
    Parameters(#[from] ConninfoError),
    /// A file of certificates cannot be used.
    #[error("TLS: \"{path}\": {problem}")]
    TlsFile { path: String, problem: String },
    /// TLS cannot be used as it is asked for.
    #[error("TLS: {0}")]
    Tls(String),
    /// No server took the connection; the reason of each.
    #[error("{}", .0.join("\n"))]
    Servers(Vec<String>),
    /// A signal came.
    #[error("it was interrupted")]
    Stopped,
}

impl From<ConnectError> for Error {
    fn from(error: ConnectError) -> Error {
        match error {
            ConnectError::Parameters(error) => Error::Conninfo(error),
            ConnectError::Stopped => Error::Interrupted,
            error => Error::Unreachable(error.to_string()),
        }
    }
}
