//! Properties of the process that the program which started ebsctl has left changed, and on which ebsctl depends.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nix::sys::signal::SigSet;
use signal_hook::consts::SIGCHLD;

/// Sets the signals that ebsctl depends on. Errors are left alone: the program then works as it was started.
///
/// Blocked signals would never reach their handlers, and where SIGCHLD is ignored the exit status of a command is lost
/// (`man 2 wait`, ECHILD). Dispositions of SIGINT and SIGTERM are set where they are handled (ending_signals.rs).
pub fn set_signals() {
    let _ = SigSet::empty().thread_set_mask();
    // A handler ends the ignoring; nobody reads the flag.
    let _ = signal_hook::flag::register(SIGCHLD, Arc::new(AtomicBool::new(false)));
}
