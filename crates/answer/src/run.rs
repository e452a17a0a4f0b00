//! Header of a run: everything but its samples that an answer depends on.

use ebs_comparison::export::Run as RunDocument;
use ebs_imports::monitoring::is_rds_source;
use ebs_samples::evidence::DeviceChecks;
use serde::Deserialize as _;
use serde_json::Value;

/// Header of a run: what its answer depends on beside its samples.
#[derive(Clone, Debug, Default)]
pub struct RunHeader {
    /// Its label.
    pub label: String,
    /// Beginning of its measured part, microseconds since 1970: the mark `measure` if there is one.
    pub from_us: i64,
    /// End of that part: the mark after `measure`, or the end of the run; `None` while it is open.
    pub to_us: Option<i64>,
    /// True if its samples came from elsewhere.
    pub imported: bool,
    /// Version of the server it ran on.
    pub server_version: Option<String>,
    /// The program or service its samples came from, where it is known.
    pub source: Option<String>,
    /// Limitations of that source.
    pub doubts: Vec<String>,
    /// True if its measured part was marked.
    pub marked: bool,
    /// The server and its settings at its beginning.
    pub environment: Option<Value>,
}

/// Names of the instance of RDS that a run is of.
const INSTANCE_KEYS: [&str; 2] = ["db_instance", "dbi_resource_id"];

impl RunHeader {
    /// Header of a run that was exported or imported.
    pub fn from_document(run: &RunDocument) -> RunHeader {
        let marks = || run.marks.iter().map(|mark| mark.marked_us);
        let measures = run.marks.iter().filter(|mark| mark.phase == "measure");
        let measure_us = measures.map(|mark| mark.marked_us).max();
        let after_us = measure_us.and_then(|measure_us| marks().filter(|us| *us > measure_us).min());
        let environment = run.environment.as_ref();
        let text = |key: &str| environment.and_then(|environment| Some(environment.get(key)?.as_str()?.to_owned()));
        let doubts = environment.and_then(|environment| environment.get("doubts")?.as_array());
        let doubts = doubts.into_iter().flatten().filter_map(|doubt| Some(doubt.as_str()?.to_owned()));
        RunHeader {
            label: run.label.clone(),
            from_us: measure_us.unwrap_or(run.started_us),
            to_us: Some(after_us.unwrap_or(run.ended_us)),
            imported: true,
            server_version: text("server_version"),
            source: text("imported_from"),
            doubts: doubts.collect(),
            marked: measure_us.is_some(),
            environment: run.environment.clone(),
        }
    }

    /// Checks that the source of an imported run kept of its devices; none where they cannot be read, as of a later version.
    pub fn checks(&self) -> Vec<DeviceChecks> {
        let checks = self.environment.as_ref().and_then(|environment| environment.get("checks"));
        checks.and_then(|checks| Vec::deserialize(checks).ok()).unwrap_or_default()
    }

    /// The server: `PostgreSQL 18.6`, `imported from iostat`.
    pub fn server(&self) -> String {
        match (&self.server_version, &self.source) {
            (Some(version), _) => server_name(version),
            (None, Some(source)) => format!("imported from {source}"),
            (None, None) => "imported samples".to_owned(),
        }
    }

    /// Text that the import stored in the environment.
    pub(crate) fn environment_text(&self, key: &str) -> Option<String> {
        self.environment.as_ref()?.get(key)?.as_str().map(str::to_owned)
    }

    /// True where the samples name the instance of RDS.
    pub(crate) fn names_instance(&self) -> bool {
        INSTANCE_KEYS.iter().any(|key| self.environment_text(key).is_some())
    }

    /// True where the import says that the samples are those of an instance of RDS.
    pub fn is_of_rds(&self) -> bool {
        self.imported && (self.source.as_deref().is_some_and(is_rds_source) || self.names_instance())
    }
}

/// `PostgreSQL 18.6`, without the packager's addition to the version.
pub fn server_name(version: &str) -> String {
    format!("PostgreSQL {}", version.split(' ').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use ebs_comparison::export::Mark;
    use serde_json::json;

    use super::*;

    fn run(marks: &[(&str, i64)]) -> RunDocument {
        let mark = |(phase, marked_us): &(&str, i64)| Mark { phase: (*phase).to_owned(), marked_us: *marked_us };
        RunDocument {
            label: "a".to_owned(),
            started_us: 10,
            ended_us: 90,
            marks: marks.iter().map(mark).collect(),
            ..RunDocument::default()
        }
    }

    #[test]
    fn the_measured_part_is_from_the_last_mark_measure_to_the_mark_behind_it() {
        let measured = |marks: &[(&str, i64)]| {
            let header = RunHeader::from_document(&run(marks));
            (header.from_us, header.to_us, header.marked)
        };
        assert_eq!(measured(&[("load", 20)]), (10, Some(90), false));
        assert_eq!(measured(&[("measure", 20)]), (20, Some(90), true));
        assert_eq!(measured(&[("measure", 20), ("over", 30), ("measure", 40), ("over", 50)]), (40, Some(50), true));
    }

    #[test]
    fn the_server_is_that_of_the_environment() {
        let server = |environment| RunHeader::from_document(&RunDocument { environment, ..run(&[]) }).server();
        assert_eq!(server(Some(json!({"server_version": "18.6 (Debian 18.6-1)"}))), "PostgreSQL 18.6");
        assert_eq!(server(Some(json!({"imported_from": "iostat", "doubts": ["a"]}))), "imported from iostat");
        assert_eq!(server(None), "imported samples");
    }
}
