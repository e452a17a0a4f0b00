//! Comparison of two sets of runs: first the conditions under which they ran (the gate), then each figure as a ratio of b to a
//! with its interval and one of four verdicts. The method is docs/compare.md.
//!
//! The method is symmetric: with the sides exchanged, each ratio is the reciprocal, exactly where possible, and better becomes
//! worse.

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

/// Compares two sets of runs, neither of which is empty: the gate, and below it every figure that is known on either side.
/// `pause` is called before each figure: those of hundreds of runs take seconds.
pub fn compare(a: &[Run], b: &[Run], options: &Options, pause: &dyn Fn()) -> Vec<Row> {
    let metrics = metrics(a, b);
    let primary = primary(&metrics, a, b);
    let each = |(index, metric)| {
        pause();
        compare_figure(metric, a, b, options, primary == Some(index))
    };
    let mut compared: Vec<Compared> = metrics.into_iter().enumerate().map(each).collect();
    compared.retain(|figure| figure.primary || figure.row.a.is_some() || figure.row.b.is_some());
    verdicts::assign(&mut compared, options);
    let mut rows = gate::rows(a, b, options);
    rows.extend(compared.into_iter().map(|figure| figure.row));
    rows
}

fn compare_figure(metric: Metric, a: &[Run], b: &[Run], options: &Options, primary: bool) -> Compared {
    let measure = |runs: &[Run]| -> Vec<Measurement> { runs.iter().filter_map(|run| metric.measure(run)).collect() };
    let (measured_a, measured_b) = (measure(a), measure(b));
    let noise = Noise {
        between: options.noise() * metric.noise,
        includes_within: options.noise() > 0.0 && metric.noise_includes_within(a, b),
    };
    let mut estimate = estimate(&measured_a, &measured_b, &noise);
    // The noise that is assumed where a side has one run is not that of rare requests.
    let rare = measured_a.len().min(measured_b.len()) == 1 && metric.is_rare(a, b);
    if let Some(estimate) = estimate.as_mut() {
        estimate.spread_is_unknown |= rare;
    }
    let (mean_a, mean_b) = (estimate::mean(&measured_a), estimate::mean(&measured_b));
    let mut row = Row {
        section: metric.section,
        metric: metric.name.clone(),
        unit: metric.unit,
        a: mean_a,
        b: mean_b,
        ratio: mean_a.zip(mean_b).filter(|(a, _)| *a > 0.0).map(|(a, b)| b / a),
        runs_a: Some(measured_a.len()),
        runs_b: Some(measured_b.len()),
        ..Row::default()
    };
    if let Some(estimate) = &estimate {
        row.ratio = Some(ratio(estimate.shift));
    }
    row.notes = notes(&metric, (a, &measured_a), (b, &measured_b), estimate.as_ref(), rare, primary);
    let sizes = metric.different_sizes(a, b).filter(|_| estimate.is_some());
    if let Some((a_kib, b_kib)) = sizes {
        row.notes.push(Note::RequestSizes { a_kib, b_kib });
    } else if let Some(estimate) = estimate.as_ref().filter(|estimate| !estimate.spread_is_unknown) {
        fill_interval(&mut row, estimate);
    }
    let clear_of_zero = !rare && is_clear_of_zero(&measured_a, &measured_b);
    Compared { metric, row, estimate, primary, sizes_differ: sizes.is_some(), clear_of_zero }
}

/// Largest relative error of a figure that is clear of zero: five of its standard errors. A choice.
const CLEAR_ERROR: f64 = 0.2;

/// True where one side is zero in all its runs, and each run of the other is far from zero by the spread within it.
fn is_clear_of_zero(a: &[Measurement], b: &[Measurement]) -> bool {
    let is_zero = |side: &[Measurement]| !side.is_empty() && side.iter().all(|run| run.mean == 0.0);
    let is_clear = |run: &Measurement| run.mean > 0.0 && run.within.is_some_and(|within| within.error <= CLEAR_ERROR);
    let are_clear = |side: &[Measurement]| !side.is_empty() && side.iter().all(is_clear);
    is_zero(a) && are_clear(b) || are_clear(a) && is_zero(b)
}

/// Fills in the p-values and the interval; one that is too wide is replaced by a note.
fn fill_interval(row: &mut Row, estimate: &Estimate) {
    row.p = Some(estimate.p());
    row.p_permutation = estimate.permutation.map(|test| test.p);
    if estimate.has_interval() {
        [row.ratio_low, row.ratio_high] = [estimate.low(), estimate.high()].map(|log| Some(ratio(log)));
        row.detectable_pct = Some(estimate.detectable_pct());
    } else {
        let fewest = row.runs_a.min(row.runs_b).unwrap_or(0);
        row.notes.push(Note::TooWide { factor: estimate::MAX_FACTOR, fewest });
    }
}

/// Converts a logarithm to a ratio, which stays finite and above zero.
fn ratio(logarithm: f64) -> f64 {
    logarithm.clamp(-700.0, 700.0).exp()
}

/// Notes of a figure: its meaning, and the runs in which it is not known.
fn notes(
    metric: &Metric,
    (a, measured_a): (&[Run], &[Measurement]),
    (b, measured_b): (&[Run], &[Measurement]),
    estimate: Option<&Estimate>,
    rare: bool,
    primary: bool,
) -> Vec<Note> {
    let mut notes: Vec<Note> = primary.then_some(Note::Primary).into_iter().chain(metric.note.clone()).collect();
    for (side, runs, known) in [(Side::A, a, measured_a), (Side::B, b, measured_b)] {
        let missing = runs.iter().filter(|run| !metric.is_known(run));
        let missing: Vec<String> = missing.map(|run| run.label.clone()).collect();
        if !missing.is_empty() {
            notes.push(if known.is_empty() { Note::UnknownOfSide(side) } else { Note::UnknownOf(missing) });
        }
    }
    let has_zero = |measured: &[Measurement]| measured.iter().any(|run| run.mean <= 0.0);
    if estimate.is_none() && (has_zero(measured_a) || has_zero(measured_b)) {
        notes.push(Note::NoRatioOfZero);
    }
    if estimate.is_some_and(|estimate| estimate.spread_is_unknown) {
        notes.push(if rare { Note::RareRequests } else { Note::FewFlushes });
    }
    notes
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "gate_tests.rs"]
mod gate_tests;

#[cfg(test)]
#[path = "interval_tests.rs"]
mod interval_tests;
