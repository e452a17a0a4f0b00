//! Entry points: the functions that PostgreSQL calls when the library is loaded, and when a background worker starts.

use pgrx::prelude::*;

use crate::{ffi, memory, sampler, settings};

::pgrx::pg_module_magic!(name, version);

/// Called when the library is loaded: by the postmaster (shared_preload_libraries), or by a backend that needs one of
/// the functions. Only the former can reserve shared memory and start the launcher.
#[pg_guard]
pub extern "C-unwind" fn _PG_init() {
    ffi::prepare_for_errors();
    settings::define();
    ffi::on_transaction_end(&memory::AT_TRANSACTION_END);
    ffi::reserve_setting_prefix(c"ebs_advisor");
    if !ffi::is_preloading() {
        return;
    }
    ffi::reserve_shared_memory();
    ffi::before_database_drop(sampler::leave_database);
    // pg_upgrade starts servers to take one catalogue apart and put the other together: what the sampler wrote meanwhile would
    // be lost in the first, and meet half a catalogue in the second.
    if !ffi::is_binary_upgrade() {
        sampler::register_launcher();
    }
}

ffi::background_worker_main! {
    /// Main function of the launcher.
    ebs_advisor_launcher => |_| sampler::run_launcher()
}

ffi::background_worker_main! {
    /// Main function of the sampler. Its argument is the number of the database to sample on demand in, 0 for the preloaded
    /// one.
    ebs_advisor_sampler => |database: pg_sys::Datum| sampler::run_sampler(database.value() as u32)
}
