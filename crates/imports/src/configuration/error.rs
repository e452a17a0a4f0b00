//! Errors of documents of configuration.

use super::kind::{Kind, MAX_OBJECTS};

/// Reason for which documents of configuration are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationError {
    /// The text is not JSON, or is cut off.
    #[error("the configuration is not JSON: {0}")]
    Malformed(String),
    /// A document is of another kind.
    #[error("{0} has none of the keys Volumes, Reservations, DBInstances, VolumesModifications")]
    Foreign(String),
    /// A document of databases that have no volumes.
    #[error("{document} is of {service}, which has no volumes to choose")]
    NoVolumes {
        /// The document: `document 1`.
        document: String,
        /// The service: `Aurora DSQL`.
        service: &'static str,
    },
    /// A key has an unexpected value.
    #[error("\"{key}\" of {at} {problem}")]
    Value {
        /// The element: `volume "vol-0a"`, `element 3 of "Volumes"`.
        at: String,
        /// The key.
        key: String,
        /// The problem: `is not a string`.
        problem: String,
    },
    /// An element is not an object, or lacks what identifies it.
    #[error("{at} {problem}")]
    Element {
        /// The element.
        at: String,
        /// The problem.
        problem: String,
    },
    /// Two documents describe one object differently.
    #[error("{0} is described twice, and differently")]
    Contradiction(String),
    /// A value would take more memory than any of AWS's.
    #[error("{0} has a value that is larger than any that AWS prints")]
    TooLarge(String),
    /// More objects than one import may have.
    #[error("the configuration has more than {MAX_OBJECTS} objects")]
    TooMany,
}

impl ConfigurationError {
    /// The remedy.
    pub fn hint(&self) -> String {
        match self {
            ConfigurationError::Contradiction(_) => {
                "Give the newest document of each object alone. Imported into a database one after another, the later applies."
                    .to_owned()
            }
            ConfigurationError::TooMany => "Import it in parts, such as a region at a time.".to_owned(),
            ConfigurationError::NoVolumes { .. } => {
                "Aurora, Aurora Limitless and Aurora DSQL store in a service of their own; ebs_aurora compares Aurora's storage \
                 configurations (docs/aurora.md)."
                    .to_owned()
            }
            ConfigurationError::Malformed(_) => {
                "Perhaps it is cut off, or was printed without --output json.".to_owned()
            }
            _ => {
                let commands = Kind::ALL.map(Kind::command).join(", ");
                format!("Accepted is what these print with --output json and without --query: {commands}.")
            }
        }
    }
}
