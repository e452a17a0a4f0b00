//! One figure of one run.

use ebs_stats::{LogError, Term, figure, log_error, log_error_of_coarse};

/// Fewest terms of the finer series for each flush.
const MIN_FINER: usize = 3;

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

    /// Computes the mean of a series of flushes beside `finer`, a series of the same time: where flushes are few, the autocorrelation
    /// is taken from it.
    pub fn from_flushes(terms: &[Term], finer: &[Term]) -> Option<Measurement> {
        let few = finer.len() >= MIN_FINER * terms.len();
        let within = if few { log_error_of_coarse(terms, finer) } else { log_error(terms) };
        Some(Measurement { within, ..Measurement::from_series(terms)? })
    }
}
