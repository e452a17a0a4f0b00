//! Errors of ebsctl, their hints, and the exit status of each.

use std::io;

use ebs_aws::discount::DiscountError;
use ebs_aws::offer::ReadError;
use ebs_base::error::InputError;
use ebs_comparison::export::RunDocumentError;
use ebs_imports::configuration::ConfigurationError;
use ebs_imports::drivers::DriverError;
use ebs_imports::format::Format;
use ebs_remote::conninfo::ConninfoError;

use crate::evidence_error::EvidenceError;
use crate::fetch_error::FetchError;
use crate::file_error::{FileError, with_flags, with_options};
use crate::file_hint::write_hint;

/// Error of a command.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be opened or read.
    #[error("could not read \"{file}\": {error}")]
    ReadFile { file: String, error: io::Error },
    /// A file is not a valid offer file.
    #[error("\"{file}\": {error}")]
    OfferFile { file: String, error: ReadError },
    /// A file is not a document of configuration.
    #[error("\"{file}\": {error}")]
    ConfigurationFile { file: String, error: ConfigurationError },
    /// Two files price the same item.
    #[error("\"{file}\" has {item}, and so has another file")]
    DuplicatePrice { file: String, item: String },
    /// Standard output was closed.
    #[error("could not write: {0}")]
    WriteOutput(#[source] io::Error),
    /// A file cannot be written, or a directory takes none.
    #[error("could not write to \"{path}\": {error}")]
    WriteFile { path: String, error: io::Error },
    /// A server gave something else than a page, or one that could run scripts.
    #[error("the server gave no page of ebs_advisor, or one without its policy against scripts")]
    NoPage,
    /// The client cannot be started.
    #[error("could not start a client: {0}")]
    StartClient(#[source] io::Error),
    /// The parameters of a connection cannot be used.
    #[error("{0}")]
    Conninfo(#[source] ConninfoError),
    /// No server took the connection; the reason of each.
    #[error("the server was not reached")]
    Unreachable(String),
    /// The server went away, or gave an answer that is none.
    #[error("the connection to the server is lost")]
    ConnectionLost(String),
    /// A signal came while a server was asked.
    #[error("interrupted")]
    Interrupted,
    /// A connection of --planner fails.
    #[error("--planner \"{conninfo}\": {error}")]
    Planner { conninfo: String, error: Box<Error> },
    /// A connection of --planner leads elsewhere than the one to the watched server.
    #[error("--planner \"{conninfo}\" leads to {place}")]
    OtherPlanner { conninfo: String, place: String },
    /// The role of a connection of --planner may do more than read; the statements that make a right one.
    #[error("--planner \"{conninfo}\": {reason}")]
    HarmfulPlanner { conninfo: String, reason: String, remedies: Vec<String> },
    /// The database lacks the extension.
    #[error("the extension ebs_advisor is not in this database")]
    ExtensionMissing,
    /// The database has a version of the extension without a function, or with another one.
    #[error(
        "the extension ebs_advisor {version} in this database lacks function {function}, or has it with other arguments"
    )]
    ExtensionOutdated { version: String, function: &'static str },
    /// An error that the server reported.
    #[error("{}", .0.message)]
    Server(ServerError),
    /// No sampler samples the run.
    #[error("run \"{label}\" is not sampled, and the command was not started")]
    NotSampled { label: String },
    /// A server was watched, and no sample came of it.
    #[error("no sample was taken, and nothing is kept")]
    NothingWatched,
    /// The file of a run that was watched and not kept.
    #[error("\"{file}\" has a run of this label that was watched and not kept")]
    RunFileExists { file: String, command: String },
    /// Samples of a fleet cannot be fetched.
    #[error("{0}")]
    Fetch(#[from] FetchError),
    /// No volume of a fleet is found.
    #[error("no volume is found")]
    NoVolumes { excluded: usize },
    /// A file of rows has none.
    #[error("\"{file}\" has no row")]
    NoRows { file: String },
    /// A file has no rows of a fleet.
    #[error("\"{file}\": {error}")]
    RowsFile { file: String, error: ebs_fleet_report::ReadError },
    /// A discount is not valid.
    #[error("--discount: {0}")]
    Discount(#[from] DiscountError),
    /// An argument of advice is not valid.
    #[error("{}", with_flags(&.0.to_string()))]
    Advice(#[from] InputError),
    /// Another process watches a run of this label, with its file in the same directory.
    #[error("run \"{label}\" is being watched")]
    RunIsWatched { label: String },
    /// A password on ebsctl's command line.
    #[error("a password on a command line is seen by all users of the machine")]
    PasswordOnCommandLine,
    /// An argument with an invalid value.
    #[error("{message}")]
    InvalidArgument { message: String, hint: &'static str },
    /// The command to run cannot be started.
    #[error("could not run \"{program}\": {error}")]
    StartCommand { program: String, error: io::Error },
    /// No handler of signals can be installed.
    #[error("could not listen to signals: {0}")]
    HandleSignals(#[source] io::Error),
    /// A file of a load driver is not valid, or not of the kind that was chosen.
    #[error("\"{file}\": {error}")]
    DriverFile { file: String, error: DriverError },
    /// A file that another command or function imports.
    #[error("\"{file}\" looks like {}, which is no output of a load driver", other.kind)]
    OtherFile { file: String, other: &'static Format },
    /// A file is refused.
    #[error("{0}")]
    File(#[from] FileError),
    /// Files of which no evidence can be made.
    #[error("{0}")]
    Evidence(#[from] EvidenceError),
    /// A run cannot be written as a document.
    #[error("the run cannot be sent: {0}")]
    RunDocument(#[source] RunDocumentError),
    /// A HammerDB database cannot be read.
    #[error("\"{file}\": {problem}")]
    HammerDbDatabase { file: String, problem: String },
}

/// Reason for a missing answer.
#[derive(Debug)]
pub enum QueryError {
    /// An error that the server reported.
    Server(ServerError),
    /// The connection is lost, for this reason.
    ConnectionLost(String),
    /// The answer is awaited no longer: a signal came.
    Stopped,
}

/// Error of a statement, as the server reports it.
#[derive(Debug, Default, PartialEq)]
pub struct ServerError {
    /// Its message.
    pub message: String,
    /// Its SQLSTATE.
    pub sqlstate: String,
    /// Its detail.
    pub detail: Option<String>,
    /// Its hint.
    pub hint: Option<String>,
}

impl QueryError {
    /// Its message.
    pub fn into_message(self) -> String {
        match self {
            QueryError::Server(error) => error.message,
            QueryError::ConnectionLost(message) => message,
            QueryError::Stopped => "it was interrupted".to_owned(),
        }
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Error {
        match error {
            QueryError::Server(error) => Error::Server(error),
            QueryError::ConnectionLost(message) => Error::ConnectionLost(message),
            QueryError::Stopped => Error::Interrupted,
        }
    }
}

impl Error {
    /// The exit status: 1 for files, 2 for usage, 3 for the database, 126 and 127 for a command that cannot be started, as
    /// shells have it.
    pub fn exit_status(&self) -> u8 {
        match self {
            Error::ReadFile { .. } | Error::OfferFile { .. } | Error::DuplicatePrice { .. } => 1,
            Error::ConfigurationFile { .. }
            | Error::DriverFile { .. }
            | Error::OtherFile { .. }
            | Error::HammerDbDatabase { .. } => 1,
            Error::File(error) => error.exit_status(),
            Error::RunDocument(_) => 1,
            Error::Evidence(error) => error.exit_status(),
            Error::WriteOutput(_) | Error::WriteFile { .. } | Error::HandleSignals(_) => 1,
            Error::RowsFile { .. } => 1,
            Error::Fetch(error) => error.exit_status(),
            Error::NoVolumes { .. } | Error::NoRows { .. } => 1,
            Error::PasswordOnCommandLine | Error::InvalidArgument { .. } => 2,
            Error::Discount(_) | Error::Advice(_) => 2,
            Error::RunFileExists { .. } | Error::RunIsWatched { .. } => 2,
            Error::Conninfo(_) => 2,
            Error::Interrupted => 130,
            Error::StartClient(_) | Error::ConnectionLost(_) | Error::NoPage => 3,
            Error::Unreachable(_) | Error::ExtensionMissing | Error::Server(_) | Error::NotSampled { .. } => 3,
            Error::NothingWatched | Error::Planner { .. } | Error::ExtensionOutdated { .. } => 3,
            Error::OtherPlanner { .. } | Error::HarmfulPlanner { .. } => 2,
            Error::StartCommand { error, .. } if error.kind() == io::ErrorKind::NotFound => 127,
            Error::StartCommand { .. } => 126,
        }
    }

    /// Detail, where there is one: progress up to the error, or the message of another program.
    pub fn detail(&self) -> Option<String> {
        match self {
            Error::OfferFile { error, .. } => Some(error.detail()),
            Error::Unreachable(message) | Error::ConnectionLost(message) => {
                Some(message.clone()).filter(|message| !message.is_empty())
            }
            Error::Server(error) => error.detail.clone(),
            Error::Planner { error, .. } => error.detail(),
            Error::File(error) => error.detail(),
            Error::Evidence(error) => error.detail(),
            Error::NoVolumes { excluded: 0 } => None,
            Error::NoVolumes { excluded } => {
                Some(format!("{excluded} volumes are excluded by the selection, or hold the operating system alone."))
            }
            _ => None,
        }
    }

    /// Message and detail in one line.
    pub fn in_one_line(&self) -> String {
        let detail =
            self.detail().map(|detail| format!(": {}", detail.split_whitespace().collect::<Vec<_>>().join(" ")));
        format!("{self}{}", detail.unwrap_or_default())
    }

    /// Advice to the user.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Error::OfferFile { error, .. } => error.error.hint(),
            Error::Fetch(error) => return error.hint().map(str::to_owned),
            Error::NoVolumes { excluded: 1.. } => {
                "Compare --tag, --volume, --claim, --mountpoint and --match with the documents and with the labels of the series."
            }
            Error::NoVolumes { .. } => {
                "The exporters are node_exporter (node_disk_info with serial numbers), the EBS CSI driver, RDS exporters and YACE; compare --match, \
                 --since and the selection with docs/fleet.md."
            }
            Error::RowsFile { .. } | Error::NoRows { .. } => "Give files that ebsctl fleet --format json has written.",
            Error::Discount(_) => {
                "Usage types are those of AWS's bill, such as EBS:VolumeUsage.gp3; 0.8 is a discount of 20 %."
            }
            Error::Advice(error) => return Some(error.hint()),
            Error::DuplicatePrice { .. } => "Give one file for each offer and region.",
            Error::Conninfo(error) => return Some(error.hint()),
            Error::Unreachable(_) => "Connections are as libpq's: PGHOST, PGSERVICE, ~/.pgpass, or --dbname.",
            Error::Planner { .. } | Error::OtherPlanner { .. } => {
                "Give the watched database's connection string with a user who may only read, for example --planner 'service=prod \
                 user=ebs_planner'."
            }
            Error::HarmfulPlanner { remedies, .. } => return Some(planner_hint(remedies)),
            Error::ExtensionMissing => {
                "Name the database with --dbname, --into or PGDATABASE, or there: CREATE EXTENSION ebs_advisor;"
            }
            Error::ExtensionOutdated { .. } => {
                "There, once the server has the files of a newer version: ALTER EXTENSION ebs_advisor UPDATE;"
            }
            Error::Server(error) => return error.hint.clone(),
            Error::NotSampled { .. } => {
                "SELECT * FROM ebs_status() says why; outside the database of ebs_advisor.database a run needs a free background worker \
                 (max_worker_processes)."
            }
            Error::NothingWatched => "Watch for longer than a few seconds, over a link that answers within a second.",
            Error::PasswordOnCommandLine => "Keep it in ~/.pgpass, or in a service file: PGSERVICE.",
            Error::InvalidArgument { hint, .. } => hint,
            Error::RunFileExists { command, .. } => {
                return Some(format!("Remove the file, choose another label, or import the run:\n{command}"));
            }
            Error::RunIsWatched { .. } => "Choose another label, or end that watch by Ctrl-C, which keeps its run.",
            Error::StartCommand { .. } => "The command stands behind --, as it would be typed without ebsctl.",
            Error::DriverFile { error, .. } => return Some(error.hint()),
            Error::OtherFile { .. } => "Leave out --kind: what the file is decides where it goes.",
            Error::File(error) => return Some(error.hint()),
            Error::Evidence(error) => return Some(with_options(&error.hint())),
            Error::RunDocument(_) => "Import fewer days at once.",
            Error::ConfigurationFile { error, .. } => return Some(error.hint()),
            Error::HammerDbDatabase { .. } => "Give hammer.DB as HammerDB wrote it, while HammerDB does not run.",
            Error::WriteFile { error, .. } | Error::WriteOutput(error) => return write_hint(error).map(str::to_owned),
            Error::NoPage => "The extension there may be of another version than this ebsctl.",
            Error::StartClient(_) | Error::ConnectionLost(_) | Error::Interrupted => return None,
            Error::ReadFile { error, .. } if error.kind() == io::ErrorKind::IsADirectory => {
                "Name the files in it, such as DIR/*."
            }
            Error::ReadFile { .. } | Error::HandleSignals(_) => return None,
        };
        Some(hint.to_owned())
    }
}

fn planner_hint(remedies: &[String]) -> String {
    let reason =
        "Planning runs functions of the server's users with the rights of this role, which must therefore only read.";
    format!("{reason} A right one is made by:\n{}", remedies.join("\n"))
}
