//! What is read once a block: transactions, CPU time, temporary files, what the server's processes moved, what EBS counted, and what the sampler
//! itself has used.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ebs_samples::evidence::{Accounts, CostCounts, EbsReading, Place, StorageCounts};

use super::clock::{cpu_us, monotonic_us};
use super::nvme::nvme_pages;
use super::processes::Processes;
use super::processor::{Processor, cpus};
use super::storage::storage;
use crate::ffi;

/// Why something is left out; `None` where nothing is.
pub struct Problems {
    /// Why pages of EBS volumes cannot be used.
    pub nvme: Option<String>,
    /// Why CPU time is not known.
    pub processor: Option<String>,
}

/// Reads the slow probes, for the volumes of this place. One that fails is left out. In a background worker only, outside a
/// transaction.
pub fn accounts(place: &Place, processor: &mut Processor) -> (Accounts, Problems) {
    let processes = Processes::new();
    let (ebs, nvme) = ebs(place);
    let used = processor.read(&processes);
    let problems = Problems { nvme, processor: used.as_ref().err().cloned() };
    let accounts = Accounts {
        mono_us: monotonic_us(),
        storage: storage(&processes),
        databases: ffi::in_transaction(ffi::read_databases).ok(),
        own_transactions: ffi::own_transactions(),
        processor: used.ok().flatten(),
        cpus: cpus(),
        ebs,
        cost: cost(&processes),
    };
    (accounts, problems)
}

fn ebs(place: &Place) -> (BTreeMap<String, EbsReading>, Option<String>) {
    let (mut readings, mut problems) = (BTreeMap::new(), Vec::new());
    for (volume, page) in nvme_pages(place).into_iter().flatten() {
        match page {
            Ok(Some(reading)) => drop(readings.insert(volume, reading)),
            Ok(None) => (),
            Err(reason) => problems.push(reason),
        }
    }
    (readings, (!problems.is_empty()).then(|| problems.join("; ")))
}

fn cost(processes: &Processes) -> CostCounts {
    let io = own(processes);
    CostCounts {
        cpu_us: cpu_us(),
        wal_bytes: ffi::own_wal_bytes(),
        read_bytes: io.read_bytes,
        // The lower of two upper bounds.
        write_bytes: io.write_bytes.min(io.handed_bytes),
    }
}

/// What this process has moved so far; what was last known where the kernel does not say now, because nothing would look as
/// if counting began anew.
fn own(processes: &Processes) -> StorageCounts {
    static LAST: Mutex<Option<StorageCounts>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    *last = processes.own().or(*last);
    last.unwrap_or_default()
}
