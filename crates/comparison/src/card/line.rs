//! Lines of the report card.

use super::grade::{SOURCE, Test};

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

impl Test {
    /// The line of this test, without what was measured.
    pub(super) fn line(&self) -> Line {
        Line {
            test: self.name.to_owned(),
            unit: Some("ms"),
            thresholds: Some(self.thresholds()),
            source: Some(SOURCE),
            ..Line::default()
        }
    }

    pub(super) fn not_measured(&self, why: &str) -> Line {
        Line { note: format!("not measured: {why}"), ..self.line() }
    }
}
