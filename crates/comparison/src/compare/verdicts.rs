//! Verdicts from ratios and their intervals.

use super::estimate::LEVEL;
use super::metrics::Better;
use super::note::Note;
use super::options::Options;
use super::row::Compared;
use super::verdict::Verdict;
use ebs_stats::holm;

/// Gives each figure its verdict: the primary one by itself, the others corrected for their number.
pub(super) fn assign(compared: &mut [Compared], options: &Options) {
    let others: Vec<f64> = compared.iter().filter(|of| !of.primary).filter_map(|of| of.row.p).collect();
    let mut adjusted = holm(&others).into_iter();
    for of in compared.iter_mut() {
        if !of.primary && of.row.p.is_some() {
            of.row.p_adjusted = adjusted.next();
        }
        let (verdict, note) = verdict(of, options);
        of.row.verdict = verdict;
        of.row.notes.extend(note);
    }
}

fn verdict(of: &Compared, options: &Options) -> (Option<Verdict>, Option<Note>) {
    let (Some(a), Some(b)) = (of.row.a, of.row.b) else { return (None, None) };
    let Some(found) = &of.estimate else {
        let both_idle = a == 0.0 && b == 0.0;
        return (Some(if both_idle { Verdict::Equivalent } else { Verdict::Inconclusive }), None);
    };
    // Where one run stands for a side, and its own spread is not known, there is no interval.
    if found.spread_is_unknown {
        return (Some(Verdict::Inconclusive), None);
    }
    let margin = options.margin();
    if found.low() > -margin && found.high() < margin {
        return (Some(Verdict::Equivalent), None);
    }
    let p = of.row.p_adjusted.unwrap_or_else(|| found.p());
    let dealt = found.permutation.filter(|test| test.least <= LEVEL);
    let note = match dealt {
        _ if found.p() > LEVEL => None,
        _ if p > LEVEL => Some(Note::NotSignificant),
        Some(test) if test.p > LEVEL => Some(Note::PermutationsDiffer { p: test.p }),
        _ => return (Some(of.metric.better.verdict(found.shift > 0.0)), None),
    };
    (Some(Verdict::Inconclusive), note)
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
