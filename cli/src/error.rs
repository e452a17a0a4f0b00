//! What ebsctl refuses, in words an administrator can act on, and its exit status.

use std::io;

use ebs_aws::offer::Refused;
use ebs_imports::driver::DriverError;

use crate::session::{NoAnswer, Refusal};

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be opened or read.
    #[error("could not read \"{file}\": {error}")]
    File { file: String, error: io::Error },
    /// A file is not what it should be.
    #[error("\"{file}\": {refused}")]
    Refused { file: String, refused: Refused },
    /// Two files price the same.
    #[error("\"{file}\" has {what}, and so has another file")]
    Twice { file: String, what: String },
    /// Standard output was closed.
    #[error("could not write: {0}")]
    Output(#[source] io::Error),
    /// A file cannot be written, or a directory takes none.
    #[error("could not write to \"{path}\": {error}")]
    Unwritten { path: String, error: io::Error },
    /// psql cannot be run.
    #[error("could not run \"{program}\": {error}")]
    NoPsql { program: String, error: io::Error },
    /// psql says no; it has said why.
    #[error("psql ended with exit status {status}; nothing was changed")]
    Psql { status: String, needs: Option<&'static str> },
    /// psql ended well and printed nothing.
    #[error("\"{program}\" printed nothing")]
    Silent { program: String },
    /// The server was not reached, or went away; what psql said.
    #[error("the server was not reached")]
    Unreachable(String),
    /// It has no ebs_advisor.
    #[error("the extension ebs_advisor is not in this database")]
    NoExtension,
    /// The server says no.
    #[error("{}", .0.message)]
    Server(Refusal),
    /// A password on our own command line.
    #[error("a password on a command line is seen by all users of the machine")]
    PasswordShown,
    /// An argument that makes no sense.
    #[error("{message}")]
    Argument { message: String, hint: &'static str },
    /// The command to run cannot be started.
    #[error("could not run \"{program}\": {error}")]
    NoCommand { program: String, error: io::Error },
    /// Signals cannot be listened to.
    #[error("could not listen to signals: {0}")]
    Signals(#[source] io::Error),
    /// What a load driver left cannot be taken.
    #[error("\"{file}\": {error}")]
    Driver { file: String, error: DriverError },
    /// A database of HammerDB cannot be read.
    #[error("\"{file}\": {problem}")]
    Database { file: String, problem: String },
}

impl From<NoAnswer> for Error {
    fn from(none: NoAnswer) -> Error {
        match none {
            NoAnswer::Refused(refusal) => Error::Server(refusal),
            NoAnswer::Lost(said) => Error::Unreachable(said),
        }
    }
}

/// psql's exit status for a script that the server refused
/// (<https://www.postgresql.org/docs/18/app-psql.html#id-1.9.4.20.7>).
const REFUSED: &str = "3";

impl Error {
    /// The exit status: 1 for files, 2 for usage, 3 for the database, 126 and 127 for a command that cannot be started, as
    /// shells have it.
    pub fn status(&self) -> u8 {
        match self {
            Error::File { .. } | Error::Refused { .. } | Error::Twice { .. } | Error::Output(_) => 1,
            Error::Driver { .. } | Error::Database { .. } | Error::Signals(_) | Error::Unwritten { .. } => 1,
            Error::PasswordShown | Error::Argument { .. } => 2,
            Error::NoPsql { .. }
            | Error::Silent { .. }
            | Error::Psql { .. }
            | Error::Unreachable(_)
            | Error::NoExtension
            | Error::Server(_) => 3,
            Error::NoCommand { error, .. } if error.kind() == io::ErrorKind::NotFound => 127,
            Error::NoCommand { .. } => 126,
        }
    }

    /// How far it came, or what others said of it.
    pub fn detail(&self) -> Option<String> {
        match self {
            Error::Refused { refused, .. } => Some(refused.detail()),
            Error::Unreachable(said) => Some(said.clone()).filter(|said| !said.is_empty()),
            Error::Server(refusal) => refusal.detail.clone(),
            _ => None,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Error::Refused { refused, .. } => refused.error.hint(),
            Error::Twice { .. } => "Give one file for each offer and region.",
            Error::NoPsql { .. } | Error::Silent { .. } => "Install PostgreSQL's client, or name its psql with --psql.",
            // What the server refused, psql has said, with the server's own hint.
            Error::Psql { status, needs } if status == REFUSED => return needs.map(str::to_owned),
            Error::Psql { .. } | Error::Unreachable(_) => {
                "Connections are libpq's: PGHOST, PGSERVICE, ~/.pgpass, or --dbname."
            }
            Error::NoExtension => {
                "Name the database with --dbname or PGDATABASE, or there: CREATE EXTENSION ebs_advisor;"
            }
            Error::Server(refusal) => return refusal.hint.clone(),
            Error::PasswordShown => "Keep it in ~/.pgpass, or in a service file: PGSERVICE.",
            Error::Argument { hint, .. } => hint,
            Error::NoCommand { .. } => "The command stands behind --, as it would be typed without ebsctl.",
            Error::Driver { error, .. } => return Some(error.hint()),
            Error::Database { .. } => "Give hammer.DB as HammerDB wrote it, while HammerDB does not run.",
            Error::Unwritten { error, .. } if error.kind() == io::ErrorKind::NotFound => {
                "The directory has to exist; mkdir -p makes it."
            }
            Error::Unwritten { .. } => "Name a file that this account may write.",
            Error::File { .. } | Error::Output(_) | Error::Signals(_) => return None,
        };
        Some(hint.to_owned())
    }
}
