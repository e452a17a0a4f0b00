//! ebs_import_rds_waits: wait events of Performance Insights, beside the samples of an imported run.

use ebs_answer::{WaitsError, check_waits, covered_doubts};
use ebs_imports::format::arguments::{LABEL, METRICS, PERIOD_S};
use ebs_imports::monitoring::rds_waits::{Covered, FORMAT, SOURCE, read};
use pgrx::prelude::*;

use super::imported_run::import_error;
use crate::errors::{Error, SqlResult, notice};
use crate::ffi::CalledFunction;
use crate::functions::documents;
use crate::functions::values::to_bigint;
use crate::interrupts::check_interrupts;
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_import_rds_waits(call: CalledFunction) -> SqlResult<i64> {
    storage::require_writable(c"ebs_import_rds_waits()");
    let run = storage::find_run(call.text(LABEL.name).unwrap_or_default())?;
    let text = documents::check_report(call.text(METRICS.name))?;
    let load = read(text, call.integer(PERIOD_S.name), &check_interrupts)
        .map_err(|error| import_error(error, FORMAT.shape))?;
    storage::lock_changes()?;
    // Again: it may have been changed, or dropped, while the metrics were read.
    let run = storage::find_run(&run.label)?;
    check_waits(&run.label, run.environment.as_ref(), &load).map_err(waits_error)?;
    storage::check_run_storage()?;
    let mut covered = Covered::default();
    let mut replaced = false;
    storage::change_waits(&run, |block| {
        replaced |= block.totals.waits.sweeps > 0;
        covered.add(load.add_to(block));
    })?;
    let times = (run.from_us, run.to_us.unwrap_or(run.from_us));
    let doubts = covered_doubts(&run.label, times, &covered, &load).map_err(waits_error)?;
    storage::replace_doubts(&run, SOURCE, &doubts)?;
    let (outside, all) = load.outside((run.from_us, run.to_us.unwrap_or(i64::MAX)));
    if outside > 0 {
        notice(format!("{outside} of {all} periods are outside of run \"{}\" and left out", run.label));
    }
    if replaced {
        notice(format!("earlier wait events of run \"{}\" are replaced", run.label));
    }
    Ok(to_bigint(all - outside))
}

fn waits_error(error: WaitsError) -> Error {
    let refused = Error::invalid_parameter(error.to_string(), error.hint());
    match error.detail() {
        Some(detail) => refused.with_detail(detail),
        None => refused,
    }
}
