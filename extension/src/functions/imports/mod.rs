//! Imports: measurements of other programs, and declarations of users.

mod batches;
mod declarations;
mod figures;
mod fio;
pub mod imported_run;
mod rds_os;
mod rds_waits;
mod samples;
mod sysstat;
