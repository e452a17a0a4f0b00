//! The only module with unsafe code: PostgreSQL's C interface, one concern a file, safe functions out.
//!
//! Every difference between PostgreSQL 16, 17 and 18 is here too.

mod entry;
mod leave_database;
mod processes;
mod reload;
mod server;
mod shared;
mod statistics;
mod transaction;
mod wake;

pub use processes::sweep;
pub use reload::{reload_settings, report_activity, report_own_statistics};
pub use server::{data_directory, database_exists, in_recovery};
pub use shared::{SamplerState, claim_sampler, is_preloaded, sampler_state, with_sampler_state};
pub use statistics::statistics;
pub use transaction::{as_role, transaction};
pub use wake::{pause, wake};
