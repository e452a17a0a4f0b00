//! Sampling of wait events: the state of every process in the process array, and the time that each state lasted.
//!
//! A sample adds the time since the one before to a cell for each process. Almost always a process is in the same state as
//! before, and its slot remembers its cell: then a sample costs two reads and one addition a process.

use std::collections::{BTreeMap, HashMap};

use ebs_samples::evidence::{Session, WaitKey, WaitTotals};

use crate::ffi::{self, ProcessIdentity};
use crate::settings::{self, Dimensions};

/// Prefix of the background worker types of this extension, whose waits are not counted.
const OWN_WORKERS: &str = "ebs_advisor ";

/// The class of waits for a client, as in wait_event_info (utils/wait_classes.h): such a process runs no statement.
const CLIENT_CLASS: u32 = 0x0600_0000;
const CLASS_MASK: u32 = 0xFF00_0000;

/// Most cells; further states are counted together in one. A cell is 100 bytes or so.
const MAX_CELLS: usize = 5_000;

/// The cell of processes that are not counted, and the one of states beyond [`MAX_CELLS`].
const IGNORED: u32 = 0;
const OVERFLOW: u32 = 1;

/// State of a slot of the process array at the last sample.
#[derive(Clone, Copy, Default)]
struct Slot {
    pid: i32,
    wait: u32,
    query_id: i64,
    identity: u32,
    cell: u32,
}

/// Time in each wait event by process, in bounded memory.
pub struct WaitSampler {
    dimensions: Dimensions,
    slots: Vec<Slot>,
    identities: Vec<ProcessIdentity>,
    identity_index: HashMap<ProcessIdentity, u32>,
    cells: Vec<u64>,
    cell_index: HashMap<(u32, u32, i64), u32>,
    sweeps: u64,
    swept_us: u64,
}

impl WaitSampler {
    /// A sampler without samples, for the dimensions that are tracked now.
    pub fn new() -> WaitSampler {
        WaitSampler {
            dimensions: settings::dimensions(),
            slots: vec![Slot::default(); ffi::process_slots()],
            identities: vec![ProcessIdentity::default()],
            identity_index: HashMap::new(),
            cells: vec![0; 2],
            cell_index: HashMap::new(),
            sweeps: 0,
            swept_us: 0,
        }
    }

    /// Samples the state of every process, which counts for the last `dt_us`.
    pub fn sample_waits(&mut self, dt_us: u64) {
        self.sweeps += 1;
        self.swept_us += dt_us;
        ffi::for_each_process(|index, pid, wait| {
            let slot = self.slots[index];
            let same = slot.pid == pid && slot.wait == wait;
            let same = same && (!self.dimensions.query_id || self.running_query(index, wait) == slot.query_id);
            let cell = if same { slot.cell } else { self.enter_state(index, pid, wait) };
            self.cells[cell as usize] += dt_us;
        });
    }

    /// Returns the totals since the last call, with names for databases and roles from `name`.
    pub fn drain(&mut self, mut name: impl FnMut(CatalogueName) -> Option<String>) -> WaitTotals {
        let mut rows = BTreeMap::new();
        for (&(identity, wait, query_id), &cell) in &self.cell_index {
            let us = std::mem::take(&mut self.cells[cell as usize]);
            if us > 0 {
                // Two numbers of one name (a role that was dropped, an event that has none) are one row.
                let key = wait_key(&self.identities[identity as usize], wait, query_id, self.dimensions, &mut name);
                *rows.entry(key).or_default() += us;
            }
        }
        let overflow = std::mem::take(&mut self.cells[OVERFLOW as usize]);
        if overflow > 0 {
            let other = || "other".to_owned();
            let key = WaitKey { backend_type: other(), class: other(), event: other(), session: Session::default() };
            rows.insert(key, overflow);
        }
        self.cells[IGNORED as usize] = 0;
        WaitTotals { rows, sweeps: std::mem::take(&mut self.sweeps), swept_us: std::mem::take(&mut self.swept_us) }
    }

    /// Forgets all processes, so that memory stays bounded and a changed application_name is noticed.
    pub fn forget_processes(&mut self) {
        *self = WaitSampler { sweeps: self.sweeps, swept_us: self.swept_us, ..WaitSampler::new() };
    }

    /// Enters the state of a process that is new or in another state than at the last sample; its cell.
    fn enter_state(&mut self, index: usize, pid: i32, wait: u32) -> u32 {
        let mut slot = self.slots[index];
        if slot.pid != pid {
            let Some(identity) = ffi::process_identity(index, pid) else { return IGNORED };
            // A client that has no database or no state yet is still starting: the next sample identifies it again.
            let starting = identity.backend_type == "client backend" && (identity.database == 0 || identity.stateless);
            slot.pid = if starting { 0 } else { pid };
            slot.identity = self.intern(identity);
        }
        slot.wait = wait;
        slot.query_id = if self.dimensions.query_id { self.running_query(index, wait) } else { 0 };
        slot.cell = self.cell(slot.identity, wait, slot.query_id);
        self.slots[index] = slot;
        slot.cell
    }

    /// The number of an identity, reduced to the dimensions that are tracked; 0 for our own workers.
    fn intern(&mut self, identity: ProcessIdentity) -> u32 {
        if identity.backend_type.starts_with(OWN_WORKERS) {
            return 0;
        }
        let wanted = self.dimensions;
        let reduced = ProcessIdentity {
            backend_type: identity.backend_type,
            database: if wanted.database { identity.database } else { 0 },
            role: if wanted.role { identity.role } else { 0 },
            application: if wanted.application { identity.application } else { String::new() },
            stateless: false,
        };
        let (identities, next) = (&mut self.identities, self.identity_index.len() as u32 + 1);
        *self.identity_index.entry(reduced).or_insert_with_key(|identity| {
            identities.push(identity.clone());
            next
        })
    }

    fn cell(&mut self, identity: u32, wait: u32, query_id: i64) -> u32 {
        if identity == 0 {
            return IGNORED;
        }
        if let Some(&cell) = self.cell_index.get(&(identity, wait, query_id)) {
            return cell;
        }
        if self.cells.len() >= MAX_CELLS {
            return OVERFLOW;
        }
        let cell = self.cells.len() as u32;
        self.cells.push(0);
        self.cell_index.insert((identity, wait, query_id), cell);
        cell
    }

    /// The query that a process runs; 0 of one that waits for its client, which still shows its last one.
    fn running_query(&self, index: usize, wait: u32) -> i64 {
        if wait & CLASS_MASK == CLIENT_CLASS { 0 } else { ffi::current_query_id(index) }
    }
}

/// A number of the catalogue, to be replaced by the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CatalogueName {
    /// A database.
    Database(u32),
    /// A role.
    Role(u32),
}

fn wait_key(
    process: &ProcessIdentity,
    wait: u32,
    query_id: i64,
    dimensions: Dimensions,
    name: &mut impl FnMut(CatalogueName) -> Option<String>,
) -> WaitKey {
    let (class, event) = match wait {
        0 => (WaitKey::CPU.to_owned(), WaitKey::CPU.to_owned()),
        _ => ffi::wait_event_names(wait),
    };
    let session = Session {
        database: (process.database != 0).then(|| name(CatalogueName::Database(process.database))).flatten(),
        role: (process.role != 0).then(|| name(CatalogueName::Role(process.role))).flatten(),
        application: dimensions.application.then(|| process.application.clone()),
        query_id: (query_id != 0).then_some(query_id),
    };
    WaitKey { backend_type: process.backend_type.clone(), class, event, session }
}
