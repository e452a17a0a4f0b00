//! Errors of predictions, and the coverage of their intervals.

// Prints them, with --nocapture.
#![allow(clippy::disallowed_macros)]

use super::Prediction;

/// Nominal levels of intervals, per cent, with the quantiles of the normal distribution that scale the interval of 90 %.
pub(super) const LEVELS: [(u8, f64); 4] = [(50, 0.674), (80, 1.282), (90, 1.645), (95, 1.960)];

#[derive(Default)]
pub(super) struct Errors {
    errors: Vec<f64>,
    /// Distance of the result from the prediction, as a multiple of the interval's end on that side, on a logarithmic scale.
    distances: Vec<f64>,
    widths: Vec<f64>,
}

impl Errors {
    /// All of several.
    pub(super) fn joined<'a>(all: impl Iterator<Item = &'a Errors>) -> Errors {
        let mut joined = Errors::default();
        for Errors { errors, distances, widths } in all {
            joined.errors.extend(errors);
            joined.distances.extend(distances);
            joined.widths.extend(widths);
        }
        joined
    }
    pub(super) fn add(&mut self, predicted: &Prediction, truth: f64) {
        let tps = predicted.tps;
        let end = if truth > tps.middle { tps.high } else { tps.low };
        self.errors.push(tps.middle / truth - 1.0);
        self.distances.push((truth / tps.middle).ln() / (end / tps.middle).ln());
        self.widths.push((tps.high - tps.low) / 2.0 / tps.middle);
    }
    fn pct(sum: f64, count: usize) -> f64 {
        100.0 * sum / count as f64
    }
    pub(super) fn mean_pct(&self) -> f64 {
        Errors::pct(self.errors.iter().map(|error| error.abs()).sum(), self.errors.len())
    }
    fn bias_pct(&self) -> f64 {
        Errors::pct(self.errors.iter().sum(), self.errors.len())
    }
    pub(super) fn worst_pct(&self) -> f64 {
        Errors::pct(self.errors.iter().fold(0.0_f64, |worst, error| worst.max(error.abs())), 1)
    }
    /// Share of results in the interval of 90 % times this.
    pub(super) fn covered_pct(&self, times: f64) -> f64 {
        let covered = self.distances.iter().filter(|distance| **distance <= times).count();
        Errors::pct(covered as f64, self.distances.len())
    }
    /// The multiple of the intervals that 90 % of the results are in.
    pub(super) fn factor_for_90_pct(&self) -> f64 {
        let mut distances = self.distances.clone();
        distances.sort_by(f64::total_cmp);
        distances[(0.9 * distances.len() as f64).ceil() as usize - 1]
    }
    pub(super) fn median_width_pct(&self) -> f64 {
        let mut widths = self.widths.clone();
        widths.sort_by(f64::total_cmp);
        100.0 * widths[widths.len() / 2]
    }
    pub(super) fn print(&self, name: &str) {
        let covered = LEVELS.map(|(level, z)| format!("{level} %: {:.0}", self.covered_pct(z / LEVELS[2].1)));
        println!(
            "{name:15} {:3} pairs: mean {:4.1} % bias {:+5.1} % worst {:2.0} %, half width {:2.0} %, covered at {}",
            self.errors.len(),
            self.mean_pct(),
            self.bias_pct(),
            self.worst_pct(),
            self.median_width_pct(),
            covered.join(", ")
        );
    }
}
