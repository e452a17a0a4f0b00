//! Units, exact money, number formatting, input errors, arguments, counters with resets, ranges, cancellation points: the vocabulary of every
//! other crate. Knows nothing of ours.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod argument;
pub mod counter;
mod document;
pub mod error;
pub mod fixed_text;
pub mod format;
pub mod identifier;
pub mod input;
pub mod json_array;
pub mod json_nesting;
pub mod jsonb;
pub mod labels;
pub mod lookback;
pub mod message;
mod named;
pub mod names;
pub mod pause;
pub mod ramp;
pub mod range;
pub mod significant;
pub mod sparse;
pub mod storage_limits;
pub mod units;
