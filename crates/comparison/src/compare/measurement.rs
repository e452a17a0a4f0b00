//! One figure of one run.

use ebs_stats::{LogError, Term, figure, log_error};

/// A mean over a run, with its error by the spread within the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// The mean.
    pub mean: f64,
    /// Its relative error, from the spread within the run; `None` where the run is too short for it.
    pub within: Option<LogError>,
}

impl Measurement {
    /// Computes the mean of a series; `None` where it is not known.
    pub fn from_series(terms: &[Term]) -> Option<Measurement> {
        let mean = figure(terms).filter(|mean| mean.is_finite())?;
        Some(Measurement { mean, within: log_error(terms) })
    }
}
