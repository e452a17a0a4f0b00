//! The report card: grades of a volume's latency and of how it scales, and what its latencies point at.

mod findings;
mod fio;
mod first_touch;
mod grade;
mod histogram;
mod line;
mod live;
mod modes;

pub use findings::findings;
pub use first_touch::{FirstTouch, first_touch};
pub use grade::{Kind, LETTERS, SCALING_AT_MOST, SOURCE, TESTS, Test, latency_grade, scaling_grade};
pub use histogram::{Histogram, bar, histograms};
pub use line::Line;
pub use modes::{Modes, two_modes};

use ebs_imports::drivers::fio::Fio;
use ebs_samples::evidence::Window;

/// The card of a window and of what fio reported in it: a line or two for each test, the scaling of each, and findings.
pub fn report_card(window: &Window, imports: &[Fio]) -> Vec<Line> {
    let mut lines: Vec<Line> = TESTS.iter().flat_map(|test| latency(test, window, imports)).collect();
    lines.extend(TESTS.iter().map(|test| fio::scaling(test, imports)));
    lines.extend(findings(window, imports));
    lines
}

/// What fio measured, and what the evidence shows; where neither does, one line that says why.
fn latency(test: &Test, window: &Window, imports: &[Fio]) -> Vec<Line> {
    let both = [fio::latency(test, imports), live::latency(test, window)];
    let reasons: Vec<String> = both.iter().filter_map(|side| side.as_ref().err().cloned()).collect();
    let lines: Vec<Line> = both.into_iter().flatten().collect();
    if lines.is_empty() { vec![test.not_measured(&reasons.join("; "))] } else { lines }
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
