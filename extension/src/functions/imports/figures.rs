//! ebs_import_cloudwatch, ebs_import_awr: figures that a service or another database keeps.

use ebs_imports::monitoring::awr::{DEVICES, LAYOUT, Totals, awr};
use ebs_imports::monitoring::cloudwatch;
use pgrx::AnyElement;
use pgrx::prelude::*;

use super::batches::{ArrayName, read_objects};
use super::imported_run::{check_names, store_devices};
use crate::errors::{Error, SqlResult};
use crate::functions::documents;
use crate::interrupts::check_interrupts;
use crate::storage;

const CLOUDWATCH: &str = "Accepted is what aws cloudwatch get-metric-data gives of EBS (at least VolumeReadOps and VolumeWriteOps: Sum) or \
                          RDS (at least ReadIOPS and WriteIOPS: Average), known by Label or Id.";
const AWR: &str = "Reports are a JSON array of objects {\"begin\", \"end\", \"read_requests\", \"write_requests\", \"read_bytes\", \
                   \"write_bytes\", \"redo_writes\", \"redo_bytes\"}; the two of redo may be left out.";

#[pg_extern(sql = false)]
fn ebs_import_cloudwatch(
    label: Option<&str>,
    data: Option<AnyElement>,
    device: Option<&str>,
    wal_device: Option<&str>,
    period_s: Option<i32>,
) -> SqlResult<i64> {
    storage::require_writable(c"ebs_import_cloudwatch()");
    check_names(label, &[device, wal_device])?;
    let data = documents::read_import(data, "CloudWatch's answer")?;
    let answer = data.map_or(serde_json::Value::Null, |data| data.0);
    Ok(store_devices(
        label,
        cloudwatch(&answer, period_s.map(i64::from), &check_interrupts),
        (device, wal_device),
        CLOUDWATCH,
    )?)
}

#[pg_extern(sql = false)]
fn ebs_import_awr(
    label: Option<&str>,
    reports: Option<AnyElement>,
    per_second: Option<bool>,
    redo_apart: Option<bool>,
) -> SqlResult<i64> {
    storage::require_writable(c"ebs_import_awr()");
    check_names(label, &[])?;
    let separate_redo = redo_apart.unwrap_or(false);
    let imported = awr(&read_totals(reports)?, per_second.unwrap_or(false), separate_redo, &check_interrupts);
    Ok(store_devices(label, imported, (Some(DEVICES.0), separate_redo.then_some(DEVICES.1)), AWR)?)
}

fn read_totals(reports: Option<AnyElement>) -> Result<Vec<Totals>, Error> {
    let mut totals = Vec::new();
    let name = ArrayName { objects: "reports", document: "the array of reports", shape: AWR };
    read_objects(reports, name, &LAYOUT, |[began_us, ended_us], figures| {
        totals.push(Totals { began_us, ended_us, figures });
    })?;
    Ok(totals)
}
