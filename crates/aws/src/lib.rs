//! EBS volume types, instance limits, prices, burst credits, AWS's offer files, declared volumes.
//!
//! What AWS sells, with which limits, and for how much.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod bucket;
pub mod catalogue;
pub mod offer;
pub mod price;
