//! ebs_run_export and ebs_run_import: runs as one document.

use ebs_comparison::export::{MAX_PACKED_BYTES, MAX_RUNS, Run, RunDocumentError, read_text, write};
use pgrx::JsonB;
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::functions::documents;
use crate::functions::values::to_bigint;
use crate::interrupts::check_interrupts;
use crate::{memory, storage};

#[pg_extern(sql = false)]
fn ebs_run_export(label: Option<&str>) -> SqlResult<JsonB> {
    let labels = storage::matching_labels(label.unwrap_or_default())?;
    if labels.len() > MAX_RUNS {
        return Err(storage::document_error(&RunDocumentError::TooLarge).into());
    }
    let mut runs = Vec::with_capacity(labels.len());
    let mut bytes = 0;
    for label in &labels {
        let run = storage::export_run(label)?;
        // Checked run by run: those that do not fit are not collected first.
        bytes += run.samples.iter().map(|samples| samples.bytes.len()).sum::<usize>();
        if bytes > MAX_PACKED_BYTES {
            return Err(storage::document_error(&RunDocumentError::TooLarge).into());
        }
        runs.push(run);
    }
    // Beside the runs: samples in base64; readings and findings as values, which take up to sixteen times their text.
    let text = |run: &Run| storage::json_length(&run.readings) + storage::json_length(&run.index_findings);
    memory::require(bytes / 3 * 4 + 16 * runs.iter().map(text).sum::<usize>(), "The document")?;
    let document =
        write(&runs, env!("CARGO_PKG_VERSION"), &check_interrupts).map_err(|error| storage::document_error(&error))?;
    drop(runs);
    // PostgreSQL gets it as text, in a buffer that grows, and copies it once more.
    memory::require(4 * storage::json_length(&document), "The document")?;
    Ok(JsonB(document))
}

#[pg_extern(sql = false)]
fn ebs_run_import(document: Option<&str>, label: Option<&str>) -> SqlResult<i64> {
    storage::require_writable(c"ebs_run_import()");
    let refuse = |error: RunDocumentError| storage::document_error(&error).with_detail("Nothing was imported.");
    label.map_or(Ok(()), |label| storage::check_label(Some(label)))?;
    let document = document.ok_or(RunDocumentError::Foreign).map_err(refuse)?;
    let mut runs = read_text(documents::check_runs(Some(document))?, &check_interrupts).map_err(refuse)?;
    match (label, runs.as_mut_slice()) {
        (None, _) => {}
        (Some(label), [run]) => label.clone_into(&mut run.label),
        (Some(_), several) => {
            let message = format!("the document has {} runs, which cannot have one label", several.len());
            let hint = "Leave out label, or export the runs one by one.";
            return Err(Error::invalid_parameter(message, hint).with_detail("Nothing was imported.").into());
        }
    }
    storage::check_run_storage()?;
    for run in &runs {
        storage::import_run(run)?;
    }
    Ok(to_bigint(runs.len()))
}
