//! Weighted quantiles, block bootstrap intervals, Theil-Sen slopes, permutation tests, Holm's correction: the statistics that
//! decide a verdict. Knows [`ebs_base`] alone.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod averaging;
mod bootstrap;
mod hodges_lehmann;
mod holm;
mod mean_error;
mod permutation;
mod quantile;
mod quantile_interval;
mod student;
mod theil_sen;
mod time_share;

pub use bootstrap::{ConfidenceInterval, quantile_interval};
pub use hodges_lehmann::hodges_lehmann;
pub use holm::holm;
pub use mean_error::{LogError, Term, figure, log_error, log_error_of_coarse};
pub use permutation::{Permutation, permutation};
pub use quantile::{Distribution, WeightedSample, ascending_quantile, mean, pausing_quantile, quantile, total_seconds};
pub use quantile_interval::{BOUND_CONFIDENCE, QuantileBounds, QuantileEvidence, maximum_bound, required_samples};
pub use student::{student_p, student_quantile};
pub use theil_sen::{Slope, theil_sen};
pub use time_share::nanoseconds;
pub use time_share::{Part, Shares};
