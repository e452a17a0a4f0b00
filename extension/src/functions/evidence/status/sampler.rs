//! Checks of the sampler: its process, its samples, its cost.

use ebs_base::format::{count, fine_pct, ms, size};
use ebs_base::units::MIB;

use super::row::StatusRow;
use crate::errors::Error;
use crate::ffi::{self, SamplerState};
use crate::sql::first_text;
use crate::{probes, settings};

/// Longest time in which a sampler may not have noticed the extension yet, seconds.
const MAX_UNNOTICED_S: f64 = 10.0;

/// One row for the process; where it runs, two more.
pub fn rows(state: Option<&SamplerState>) -> Result<Vec<StatusRow>, Error> {
    Ok(match state.filter(|state| state.is_running()) {
        Some(state) => vec![running(state)?, samples(state), cost(state)],
        None => vec![not_running()],
    })
}

/// The name of this database.
pub fn current_database() -> Result<String, Error> {
    first_text("SELECT pg_catalog.current_database()::text", &[])
}

fn running(state: &SamplerState) -> Result<StatusRow, Error> {
    let age_s = seconds_since(state.started_us);
    let detail = format!("process {} runs for {} s", state.pid, count(age_s));
    if state.extension_seen || age_s <= MAX_UNNOTICED_S {
        return Ok(StatusRow::passed("sampler", detail));
    }
    let database = settings::database();
    // It checks again at each flush.
    Ok(if current_database()? == database {
        let hint = "It has not noticed yet that the extension is there: ask again in some seconds.";
        StatusRow::unknown("sampler", detail, Some(hint.to_owned()))
    } else {
        StatusRow::failed("sampler", detail, format!("CREATE EXTENSION ebs_advisor in database \"{database}\"."))
    })
}

fn not_running() -> StatusRow {
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
    StatusRow::failed("sampler", detail, hint)
}

fn samples(state: &SamplerState) -> StatusRow {
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
    StatusRow::unless("samples", detail, problem.or(late))
}

fn cost(state: &SamplerState) -> StatusRow {
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
    StatusRow::passed("cost", detail)
}

fn seconds_since(us: i64) -> f64 {
    (probes::wall_us() - us) as f64 / 1e6
}
