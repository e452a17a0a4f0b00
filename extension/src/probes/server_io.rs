//! I/O of all processes of the server.
//!
//! The kernel adds the I/O of a process to its parent's account when the parent has waited for it
//! (<https://github.com/torvalds/linux/blob/v6.12/kernel/exit.c>, wait_task_zombie), so the postmaster's account holds
//! all processes that have ended: with its living children it covers all that have ever run.

use std::sync::{Mutex, PoisonError};

use ebs_base::counter::Counters;
use ebs_samples::evidence::StorageCounts;

use super::processes::Processes;

/// Most attempts to read the processes without one ending in between.
const ATTEMPTS: usize = 3;

/// Reads the cumulative counts; `None` where those of any process cannot be read.
pub fn read_server_io(processes: &Processes) -> Option<StorageCounts> {
    let postmaster = processes.postmaster()?;
    let mut sum = StorageCounts::default();
    for _ in 0..ATTEMPTS {
        let ended = processes.io(postmaster).ok()??;
        sum = ended.plus(children_io(processes, postmaster)?);
        // A process that ended in between is in neither.
        if processes.io(postmaster).ok()? == Some(ended) {
            break;
        }
    }
    Some(highest(sum))
}

fn children_io(processes: &Processes, postmaster: i32) -> Option<StorageCounts> {
    let mut sum = StorageCounts::default();
    for child in processes.children(postmaster).ok()? {
        sum = sum.plus(processes.io(child).ok()?.unwrap_or_default());
    }
    Some(sum)
}

/// Highest counts read so far.
static HIGHEST: Mutex<StorageCounts> =
    Mutex::new(StorageCounts { read_bytes: 0, write_bytes: 0, cancelled_bytes: 0, handed_bytes: 0 });

/// Highest of all readings: counts only grow, so a reading below an earlier one has missed a process that was ending.
fn highest(read: StorageCounts) -> StorageCounts {
    let mut highest = HIGHEST.lock().unwrap_or_else(PoisonError::into_inner);
    *highest = highest.zip(read, |before, now| Some(before.max(now))).unwrap_or(read);
    *highest
}
