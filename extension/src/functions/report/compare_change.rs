//! ebs_compare_change: a run, or a look-back, before and after a volume was modified.

use ebs_answer::{ConfigurationSource, Configured, RunHeader, ebs_volume_ids};
use ebs_base::lookback::Lookback;
use ebs_comparison::compare::{DriverReport, Options, compare};
use ebs_imports::configuration::Modification;
use pgrx::datum::{Interval, TimestampWithTimeZone};
use pgrx::prelude::*;

use super::compare::{ComparisonRow, load_run};
use crate::errors::{Error, SqlResult, notice, notice_with_hint};
use crate::functions::run_selection::{parse_lookback, refuse_lookback};
use crate::functions::sql_row::{Columns, table};
use crate::functions::values::from_timestamp;
use crate::interrupts::check_interrupts;
use crate::probes;
use crate::sql::first_text;
use crate::storage::{self, RunRecord};

/// Parts of the time of a run: before the change and after it, microseconds since 1970.
#[derive(Clone, Copy, Debug)]
struct Parts {
    before: (i64, i64),
    after: (i64, i64),
}

#[pg_extern(sql = false)]
fn ebs_compare_change(
    run: Option<&str>,
    at: Option<TimestampWithTimeZone>,
    lookback: Option<Interval>,
    margin_pct: Option<f64>,
    noise_pct: Option<f64>,
) -> SqlResult<TableIterator<'static, Columns<ComparisonRow>>> {
    let options = Options::new(margin_pct, noise_pct).map_err(Error::from)?;
    let record = match run {
        Some(label) => {
            refuse_lookback(label, lookback, Lookback::DEFAULT.us())?;
            storage::find_run_record(label)?
        }
        None => record_of_lookback(lookback)?,
    };
    let parts = match at {
        Some(at) => split_at(&record, from_timestamp(at))?,
        None => split_by_modification(&record, run.map(|_| &record.run))?,
    };
    report_parts(parts)?;
    let [before, after] = [("before", parts.before), ("after", parts.after)].map(|(name, (from_us, to_us))| {
        let mut part = record.run.clone();
        part.header.label = format!("{} ({name})", record.run.label);
        (part.header.from_us, part.header.to_us) = (from_us, Some(to_us));
        let (environment, note) = (record.environment.as_ref(), record.note.as_ref());
        load_run(RunRecord {
            run: part,
            to_us,
            environment: environment.map(|json| pgrx::JsonB(json.0.clone())),
            note: note.map(|json| pgrx::JsonB(json.0.clone())),
            // The driver's result is that of the whole run.
            reported: DriverReport::default(),
        })
    });
    let (before, after) = (before?, after?);
    for run in [&before, &after].into_iter().filter(|run| run.coverage.sampled_s == 0.0) {
        notice(format!("nothing was sampled in run {}", run.label));
    }
    let rows = compare(&[before], &[after], &options, &check_interrupts);
    Ok(table(rows.into_iter().map(ComparisonRow::new).collect::<Vec<_>>()))
}

/// A look-back as a run of this server.
fn record_of_lookback(lookback: Option<Interval>) -> Result<RunRecord, Error> {
    let lookback = parse_lookback(lookback)?;
    let to_us = probes::wall_us();
    let header = RunHeader {
        label: lookback.to_string(),
        from_us: to_us - lookback.us(),
        to_us: Some(to_us),
        marked: true,
        ..RunHeader::default()
    };
    let run = storage::Run { run_id: 0, header };
    Ok(RunRecord { run, to_us, environment: None, note: None, reported: DriverReport::default() })
}

fn split_at(record: &RunRecord, at_us: Option<i64>) -> Result<Parts, Error> {
    let (from_us, to_us) = (record.run.from_us, record.to_us);
    match at_us.filter(|at_us| (from_us + 1..to_us).contains(at_us)) {
        Some(at_us) => Ok(Parts { before: (from_us, at_us), after: (at_us, to_us) }),
        None => {
            let message = format!("the time of the change is not within \"{}\"", record.run.label);
            let hint = "Name a time between its beginning and its end: at => '2026-11-20 10:30'.";
            Err(Error::invalid_parameter(message, hint))
        }
    }
}

/// Splits at the latest modification of the volumes; `run` is `None` of a look-back. The time of the modification itself is in neither
/// part; the part before begins after the previous one.
fn split_by_modification(record: &RunRecord, run: Option<&storage::Run>) -> Result<Parts, Error> {
    let (from_us, to_us) = (record.run.from_us, record.to_us);
    let layout = storage::load_evidence(run, from_us, to_us)?.layout;
    let ids = ebs_volume_ids(run.map(|run| &run.header), &layout);
    let mut found: Vec<Configured<Modification>> = storage::ImportedConfiguration.find(&ids, to_us)?;
    found.retain(|one| one.facts.state.as_deref() != Some("failed") && (from_us + 1..to_us).contains(&one.happened_us));
    found.sort_by_key(|one| one.happened_us);
    let Some(latest) = found.pop() else {
        let message = format!("no modification of a volume is known within \"{}\"", record.run.label);
        let hint = "Import what \"aws ec2 describe-volumes-modifications\" prints, or name the time: at => '2026-11-20 10:30'.";
        return Err(Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, message, hint));
    };
    notice(format!("{}: {}", latest.name, latest.facts));
    let ended_us = latest.facts.ended_us.unwrap_or(latest.happened_us);
    if latest.facts.ended_us.is_none() {
        let hint =
            "The part after it begins at its start: until a volume is optimized its performance is between both.";
        notice_with_hint("the modification had not ended when it was imported", hint);
    }
    if ended_us >= to_us {
        let message = format!("the modification ended after \"{}\"", record.run.label);
        let hint = "Import samples of the time after it.";
        return Err(Error::new(PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint));
    }
    let previous = found.iter().map(|one| one.facts.ended_us.unwrap_or(one.happened_us));
    let begin_us = previous.filter(|end_us| *end_us < latest.happened_us).max().unwrap_or(from_us);
    Ok(Parts { before: (begin_us, latest.happened_us), after: (ended_us, to_us) })
}

/// Tells the user which times are compared, in the session's time zone.
fn report_parts(parts: Parts) -> Result<(), Error> {
    let text = first_text(
        "SELECT pg_catalog.string_agg(pg_catalog.to_char(timestamptz 'epoch' + us * interval '1 microsecond', 'YYYY-MM-DD HH24:MI:SS'),
                                      CASE WHEN n % 2 = 0 THEN ' to ' ELSE ' with ' END ORDER BY n)
         FROM pg_catalog.unnest($1) WITH ORDINALITY times (us, n)",
        &[vec![parts.before.0, parts.before.1, parts.after.0, parts.after.1].into()],
    )?;
    notice(format!("compared are {text}"));
    Ok(())
}
