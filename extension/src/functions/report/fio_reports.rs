//! Reports of fio that are stored with a run, and the hint where no latencies of single requests are known.

use ebs_imports::drivers::fio::Fio;

use crate::errors::Error;
use crate::functions::run_selection::RunSelection;
use crate::storage;

/// Reads fio's reports of the run; a look-back has none.
pub fn fio_reports(run: Option<&str>) -> Result<Vec<Fio>, Error> {
    let Some(label) = run else { return Ok(Vec::new()) };
    let imports = storage::fio_imports(storage::find_run(label)?.run_id)?;
    Ok(imports.into_iter().map(|import| import.fio).collect())
}

/// Explains, where latencies of single requests are missing, how to get them.
pub fn hint_if_no_histogram(selection: &RunSelection, is_empty: bool) {
    let hint = "The sampler sees means only. An EBS volume counts each request (ebs-nvme-stats, docs/nvme.md), and so does fio (ebs_import_fio).";
    selection.hint_if_empty(is_empty, "histogram of latencies", hint);
}
