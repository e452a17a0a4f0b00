//! What all processes of the server moved to and from storage.
//!
//! The kernel adds what a process moved to its parent's account when the parent has waited for it
//! (<https://github.com/torvalds/linux/blob/v6.12/kernel/exit.c>, wait_task_zombie), so the postmaster's account holds
//! all processes that have ended, and it and its living children are all there ever were.

use std::sync::{Mutex, PoisonError};

use ebs_base::counter::Counters;
use ebs_samples::evidence::StorageCounts;

use super::processes::Processes;

/// How often the processes are read anew because one ended in between.
const ATTEMPTS: usize = 3;

/// The cumulative counts; `None` where those of any process cannot be read.
pub fn storage(processes: &Processes) -> Option<StorageCounts> {
    let postmaster = processes.postmaster()?;
    let mut sum = StorageCounts::default();
    for _ in 0..ATTEMPTS {
        let ended = processes.io(postmaster).ok()??;
        sum = ended.plus(living(processes, postmaster)?);
        // What ended in between is in neither.
        if processes.io(postmaster).ok()? == Some(ended) {
            break;
        }
    }
    Some(highest(sum))
}

fn living(processes: &Processes, postmaster: i32) -> Option<StorageCounts> {
    let mut sum = StorageCounts::default();
    for child in processes.children(postmaster).ok()? {
        sum = sum.plus(processes.io(child).ok()?.unwrap_or_default());
    }
    Some(sum)
}

/// The highest counts seen.
static HIGHEST: Mutex<StorageCounts> =
    Mutex::new(StorageCounts { read_bytes: 0, write_bytes: 0, cancelled_bytes: 0, handed_bytes: 0 });

/// Counts only grow, so a reading below an earlier one has missed a process that was ending; the next one has it.
fn highest(seen: StorageCounts) -> StorageCounts {
    let mut highest = HIGHEST.lock().unwrap_or_else(PoisonError::into_inner);
    *highest = highest.zip(seen, |before, now| Some(before.max(now))).unwrap_or(seen);
    *highest
}
