//! Lines of the report card.

use super::grade::Test;
use super::note::{NotMeasured, Note};

/// A line of the card. `None` stands for not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Subject of the line.
    pub subject: Subject,
    /// Its device or EBS volume.
    pub device: Option<String>,
    /// The measured figure, in the unit of the subject.
    pub measured: Option<f64>,
    /// The grade.
    pub grade: Option<Grade>,
    /// Evidence on which it is based.
    pub basis: Option<Basis>,
    /// Its note.
    pub note: Note,
}

/// Subject of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject {
    /// 95th percentile of a test's latency, milliseconds.
    Latency(&'static Test),
    /// Growth of the 95th percentile over growth of users.
    Scaling(&'static Test),
    /// Two latency modes.
    Modes,
    /// Latency at the start over that of later.
    SlowStart,
}

/// Grade of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grade {
    /// One of [`super::LETTERS`].
    pub letter: &'static str,
    /// True if it is an approximation, from live evidence.
    pub approximate: bool,
}

impl Grade {
    /// Grade of a measurement by fio.
    pub(super) fn exact(letter: &'static str) -> Grade {
        Grade { letter, approximate: false }
    }

    /// Grade from live evidence.
    pub(super) fn approximate(letter: &'static str) -> Grade {
        Grade { letter, approximate: true }
    }
}

/// Evidence on which a line is based.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Reports of fio.
    Fio,
    /// Samples of devices.
    Live,
    /// EBS's own statistics.
    Ebs,
}

impl Line {
    /// A line without a measurement.
    pub(super) fn new(subject: Subject, note: Note) -> Line {
        Line { subject, device: None, measured: None, grade: None, basis: None, note }
    }

    /// The line of a test that was not measured, for these reasons.
    pub(super) fn not_measured(subject: Subject, reasons: Vec<NotMeasured>) -> Line {
        Line::new(subject, Note::NotMeasured(reasons))
    }
}
