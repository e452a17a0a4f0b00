//! Connection parameters that cannot be used.

use std::fmt;

/// Origin of a parameter's value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Source {
    /// The connection string.
    ConnectionString,
    /// A section of a service file, by its name.
    Service(String),
    /// A variable of the environment.
    Variable(&'static str),
    /// The default.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ConnectionString => formatter.write_str("the connection string"),
            Self::Service(name) => write!(formatter, "service \"{name}\""),
            Self::Variable(name) => write!(formatter, "the variable {name}"),
            Self::Default => formatter.write_str("the default"),
        }
    }
}

/// Reason for which connection parameters cannot be used. No message has a password or a whole connection string; positions
/// count bytes from 1.
#[derive(Debug, thiserror::Error)]
pub enum ConninfoError {
    /// A bound on a size.
    #[error("{subject} is longer than {max_bytes} bytes")]
    TooLong {
        /// The text: the connection string, a variable, a file.
        subject: String,
        /// The bound.
        max_bytes: usize,
    },
    /// A bound on the number of hosts.
    #[error("more than {0} hosts in the connection parameters")]
    TooManyHosts(usize),
    /// A NUL, which the protocol cannot carry.
    #[error("connection parameter \"{0}\" contains a NUL byte")]
    NulByte(&'static str),
    /// A word without a value.
    #[error("missing \"=\" after the word at position {0} of the connection string")]
    MissingEquals(usize),
    /// A quotation that does not end.
    #[error("unterminated quoted string in the connection string")]
    UnterminatedQuote,
    /// A keyword that does not exist. It is named unless it could be part of a password.
    #[error("invalid connection option {}", show_option(.name.as_deref(), *.position))]
    UnknownOption {
        /// The keyword.
        name: Option<String>,
        /// Position in the connection string.
        position: usize,
    },
    /// A URI of another scheme.
    #[error("the scheme of the connection URI is neither postgresql nor postgres")]
    Scheme,
    /// A malformed URI.
    #[error("{problem} at position {position} of the connection URI")]
    Uri {
        /// The problem, a noun phrase.
        problem: &'static str,
        /// Position of it.
        position: usize,
    },
    /// A malformed part of a URI.
    #[error("{problem} in \"{part}\" of the connection URI")]
    Encoding {
        /// The problem, a noun phrase.
        problem: &'static str,
        /// The parameter, or "a keyword".
        part: String,
    },
    /// A service file that was named and does not exist.
    #[error("service file \"{0}\" not found")]
    ServiceFileNotFound(String),
    /// A service file that cannot be read.
    #[error("could not read service file \"{path}\": {error}")]
    ServiceFileUnreadable {
        /// The file.
        path: String,
        /// The reason.
        error: std::io::Error,
    },
    /// A line of a service file.
    #[error("{problem} in service file \"{path}\", line {line}")]
    ServiceLine {
        /// The problem, a noun phrase.
        problem: &'static str,
        /// The file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
    },
    /// A service that no file defines.
    #[error("definition of service \"{0}\" not found")]
    ServiceNotFound(String),
    /// A value that the parameter does not have.
    #[error("invalid {parameter} value{}", show_value(.value.as_deref()))]
    InvalidValue {
        /// The parameter.
        parameter: &'static str,
        /// The value, unless it could be part of a password.
        value: Option<String>,
        /// Origin of the value.
        source_of_value: Source,
        /// A phrase: the valid values.
        valid: String,
    },
    /// A parameter of libpq that is not implemented.
    #[error("connection parameter \"{parameter}\" is not supported{}", show_refused(.value.as_deref()))]
    Unsupported {
        /// The parameter.
        parameter: &'static str,
        /// The value, unless it is secret.
        value: Option<String>,
        /// Origin of the value.
        source_of_value: Source,
        /// A sentence: the alternative.
        alternative: &'static str,
    },
    /// Lists of different lengths.
    #[error("could not match {found} {of} to {expected} {to}")]
    Count {
        /// Number of them.
        found: usize,
        /// Their name.
        of: &'static str,
        /// Number of the others.
        expected: usize,
        /// Name of the others.
        to: &'static str,
    },
    /// A path that a socket address has no room for.
    #[error("Unix-domain socket path is too long (maximum {0} bytes)")]
    SocketPath(usize),
    /// Parameters that contradict one another.
    #[error("{message}")]
    Conflict {
        /// The contradiction.
        message: String,
        /// A sentence: the way out.
        hint: &'static str,
    },
    /// A user name that is neither given nor known.
    #[error("could not look up the name of the account: {0}")]
    Account(String),
    /// Root certificates that the mode needs and that do not exist.
    #[error("{}", show_root(.0.as_deref()))]
    RootCertificate(Option<String>),
}

fn show_option(name: Option<&str>, position: usize) -> String {
    name.map_or_else(|| format!("at position {position} of the connection string"), |name| format!("\"{name}\""))
}

fn show_value(value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| format!(": \"{value}\""))
}

fn show_refused(value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| format!(": value \"{value}\""))
}

fn show_root(path: Option<&str>) -> String {
    path.map_or_else(
        || "could not get home directory to locate root certificate file".to_owned(),
        |path| format!("root certificate file \"{path}\" does not exist"),
    )
}

impl ConninfoError {
    /// A way out, in sentences.
    pub fn hint(&self) -> String {
        match self {
            Self::TooLong { .. } | Self::TooManyHosts(_) => "Shorten it.".to_owned(),
            Self::NulByte(_) => "Remove the NUL byte.".to_owned(),
            Self::MissingEquals(_) | Self::UnterminatedQuote | Self::UnknownOption { .. } => {
                "Write KEYWORD=VALUE pairs, and values with spaces in single quotes; within quotes, precede a quote and a \
                 backslash with a backslash."
                    .to_owned()
            }
            Self::Scheme | Self::Uri { .. } | Self::Encoding { .. } => {
                "Write postgresql://USER@HOST:PORT/DATABASE?KEYWORD=VALUE, and percent-encode special characters.".to_owned()
            }
            Self::ServiceFileNotFound(_) | Self::ServiceFileUnreadable { .. } => {
                "Check the path in PGSERVICEFILE or servicefile, and its permissions.".to_owned()
            }
            Self::ServiceLine { .. } => "A line is a [SERVICE], KEYWORD=VALUE without spaces around =, or a # comment.".to_owned(),
            Self::ServiceNotFound(_) => "Define it in ~/.pg_service.conf, or check the service parameter and PGSERVICE.".to_owned(),
            Self::InvalidValue { source_of_value, valid, .. } => {
                format!("The value is from {source_of_value}. Valid: {valid}.")
            }
            Self::Unsupported { source_of_value, alternative, .. } => {
                format!("The parameter is from {source_of_value}. {alternative}")
            }
            Self::Count { .. } => "Give as many, or one port for all hosts.".to_owned(),
            Self::SocketPath(_) => "Use a shorter socket directory, or a symbolic link to it.".to_owned(),
            Self::Conflict { hint, .. } => (*hint).to_owned(),
            Self::Account(_) => "Set user in the connection string, or PGUSER.".to_owned(),
            Self::RootCertificate(_) => "Provide the file, use the system's trusted roots with sslrootcert=system, or change \
                                         sslmode to disable server certificate verification."
                .to_owned(),
        }
    }
}
