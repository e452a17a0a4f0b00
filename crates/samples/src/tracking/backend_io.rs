//! I/O of processes between two readings of their counters.

use std::collections::HashMap;

use ebs_base::counter::{Counters, Delta};

use crate::evidence::IoBytes;

/// Counters of one process.
#[derive(Clone, Copy, Debug)]
pub struct BackendIo {
    /// Slot in the process array.
    pub slot: usize,
    /// Process id.
    pub pid: i32,
    /// Start of the process, as PostgreSQL counts time: a process id may come again.
    pub started: i64,
    /// Time of the last reset of its counters.
    pub epoch: i64,
    /// Bytes since then.
    pub bytes: IoBytes,
}

/// Counters of all processes at their last reading, by slot of the process array.
#[derive(Debug, Default)]
pub struct BackendIoTracker {
    backends: HashMap<usize, BackendIo>,
    read_us: Option<u64>,
}

impl BackendIoTracker {
    /// Returns the I/O of a process since the last reading; 0 where its counters were reset since.
    pub fn bytes_since_last(&mut self, now: BackendIo) -> IoBytes {
        let is_same = |before: &BackendIo| (before.pid, before.started) == (now.pid, now.started);
        match self.backends.insert(now.slot, now).filter(is_same) {
            Some(before) if before.epoch != now.epoch => IoBytes::default(),
            Some(before) => match now.bytes.since(before.bytes) {
                Delta::Advanced(bytes) => bytes,
                Delta::Reset => IoBytes::default(),
            },
            // A new process has counted from 0 since; before the first reading it is not known which are new.
            None if self.read_us.is_some() => now.bytes,
            None => IoBytes::default(),
        }
    }

    /// Ends a reading of all processes at this time of the monotonic clock, and returns the time since the one before,
    /// microseconds: 0 for the first.
    pub fn finish_reading(&mut self, now_us: u64) -> u64 {
        self.read_us.replace(now_us).map_or(0, |before| now_us.saturating_sub(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(pid: i32, started: i64, epoch: i64, read_bytes: u64) -> BackendIo {
        BackendIo { slot: 3, pid, started, epoch, bytes: IoBytes { read_bytes, ..IoBytes::default() } }
    }

    fn read(tracker: &mut BackendIoTracker, now: BackendIo) -> u64 {
        tracker.bytes_since_last(now).read_bytes
    }

    #[test]
    fn the_first_reading_is_what_the_others_are_compared_with() {
        let mut tracker = BackendIoTracker::default();
        assert_eq!(read(&mut tracker, reading(7, 1, 0, 500)), 0);
        assert_eq!(tracker.finish_reading(1_000), 0);
        assert_eq!(read(&mut tracker, reading(7, 1, 0, 800)), 300);
        assert_eq!(tracker.finish_reading(3_500), 2_500);
    }

    #[test]
    fn a_process_that_is_new_since_the_last_reading_counts_whole() {
        let mut tracker = BackendIoTracker::default();
        tracker.finish_reading(0);
        assert_eq!(read(&mut tracker, reading(7, 1, 0, 500)), 500);
        // The same process id, started again, and another process in the same slot.
        assert_eq!(read(&mut tracker, reading(7, 2, 0, 600)), 600);
        assert_eq!(read(&mut tracker, reading(8, 2, 0, 700)), 700);
    }

    #[test]
    fn nothing_is_known_of_the_time_in_which_counters_were_reset() {
        let mut tracker = BackendIoTracker::default();
        tracker.finish_reading(0);
        read(&mut tracker, reading(7, 1, 0, 500));
        assert_eq!(read(&mut tracker, reading(7, 1, 9, 900)), 0);
        assert_eq!(read(&mut tracker, reading(7, 1, 9, 400)), 0);
        assert_eq!(read(&mut tracker, reading(7, 1, 9, 450)), 50);
    }
}
