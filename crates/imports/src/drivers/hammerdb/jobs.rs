//! Parser of the output of HammerDB's command `jobs`: results (`jobs JOBID result`), timings (`jobs JOBID timing`), one job or
//! several. The documents are made in jobs-1.0.tm (<https://github.com/TPC-Council/HammerDB/tree/master/modules>).

use serde_json::{Map, Value};

use crate::drivers::Driver;
use crate::drivers::error::DriverError;
use crate::drivers::figure::{count, figure};
use crate::drivers::follower::{Follower, read};
use crate::drivers::percentile::Percentile;
use crate::drivers::report::{Job, Procedure, Report};
#[cfg(any(test, feature = "made"))]
use crate::drivers::samples;
use crate::format::{COMMAND, Format, Kind, PAGE, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{Inputs, Made, Sample};

/// Jobs of HammerDB.
pub(in crate::drivers) const FORMAT: Format = Format {
    name: "hammerdb-jobs",
    kind: "jobs of HammerDB",
    command: COMMAND,
    page: PAGE,
    shape: "Accepted is the JSON that HammerDB prints for jobs JOBID result and jobs JOBID timing.",
    signs: &[Sign::Text(is_jobs)],
    reader: Reader::Driver(Kind::HammerdbJobs),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(samples::JOB)],
        made: &[Made { what: "documents", make: |bytes| r#"{"a":{"nopm":"1"}}"#.repeat(bytes / 18) }],
    },
};

/// True of a document, maybe behind hammerdbcli's greeting, with a member or a line of a job.
fn is_jobs(text: &str) -> bool {
    let document = |line: &str| line == "{" || line.starts_with("{\"") || line == "[" || line.starts_with("[\"");
    text.lines().any(|line| document(line.trim_start_matches(PROMPT).trim()))
        && ["\"nopm\"", "\"avg_ms\"", "\"activevu\"", "Vuser ", "TEST RESULT"].iter().any(|sign| text.contains(sign))
}

/// The report of one job: of the one that there is, or of the one named. Text before the first document, and prompts of hammerdbcli
/// behind each, do not matter; several documents one behind the other are taken together.
pub fn jobs(text: &str, job: Option<&str>) -> Result<Report, DriverError> {
    let mut found = JobDocuments::default();
    let mut begin = text.find(['{', '[']).ok_or(DriverError::Foreign(WHAT))?;
    let mut documents = serde_json::Deserializer::from_str(&text[begin..]).into_iter::<Value>();
    while let Some(document) = documents.next() {
        found.document(&document.map_err(|error| broken(text, begin, &error))?);
        begin = behind_prompt(text, begin + documents.byte_offset());
        documents = serde_json::Deserializer::from_str(&text[begin..]).into_iter();
    }
    found.select(job)
}

/// The beginning of the document behind hammerdbcli's prompt and the command typed there, if a prompt comes next.
fn behind_prompt(text: &str, from: usize) -> usize {
    let rest = &text[from..];
    if !rest.trim_start().starts_with(PROMPT) {
        return from;
    }
    rest.find(['{', '[']).map_or(text.len(), |at| from + at)
}

const PROMPT: &str = "hammerdb>";

const WHAT: &str = "result or timing of a HammerDB job";

/// Converts a parser's error, with its line in the whole text.
fn broken(text: &str, begin: usize, error: &serde_json::Error) -> DriverError {
    let before = text[..begin].lines().count().saturating_sub(usize::from(!text[..begin].ends_with('\n')));
    if error.is_eof() {
        return DriverError::Truncated { line: text.lines().count(), expected: "the end of its document" };
    }
    DriverError::Json { line: before + error.line(), problem: error.to_string() }
}

/// Contents of the documents read so far.
#[derive(Default)]
struct JobDocuments {
    jobs: Vec<(String, Report)>,
    /// A timing says nothing of which job it is of.
    procedures: Vec<Procedure>,
}

impl JobDocuments {
    fn document(&mut self, document: &Value) {
        match document {
            Value::Object(members) => members.iter().for_each(|(key, value)| self.member(key, value)),
            // `["JOBID", "time", "3 Active Virtual Users configured", "TEST RESULT : …"]`, as 4.0 to 4.5 have it.
            Value::Array(lines) => {
                let text: String = lines.iter().filter_map(Value::as_str).map(|line| format!("{line}\n")).collect();
                if let Ok(report) = read(Driver::Hammerdb, &text, true)
                    && !report.is_empty()
                {
                    let name = lines.first().and_then(Value::as_str).unwrap_or_default();
                    self.jobs.push((name.to_owned(), report));
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, key: &str, value: &Value) {
        let Value::Object(members) = value else { return };
        if let Some(procedure) = procedure(key, members) {
            // The same timing may have been printed twice.
            if !self.procedures.contains(&procedure) {
                self.procedures.push(procedure);
            }
            return;
        }
        let text = |name: &str| members.get(name).map(plain);
        let number = |name: &str| text(name).as_deref().and_then(figure);
        let mut report = Report::default();
        (report.figures.nopm, report.figures.tpm) = (number("nopm"), number("tpm"));
        report.figures.clients = text("activevu").as_deref().and_then(count);
        // TPROC-H's lines stand in it as they were printed.
        let mut follower = Follower::new(Driver::Hammerdb);
        let lines = members.values().flat_map(|member| match member {
            Value::Array(lines) => lines.iter().map(plain).collect(),
            member => vec![plain(member)],
        });
        lines.for_each(|line| drop(follower.line(&line, None)));
        let printed = follower.into_report();
        (report.queries, report.query_sets) = (printed.queries, printed.query_sets);
        let has_result = report.figures.nopm.is_some() || !report.query_sets.is_empty() || !report.queries.is_empty();
        self.jobs.extend(has_result.then(|| (key.to_owned(), report)));
    }

    fn select(self, job: Option<&str>) -> Result<Report, DriverError> {
        let JobDocuments { mut jobs, procedures } = self;
        let repeats =
            |(index, one): (usize, &Procedure)| procedures[..index].iter().any(|other| other.name == one.name);
        if procedures.iter().enumerate().any(repeats) {
            return Err(DriverError::SeveralTimings);
        }
        if let Some(job) = job {
            jobs.retain(|(name, _)| name == job);
            if jobs.is_empty() {
                return Err(DriverError::NoSuchJob(job.to_owned()));
            }
        }
        if jobs.len() > 1 {
            return Err(DriverError::SeveralJobs(jobs.into_iter().map(|(name, _)| name).collect()));
        }
        let named = jobs.pop().map(|(id, report)| {
            // Times in the document are local ones of a machine that it does not name.
            let job = (!id.is_empty()).then_some(Job { id, began: None, ended: None });
            Report { job, ..report }
        });
        let mut report = named.unwrap_or_default();
        report.procedures = procedures;
        if report.is_empty() { Err(DriverError::Foreign(WHAT)) } else { Ok(report) }
    }
}

/// HammerDB writes every value as a string.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `"NEWORD": {"elapsed_ms": "…", "calls": "…", "avg_ms": "…", "p99_ms": "…", "p95_ms": "…", "p50_ms": "…", …}`. Its calls are
/// twice those that were made in 4.12 and 5.0 and right in 6.0, and nothing in it says which version wrote it: they are not taken.
fn procedure(name: &str, members: &Map<String, Value>) -> Option<Procedure> {
    let number = |key: &str| members.get(key).map(plain).as_deref().and_then(figure);
    let mean_ms = number("avg_ms")?;
    let percentiles = [("p50_ms", 50.0), ("p95_ms", 95.0), ("p99_ms", 99.0)];
    let percentile = |&(key, percent): &(&str, f64)| Some(Percentile { percent, ms: number(key)? });
    Some(Procedure {
        name: name.to_owned(),
        calls: None,
        mean_ms: Some(mean_ms),
        percentiles: percentiles.iter().filter_map(percentile).collect(),
    })
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;
