//! Imports: measurements of other programs, and declarations of users.

mod awr;
mod batches;
mod configuration;
mod declarations;
mod demand;
mod fio;
mod fleet;
pub mod imported_run;
mod rds_os;
mod rds_waits;
mod run_declarations;
mod samples;
