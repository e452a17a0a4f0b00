//! Statistics that decide a figure's doubt: quantiles of weighted samples and block-bootstrap intervals.

mod bootstrap;
mod quantile;

pub use bootstrap::{Interval, quantile_interval};
pub use quantile::{Sample, mean, quantile};
