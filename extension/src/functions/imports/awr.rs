//! ebs_import_awr: totals of hours that another database keeps.

use ebs_answer::ImportedRun;
use ebs_imports::format::arguments::{LABEL, PER_SECOND, REDO_APART, REPORTS};
use ebs_imports::monitoring::awr::{DEVICES, FORMAT, LAYOUT, Totals, awr};
use pgrx::AnyElement;
use pgrx::prelude::*;

use super::batches::{ArrayName, read_objects};
use super::imported_run::{check_names, store_run};
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::interrupts::check_interrupts;
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_import_awr(call: CalledFunction) -> SqlResult<i64> {
    let label = call.text(LABEL.name);
    storage::require_writable(c"ebs_import_awr()");
    check_names(label, &[], FORMAT.shape)?;
    let separate_redo = call.is_on(&REDO_APART);
    let devices = (Some(DEVICES.0), separate_redo.then_some(DEVICES.1));
    let imported =
        awr(&read_totals(call.json(REPORTS.name))?, call.is_on(&PER_SECOND), separate_redo, &check_interrupts);
    let run = imported.and_then(|imported| ImportedRun::from_monitoring(imported, devices, &check_interrupts));
    Ok(store_run(label, run, FORMAT.shape)?)
}

fn read_totals(reports: Option<AnyElement>) -> Result<Vec<Totals>, Error> {
    let mut totals = Vec::new();
    let name = ArrayName { objects: "reports", document: "the array of reports", shape: FORMAT.shape };
    read_objects(reports, name, &LAYOUT, |[began_us, ended_us], figures| {
        totals.push(Totals { began_us, ended_us, figures });
    })?;
    Ok(totals)
}
