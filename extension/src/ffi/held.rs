//! Samples that the sampler holds, in shared memory: answers count them without asking it, and without waiting for it.
//!
//! Two blocks: the one being filled, and the one written last, which a statement that began before it was committed would
//! otherwise miss. Both go in and out as whole copies under a lock that is held for as long as copying takes.

use pgrx::prelude::*;
use pgrx::{PGRXSharedMemory, PgLwLock, pg_shmem_init};

use super::server::own_database;
use super::shared::is_preloaded;

/// Room for one block. One second takes about 40 bytes, so this is for many waits and long flush intervals; a block that
/// outgrows it is written early.
const CAPACITY: usize = 64 << 10;

#[repr(C)]
#[derive(Clone, Copy)]
struct Slot {
    length: u32,
    bytes: [u8; CAPACITY],
}

impl Slot {
    const EMPTY: Slot = Slot { length: 0, bytes: [0; CAPACITY] };

    fn get(&self) -> Option<Vec<u8>> {
        let bytes = self.bytes.get(..self.length as usize)?;
        (!bytes.is_empty()).then(|| bytes.to_vec())
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Held {
    database: u32,
    written: Slot,
    pending: Slot,
}

impl Default for Held {
    fn default() -> Self {
        Held { database: 0, written: Slot::EMPTY, pending: Slot::EMPTY }
    }
}

// SAFETY: a Copy struct of integers without pointers, only ever reached under the lock below.
unsafe impl PGRXSharedMemory for Held {}

// SAFETY: the name is unique to this library.
static HELD: PgLwLock<Held> = unsafe { PgLwLock::new(c"ebs_advisor samples") };

/// Asks the postmaster for the memory. Only in shared_preload_libraries.
pub(super) fn reserve() {
    pg_shmem_init!(HELD);
}

/// Shows the block being filled; false if it has outgrown its room, and then nothing of it is shown until it is written.
pub fn hold(block: &[u8]) -> bool {
    let shown = if block.len() <= CAPACITY { block } else { &[] };
    if is_preloaded() {
        let mut held = HELD.exclusive();
        held.database = own_database();
        held.pending.length = shown.len() as u32;
        held.pending.bytes[..shown.len()].copy_from_slice(shown);
    }
    shown.len() == block.len()
}

/// The block being filled has been written.
pub fn hold_as_written() {
    if is_preloaded() {
        let mut held = HELD.exclusive();
        held.written = held.pending;
        held.pending.length = 0;
    }
}

/// Nothing is held any more.
pub fn hold_nothing() {
    if is_preloaded() {
        let mut held = HELD.exclusive();
        held.written.length = 0;
        held.pending.length = 0;
    }
}

/// The blocks held for the database of this session, encoded, in time order.
pub fn held() -> Vec<Vec<u8>> {
    if !is_preloaded() {
        return Vec::new();
    }
    let held = HELD.share();
    match held.database == own_database() {
        true => [&held.written, &held.pending].into_iter().filter_map(Slot::get).collect(),
        false => Vec::new(),
    }
}
