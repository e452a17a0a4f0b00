//! Weighted quantiles, block bootstrap intervals, Theil-Sen slopes, permutation tests, Holm's correction.
//!
//! Statistics that decide a verdict. Knows [`ebs_base`] alone.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bootstrap;
pub mod coarse;
mod hodges_lehmann;
mod holm;
mod permutation;
mod quantile;
mod share;
mod student;
mod theil_sen;
mod within;

pub use bootstrap::{Interval, quantile_interval};
pub use hodges_lehmann::hodges_lehmann;
pub use holm::holm;
pub use permutation::{Permutation, permutation};
pub use quantile::{Distribution, Sample, mean, pausing_quantile, quantile};
pub use share::nanoseconds;
pub use share::{Part, Shares};
pub use student::{student_p, student_quantile};
pub use theil_sen::{Slope, theil_sen};
pub use within::{LogError, Term, figure, log_error};
