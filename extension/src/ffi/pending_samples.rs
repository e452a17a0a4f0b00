//! Samples that the sampler has not written yet, in shared memory: answers count them without waiting for the sampler.
//!
//! Two blocks: the one being filled, and the one written last, which a statement that began before it was committed would
//! otherwise miss. Both go in and out as whole copies under a lock that is held for as long as copying takes.

use pgrx::prelude::*;
use pgrx::{PGRXSharedMemory, PgLwLock, pg_shmem_init};

use super::sampler_state::is_preloaded;
use super::server::own_database;

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
struct PendingSamples {
    database: u32,
    /// The block written last.
    last: Slot,
    /// The block being filled.
    current: Slot,
}

impl Default for PendingSamples {
    fn default() -> Self {
        PendingSamples { database: 0, last: Slot::EMPTY, current: Slot::EMPTY }
    }
}

// SAFETY: a Copy struct of integers without pointers, only ever reached under the lock below.
unsafe impl PGRXSharedMemory for PendingSamples {}

// SAFETY: the name is unique to this library.
static PENDING: PgLwLock<PendingSamples> = unsafe { PgLwLock::new(c"ebs_advisor samples") };

/// Reserves the memory. Only in shared_preload_libraries.
pub(super) fn reserve() {
    pg_shmem_init!(PENDING);
}

/// Publishes the block being filled; false if it has outgrown its room, and then nothing of it is visible until it is written.
pub fn publish_pending_samples(block: &[u8]) -> bool {
    let visible = if block.len() <= CAPACITY { block } else { &[] };
    if is_preloaded() {
        let mut samples = PENDING.exclusive();
        samples.database = own_database();
        samples.current.length = visible.len() as u32;
        samples.current.bytes[..visible.len()].copy_from_slice(visible);
    }
    visible.len() == block.len()
}

/// Marks the block being filled as written.
pub fn mark_pending_samples_written() {
    if is_preloaded() {
        let mut samples = PENDING.exclusive();
        samples.last = samples.current;
        samples.current.length = 0;
    }
}

/// Removes both blocks.
pub fn clear_pending_samples() {
    if is_preloaded() {
        let mut samples = PENDING.exclusive();
        samples.last.length = 0;
        samples.current.length = 0;
    }
}

/// Blocks of the database of this session, encoded, in time order.
pub fn pending_samples() -> Vec<Vec<u8>> {
    if !is_preloaded() {
        return Vec::new();
    }
    let samples = PENDING.share();
    if samples.database != own_database() {
        return Vec::new();
    }
    [&samples.last, &samples.current].into_iter().filter_map(Slot::get).collect()
}
