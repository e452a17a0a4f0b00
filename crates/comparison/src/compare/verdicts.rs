//! Verdicts from ratios and their intervals.

use super::estimate::LEVEL;
use super::metrics::Better;
use super::note::Note;
use super::options::Options;
use super::row::Compared;
use super::verdict::Verdict;
use ebs_stats::holm;

/// Assigns each figure its verdict: that of the primary one uncorrected, those of the others corrected for their number.
pub(super) fn assign(compared: &mut [Compared], options: &Options) {
    let others: Vec<f64> = compared.iter().filter(|figure| !figure.primary).filter_map(|figure| figure.row.p).collect();
    let mut adjusted = holm(&others).into_iter();
    for figure in compared.iter_mut() {
        if !figure.primary && figure.row.p.is_some() {
            figure.row.p_adjusted = adjusted.next();
        }
        let (verdict, note) = verdict(figure, options);
        figure.row.verdict = verdict;
        figure.row.notes.extend(note);
    }
}

fn verdict(figure: &Compared, options: &Options) -> (Option<Verdict>, Option<Note>) {
    let (Some(a), Some(b)) = (figure.row.a, figure.row.b) else { return (None, None) };
    if figure.sizes_differ {
        return (Some(Verdict::NotCompared), None);
    }
    let Some(estimate) = &figure.estimate else {
        return (Some(against_zero(figure, a, b)), None);
    };
    // A side with one run, whose spread is not known, has no interval.
    if estimate.spread_is_unknown {
        return (Some(Verdict::Inconclusive), None);
    }
    let margin = options.margin();
    if estimate.low() > -margin && estimate.high() < margin {
        return (Some(Verdict::Equivalent), None);
    }
    let p = figure.row.p_adjusted.unwrap_or_else(|| estimate.p());
    let permutation = estimate.permutation.filter(|test| test.least <= LEVEL);
    let note = match permutation {
        _ if estimate.p() > LEVEL => None,
        _ if p > LEVEL => Some(Note::NotSignificant),
        Some(test) if test.p > LEVEL => Some(Note::PermutationsDiffer { p: test.p }),
        _ => return (Some(figure.metric.better.verdict(estimate.shift > 0.0)), None),
    };
    (Some(Verdict::Inconclusive), note)
}

/// The verdict on figures of which one is zero, which have no ratio: significant where each run of one side is zero throughout and
/// each of the other is far from zero by its spread.
fn against_zero(figure: &Compared, a: f64, b: f64) -> Verdict {
    match (a == 0.0, b == 0.0) {
        (true, true) => Verdict::Same,
        (true, false) | (false, true) if figure.clear_of_zero => figure.metric.better.verdict(b > a),
        _ => Verdict::Inconclusive,
    }
}

impl Better {
    fn verdict(self, rises: bool) -> Verdict {
        match (self, rises) {
            (Better::More, true) | (Better::Less, false) => Verdict::Better,
            (Better::More, false) | (Better::Less, true) => Verdict::Worse,
            (Better::Neither, true) => Verdict::Higher,
            (Better::Neither, false) => Verdict::Lower,
        }
    }
}
