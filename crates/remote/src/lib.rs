//! A server behind one connection: queries of its counters, and their answers as the recorder of samples takes them. Knows samples, the
//! files of Linux, the workload's readings and the plans that index advice takes; connects to nothing.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod accounts;
pub mod activity;
mod answer;
pub mod authentication;
pub mod clock;
pub mod conninfo;
pub mod devices;
mod error;
pub mod files;
pub mod frames;
pub mod layout;
pub mod planner_rights;
pub mod planning;
pub mod plans;
mod query;
pub mod rds;
pub mod run_reading;
pub mod sample;
pub mod server;
pub mod sessions;
pub mod touched_code;

pub use answer::parse_answer;
pub use error::AnswerError;
pub use query::Query;
