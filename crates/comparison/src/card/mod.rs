//! The report card: grades of a volume's latency and scaling, and findings in its latencies.

mod findings;
mod fio;
mod first_touch;
mod grade;
mod histogram;
mod line;
mod live;
mod modes;
mod note;

pub use findings::findings;
pub use first_touch::{FirstTouch, first_touch};
pub use grade::{Kind, LETTERS, MAX_GROWTH, TESTS, Test, latency_grade, scaling_grade};
pub use histogram::{Histogram, Source, bar, histograms};
pub use line::{Basis, Grade, Line, Subject};
pub use modes::{Modes, two_modes};
pub use note::{FioJob, LiveEvidence, NotMeasured, Note};

use ebs_imports::drivers::fio::Fio;
use ebs_samples::evidence::Window;

/// The card of a window and of what fio reported in it: a line or two for each test, the scaling of each, and findings.
pub fn report_card(window: &Window, imports: &[Fio]) -> Vec<Line> {
    let mut lines: Vec<Line> = TESTS.iter().flat_map(|test| latency(test, window, imports)).collect();
    lines.extend(TESTS.iter().map(|test| fio::scaling(test, imports)));
    lines.extend(findings(window, imports));
    lines
}

/// The lines of fio and of the evidence; where neither measured it, one line with the reasons.
fn latency(test: &'static Test, window: &Window, imports: &[Fio]) -> Vec<Line> {
    let both = [fio::latency(test, imports), live::latency(test, window)];
    let reasons: Vec<NotMeasured> = both.iter().filter_map(|side| side.as_ref().err().cloned()).collect();
    let lines: Vec<Line> = both.into_iter().flatten().collect();
    if lines.is_empty() { vec![Line::not_measured(Subject::Latency(test), reasons)] } else { lines }
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
