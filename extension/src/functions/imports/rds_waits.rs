//! ebs_import_rds_waits: wait events of Performance Insights, beside the samples of an imported run.

use ebs_base::format::whole_pct;
use ebs_imports::format::arguments::{LABEL, METRICS, PERIOD_S};
use ebs_imports::monitoring::rds_waits::{Covered, FORMAT, SOURCE, WaitLoad, read};
use pgrx::prelude::*;

use super::imported_run::import_error;
use crate::errors::{Error, SqlResult, notice};
use crate::ffi::CalledFunction;
use crate::functions::documents;
use crate::functions::values::to_bigint;
use crate::interrupts::check_interrupts;
use crate::storage::{self, Run};

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
    check_instance(&run, &load)?;
    storage::check_run_storage()?;
    let mut covered = Covered::default();
    let mut replaced = false;
    storage::change_waits(&run, |block| {
        replaced |= block.totals.waits.sweeps > 0;
        covered.add(load.add_to(block));
    })?;
    if covered.known_us == 0 {
        return Err(no_overlap(&run, &load).into());
    }
    storage::replace_doubts(&run, SOURCE, &doubts(&covered))?;
    let (outside, all) = load.outside((run.from_us, run.to_us.unwrap_or(i64::MAX)));
    if outside > 0 {
        notice(format!("{outside} of {all} periods are outside of run \"{}\" and left out", run.label));
    }
    if replaced {
        notice(format!("earlier wait events of run \"{}\" are replaced", run.label));
    }
    Ok(to_bigint(all - outside))
}

/// Refuses points of another instance than that of the run, where both are named.
fn check_instance(run: &Run, load: &WaitLoad) -> Result<(), Error> {
    let resource = run.environment.as_ref().and_then(|environment| environment.get("dbi_resource_id")?.as_str());
    match (resource, load.identifier.as_deref()) {
        (Some(own), Some(other)) if own != other => {
            let other = ebs_base::names::quoted(other);
            let message = format!("run \"{}\" is of instance \"{own}\", and the metrics are of \"{other}\"", run.label);
            Err(Error::invalid_parameter(message, "Import the metrics of that instance, or into a run of the other.")
                .with_detail("Nothing was imported."))
        }
        _ => Ok(()),
    }
}

fn no_overlap(run: &Run, load: &WaitLoad) -> Error {
    let text = |us: i64| {
        let time = ebs_imports::monitoring::time_text(us);
        if time.is_empty() { "?".to_owned() } else { time }
    };
    let (from_us, to_us) = load.span_us();
    let (began, ended) = (text(run.from_us), text(run.to_us.unwrap_or(run.from_us)));
    Error::invalid_parameter(
        format!("no period of the metrics is in run \"{}\"", run.label),
        "Get the metrics of the time of the run, with --start-time and --end-time.",
    )
    .with_detail(format!(
        "The run is from {began} to {ended}, the metrics are from {} to {}.",
        text(from_us),
        text(to_us)
    ))
}

/// Limitations of these waits.
fn doubts(covered: &Covered) -> Vec<String> {
    let samples = covered.known_us / 1_000_000;
    let share = covered.known_us as f64 / covered.sampled_us.max(1) as f64;
    let rare =
        format!("{SOURCE} samples sessions once a second: {samples} samples; the share of a seldom wait is uncertain");
    let idle = format!(
        "{SOURCE} leaves out idle sessions: the clients' think time is unknown and taken as none, so that a predicted gain is an upper bound"
    );
    let part = (share < 0.995).then(|| format!("{SOURCE} covers {} of the samples", whole_pct(share)));
    [rare, idle].into_iter().chain(part).collect()
}
