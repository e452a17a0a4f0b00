//! One row of a fleet, as `ebsctl fleet` writes it and reads it again, as every output shows it, and as `ebs_import_fleet` checks and
//! stores it. Knows [`ebs_base`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod answers;
mod fault;
mod row;

pub use row::{Action, Coded, Demand, Evidence, Row, Space, Volumes};
