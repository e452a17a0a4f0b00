//! Imports: measurements of other programs, and declarations of users.

mod batches;
mod configuration;
mod declarations;
mod figures;
mod fio;
mod imported_run;
mod run_declarations;
mod samples;
mod sysstat;
