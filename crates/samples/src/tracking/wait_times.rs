//! Time in each wait event by process: a sweep adds the time since the one before to a cell for each process. Almost always a
//! process is in the same state as before, and its slot remembers its cell: then a sweep costs two reads and one addition a
//! process. Time of a client backend that waits for its client is held in its slot until the interval ends, and counts if the
//! session took part in the interval (`participation.rs`).

use std::collections::{BTreeMap, HashMap};

use super::participation::{Interval, is_own};
use super::process::{CatalogueName, Dimensions, ProcessIdentity, Processes};
use crate::evidence::{Session, WaitKey, WaitTotals};

/// The class of waits for a client, as in wait_event_info (utils/wait_classes.h): such a process runs no statement.
const CLIENT_CLASS: u32 = 0x0600_0000;
const CLASS_MASK: u32 = 0xFF00_0000;

/// wait_event_info of a backend that waits for its client's next command (or for its data): ClientRead, the first wait of its class
/// in PostgreSQL 16 to 18.
pub const CLIENT_READ: u32 = CLIENT_CLASS;

/// Backend type of sessions.
const CLIENT: &str = "client backend";

/// Most cells; further states are counted together in one. A cell is 100 bytes or so.
const MAX_CELLS: usize = 5_000;

/// The cell of processes that are not counted, and the one of states beyond [`MAX_CELLS`].
const IGNORED: u32 = 0;
const OVERFLOW: u32 = 1;

/// State of a slot of the process array at the last sample.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    pid: i32,
    wait: u32,
    query_id: i64,
    identity: u32,
    cell: u32,
    /// True of a client backend, whose time counts only where it takes part.
    is_client: bool,
    /// True once the process was seen at work in this interval.
    has_worked: bool,
    /// Time in this interval that is not counted yet: all of it belongs to `cell`.
    held_us: u64,
}

impl Slot {
    /// Returns true while it is not known of this process if it takes part in the interval.
    fn is_undecided(&self, pid: i32) -> bool {
        self.pid == pid && self.is_client && !self.has_worked
    }
}

/// Time in each wait event by process, in bounded memory.
#[derive(Debug)]
pub struct WaitTimes {
    dimensions: Dimensions,
    slots: Vec<Slot>,
    identities: Vec<ProcessIdentity>,
    identity_index: HashMap<ProcessIdentity, u32>,
    cells: Vec<u64>,
    cell_index: HashMap<(u32, u32, i64), u32>,
    sweeps: u64,
    swept_us: u64,
    interval: Interval,
}

impl WaitTimes {
    /// Returns empty totals for a process array of this many slots.
    pub fn new(dimensions: Dimensions, slots: usize) -> WaitTimes {
        WaitTimes {
            dimensions,
            slots: vec![Slot::default(); slots],
            identities: vec![ProcessIdentity::default()],
            identity_index: HashMap::new(),
            cells: vec![0; 2],
            cell_index: HashMap::new(),
            sweeps: 0,
            swept_us: 0,
            interval: Interval::default(),
        }
    }

    /// Begins a sweep at `now_us` (microseconds since 1970), which stands for the last `dt_us` microseconds.
    pub fn begin_sweep(&mut self, dt_us: u64, now_us: i64, processes: &impl Processes) {
        if self.interval.is_over() {
            self.end_interval(now_us, processes);
        }
        self.sweeps += 1;
        self.swept_us += dt_us;
        self.interval.add(dt_us);
    }

    /// Adds `dt_us` microseconds to the state of the process in this slot; `wait` is its wait_event_info.
    #[inline]
    pub fn add(&mut self, index: usize, pid: i32, wait: u32, dt_us: u64, processes: &impl Processes) {
        let slot = self.slots[index];
        let same = slot.pid == pid && slot.wait == wait;
        let same = same && (!self.dimensions.query_id || running_query(index, wait, processes) == slot.query_id);
        let cell = if same { slot.cell } else { self.enter_state(index, pid, wait, processes) };
        let slot = &mut self.slots[index];
        slot.has_worked |= wait != CLIENT_READ;
        match slot.is_undecided(pid) {
            true => slot.held_us += dt_us,
            false => self.cells[cell as usize] += dt_us,
        }
    }

    /// Ends the interval, and returns the totals since the last call. `event_names` gives class and name of a wait event, `name` the
    /// names of databases and roles.
    pub fn drain(
        &mut self,
        now_us: i64,
        processes: &impl Processes,
        event_names: impl Fn(u32) -> (String, String),
        mut name: impl FnMut(CatalogueName) -> Option<String>,
    ) -> WaitTotals {
        self.end_interval(now_us, processes);
        let mut rows = BTreeMap::new();
        for (&(identity, wait, query_id), &cell) in &self.cell_index {
            let us = std::mem::take(&mut self.cells[cell as usize]);
            if us > 0 {
                // Two numbers of one name (a role that was dropped, an event that has none) are one row.
                let names =
                    if wait == 0 { (WaitKey::CPU.to_owned(), WaitKey::CPU.to_owned()) } else { event_names(wait) };
                let session = self.session(&self.identities[identity as usize], query_id, &mut name);
                let backend_type = self.identities[identity as usize].backend_type.clone();
                let key = WaitKey { backend_type, class: names.0, event: names.1, session };
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
    pub fn forget_processes(&mut self, dimensions: Dimensions) {
        let empty = WaitTimes::new(dimensions, self.slots.len());
        *self = WaitTimes { sweeps: self.sweeps, swept_us: self.swept_us, interval: self.interval, ..empty };
    }

    /// Ends the interval in which sessions take part or not: what was held of those that do is counted, the rest is dropped.
    fn end_interval(&mut self, now_us: i64, processes: &impl Processes) {
        for index in 0..self.slots.len() {
            let slot = self.slots[index];
            self.slots[index].has_worked = false;
            if slot.held_us > 0 && !self.interval.took_part(processes.session_state(index, slot.pid), now_us) {
                self.slots[index].held_us = 0;
            }
            self.count_held(index);
        }
        self.interval = Interval::default();
    }

    /// Counts what was held of the process in this slot.
    fn count_held(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        self.cells[slot.cell as usize] += std::mem::take(&mut slot.held_us);
    }

    /// Enters the state of a process that is new or in another state than at the last sample. Returns its cell.
    fn enter_state(&mut self, index: usize, pid: i32, wait: u32, processes: &impl Processes) -> u32 {
        // Another state is work, and who has gone was ended by its client: the session took part.
        self.count_held(index);
        let mut slot = self.slots[index];
        if slot.pid != pid {
            let Some(identity) = processes.identity(index, pid) else { return IGNORED };
            // A client that has no database or no state yet is still starting: the next sample identifies it again.
            let starting = identity.backend_type == CLIENT && (identity.database == 0 || identity.stateless);
            slot.pid = if starting { 0 } else { pid };
            slot.is_client = identity.backend_type == CLIENT;
            slot.has_worked = false;
            slot.identity = self.intern(identity);
        }
        slot.wait = wait;
        slot.query_id = if self.dimensions.query_id { running_query(index, wait, processes) } else { 0 };
        slot.cell = self.cell(slot.identity, wait, slot.query_id);
        self.slots[index] = slot;
        slot.cell
    }

    /// The number of an identity, reduced to the dimensions that are tracked; 0 for processes of ours.
    fn intern(&mut self, identity: ProcessIdentity) -> u32 {
        if is_own(&identity) {
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

    fn session(
        &self,
        process: &ProcessIdentity,
        query_id: i64,
        name: &mut impl FnMut(CatalogueName) -> Option<String>,
    ) -> Session {
        Session {
            database: (process.database != 0).then(|| name(CatalogueName::Database(process.database))).flatten(),
            role: (process.role != 0).then(|| name(CatalogueName::Role(process.role))).flatten(),
            application: self.dimensions.application.then(|| process.application.clone()),
            query_id: (query_id != 0).then_some(query_id),
        }
    }
}

/// Id of the query that a process runs. A process that waits for its client still shows its last query, which does not count: 0.
fn running_query(index: usize, wait: u32, processes: &impl Processes) -> i64 {
    if wait & CLASS_MASK == CLIENT_CLASS { 0 } else { processes.query_id(index) }
}

#[cfg(test)]
#[path = "wait_times_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "participation_tests.rs"]
mod participation_tests;
