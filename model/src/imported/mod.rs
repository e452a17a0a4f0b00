//! Demand from elsewhere: what was sampled on servers that are not this one, made into evidence.
//!
//! Each source is read by a file of its own, which gives the series of its devices; [`Imported::chosen`] picks the one
//! of data and that of WAL, and [`block`] makes evidence of them. Whatever cannot be read is refused as a whole.

pub mod awr;
mod civil;
mod cloudwatch;
mod error;
mod iostat;
mod iostat_json;
mod metric;
mod rates;
mod sadf_csv;
mod sadf_json;
pub mod samples;
mod sar;
mod series;
mod stretch;
mod table;

pub use civil::Calendar;
pub use cloudwatch::cloudwatch;
pub use error::{ImportError, Mistake};
pub use iostat::{Settings as IostatSettings, iostat};
pub use sar::sar;
pub use series::{Imported, Sample, Series, block};

/// Counts of one interval are below this: a petabyte is more than any instance moves in an hour.
const LARGEST: f64 = 1e15;

#[cfg(test)]
mod robust_tests;
