//! Signals that end a program, as far as this process was not started with them ignored.

use std::fs;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Signals to handle. nohup sets SIGHUP to be ignored; a handler would undo that.
pub fn ending_signals() -> Vec<i32> {
    [SIGINT, SIGTERM].into_iter().chain((!is_ignored(SIGHUP)).then_some(SIGHUP)).collect()
}

/// True if this process was started with the signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
