//! ebs_compare: differences between two sets of runs.

use std::collections::BTreeSet;

use ebs_answer::ConfiguredStorage;
use ebs_comparison::compare::{Environment, Options, Row, Run, RunFacts, Verdict, compare};
use ebs_report::reasons::comparison::describe_notes;
use ebs_workload::steady_state::{RampUp, Steadiness};
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult, notice};
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::interrupts::check_interrupts;
use crate::storage;

sql_row! {
    rounded pub struct ComparisonRow(row: Row)
    where {
        let notes = describe_notes(&row);
        let count = |runs: Option<usize>| runs.and_then(|runs| i32::try_from(runs).ok());
    } {
        metric: String = row.metric,
        unit: Option<&'static str> = Some(row.unit).filter(|unit| !unit.is_empty()),
        a: Option<f64> = row.a,
        b: Option<f64> = row.b,
        ratio: Option<f64> = row.ratio,
        ratio_low: Option<f64> = row.ratio_low,
        ratio_high: Option<f64> = row.ratio_high,
        verdict: Option<&'static str> = row.verdict.map(Verdict::name),
        note: Option<String> = Some(notes).filter(|notes| !notes.is_empty()),
        section: &'static str = row.section,
        runs_a: Option<i32> = count(row.runs_a),
        runs_b: Option<i32> = count(row.runs_b),
        detectable_pct: Option<f64> = row.detectable_pct,
        p_value: Option<f64> = row.p,
        p_adjusted: Option<f64> = row.p_adjusted,
        p_permutation: Option<f64> = row.p_permutation,
    }
}

#[pg_extern(sql = false)]
fn ebs_compare(
    a: Option<&str>,
    b: Option<&str>,
    margin_pct: Option<f64>,
    noise_pct: Option<f64>,
) -> SqlResult<TableIterator<'static, Columns<ComparisonRow>>> {
    // Arguments are checked before evidence is read.
    let options = Options::new(margin_pct, noise_pct).map_err(Error::from)?;
    Ok(table(compare_sets(a, b, &options)?.into_iter().map(ComparisonRow::new)))
}

/// Compares the runs of one label or pattern with those of another.
pub fn compare_sets(a: Option<&str>, b: Option<&str>, options: &Options) -> Result<Vec<Row>, Error> {
    let [a, b] = [a, b].map(|pattern| storage::find_run_set(pattern.unwrap_or_default()));
    let (a, b) = (a?, b?);
    let numbers = |set: &[storage::RunRecord]| set.iter().map(|record| record.run.run_id).collect::<BTreeSet<i64>>();
    if numbers(&a) == numbers(&b) {
        return Err(same_runs_error(&a));
    }
    let [a, b] = [a, b].map(|set| set.into_iter().map(load_run).collect::<Result<Vec<Run>, Error>>());
    let (a, b) = (a?, b?);
    for run in a.iter().chain(&b).filter(|run| run.coverage.sampled_s == 0.0) {
        notice(format!("nothing was sampled in run {}", run.label));
    }
    Ok(compare(&a, &b, options, &check_interrupts))
}

/// Error of a comparison of runs with themselves.
fn same_runs_error(set: &[storage::RunRecord]) -> Error {
    let message = match set {
        [record] => format!("run \"{}\" cannot be compared with itself", record.run.label),
        several => format!("{} runs cannot be compared with themselves", several.len()),
    };
    Error::invalid_parameter(message, "Name other runs: SELECT * FROM ebs_compare('before', 'after');")
        .with_detail("Both sides are the same runs, which differ in nothing.")
}

/// Loads the evidence of a run, from the end of its ramp-up.
pub fn load_run(record: storage::RunRecord) -> Result<Run, Error> {
    let (from_us, to_us) = (record.run.from_us, record.to_us);
    let (mut window, mut timeline) = storage::load_evidence_and_timeline(&record.run, from_us, to_us)?;
    let steadiness = Steadiness::from_window(&window, &timeline, record.run.marked);
    if let RampUp::Ended { at_us, .. } = steadiness.ramp_up {
        (window, timeline) = storage::load_evidence_and_timeline(&record.run, at_us, to_us)?;
    }
    let declared = storage::declarations_of_run(&record.run, to_us)?;
    let source = &storage::ImportedConfiguration;
    let declared = ConfiguredStorage::new(source, declared, Some(&record.run), &window.layout, to_us)?.declared;
    let instance = declared.instance.clone().or_else(|| window.layout.instance.clone());
    let facts = RunFacts {
        label: record.run.header.label,
        environment: Environment::from_document(record.environment.as_ref().map(|json| &json.0), instance),
        note: record.note.map(|json| json.0),
        reported: record.reported,
        declared,
    };
    Ok(Run::new(facts, &window, timeline, steadiness))
}
