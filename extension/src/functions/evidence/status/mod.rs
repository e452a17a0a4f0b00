//! ebs_status: what works, what does not, why, and what to do about it.

use ebs_aws::catalogue::{PRICES_AS_OF, instances, regions};
use ebs_base::format::{count, fine_pct, ms, size};
use ebs_base::units::MIB;
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::ffi::SamplerState;
use crate::{ffi, probes, settings, storage};

mod devices;
mod nvme;

type Row = (name!(check, &'static str), name!(ok, Option<bool>), name!(detail, String), name!(hint, Option<String>));

#[pg_extern(sql = false)]
fn ebs_status() -> SqlResult<TableIterator<'static, Row>> {
    let state = ffi::sampler_state();
    let mut rows = vec![versions()?, preload(), database()?, sampler(state.as_ref())?];
    rows.extend(state.filter(SamplerState::is_running).iter().flat_map(|state| [samples(state), cost(state)]));
    let place = probes::find_storage_layout(&ffi::data_directory(), &Ok(ffi::read_tablespaces()));
    rows.extend(devices::rows(&place)?);
    rows.push(nvme::row(&place));
    rows.push(("history", Some(true), storage::describe_history()?, None));
    rows.push(clock());
    let timed = probes::timing_settings();
    rows.push(timing("track_io_timing", timed.io));
    rows.push(timing("track_wal_io_timing", timed.wal));
    rows.push(statements()?);
    rows.push(catalogue()?);
    Ok(TableIterator::new(rows))
}

/// A package brings library and scripts; the server has to be restarted for the one, each database updated for the other.
fn versions() -> Result<Row, Error> {
    let library = env!("CARGO_PKG_VERSION");
    let objects = "SELECT extversion::text FROM pg_catalog.pg_extension WHERE extname = 'ebs_advisor'";
    let objects = storage::first_text(objects, &[])?;
    Ok(match objects == library {
        true => ("version", Some(true), library.into(), None),
        false => (
            "version",
            Some(false),
            format!("the library is {library}, the objects of this database are {objects}"),
            Some(
                "ALTER EXTENSION ebs_advisor UPDATE; where the library is the older of the two, restart the server."
                    .into(),
            ),
        ),
    })
}

fn catalogue() -> Result<Row, Error> {
    let imported = Some(storage::describe_imported_prices()?).filter(|text| !text.is_empty());
    let (regions, instances) = (regions().count(), instances().len());
    let known = format!("{regions} regions, prices of {PRICES_AS_OF}; {instances} instance types");
    let detail = [Some(known), imported].into_iter().flatten().collect::<Vec<_>>().join("; ");
    Ok(("catalogue", Some(true), detail, None))
}

/// Nothing depends on them but what is said of statements: not to have them is no fault.
fn statements() -> Result<Row, Error> {
    Ok(match probes::statements_missing()? {
        None => ("statements", Some(true), "read when a run begins, at its marks and when it ends".into(), None),
        Some(missing) => ("statements", None, missing.text(), Some(missing.remedy())),
    })
}

fn preload() -> Row {
    match ffi::is_preloaded() {
        true => ("preload", Some(true), "loaded by shared_preload_libraries".into(), None),
        false => (
            "preload",
            Some(false),
            "the library was not preloaded: only runs are sampled, on demand (ebs_run_begin), and ebs_sample() looks now".into(),
            Some("Add ebs_advisor to shared_preload_libraries and restart the server to sample all the time.".into()),
        ),
    }
}

fn current_database() -> Result<String, Error> {
    storage::first_text("SELECT pg_catalog.current_database()::text", &[])
}

fn database() -> Result<Row, Error> {
    let here = current_database()?;
    let there = settings::database();
    Ok(match here == there {
        true => ("database", Some(true), format!("samples are kept here, in \"{here}\""), None),
        false => (
            "database",
            Some(false),
            format!("samples are kept in \"{there}\", this is \"{here}\""),
            Some("Connect there, or set ebs_advisor.database to this database and reload.".into()),
        ),
    })
}

fn sampler(state: Option<&SamplerState>) -> Result<Row, Error> {
    let running = state.filter(|state| state.is_running());
    if let Some(state) = running {
        let age_s = seconds_since(state.started_us);
        let detail = format!("process {} runs for {} s", state.pid, count(age_s));
        if state.extension_seen || age_s <= 10.0 {
            return Ok(("sampler", Some(true), detail, None));
        }
        // It looks again at each flush.
        let here = current_database()? == settings::database();
        let (ok, hint) = match here {
            true => (None, "It has not noticed yet that the extension is there: ask again in some seconds.".to_owned()),
            false => (Some(false), format!("CREATE EXTENSION ebs_advisor in database \"{}\".", settings::database())),
        };
        return Ok(("sampler", ok, detail, Some(hint)));
    }
    let (detail, hint) = if ffi::is_in_recovery() {
        (
            "not running: this is a standby, where nothing can be written; answers rest on the primary's samples, and ebs_sample() shows what this server asks of its own volumes",
            "Sample on the primary; for this server's own I/O use SELECT * FROM ebs_sample() \\watch 1.",
        )
    } else if !ffi::is_preloaded() {
        ("not running: it is not preloaded; a run has one of its own while it is open", "See preload.")
    } else if !settings::enabled() {
        ("not running: ebs_advisor.enabled is off", "Set ebs_advisor.enabled to on and reload.")
    } else {
        (
            "not running",
            "The server log says why: the database of ebs_advisor.database must exist and two of max_worker_processes be free.",
        )
    };
    Ok(("sampler", Some(false), detail.into(), Some(hint.into())))
}

fn samples(state: &SamplerState) -> Row {
    let late_s = seconds_since(state.sampled_us);
    let fresh = late_s < 3.0 * settings::sample_interval().as_secs_f64() + 1.0;
    let written = match state.flushed_us {
        0 => "nothing written yet".to_owned(),
        us => format!("written {} s ago", size(seconds_since(us))),
    };
    let lost = if state.lost > 0 { format!(", {} lost", count(state.lost as f64)) } else { String::new() };
    let lateness = state.late_us as f64 / state.samples.max(1) as f64 / 1000.0;
    let detail = format!(
        "{} taken every {} ms, {} missed{lost}, {} ms late on average, {} at most; last {} s ago, {written}",
        count(state.samples as f64),
        settings::sample_interval().as_millis(),
        count(state.missed as f64),
        ms(lateness),
        ms(state.max_late_us as f64 / 1000.0),
        size(late_s),
    );
    let problem = state.write_problem.get().map(|problem| format!("They cannot be written: {problem}"));
    let late = (!fresh).then(|| "The server is overloaded or the sampler is stuck: look at the server log.".to_owned());
    let hint = problem.or(late);
    ("samples", Some(hint.is_none()), detail, hint)
}

fn cost(state: &SamplerState) -> Row {
    let alive_s = seconds_since(state.started_us).max(1.0);
    let cpu_s = state.cpu_us as f64 / 1e6;
    let mib = |bytes: u64| size(bytes as f64 / MIB as f64);
    let detail = format!(
        "{} s of CPU time, {} of one core; {} MiB of WAL, {} MiB read, {} MiB written",
        size(cpu_s),
        fine_pct(100.0 * cpu_s / alive_s),
        mib(state.wal_bytes),
        mib(state.read_bytes),
        mib(state.write_bytes),
    );
    ("cost", Some(true), detail, None)
}

fn clock() -> Row {
    let clock = probes::measure_clock();
    let source = clock.source.unwrap_or_else(|| "of a source that the kernel does not name".to_owned());
    ("clock", Some(true), format!("{source}, {} ns a reading", clock.reading_ns), None)
}

fn timing(name: &'static str, on: bool) -> Row {
    let hint = (!on).then(|| format!("ALTER SYSTEM SET {name} = on; then SELECT pg_reload_conf();"));
    let detail = if on { "on" } else { "off: how long PostgreSQL stands still for I/O is not known" };
    (name, Some(on), detail.into(), hint)
}

fn seconds_since(us: i64) -> f64 {
    (probes::wall_us() - us) as f64 / 1e6
}
