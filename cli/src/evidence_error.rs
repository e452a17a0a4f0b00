//! Errors of files of which no evidence can be made.

use ebs_answer::{AnswerError, WaitsError};
use ebs_imports::format::RECORD;

/// Files of which no evidence can be made.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// None has demand; what each has.
    #[error("no file has the demand of a server")]
    NoDemand(Vec<String>),
    /// Several runs, and none is chosen; their labels.
    #[error("the files have several runs, and none is named")]
    SeveralRuns(Vec<String>),
    /// None of the runs has the label; their labels.
    #[error("no run in the files is called \"{0}\"")]
    UnknownRun(String, Vec<String>),
    /// The label cannot be one.
    #[error("a label has 1 to 63 printable characters")]
    Label,
    /// Wait events do not belong to the demand.
    #[error("\"{file}\": {error}")]
    Waits {
        /// The file.
        file: String,
        /// The reason.
        error: WaitsError,
    },
    /// Wait events of RDS beside the demand of another server.
    #[error("\"{file}\" is of an RDS instance, and the demand in \"{demand}\" is not")]
    OtherServer {
        /// The file with wait events.
        file: String,
        /// That with the demand.
        demand: String,
    },
    /// The request cannot be answered on it.
    #[error("{0}")]
    Answer(#[from] AnswerError),
}

impl EvidenceError {
    /// Exit status of ebsctl: that of a file, or of an argument.
    pub fn exit_status(&self) -> u8 {
        match self {
            EvidenceError::NoDemand(_) | EvidenceError::Waits { .. } | EvidenceError::OtherServer { .. } => 1,
            _ => 2,
        }
    }

    /// Text of the line of detail.
    pub fn detail(&self) -> Option<String> {
        match self {
            EvidenceError::NoDemand(beside) if !beside.is_empty() => {
                Some(format!("There is {}.", beside.join("; and ")))
            }
            EvidenceError::Waits { error, .. } => error.detail().map(str::to_owned),
            EvidenceError::Answer(error) => Some(error.detail()),
            _ => None,
        }
    }

    /// Advice to the user.
    pub fn hint(&self) -> String {
        match self {
            EvidenceError::NoDemand(_) => RECORD.to_owned(),
            EvidenceError::SeveralRuns(labels) | EvidenceError::UnknownRun(_, labels) => {
                format!("Name one by --label: {}.", labels.join(", "))
            }
            EvidenceError::OtherServer { .. } => {
                "Performance Insights goes beside Enhanced Monitoring or CloudWatch of the same instance.".to_owned()
            }
            EvidenceError::Label => "For example --label pg1.".to_owned(),
            EvidenceError::Waits { error, .. } => error.hint().to_owned(),
            EvidenceError::Answer(error) => error.hint().to_owned(),
        }
    }
}
