//! Writer of the document.

use std::borrow::Cow;

use ebs_base::object;
use ebs_tuning::indexes::Finding;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::declared::DeclaredStorage;
use super::{
    FioImport, KIND, MAX_PACKED_BYTES, MAX_RUNS, Mark, Run, RunDocumentError, RunReading, RunResult, SCHEMA_VERSION,
    Samples, index_findings,
};

/// Writes the document of these runs; `version` is that of the program. Refuses more than a document holds. `pause` is called
/// between pieces of the work.
pub fn write(runs: &[Run], version: &str, pause: &dyn Fn()) -> Result<Value, RunDocumentError> {
    let bytes: usize = runs.iter().flat_map(|run| &run.samples).map(|samples| samples.bytes.len()).sum();
    if runs.len() > MAX_RUNS || bytes > MAX_PACKED_BYTES {
        return Err(RunDocumentError::TooLarge);
    }
    let runs = runs.iter().map(|run| RunDocument::from((run, pause))).collect();
    let document = Document { document: KIND, schema_version: SCHEMA_VERSION, ebs_advisor: version, runs };
    // Maps have text or numbers for keys, so that nothing is refused.
    Ok(serde_json::to_value(document).unwrap_or_default())
}

/// Runs with all that belongs to them, as ebs_run_export writes and ebs_run_import reads them. Null is not known.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Document<'a> {
    /// `ebs_advisor runs`.
    document: &'static str,
    /// Version of this shape: grows when a key changes its meaning or goes; new keys do not change it.
    schema_version: u64,
    /// Version of the extension that wrote it.
    ebs_advisor: &'a str,
    /// At least one run and at most 1,000, each with a label of its own.
    runs: Vec<RunDocument<'a>>,
}

object! {
    /// A run.
    struct RunDocument<'a>((run, pause): (&'a Run, &'a dyn Fn()))
    where {
        let bounded = |findings| Paced { rows: index_findings::bounded(findings, pause), pause };
    } {
        /// Label, unique in the document.
        label: &'a str = &run.label,
        /// Begin, microseconds since 1970.
        started_us: i64 = run.started_us,
        /// End, microseconds since 1970; not before started_us.
        ended_us: i64 = run.ended_us,
        /// The user's note, at most 1 MiB as text.
        note: &'a Option<Value> = &run.note,
        /// The server when the run began, or the origin of an imported run; at most 1 MiB as text.
        #[cfg_attr(test, schemars(with = "Option<super::EnvironmentDocument>"))]
        environment: &'a Option<Value> = &run.environment,
        /// The user's tags.
        tags: &'a [String] = &run.tags,
        /// Volumes and instance as they were declared when the run ended.
        declared: DeclaredStorage = DeclaredStorage::from(&run.declared),
        /// Phases, in time order, no two at the same time; at most 1,002.
        marks: &'a [Mark] = &run.marks,
        /// Results of load drivers, no two at the same time; at most 1,002.
        results: &'a [RunResult] = &run.results,
        /// Reports of fio, no two at the same time; at most 1,002.
        fio: &'a [FioImport] = &run.fio,
        /// Readings through SQL when the run began, at its marks and when it ended, no two at the same time.
        #[cfg_attr(test, schemars(with = "Vec<RunReading>"))]
        readings: Paced<'a, RunReading> = Paced { rows: Cow::Borrowed(&run.readings), pause },
        /// Findings about indexes by the planner of the server that was watched, best first, at most 1,000 and 4 MiB as text; no key where
        /// it was not asked.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, schemars(with = "Option<Vec<Finding>>"))]
        index_findings: Option<Paced<'a, Finding>> = run.index_findings.as_deref().map(bounded),
        /// Samples, in time order.
        #[cfg_attr(test, schemars(with = "Vec<super::samples::PackedSamples>"))]
        samples: Paced<'a, Samples> = Paced { rows: Cow::Borrowed(&run.samples), pause },
    }
}

/// Rows that may be large: their serialization calls `pause` before each.
struct Paced<'a, T: Clone> {
    rows: Cow<'a, [T]>,
    pause: &'a dyn Fn(),
}

impl<T: Serialize + Clone> Serialize for Paced<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.iter().inspect(|_| (self.pause)()))
    }
}
