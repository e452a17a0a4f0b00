//! Comparison of two sets of runs: first the conditions under which they ran (the gate), then each figure as a ratio of b to a
//! with its interval and one of four verdicts. The method is docs/compare.md.
//!
//! Nothing here depends on which side is called a but the direction: the ratio turned round is one over it, digit for digit
//! where that can be, and better becomes worse.

mod estimate;
mod gate;
mod measurement;
mod metrics;
mod note;
mod options;
mod row;
mod run;
mod verdict;
mod verdicts;

pub use estimate::{Estimate, Noise, estimate};
pub use measurement::Measurement;
pub use note::{Difference, Note, Side};
pub use options::{MARGIN_PCT, NOISE_PCT, Options};
pub use row::Row;
pub use run::{DriverReport, Environment, Run, RunFacts};
pub use verdict::Verdict;

use metrics::{Metric, metrics, primary};
use row::Compared;

/// The gate, and below it every figure that is known on either side. Both sets hold runs. `pause` is called before each figure:
/// those of hundreds of runs take seconds.
pub fn compare(a: &[Run], b: &[Run], options: &Options, pause: &dyn Fn()) -> Vec<Row> {
    let metrics = metrics(a, b);
    let primary = primary(&metrics, a, b);
    let each = |(index, metric)| {
        pause();
        side_by_side(metric, a, b, options, primary == Some(index))
    };
    let mut compared: Vec<Compared> = metrics.into_iter().enumerate().map(each).collect();
    compared.retain(|of| of.primary || of.row.a.is_some() || of.row.b.is_some());
    verdicts::assign(&mut compared, options);
    let mut rows = gate::rows(a, b, options);
    rows.extend(compared.into_iter().map(|of| of.row));
    rows
}

fn side_by_side(metric: Metric, a: &[Run], b: &[Run], options: &Options, primary: bool) -> Compared {
    let known = |runs: &[Run]| -> Vec<Measurement> { runs.iter().filter_map(|run| metric.measure(run)).collect() };
    let (of_a, of_b) = (known(a), known(b));
    let noise = Noise {
        between: options.noise() * metric.noise,
        includes_within: options.noise() > 0.0 && metric.noise_includes_within(a, b),
    };
    let mut found = estimate(&of_a, &of_b, &noise);
    // The noise that is assumed where a side has one run is not theirs.
    let rare = of_a.len().min(of_b.len()) == 1 && metric.is_rare(a, b);
    if let Some(found) = found.as_mut() {
        found.spread_is_unknown |= rare;
    }
    let (mean_a, mean_b) = (estimate::mean(&of_a), estimate::mean(&of_b));
    let mut row = Row {
        section: metric.section,
        metric: metric.name.clone(),
        unit: metric.unit,
        a: mean_a,
        b: mean_b,
        ratio: mean_a.zip(mean_b).filter(|(a, _)| *a > 0.0).map(|(a, b)| b / a),
        runs_a: Some(of_a.len()),
        runs_b: Some(of_b.len()),
        ..Row::default()
    };
    if let Some(found) = &found {
        row.ratio = Some(ratio(found.shift));
    }
    if let Some(found) = found.as_ref().filter(|found| !found.spread_is_unknown) {
        [row.ratio_low, row.ratio_high] = [found.low(), found.high()].map(|log| Some(ratio(log)));
        row.p = Some(found.p());
        row.p_permutation = found.permutation.map(|test| test.p);
        row.detectable_pct = Some(found.detectable_pct());
    }
    row.notes = notes(&metric, (a, &of_a), (b, &of_b), found.as_ref(), rare, primary);
    Compared { metric, row, estimate: found, primary }
}

/// Ratio from its logarithm, limited to finite numbers above zero.
fn ratio(logarithm: f64) -> f64 {
    logarithm.clamp(-700.0, 700.0).exp()
}

/// Notes of a figure: its meaning, and what is missing of it.
fn notes(
    metric: &Metric,
    (a, of_a): (&[Run], &[Measurement]),
    (b, of_b): (&[Run], &[Measurement]),
    found: Option<&Estimate>,
    rare: bool,
    primary: bool,
) -> Vec<Note> {
    let mut notes: Vec<Note> = primary.then_some(Note::Primary).into_iter().chain(metric.note.clone()).collect();
    for (side, runs, known) in [(Side::A, a, of_a), (Side::B, b, of_b)] {
        let missing = runs.iter().filter(|run| !metric.is_known(run));
        let missing: Vec<String> = missing.map(|run| run.label.clone()).collect();
        if !missing.is_empty() {
            notes.push(if known.is_empty() { Note::UnknownOfSide(side) } else { Note::UnknownOf(missing) });
        }
    }
    let zero = |of: &[Measurement]| of.iter().any(|run| run.mean <= 0.0);
    if found.is_none() && (zero(of_a) || zero(of_b)) {
        notes.push(Note::NoRatioOfZero);
    }
    if found.is_some_and(|found| found.spread_is_unknown) {
        notes.push(if rare { Note::RareRequests } else { Note::FewFlushes });
    }
    notes
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
