//! From runs to the document.

use serde_json::{Value, json};

use super::{BadDocument, KIND, LARGEST, MOST_RUNS, Run, SCHEMA_VERSION, declared};

/// The document of these runs; `version` is that of whoever writes it. Refuses more than a document holds. `pause` is called
/// between pieces of the work.
pub fn write(runs: &[Run], version: &str, pause: &dyn Fn()) -> Result<Value, BadDocument> {
    let bytes: usize = runs.iter().flat_map(|run| &run.samples).map(|samples| samples.bytes.len()).sum();
    if runs.len() > MOST_RUNS || bytes > LARGEST {
        return Err(BadDocument::TooLarge);
    }
    let runs: Vec<Value> = runs.iter().map(|run| of_run(run, pause)).collect();
    Ok(json!({ "document": KIND, "schema_version": SCHEMA_VERSION, "ebs_advisor": version, "runs": runs }))
}

fn of_run(run: &Run, pause: &dyn Fn()) -> Value {
    let paused = |value: Value| {
        pause();
        value
    };
    let readings = run.readings.iter().map(|reading| paused(json!(reading)));
    let samples = run.samples.iter().map(|samples| paused(samples.document()));
    json!({
        "label": run.label,
        "started_us": run.started_us,
        "ended_us": run.ended_us,
        "note": run.note,
        "environment": run.environment,
        "tags": run.tags,
        "declared": declared(&run.declared),
        "marks": run.marks,
        "results": run.results,
        "fio": run.fio,
        "readings": readings.collect::<Vec<_>>(),
        "samples": samples.collect::<Vec<_>>(),
    })
}
