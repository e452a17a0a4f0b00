//! Imports: measurements of other programs, and declarations of users.

mod batches;
mod configuration;
mod declarations;
mod figures;
mod fio;
mod fleet;
pub mod imported_run;
mod rds_os;
mod rds_waits;
mod run_declarations;
mod samples;
mod sysstat;
