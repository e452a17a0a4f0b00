//! AWS's offer: EBS volume types and their limits, instance limits, prices, burst credits, and AWS's price list files. Knows
//! [`ebs_base`] alone, and nothing of any workload.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod bucket;
pub mod catalogue;
pub mod discount;
pub mod offer;
pub mod price;
pub mod restore;
