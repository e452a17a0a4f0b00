//! What two sets of runs differ by, and how sure that is: first whether they can be compared at all (the gate), then each
//! figure as a ratio of b to a with its interval and one of four verdicts. The method is docs/compare.md.
//!
//! Nothing here depends on which side is called a but the direction: the ratio turned round is one over it, digit for digit
//! where that can be, and better becomes worse.

mod estimate;
mod gate;
mod judge;
mod measured;
mod metrics;
mod options;
mod row;
mod run;
mod verdict;

pub use estimate::{Estimate, Noise, estimate};
pub use measured::Measured;
pub use options::{MARGIN_PCT, NOISE_PCT, Options};
pub use row::Row;
pub use run::{About, Environment, Reported, Run};
pub use verdict::Verdict;

use metrics::{Metric, metrics, primary};
use row::{Compared, some};

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
    judge::judge(&mut compared, options);
    let mut rows = gate::rows(a, b, options);
    rows.extend(compared.into_iter().map(|of| of.row));
    rows
}

fn side_by_side(metric: Metric, a: &[Run], b: &[Run], options: &Options, primary: bool) -> Compared {
    let known = |runs: &[Run]| -> Vec<Measured> { runs.iter().filter_map(|run| metric.measured(run)).collect() };
    let (of_a, of_b) = (known(a), known(b));
    let noise =
        Noise { between: options.noise() * metric.noise, told: options.noise() > 0.0 && metric.noise_is_told(a, b) };
    let mut found = estimate(&of_a, &of_b, &noise);
    // The noise that is taken for granted where a side has one run is not theirs.
    let of_few = of_a.len().min(of_b.len()) == 1 && metric.is_of_few(a, b);
    if let Some(found) = found.as_mut() {
        found.spread_is_unknown |= of_few;
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
    row.note = notes(&metric, (a, &of_a), (b, &of_b), found.as_ref(), of_few, primary);
    Compared { metric, row, estimate: found, primary }
}

/// From its logarithm; a number even where nothing is known but that.
fn ratio(logarithm: f64) -> f64 {
    logarithm.clamp(-700.0, 700.0).exp()
}

/// What is missing of a figure, and which one it is.
fn notes(
    metric: &Metric,
    (a, of_a): (&[Run], &[Measured]),
    (b, of_b): (&[Run], &[Measured]),
    found: Option<&Estimate>,
    of_few: bool,
    primary: bool,
) -> String {
    let mut notes: Vec<String> = Vec::new();
    notes.extend(
        primary.then(|| "the primary figure: its verdict is not corrected for the number of figures".to_owned()),
    );
    notes.extend(metric.note.map(str::to_owned));
    for (side, runs, known) in [("a", a, of_a), ("b", b, of_b)] {
        let missing: Vec<&str> =
            runs.iter().filter(|run| !metric.is_known(run)).map(|run| run.label.as_str()).collect();
        match missing.len() {
            0 => {}
            _ if known.is_empty() => notes.push(format!("not known of {side}")),
            _ => notes.push(format!("not known of {}", some(&missing))),
        }
    }
    let zero = |of: &[Measured]| !of.is_empty() && of.iter().any(|run| run.mean <= 0.0);
    if found.is_none() && (zero(of_a) || zero(of_b)) {
        notes.push("0 has no ratio".to_owned());
    }
    if found.is_some_and(|found| found.spread_is_unknown) {
        notes.push(match of_few {
            true => "how far runs lie apart in requests as rare as these is not known: repeat them".to_owned(),
            false => "the spread within the run is not known: too few flushes".to_owned(),
        });
    }
    notes.join("; ")
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
