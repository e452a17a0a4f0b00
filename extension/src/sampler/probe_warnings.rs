//! Warnings of slow probes that fail: one for each failure, not one a block.

use ebs_samples::evidence::{Accounts, StorageLayout};

use crate::probes::CpuTime;
use crate::{ffi, probes};

/// Reads the slow probes for these volumes, and warns of those that fail.
pub fn read_slow_probes(layout: &StorageLayout, cpu_time: &mut CpuTime) -> Accounts {
    let (accounts, problems) = probes::read_slow_probes(layout, cpu_time);
    let changed = ffi::update_sampler_state(|state| {
        let nvme = state.nvme_problem.set(problems.nvme.as_deref());
        (nvme, state.processor_problem.set(problems.cpu_time.as_deref()))
    });
    let (nvme_changed, cpu_time_changed) = changed.unwrap_or_default();
    if let (Some(reason), true) = (problems.nvme, nvme_changed) {
        pgrx::warning!("ebs_advisor cannot use statistics of EBS volumes: {reason}");
    }
    if let (Some(reason), true) = (problems.cpu_time, cpu_time_changed) {
        pgrx::warning!("ebs_advisor cannot tell CPU time: {reason}");
    }
    accounts
}
