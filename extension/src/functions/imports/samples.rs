//! ebs_import_samples: counts per interval, from any source.

use ebs_answer::ImportedRun;
use ebs_base::names::non_empty;
use ebs_imports::format::arguments::{LABEL, SAMPLED_DEVICE, SAMPLES};
use ebs_imports::monitoring::samples::{DEFAULT_DEVICE, FORMAT, LAYOUT, Row, series};
use pgrx::AnyElement;
use pgrx::prelude::*;

use super::batches::{ArrayName, read_objects};
use super::imported_run::{check_names, import_error, store_run};
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::interrupts::check_interrupts;
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_import_samples(call: CalledFunction) -> SqlResult<i64> {
    let (label, device) = (call.text(LABEL.name), call.text(SAMPLED_DEVICE.name));
    storage::require_writable(c"ebs_import_samples()");
    check_names(label, &[device], FORMAT.shape)?;
    let rows = read_rows(call.json(SAMPLES.name))?;
    let device = non_empty(device).unwrap_or(DEFAULT_DEVICE);
    let series = series(device, &rows, &check_interrupts).map_err(|error| import_error(error, FORMAT.shape))?;
    drop(rows);
    let run = ImportedRun::from_series(&series, &check_interrupts);
    drop(series);
    Ok(store_run(label, run, FORMAT.shape)?)
}

fn read_rows(samples: Option<AnyElement>) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    let name = ArrayName { objects: "samples", document: "the array of samples", shape: FORMAT.shape };
    read_objects(samples, name, &LAYOUT, |[at_us], counts| rows.push(Row { at_us, counts }))?;
    Ok(rows)
}
