//! The answer for a fleet, worded: a row a volume, totals, and every form in which they are written. Knows [`ebs_fleet`] and
//! [`ebs_report`], whose sentences on candidates and confidence it uses.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answer;
mod row;
mod words;

pub use row::{Action, Coded, Demand, Evidence, Row, Space, Volumes};
