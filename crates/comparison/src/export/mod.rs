//! Runs as one JSON document, to move between servers and to keep in files.
//!
//! Samples are in it as they are stored: the packed layout in base64, with the layout's number and a checksum. Rows of JSON
//! would be several times as large, and might be rounded or read differently, while the same bytes give the same answers.
//! A version reads the layouts of all earlier versions.

mod declared;
mod environment;
mod error;
mod index_findings;
mod length_limit;
mod limits;
mod read;
mod samples;
mod write;

pub use declared::{declarations, declared};
pub use environment::{EnvironmentDocument, NO_INDEX_ADVICE, WATCH_SOURCE};
pub use error::RunDocumentError;
pub use limits::{MAX_DECLARED, MAX_NOTE, MAX_PACKED_BYTES, MAX_ROWS, MAX_RUNS, SCHEMA_VERSION};
pub use read::{read, read_text};
pub use samples::Samples;
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use write::write;

use ebs_imports::drivers::fio::Fio;
use ebs_tuning::indexes::Finding;
use ebs_workload::declarations::Declarations;
use ebs_workload::reading::Reading;

/// Value of the key `document`, by which the document is recognized.
pub const KIND: &str = "ebs_advisor runs";

/// A run with all that belongs to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Label.
    pub label: String,
    /// Begin, microseconds since 1970.
    pub started_us: i64,
    /// End, microseconds since 1970.
    pub ended_us: i64,
    /// The user's note.
    pub note: Option<Value>,
    /// Server that it ran on, or source that it was imported from.
    pub environment: Option<Value>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// Volumes and instance of the cluster as they were declared at its end.
    pub declared: Declarations,
    /// Phases.
    pub marks: Vec<Mark>,
    /// Results of load drivers.
    pub results: Vec<RunResult>,
    /// Reports of fio.
    pub fio: Vec<FioImport>,
    /// Readings when it began, at its marks and when it ended.
    pub readings: Vec<RunReading>,
    /// Findings about indexes, by the planner of the server that was watched; `None` where it was not asked.
    pub index_findings: Option<Vec<Finding>>,
    /// Samples, in time order.
    pub samples: Vec<Samples>,
}

/// Begin of a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mark {
    /// Name of the phase; `measure` begins the part that is measured.
    pub phase: String,
    /// Begin, microseconds since 1970.
    pub marked_us: i64,
}

/// Result of a load driver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunResult {
    /// Time of its recording, microseconds since 1970.
    pub recorded_us: i64,
    /// Transactions a second.
    pub tps: Option<f64>,
    /// Mean latency of a transaction, ms.
    pub latency_ms: Option<f64>,
    /// New orders a minute.
    pub nopm: Option<f64>,
    /// Transactions a minute as HammerDB counts them.
    pub tpm: Option<f64>,
    /// Everything else, an object as the user or ebsctl gave it (docs/schema/result.json); at most 1 MiB as text.
    pub details: Option<Value>,
}

/// An imported report of fio.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FioImport {
    /// Time of the import, microseconds since 1970.
    pub recorded_us: i64,
    /// The report.
    pub fio: Fio,
}

/// A reading and the moment of the run that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunReading {
    /// Begin of the run, a mark or its end, microseconds since 1970.
    pub moment_us: i64,
    /// The reading.
    pub reading: Reading,
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
