//! ebs_status: checks of everything that the extension needs, with remedies.

use ebs_aws::catalogue::{PRICES_AS_OF, instances, regions};
use ebs_report::reasons;
use pgrx::prelude::*;

use self::row::StatusRow;
use crate::errors::{Error, SqlResult};
use crate::functions::sql_row::{Columns, table};
use crate::sql::first_text;
use crate::{ffi, probes, settings, storage};

mod devices;
mod nvme;
mod row;
mod sampler;

#[pg_extern(sql = false)]
fn ebs_status() -> SqlResult<TableIterator<'static, Columns<StatusRow>>> {
    let mut rows = vec![versions()?, preload(), database()?];
    rows.extend(sampler::rows(ffi::sampler_state().as_ref())?);
    let layout = probes::find_storage_layout(&ffi::data_directory(), &Ok(ffi::read_tablespaces()));
    rows.extend(devices::rows(&layout)?);
    rows.push(nvme::row(&layout));
    rows.push(history()?);
    rows.push(clock());
    let timing_settings = probes::timing_settings();
    rows.push(timing("track_io_timing", timing_settings.io));
    rows.push(timing("track_wal_io_timing", timing_settings.wal));
    rows.push(statements()?);
    rows.push(catalogue()?);
    Ok(table(rows))
}

/// A package brings library and scripts; the server has to be restarted for the one, each database updated for the other.
fn versions() -> Result<StatusRow, Error> {
    let library = env!("CARGO_PKG_VERSION");
    let objects = "SELECT extversion::text FROM pg_catalog.pg_extension WHERE extname = 'ebs_advisor'";
    let objects = first_text(objects, &[])?;
    Ok(if objects == library {
        StatusRow::passed("version", library)
    } else {
        StatusRow::failed(
            "version",
            format!("the library is {library}, the objects of this database are {objects}"),
            "ALTER EXTENSION ebs_advisor UPDATE; where the library is the older of the two, restart the server.",
        )
    })
}

fn catalogue() -> Result<StatusRow, Error> {
    let imported = Some(storage::describe_imported_prices()?).filter(|text| !text.is_empty());
    let (regions, instances) = (regions().count(), instances().len());
    let known = format!("{regions} regions, prices of {PRICES_AS_OF}; {instances} instance types");
    let detail = [Some(known), imported].into_iter().flatten().collect::<Vec<_>>().join("; ");
    Ok(StatusRow::passed("catalogue", detail))
}

/// No failure without them: only findings on statements depend on them.
fn statements() -> Result<StatusRow, Error> {
    Ok(match probes::statements_missing()? {
        None => StatusRow::passed("statements", "read when a run begins, at its marks and when it ends"),
        Some(missing) => StatusRow::unknown(
            "statements",
            reasons::statements::describe_reason(&missing),
            Some(reasons::statements::describe_remedy(&missing)),
        ),
    })
}

fn preload() -> StatusRow {
    if ffi::is_preloaded() {
        return StatusRow::passed("preload", "loaded by shared_preload_libraries");
    }
    StatusRow::failed(
        "preload",
        "the library was not preloaded: only runs are sampled, on demand (ebs_run_begin), and ebs_sample() looks now",
        "Add ebs_advisor to shared_preload_libraries and restart the server to sample all the time (docs/install.md).",
    )
}

fn database() -> Result<StatusRow, Error> {
    let (here, there) = (sampler::current_database()?, settings::database());
    Ok(if here == there {
        StatusRow::passed("database", format!("samples are kept here, in \"{here}\""))
    } else {
        StatusRow::failed(
            "database",
            format!("samples are kept in \"{there}\", this is \"{here}\""),
            "Connect there, or set ebs_advisor.database to this database and reload.",
        )
    })
}

/// Stored samples. Fails where blocks are damaged, or where the sampler of this database cannot age them.
fn history() -> Result<StatusRow, Error> {
    let stored = storage::describe_history()?;
    let damaged = storage::describe_damaged_blocks()?;
    let damage_hint = damaged.as_ref().map(|_| {
        let effect = "Damaged blocks are missing from answers and are not downsampled; the server log has the reason.";
        format!("{effect} Restore them from a backup, or remove them: {}", storage::REMOVE_DAMAGED_BLOCKS)
    });
    let sampler = ffi::sampler_state().filter(|state| state.is_running() && state.database == ffi::own_database());
    let problem = sampler.and_then(|state| state.upkeep_problem.get());
    let problem = problem.map(|reason| format!("Old samples cannot all be downsampled or removed: {reason}"));
    let detail = [Some(stored), damaged].into_iter().flatten().collect::<Vec<_>>().join("; ");
    let hints: Vec<String> = damage_hint.into_iter().chain(problem).collect();
    Ok(StatusRow::unless("history", detail, (!hints.is_empty()).then(|| hints.join(" "))))
}

fn clock() -> StatusRow {
    let clock = probes::measure_clock();
    let source = clock.name.unwrap_or_else(|| "of a source that the kernel does not name".to_owned());
    StatusRow::passed("clock", format!("{source}, {} ns a reading", clock.reading_ns))
}

fn timing(name: &'static str, on: bool) -> StatusRow {
    if on {
        return StatusRow::passed(name, "on");
    }
    let hint = format!("ALTER SYSTEM SET {name} = on; then SELECT pg_reload_conf();");
    StatusRow::failed(name, "off: I/O wait time of PostgreSQL is unknown", hint)
}
