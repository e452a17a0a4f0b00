//! Sampling of wait events: the state of every process in the process array, and the time that each state lasted.

use ebs_samples::evidence::WaitTotals;
use ebs_samples::tracking::{CatalogueName, ProcessIdentity, Processes, SessionState, WaitTimes};

use super::clock::wall_us;
use crate::{ffi, settings};

/// The process array in shared memory.
struct ProcessArray;

impl Processes for ProcessArray {
    fn identity(&self, slot: usize, pid: i32) -> Option<ProcessIdentity> {
        ffi::process_identity(slot, pid)
    }

    fn query_id(&self, slot: usize) -> i64 {
        ffi::current_query_id(slot)
    }

    fn session_state(&self, slot: usize, pid: i32) -> Option<SessionState> {
        ffi::session_state(slot, pid)
    }
}

/// Time in each wait event of processes that take part, in bounded memory.
pub struct WaitSampler(WaitTimes);

impl WaitSampler {
    /// Returns a sampler without samples, for the dimensions that are tracked now.
    pub fn new() -> WaitSampler {
        WaitSampler(WaitTimes::new(settings::dimensions(), ffi::process_slots()))
    }

    /// Samples the state of every process, which counts for the last `dt_us` microseconds.
    pub fn sample_waits(&mut self, dt_us: u64) {
        self.0.begin_sweep(dt_us, wall_us(), &ProcessArray);
        ffi::for_each_process(|slot, pid, wait| self.0.add(slot, pid, wait, dt_us, &ProcessArray));
    }

    /// Returns the totals since the last call, with names for databases and roles from `name`.
    pub fn drain(&mut self, name: impl FnMut(CatalogueName) -> Option<String>) -> WaitTotals {
        self.0.drain(wall_us(), &ProcessArray, ffi::wait_event_names, name)
    }

    /// Forgets all processes, so that memory stays bounded and a changed application_name is noticed.
    pub fn forget_processes(&mut self) {
        self.0.forget_processes(settings::dimensions());
    }
}
