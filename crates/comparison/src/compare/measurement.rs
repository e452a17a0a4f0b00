//! One figure of one run.

use ebs_stats::{LogError, Term, figure, log_error};

/// A mean over a run, with its error as far as the run itself has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// The mean.
    pub mean: f64,
    /// Its error as a share of it, from the spread within the run; `None` where there is too little of it.
    pub within: Option<LogError>,
}

impl Measurement {
    /// Mean of a series; `None` where nothing is known.
    pub fn from_series(terms: &[Term]) -> Option<Measurement> {
        let mean = figure(terms).filter(|mean| mean.is_finite())?;
        Some(Measurement { mean, within: log_error(terms) })
    }
}
