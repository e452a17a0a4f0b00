//! What PostgreSQL calls: when the library is loaded, and when a background worker starts.

use pgrx::pg_sys;
use pgrx::prelude::*;

use super::{held, leave_database, shared, transaction_end};
use crate::{sampler, settings};

::pgrx::pg_module_magic!(name, version);

/// Called when the library is loaded: by the postmaster (shared_preload_libraries), or by a backend that needs one of
/// the functions. Only the former can reserve shared memory and start the launcher.
#[pg_guard]
pub extern "C-unwind" fn _PG_init() {
    // SAFETY: this process has one thread. With the variable set pgrx would put a stack trace into the DETAIL of errors.
    unsafe { std::env::remove_var("RUST_BACKTRACE") };
    prepare_for_errors();
    settings::define();
    transaction_end::install();
    // SAFETY: a static C string; PostgreSQL copies it.
    unsafe { pg_sys::MarkGUCPrefixReserved(c"ebs_advisor".as_ptr()) };
    // SAFETY: a plain bool that the postmaster sets before loading libraries; nothing else runs in this process.
    if !unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        return;
    }
    shared::reserve();
    held::reserve();
    leave_database::install();
    // pg_upgrade starts servers to take one catalogue apart and put the other together: what the sampler wrote meanwhile would
    // be lost in the first, and meet half a catalogue in the second.
    // SAFETY: a plain bool that the postmaster sets by its command line before loading libraries.
    if !unsafe { pg_sys::IsBinaryUpgrade } {
        sampler::register_launcher();
    }
}

/// Has glibc and pgrx allocate what the first error of a process takes: pgrx keeps its place in a variable of the thread, whose
/// destructor glibc registers in memory of its own, and glibc aborts where that is refused. Preloaded, this is done once, by the
/// postmaster.
fn prepare_for_errors() {
    let _ = std::panic::catch_unwind(|| std::panic::panic_any(()));
}

/// Entry point of the launcher.
#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn ebs_advisor_launcher(_argument: pg_sys::Datum) {
    sampler::launcher();
}

/// Entry point of the sampler. Its argument is the number of the database to sample on demand in, 0 for the preloaded one.
#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn ebs_advisor_sampler(database: pg_sys::Datum) {
    sampler::sampler(database.value() as u32);
}
