//! Probes that are read once a block: transactions, CPU time, temporary files, I/O of the server's processes, EBS's own
//! counters, and the cost of the sampler itself.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ebs_samples::evidence::{Accounts, CostCounts, EbsReading, StorageCounts, StorageLayout};

use super::clock::{cpu_us, monotonic_us};
use super::cpu_time::{CpuTime, available_cpus};
use super::nvme::ebs_pages;
use super::processes::Processes;
use super::server_io::read_server_io;
use crate::ffi;

/// Reasons that probes are left out; `None` where none is.
pub struct ProbeProblems {
    /// Reason that pages of EBS volumes cannot be used.
    pub nvme: Option<String>,
    /// Reason that CPU time is not known.
    pub cpu_time: Option<String>,
}

/// Reads them, for these volumes. One that fails is left out. In a background worker only, outside a transaction.
pub fn read_slow_probes(layout: &StorageLayout, cpu_time: &mut CpuTime) -> (Accounts, ProbeProblems) {
    let processes = Processes::new();
    let (ebs, nvme) = read_ebs(layout);
    let cpu = cpu_time.read(&processes);
    let problems = ProbeProblems { nvme, cpu_time: cpu.as_ref().err().cloned() };
    let cpu = cpu.unwrap_or_default();
    let accounts = Accounts {
        mono_us: monotonic_us(),
        storage: read_server_io(&processes),
        databases: ffi::in_transaction(ffi::read_databases).ok(),
        own_transactions: ffi::own_transactions(),
        processor: cpu.processor,
        cpus: available_cpus(&processes),
        run_delay: cpu.run_delay,
        ebs,
        cost: read_cost(&processes),
    };
    (accounts, problems)
}

fn read_ebs(layout: &StorageLayout) -> (BTreeMap<String, EbsReading>, Option<String>) {
    let (mut readings, mut problems) = (BTreeMap::new(), Vec::new());
    for (volume, page) in ebs_pages(layout).into_iter().flatten() {
        match page {
            Ok(Some(reading)) => drop(readings.insert(volume, reading)),
            Ok(None) => (),
            Err(reason) => problems.push(reason),
        }
    }
    (readings, (!problems.is_empty()).then(|| problems.join("; ")))
}

fn read_cost(processes: &Processes) -> CostCounts {
    let io = own_io(processes);
    CostCounts {
        cpu_us: cpu_us(),
        wal_bytes: ffi::own_wal_bytes(),
        read_bytes: io.read_bytes,
        // The lower of two upper bounds.
        write_bytes: io.write_bytes.min(io.handed_bytes),
    }
}

/// I/O of this process so far; the last known if the kernel does not report it now, because 0 would count as a reset.
fn own_io(processes: &Processes) -> StorageCounts {
    static LAST: Mutex<Option<StorageCounts>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    *last = processes.own_io().or(*last);
    last.unwrap_or_default()
}
