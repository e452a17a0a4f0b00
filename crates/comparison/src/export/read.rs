//! Reader of the document: all of its runs, or the reason for which it is refused.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::length_limit::room_left;
use super::{
    FioImport, KIND, MAX_NOTE, MAX_PACKED_BYTES, MAX_ROWS, MAX_RUNS, Run, RunDocumentError, RunResult, SCHEMA_VERSION,
    Samples, declarations, index_findings,
};
use ebs_base::input::{self, WorkMeter};
use ebs_base::units::LATEST_US;
use ebs_tuning::indexes::Finding;

/// Reads the text of a document. `pause` is called between pieces of the work, and may unwind.
pub fn read_text(text: &str, pause: &dyn Fn()) -> Result<Vec<Run>, RunDocumentError> {
    let document: Value = input::json(text, pause).map_err(|error| {
        let problem = brief(&error);
        // The message begins with the place already.
        let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(problem, _)| problem).to_owned();
        RunDocumentError::Malformed { line: error.line(), problem }
    })?;
    read(&document, pause)
}

/// Reads a document written by [`super::write`] of this version or an earlier one. `pause` is called between pieces of the
/// work.
pub fn read(document: &Value, pause: &dyn Fn()) -> Result<Vec<Run>, RunDocumentError> {
    let object = document.as_object().ok_or(RunDocumentError::Foreign)?;
    if object.get("document").and_then(Value::as_str) != Some(KIND) {
        return Err(RunDocumentError::Foreign);
    }
    let version = object.get("schema_version").unwrap_or(&Value::Null);
    if version.as_u64() != Some(SCHEMA_VERSION) {
        return Err(RunDocumentError::Version(version.to_string().chars().take(40).collect()));
    }
    let runs = object.get("runs").and_then(Value::as_array).filter(|runs| !runs.is_empty());
    let runs = runs.ok_or_else(|| RunDocumentError::shape("the document", "it has no runs"))?;
    if runs.len() > MAX_RUNS || packed_bytes(runs) > MAX_PACKED_BYTES {
        return Err(RunDocumentError::TooLarge);
    }
    let runs: Vec<Run> = (1..)
        .zip(runs)
        .map(|(number, run)| read_run(run, &format!("run {number}"), pause))
        .collect::<Result<_, _>>()?;
    let mut labels: Vec<&str> = runs.iter().map(|run| run.label.as_str()).collect();
    labels.sort_unstable();
    match labels.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(RunDocumentError::shape("the document", format!("it has run \"{}\" twice", pair[0]))),
        None => Ok(runs),
    }
}

/// Estimates the bytes of all samples before decoding: base64 encodes three bytes as four characters.
fn packed_bytes(runs: &[Value]) -> usize {
    let samples = runs.iter().filter_map(|run| run.get("samples")?.as_array()).flatten();
    samples.filter_map(|samples| samples.get("data")?.as_str()).map(|data| data.len() / 4 * 3).sum()
}

fn read_run(run: &Value, place: &str, pause: &dyn Fn()) -> Result<Run, RunDocumentError> {
    let object = run.as_object().ok_or_else(|| RunDocumentError::shape(place, "it is no object"))?;
    let label: String = field(object, "label", place)?;
    let (started_us, ended_us) = (time(object, "started_us", place)?, time(object, "ended_us", place)?);
    if ended_us < started_us {
        return Err(RunDocumentError::shape(place, "it ends before it begins"));
    }
    check_length(object.get("note"), "note", place)?;
    check_length(object.get("environment"), "environment", place)?;
    let meter = &WorkMeter::new(pause);
    let results: Vec<RunResult> = rows(object, "results", place, meter)?;
    for result in &results {
        meter.step();
        check_length(result.details.as_ref(), "details", place)?;
    }
    let figures = |row: &RunResult| [row.tps, row.latency_ms, row.nopm, row.tpm];
    if results.iter().flat_map(figures).flatten().any(|figure| !figure.is_finite() || figure < 0.0) {
        return Err(RunDocumentError::shape(place, "a result is out of range"));
    }
    let declared = declarations(object.get("declared").unwrap_or(&Value::Null));
    let run = Run {
        label,
        started_us,
        ended_us,
        note: optional(object, "note"),
        environment: optional(object, "environment"),
        tags: field(object, "tags", place)?,
        declared: declared.map_err(|problem| RunDocumentError::shape(&format!("\"declared\" of {place}"), problem))?,
        marks: rows(object, "marks", place, meter)?,
        results,
        fio: imports(object, place, meter)?,
        readings: rows(object, "readings", place, meter)?,
        index_findings: findings(object, place, meter)?,
        samples: samples(object, place, pause)?,
    };
    check_distinct(run.marks.iter().map(|mark| mark.marked_us).collect(), "marks", place)?;
    check_distinct(run.results.iter().map(|result| result.recorded_us).collect(), "results", place)?;
    check_distinct(run.fio.iter().map(|import| import.recorded_us).collect(), "fio", place)?;
    check_distinct(run.readings.iter().map(|reading| reading.moment_us).collect(), "readings", place)?;
    for reading in &run.readings {
        check_time(reading.reading.read_us, "read_us", place)?;
    }
    let environment = run.environment.as_ref();
    if environment.is_some_and(|environment| !is_environment(environment)) {
        return Err(RunDocumentError::shape(place, "\"environment\" is none that a run has"));
    }
    Ok(run)
}

/// Checks that an environment has the shape that answers expect.
fn is_environment(environment: &Value) -> bool {
    let texts = |value: &Value| value.as_array().is_some_and(|doubts| doubts.iter().all(Value::is_string));
    environment.is_object() && environment.get("doubts").is_none_or(texts)
}

fn optional(object: &Map<String, Value>, key: &str) -> Option<Value> {
    object.get(key).filter(|value| !value.is_null()).cloned()
}

fn field<'a, T: Deserialize<'a>>(
    object: &'a Map<String, Value>,
    key: &str,
    place: &str,
) -> Result<T, RunDocumentError> {
    let value = object.get(key).unwrap_or(&Value::Null);
    T::deserialize(value).map_err(|error| RunDocumentError::shape(place, format!("\"{key}\": {}", brief(&error))))
}

fn brief(error: &serde_json::Error) -> String {
    error.to_string().chars().take(200).collect()
}

fn time(object: &Map<String, Value>, key: &str, place: &str) -> Result<i64, RunDocumentError> {
    check_time(field(object, key, place)?, key, place)
}

fn check_time(us: i64, key: &str, place: &str) -> Result<i64, RunDocumentError> {
    let problem = || format!("\"{key}\" is not between the years 1970 and 9999");
    (0..LATEST_US).contains(&us).then_some(us).ok_or_else(|| RunDocumentError::shape(place, problem()))
}

/// The array of this key; empty where the key is missing.
fn array<'a>(object: &'a Map<String, Value>, key: &str, place: &str) -> Result<&'a [Value], RunDocumentError> {
    match object.get(key).unwrap_or(&Value::Null) {
        Value::Null => Ok(&[]),
        Value::Array(rows) => Ok(rows),
        _ => Err(RunDocumentError::shape(place, format!("\"{key}\" is no array"))),
    }
}

fn rows<'a, T: Deserialize<'a>>(
    object: &'a Map<String, Value>,
    key: &str,
    place: &str,
    meter: &WorkMeter,
) -> Result<Vec<T>, RunDocumentError> {
    let rows = array(object, key, place)?;
    // One reading at the beginning, one at the end, and one at each mark.
    let most = MAX_ROWS + 2;
    if rows.len() > most {
        return Err(RunDocumentError::shape(place, format!("\"{key}\" has more than {most} rows")));
    }
    let row = |(number, row): (usize, &'a Value)| {
        // A row may be a report or a reading of many values.
        meter.pause();
        T::deserialize(row)
            .map_err(|error| RunDocumentError::shape(&format!("row {number} of \"{key}\" of {place}"), brief(&error)))
    };
    (1..).zip(rows).map(row).collect()
}

fn imports(object: &Map<String, Value>, place: &str, meter: &WorkMeter) -> Result<Vec<FioImport>, RunDocumentError> {
    let imports: Vec<FioImport> = rows(object, "fio", place, meter)?;
    for import in &imports {
        import
            .fio
            .check()
            .map_err(|error| RunDocumentError::shape(&format!("\"fio\" of {place}"), error.to_string()))?;
    }
    Ok(imports)
}

/// Findings about indexes; `None` where the key is missing.
fn findings(
    object: &Map<String, Value>,
    place: &str,
    meter: &WorkMeter,
) -> Result<Option<Vec<Finding>>, RunDocumentError> {
    const KEY: &str = "index_findings";
    if object.get(KEY).is_none_or(Value::is_null) {
        return Ok(None);
    }
    let findings = rows(object, KEY, place, meter)?;
    index_findings::check(&findings, &|| meter.pause())
        .map_err(|problem| RunDocumentError::shape(&format!("\"{KEY}\" of {place}"), problem))?;
    Ok(Some(findings))
}

fn samples(object: &Map<String, Value>, place: &str, pause: &dyn Fn()) -> Result<Vec<Samples>, RunDocumentError> {
    let rows = (1..).zip(array(object, "samples", place)?);
    rows.map(|(number, samples)| Samples::read(samples, &format!("samples {number} of {place}"), pause)).collect()
}

/// Refuses a note, an environment or details that exceed [`MAX_NOTE`].
fn check_length(value: Option<&Value>, key: &'static str, place: &str) -> Result<(), RunDocumentError> {
    if value.is_none_or(|value| room_left(value, MAX_NOTE).is_some()) {
        return Ok(());
    }
    Err(RunDocumentError::TooLong { place: place.to_owned(), key })
}

/// Checks the times of one run's rows, which are their keys: in range, and no two the same.
fn check_distinct(mut moments: Vec<i64>, key: &str, place: &str) -> Result<(), RunDocumentError> {
    let place = &format!("\"{key}\" of {place}");
    for us in &moments {
        check_time(*us, "a time", place)?;
    }
    moments.sort_unstable();
    let repeated = moments.windows(2).any(|pair| pair[0] == pair[1]);
    if repeated { Err(RunDocumentError::shape(place, "two have the same time")) } else { Ok(()) }
}
