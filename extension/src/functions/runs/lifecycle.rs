//! ebs_run_begin, ebs_run_mark, ebs_run_result, ebs_run_end, ebs_run_drop.

use ebs_base::message::MAY_LACK_SAMPLES;
use pgrx::AnyElement;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::documents;
use crate::{probes, sampler, storage};

#[pg_extern(sql = false)]
fn ebs_run_begin(label: Option<&str>, note: Option<AnyElement>) -> SqlResult<i64> {
    storage::begin_change(c"ebs_run_begin()")?;
    let run_id = storage::begin_run(label, documents::read_note(note, "the note")?, None)?;
    // After the run was accepted: one that is refused starts no sampler.
    let sampled_us = sample_time(sampler::ensure_sampling());
    storage::set_run_start(run_id, sampled_us)?;
    storage::store_reading(sampled_us, &probes::take_run_reading()?)?;
    Ok(run_id)
}

#[pg_extern(sql = false)]
fn ebs_run_mark(phase: Option<&str>) -> SqlResult<()> {
    storage::require_writable(c"ebs_run_mark()");
    storage::require_open_run()?;
    // A sample on the mark, so that no interval lies on both sides of it.
    let sampled_us = sample_time(sampler::request_flush());
    let reading = probes::take_run_reading()?;
    // Only now: others do not wait while this waits for the sampler.
    storage::lock_changes()?;
    storage::mark_run(phase, sampled_us)?;
    Ok(storage::store_reading(sampled_us, &reading)?)
}

#[pg_extern(sql = false)]
fn ebs_run_result(
    label: Option<&str>,
    tps: Option<f64>,
    latency_ms: Option<f64>,
    nopm: Option<f64>,
    tpm: Option<f64>,
    details: Option<AnyElement>,
) -> SqlResult<()> {
    storage::begin_change(c"ebs_run_result()")?;
    let details = documents::read_note(details, "the argument details")?;
    Ok(storage::record_result(label, [tps, latency_ms, nopm, tpm], details)?)
}

#[pg_extern(sql = false)]
fn ebs_run_end() -> SqlResult<String> {
    storage::require_writable(c"ebs_run_end()");
    storage::require_open_run()?;
    let sampled_us = sample_time(sampler::request_flush());
    let reading = probes::take_run_reading()?;
    storage::lock_changes()?;
    storage::store_reading(sampled_us, &reading)?;
    Ok(storage::end_run(sampled_us)?)
}

#[pg_extern(sql = false)]
fn ebs_run_drop(label: Option<&str>) -> SqlResult<()> {
    storage::begin_change(c"ebs_run_drop()")?;
    Ok(storage::drop_run(label)?)
}

/// The time of the sample on which a run begins or ends. A run that will lack samples begins and ends all the same, now and with a
/// warning.
fn sample_time(sampled_us: Option<i64>) -> i64 {
    if let Some(us) = sampled_us {
        return us;
    }
    ereport!(
        WARNING,
        PgSqlErrorCode::ERRCODE_WARNING,
        MAY_LACK_SAMPLES,
        "No sampler wrote what it holds: SELECT * FROM ebs_status(); says why."
    );
    probes::wall_us()
}
