//! ebs_run_begin, ebs_run_mark, ebs_run_result, ebs_run_end, ebs_run_drop.

use pgrx::JsonB;
use pgrx::prelude::*;

use crate::errors::Outcome;
use crate::{settings, store, worker};

#[pg_extern(sql = false)]
fn ebs_run_begin(label: Option<&str>, note: Option<JsonB>) -> Outcome<i64> {
    flush_or_warn();
    Ok(store::begin(label, note, None)?)
}

#[pg_extern(sql = false)]
fn ebs_run_mark(phase: Option<&str>) -> Outcome<()> {
    // A sample on the mark, so that no interval lies on both sides of it.
    flush_or_warn();
    Ok(store::mark(phase)?)
}

#[pg_extern(sql = false)]
fn ebs_run_result(
    label: Option<&str>,
    tps: Option<f64>,
    latency_ms: Option<f64>,
    nopm: Option<f64>,
    tpm: Option<f64>,
    details: Option<JsonB>,
) -> Outcome<()> {
    Ok(store::record_result(label, [tps, latency_ms, nopm, tpm], details)?)
}

#[pg_extern(sql = false)]
fn ebs_run_end() -> Outcome<String> {
    flush_or_warn();
    Ok(store::end()?)
}

#[pg_extern(sql = false)]
fn ebs_run_drop(label: Option<&str>) -> Outcome<()> {
    Ok(store::drop_run(label)?)
}

/// Samples now and writes; a run that will lack samples is begun and ended all the same, with a warning.
fn flush_or_warn() {
    let here = Spi::get_one::<String>("SELECT pg_catalog.current_database()::text").ok().flatten().unwrap_or_default();
    let there = settings::database();
    let detail = if here != there {
        format!("Samples are kept in database \"{there}\" (ebs_advisor.database), and this is \"{here}\".")
    } else if !worker::request_flush() {
        "The sampler did not write what it holds: SELECT * FROM ebs_status(); says why.".to_owned()
    } else {
        return;
    };
    ereport!(WARNING, PgSqlErrorCode::ERRCODE_WARNING, "this run may lack samples", detail);
}
