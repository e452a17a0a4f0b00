//! The report card: grades of a volume's latency and of how it scales, and what its latencies point at.

mod findings;
mod fio;
mod first_touch;
mod grade;
mod histogram;
mod live;
mod modes;

pub use findings::findings;
pub use first_touch::{FirstTouch, first_touch};
pub use grade::{Kind, LETTERS, SCALING_AT_MOST, SOURCE, TESTS, Test, latency_grade, scaling_grade};
pub use histogram::{Histogram, bar, histograms};
pub use modes::{Modes, two_modes};

use ebs_imports::driver::fio::Fio;
use ebs_samples::evidence::Window;

/// A line of the card. `None` stands for not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The test, or what was looked for.
    pub test: String,
    /// Device or EBS volume it is about.
    pub device: Option<String>,
    /// What was measured.
    pub measured: Option<f64>,
    /// Its unit.
    pub unit: Option<&'static str>,
    /// The grade; with `~` in front where it is an approximation.
    pub grade: Option<String>,
    /// What each grade asks for.
    pub thresholds: Option<String>,
    /// Where the thresholds come from.
    pub source: Option<&'static str>,
    /// What it was measured by: `fio`, `live evidence`, `EBS statistics`.
    pub basis: Option<&'static str>,
    /// What to know of it.
    pub note: String,
}

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

impl Test {
    /// The line of this test, without what was measured.
    fn line(&self) -> Line {
        Line {
            test: self.name.to_owned(),
            unit: Some("ms"),
            thresholds: Some(self.thresholds()),
            source: Some(SOURCE),
            ..Line::default()
        }
    }

    fn not_measured(&self, why: &str) -> Line {
        Line { note: format!("not measured: {why}"), ..self.line() }
    }
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
