//! Sweeps over the process array: who waits for what, and for how long it stood so.
//!
//! A sweep adds the time since the one before to a cell for each process. Almost always a process is in the same state as
//! at the sweep before, and its place remembers its cell: then a sweep costs two reads and one addition a process.

use std::collections::{BTreeMap, HashMap};

use ebs_samples::evidence::{Session, WaitKey, WaitTotals};

use crate::ffi::{self, ProcessIdentity};
use crate::settings::{self, Dimensions};

/// Background worker types of this extension: watching must not show up in what is watched.
const OWN: &str = "ebs_advisor ";

/// The class of waits for a client, as in wait_event_info (utils/wait_classes.h): such a process runs no statement.
const CLIENT: u32 = 0x0600_0000;
const CLASS_MASK: u32 = 0xFF00_0000;

/// Cells at most; what comes after goes to one cell that says so. A cell is 100 bytes or so.
const CELLS: usize = 5_000;

/// The cell of what is not counted, and the one of what there was no room for.
const IGNORED: u32 = 0;
const OVERFLOW: u32 = 1;

/// What a place of the process array was in at the last sweep.
#[derive(Clone, Copy, Default)]
struct Place {
    pid: i32,
    wait: u32,
    query_id: i64,
    who: u32,
    cell: u32,
}

/// Counts who waits for what, in bounded memory.
pub struct Sweeper {
    dimensions: Dimensions,
    places: Vec<Place>,
    who: Vec<ProcessIdentity>,
    who_index: HashMap<ProcessIdentity, u32>,
    cells: Vec<u64>,
    cell_index: HashMap<(u32, u32, i64), u32>,
    sweeps: u64,
    swept_us: u64,
}

impl Sweeper {
    /// One that has seen nothing, for the dimensions that are set now.
    pub fn new() -> Sweeper {
        Sweeper {
            dimensions: settings::dimensions(),
            places: vec![Place::default(); ffi::process_slots()],
            who: vec![ProcessIdentity::default()],
            who_index: HashMap::new(),
            cells: vec![0; 2],
            cell_index: HashMap::new(),
            sweeps: 0,
            swept_us: 0,
        }
    }

    /// Looks at every process; what it sees stands for the last `dt_us`.
    pub fn sweep(&mut self, dt_us: u64) {
        self.sweeps += 1;
        self.swept_us += dt_us;
        ffi::for_each_process(|index, pid, wait| {
            let place = self.places[index];
            let same = place.pid == pid && place.wait == wait;
            let cell = match same && (!self.dimensions.query_id || self.shown_query(index, wait) == place.query_id) {
                true => place.cell,
                false => self.enter(index, pid, wait),
            };
            self.cells[cell as usize] += dt_us;
        });
    }

    /// What was seen since the last call, with names for databases and roles from `name`.
    pub fn drain(&mut self, mut name: impl FnMut(Oid) -> Option<String>) -> WaitTotals {
        let mut rows = BTreeMap::new();
        for (&(who, wait, query_id), &cell) in &self.cell_index {
            let us = std::mem::take(&mut self.cells[cell as usize]);
            if us > 0 {
                // Two numbers of one name (a role that was dropped, an event that has none) are one row.
                let key = key(&self.who[who as usize], wait, query_id, self.dimensions, &mut name);
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

    /// Forgets who was seen, so that memory stays bounded and a changed application_name is noticed.
    pub fn forget(&mut self) {
        *self = Sweeper { sweeps: self.sweeps, swept_us: self.swept_us, ..Sweeper::new() };
    }

    /// The cell of a process that is new or in another state than at the last sweep.
    fn enter(&mut self, index: usize, pid: i32, wait: u32) -> u32 {
        let mut place = self.places[index];
        if place.pid != pid {
            let Some(identity) = ffi::process_identity(index, pid) else { return IGNORED };
            // A client that has no database or no state yet is still starting: the next sweep asks again who it is.
            let starting = identity.backend_type == "client backend" && (identity.database == 0 || identity.stateless);
            place.pid = if starting { 0 } else { pid };
            place.who = self.who(identity);
        }
        place.wait = wait;
        place.query_id = if self.dimensions.query_id { self.shown_query(index, wait) } else { 0 };
        place.cell = self.cell(place.who, wait, place.query_id);
        self.places[index] = place;
        place.cell
    }

    /// The number of an identity, reduced to the dimensions asked for; 0 for our own workers.
    fn who(&mut self, identity: ProcessIdentity) -> u32 {
        if identity.backend_type.starts_with(OWN) {
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
        let (who, next) = (&mut self.who, self.who_index.len() as u32 + 1);
        *self.who_index.entry(reduced).or_insert_with_key(|identity| {
            who.push(identity.clone());
            next
        })
    }

    fn cell(&mut self, who: u32, wait: u32, query_id: i64) -> u32 {
        if who == 0 {
            return IGNORED;
        }
        if let Some(&cell) = self.cell_index.get(&(who, wait, query_id)) {
            return cell;
        }
        if self.cells.len() >= CELLS {
            return OVERFLOW;
        }
        let cell = self.cells.len() as u32;
        self.cells.push(0);
        self.cell_index.insert((who, wait, query_id), cell);
        cell
    }

    /// The query that a process works on. One that waits for its client still shows its last one.
    fn shown_query(&self, index: usize, wait: u32) -> i64 {
        if wait & CLASS_MASK == CLIENT { 0 } else { ffi::current_query_id(index) }
    }
}

/// A number of the catalogue, of which a name is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Oid {
    /// A database.
    Database(u32),
    /// A role.
    Role(u32),
}

fn key(
    who: &ProcessIdentity,
    wait: u32,
    query_id: i64,
    dimensions: Dimensions,
    name: &mut impl FnMut(Oid) -> Option<String>,
) -> WaitKey {
    let (class, event) = match wait {
        0 => (WaitKey::CPU.to_owned(), WaitKey::CPU.to_owned()),
        _ => ffi::wait_event_names(wait),
    };
    let session = Session {
        database: (who.database != 0).then(|| name(Oid::Database(who.database))).flatten(),
        role: (who.role != 0).then(|| name(Oid::Role(who.role))).flatten(),
        application: dimensions.application.then(|| who.application.clone()),
        query_id: (query_id != 0).then_some(query_id),
    };
    WaitKey { backend_type: who.backend_type.clone(), class, event, session }
}
