//! Loading of the library: facts of the process that loads it, and preparations that it needs.

use std::ffi::CStr;

use pgrx::pg_sys;

use super::{pending_samples, sampler_state};

/// Has glibc and pgrx allocate what the first error of a process takes: pgrx keeps its place in a variable of the thread, whose
/// destructor glibc registers in memory of its own, and glibc aborts where that is refused. Preloaded, this is done once, by the
/// postmaster.
pub fn prepare_for_errors() {
    // SAFETY: this process has one thread. With the variable set pgrx would put a stack trace into the DETAIL of errors.
    unsafe { std::env::remove_var("RUST_BACKTRACE") };
    let _ = std::panic::catch_unwind(|| std::panic::panic_any(()));
}

/// Refuses settings under this prefix that are not defined.
pub fn reserve_setting_prefix(prefix: &'static CStr) {
    // SAFETY: a static C string; PostgreSQL copies it.
    unsafe { pg_sys::MarkGUCPrefixReserved(prefix.as_ptr()) };
}

/// True while the postmaster loads shared_preload_libraries.
pub fn is_preloading() -> bool {
    // SAFETY: a plain bool that the postmaster sets before loading libraries; nothing else runs in this process.
    unsafe { pg_sys::process_shared_preload_libraries_in_progress }
}

/// True on a server that pg_upgrade runs.
pub fn is_binary_upgrade() -> bool {
    // SAFETY: a plain bool that the postmaster sets by its command line before loading libraries.
    unsafe { pg_sys::IsBinaryUpgrade }
}

/// Reserves all shared memory of this library. Only in shared_preload_libraries.
pub fn reserve_shared_memory() {
    sampler_state::reserve();
    pending_samples::reserve();
}

/// Declares the main function of a background worker, under the name by which PostgreSQL looks it up in the library.
macro_rules! background_worker_main {
    ($(#[$attribute:meta])* $name:ident => $main:expr) => {
        $(#[$attribute])*
        #[allow(unsafe_code, reason = "the symbol's name is unique to this library")]
        #[::pgrx::pg_guard]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name(argument: ::pgrx::pg_sys::Datum) {
            let main: fn(::pgrx::pg_sys::Datum) = $main;
            main(argument);
        }
    };
}
pub(crate) use background_worker_main;
