//! ebs_compare: what two sets of runs differ by.

use ebs_comparison::compare::{About, Environment, Options, Row as Line, Run, Verdict, compare};
use ebs_workload::steady::{RampUp, Steadiness};
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult, notice};
use crate::interrupts::check_interrupts;
use crate::storage;

type Row = (
    name!(metric, String),
    name!(unit, Option<&'static str>),
    name!(a, Option<f64>),
    name!(b, Option<f64>),
    name!(ratio, Option<f64>),
    name!(ratio_low, Option<f64>),
    name!(ratio_high, Option<f64>),
    name!(verdict, Option<&'static str>),
    name!(note, Option<String>),
    name!(section, &'static str),
    name!(runs_a, Option<i32>),
    name!(runs_b, Option<i32>),
    name!(detectable_pct, Option<f64>),
    name!(p_value, Option<f64>),
    name!(p_adjusted, Option<f64>),
    name!(p_permutation, Option<f64>),
);

#[pg_extern(sql = false)]
fn ebs_compare(
    a: Option<&str>,
    b: Option<&str>,
    margin_pct: Option<f64>,
    noise_pct: Option<f64>,
) -> SqlResult<TableIterator<'static, Row>> {
    // Arguments are checked before evidence is read.
    let options = Options::of(margin_pct, noise_pct).map_err(Error::from)?;
    let rows: Vec<Row> = compared(a, b, &options)?.into_iter().map(row).collect();
    Ok(TableIterator::new(rows))
}

/// What the runs of one label or pattern differ by from those of another.
pub(super) fn compared(a: Option<&str>, b: Option<&str>, options: &Options) -> Result<Vec<Line>, Error> {
    let sets = [a, b].map(|pattern| storage::find_run_set(pattern.unwrap_or_default()));
    let [a, b] = sets.map(|set| set.and_then(|set| set.into_iter().map(run).collect::<Result<Vec<Run>, Error>>()));
    let (a, b) = (a?, b?);
    for run in a.iter().chain(&b).filter(|run| run.coverage.sampled_s == 0.0) {
        notice(format!("nothing was sampled in run {}", run.label));
    }
    Ok(compare(&a, &b, options, &check_interrupts))
}

/// A run with its evidence, from where ramp-up ended.
fn run(member: storage::RunRecord) -> Result<Run, Error> {
    let (from_us, to_us) = (member.run.from_us, member.to_us);
    let (mut window, mut course) = storage::load_evidence_and_course(&member.run, from_us, to_us)?;
    let steadiness = Steadiness::of(&window, &course, member.run.marked);
    if let RampUp::Ended { at_us, .. } = steadiness.ramp_up {
        (window, course) = storage::load_evidence_and_course(&member.run, at_us, to_us)?;
    }
    let declared = storage::declarations_of_run(&member.run, to_us)?;
    let instance = declared.instance.or_else(|| window.place.instance.clone());
    let about = About {
        label: member.run.label,
        environment: Environment::of(member.environment.as_ref().map(|json| &json.0), instance),
        note: member.note.map(|json| json.0),
        reported: member.reported,
    };
    Ok(Run::of(about, &window, course, steadiness))
}

fn row(line: Line) -> Row {
    let count = |runs: Option<usize>| runs.and_then(|runs| i32::try_from(runs).ok());
    (
        line.metric,
        Some(line.unit).filter(|unit| !unit.is_empty()),
        line.a,
        line.b,
        line.ratio,
        line.ratio_low,
        line.ratio_high,
        line.verdict.map(Verdict::name),
        Some(line.note).filter(|note| !note.is_empty()),
        line.section,
        count(line.runs_a),
        count(line.runs_b),
        line.detectable_pct,
        line.p,
        line.p_adjusted,
        line.p_permutation,
    )
}
