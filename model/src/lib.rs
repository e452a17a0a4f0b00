//! The pure core of ebs_advisor: everything that can be concluded from evidence, and nothing that touches the world.
//!
//! # Layout
//! - [`counter`], [`evidence`]: what was sampled; the only place where cumulative counters are subtracted.
//! - [`linux`]: parsers of what Linux says of devices and mounts (readers in, values out).
//! - [`demand`], [`mix`], [`sources`], [`waits`]: what the evidence shows.
//! - [`stats`]: quantiles and their intervals.
//! - [`catalogue`], [`price`]: what AWS sells, and for how much.
//! - [`bucket`], [`replay`], [`need`], [`search`], [`advice`]: from demand to ranked volumes.
//! - [`format`](mod@format), [`report`]: text for people.
//!
//! Time is an argument, randomness has a fixed seed: the same input gives the same output, digit for digit.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod advice;
pub mod bucket;
pub mod catalogue;
pub mod counter;
pub mod demand;
pub mod error;
pub mod evidence;
pub mod format;
pub mod linux;
pub mod mix;
pub mod need;
pub mod price;
pub mod replay;
pub mod report;
pub mod search;
pub mod sources;
pub mod stats;
pub mod units;
pub mod waits;
