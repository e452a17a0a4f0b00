//! Rows of a comparison.

use super::estimate::Estimate;
use super::metrics::Metric;
use super::note::Note;
use super::verdict::Verdict;

/// One line of a comparison. `None` is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// `gate`, `driver`, `per second` or `per transaction`.
    pub section: &'static str,
    /// Name of the condition or figure.
    pub metric: String,
    /// Its unit.
    pub unit: &'static str,
    /// Mean of the first set, over the means of its runs; geometric for rates and times.
    pub a: Option<f64>,
    /// Mean of the second set.
    pub b: Option<f64>,
    /// b over a.
    pub ratio: Option<f64>,
    /// Lower end of its 95 % interval.
    pub ratio_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub ratio_high: Option<f64>,
    /// Its verdict.
    pub verdict: Option<Verdict>,
    /// Its notes.
    pub notes: Vec<Note>,
    /// Runs of the first set in which it is known.
    pub runs_a: Option<usize>,
    /// Runs of the second set in which it is known.
    pub runs_b: Option<usize>,
    /// Probability of a ratio this far from one where there is no difference.
    pub p: Option<f64>,
    /// That probability, corrected for the number of figures; `None` for the primary one, which is not corrected.
    pub p_adjusted: Option<f64>,
    /// That probability by an exact permutation of runs; `None` where a side has one run.
    pub p_permutation: Option<f64>,
    /// The least difference that runs like these detect with a probability of 80 %, per cent.
    pub detectable_pct: Option<f64>,
}

/// A figure with its estimate.
pub(super) struct Compared {
    pub(super) metric: Metric,
    pub(super) row: Row,
    pub(super) estimate: Option<Estimate>,
    pub(super) primary: bool,
    /// True for latencies of requests of different sizes.
    pub(super) sizes_differ: bool,
    /// True where one side is zero in all its runs, and each run of the other is far from zero by its spread.
    pub(super) clear_of_zero: bool,
}
