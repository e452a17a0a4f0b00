//! Background workers, as PostgreSQL finds and starts them.

use pgrx::bgworkers::{BackgroundWorkerBuilder, DynamicBackgroundWorker};
use pgrx::pg_sys;

/// The library, as the postmaster loads it.
pub const LIBRARY: &str = "ebs_advisor";

/// Main function of both kinds of samplers (`entry.rs`).
const SAMPLER_MAIN: &str = "ebs_advisor_sampler";

/// Type of the preloaded sampler in pg_stat_activity.
pub const PRELOADED_SAMPLER: &str = "ebs_advisor sampler";

/// Type of a sampler on demand in pg_stat_activity.
pub const ON_DEMAND_SAMPLER: &str = "ebs_advisor on-demand sampler";

/// Starts a sampler of this type, on demand in the database with this number, or preloaded with 0; `None` if no background worker is
/// free.
pub fn start_sampler(worker_type: &str, database: u32) -> Option<DynamicBackgroundWorker> {
    BackgroundWorkerBuilder::new(worker_type)
        .set_type(worker_type)
        .set_library(LIBRARY)
        .set_function(SAMPLER_MAIN)
        .set_argument(Some(pg_sys::Datum::from(database)))
        .enable_spi_access()
        .set_restart_time(None)
        .set_notify_pid(std::process::id().cast_signed())
        .load_dynamic()
        .ok()
}
