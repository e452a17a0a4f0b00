//! The `run` argument: a label, or NULL for the look-back over everything sampled.

use ebs_base::format::plain;
use ebs_samples::evidence::{Tier, Window};
use ebs_workload::course::Course;
use ebs_workload::declared::Declarations;
use ebs_workload::steady::Steadiness;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::{Error, notice, notice_with_hint};
use crate::{probes, settings, storage};

/// What an answer is about.
pub struct Subject {
    /// `run tpcc-100`, `the last 14 days`.
    pub name: String,
    /// `PostgreSQL 18.6`.
    pub server: String,
    /// The run; `None` of a look-back.
    pub run: Option<storage::Run>,
    /// How to name it in SQL, `'tpcc-100'` or nothing.
    pub argument: String,
    /// The evidence.
    pub window: Window,
    /// What a run did from flush to flush; `None` of a look-back, most of which has aged.
    pub course: Option<Course>,
    /// Whether a run was in one state; `None` of a look-back, which need not be.
    pub steadiness: Option<Steadiness>,
    /// What was declared of the cluster's volumes at its end; of a run from another server, what was declared there.
    pub declared: Declarations,
}

/// The longest look-back.
const LONGEST_US: i128 = 3_660 * 86_400 * 1_000_000;
/// The look-back where none is named.
const DEFAULT_US: i64 = 14 * 86_400 * 1_000_000;

/// The evidence of `run`, or of the last `lookback`.
pub fn subject(run: Option<&str>, lookback: Option<Interval>) -> Result<Subject, Error> {
    let subject = match run {
        Some(label) => refuse_lookback(label, lookback, DEFAULT_US).and_then(|()| of_run(label)),
        None => of_lookback(lookback),
    }?;
    if subject.window.sampling.tier == Tier::OnDemand {
        notice(format!("{} was sampled {}", subject.name, Tier::OnDemand.name()));
    }
    Ok(subject)
}

/// A run has a beginning and an end of its own: what nobody would look at is not asked for. The default cannot be told from none.
pub fn refuse_lookback(label: &str, lookback: Option<Interval>, default_us: i64) -> Result<(), Error> {
    if lookback.is_none_or(|lookback| lookback.as_micros() == i128::from(default_us)) {
        return Ok(());
    }
    let message = format!("lookback is for no run, and run \"{}\" is named", storage::quoted_label(label));
    let hint = "Leave out one of the two.";
    Err(Error::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, hint)
        .with_detail("A run is looked at from its beginning, or its mark measure, to its end."))
}

fn of_run(label: &str) -> Result<Subject, Error> {
    let run = storage::find_run(label)?;
    let to_us = run.to_us.unwrap_or_else(probes::wall_us);
    let (mut window, course) = storage::load_evidence_and_course(&run, run.from_us, to_us)?;
    let steadiness = Some(Steadiness::of(&window, &course, run.marked));
    if run.to_us.is_none() {
        end_at_last_sample(&mut window);
    }
    let server = match (&run.server_version, &run.source) {
        (Some(version), _) => format!("PostgreSQL {}", version.split(' ').next().unwrap_or_default()),
        (None, Some(source)) => format!("imported from {source}"),
        (None, None) => "imported samples".to_owned(),
    };
    window.caveats.clone_from(&run.doubts);
    let declared = storage::declarations_of_run(&run, to_us)?;
    let argument = pgrx::spi::quote_literal(&run.label);
    let (name, course) = (plain(&format!("run {}", run.label)), Some(course));
    Ok(Subject { name, server, run: Some(run), argument, window, course, steadiness, declared })
}

fn of_lookback(lookback: Option<Interval>) -> Result<Subject, Error> {
    let length_us = match lookback.map(|interval| interval.as_micros()) {
        None => DEFAULT_US,
        Some(us) if us > 0 && us <= LONGEST_US => us as i64,
        Some(_) => {
            let hint = "For example: lookback => '7 days'.";
            let message = "lookback must be longer than nothing and at most ten years";
            return Err(Error::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, hint));
        }
    };
    let now_us = probes::wall_us();
    let mut window = storage::load_evidence(None, now_us - length_us, now_us)?;
    if let Some(first) = window.moments.first() {
        window.from_us = first.at_us - i64::try_from(first.dt_us).unwrap_or(0);
    }
    end_at_last_sample(&mut window);
    let version = storage::first_text("SELECT pg_catalog.current_setting('server_version')", &[])?;
    Ok(Subject {
        name: format!("the last {}", duration(length_us)),
        server: format!("PostgreSQL {}", version.split(' ').next().unwrap_or_default()),
        run: None,
        argument: String::new(),
        course: None,
        steadiness: None,
        declared: storage::declarations_at(now_us)?,
        window,
    })
}

/// Samples that the sampler still holds are not missing: a window up to now ends where they begin.
fn end_at_last_sample(window: &mut Window) {
    let held = settings::flush_interval() + 2 * settings::sample_interval();
    let held_us = i64::try_from(held.as_micros()).unwrap_or(i64::MAX);
    if let Some(last) = window.moments.last().filter(|last| window.to_us - last.at_us <= held_us) {
        window.to_us = last.at_us;
    }
}

fn duration(us: i64) -> String {
    let minutes = us / 60_000_000;
    let plural = |count: i64, unit: &str| if count == 1 { unit.to_owned() } else { format!("{count} {unit}s") };
    match minutes {
        m if m > 0 && m % 1_440 == 0 => plural(m / 1_440, "day"),
        m if m > 0 && m % 60 == 0 => plural(m / 60, "hour"),
        0 => plural(us / 1_000_000, "second"),
        m => plural(m, "minute"),
    }
}

/// Says, beside an empty answer, that it is empty for want of evidence.
pub fn notice_if_empty(subject: &Subject, nothing: bool, what: &str) {
    if nothing {
        notice(format!("no {what} in {}", subject.name));
    }
}

/// The same, where it takes something beside the sampler: `hint` says what.
pub fn hint_if_empty(subject: &Subject, nothing: bool, what: &str, hint: &str) {
    if nothing {
        notice_with_hint(format!("no {what} in {}", subject.name), hint);
    }
}
