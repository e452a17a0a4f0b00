//! The few numbers that backends and the sampler share.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};

use pgrx::pg_sys;
use pgrx::prelude::*;
use pgrx::{PGRXSharedMemory, PgLwLock, pg_shmem_init};

/// What the sampler tells, and what backends ask of it. Held under one lock, for copies only.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SamplerState {
    /// Process id; 0 while none runs.
    pub pid: i32,
    /// Number of the database it is connected to.
    pub database: u32,
    /// When it started, microseconds since 1970.
    pub started_us: i64,
    /// When it last sampled.
    pub ticked_us: i64,
    /// When it last wrote samples.
    pub flushed_us: i64,
    /// Samples taken since it started.
    pub ticks: u64,
    /// Grid points that passed without a sample.
    pub missed: u64,
    /// How late samples came, microseconds, summed.
    pub late_us: u64,
    /// How late the latest one came.
    pub latest_us: u64,
    /// CPU time it used, microseconds.
    pub cpu_us: u64,
    /// Bytes of WAL it wrote.
    pub wal_bytes: u64,
    /// Bytes it read from storage.
    pub read_bytes: u64,
    /// Bytes it sent towards storage.
    pub write_bytes: u64,
    /// Flushes asked for by backends.
    pub flushes_asked: u64,
    /// Flushes done: all up to this number of those asked for.
    pub flushes_done: u64,
    /// Flushes that failed: all up to this number, where it is above the one before.
    pub flushes_failed: u64,
    /// When the sample was taken with which the latest flush ended.
    pub flush_ticked_us: i64,
    /// Samples that could not be written and were given up.
    pub lost: u64,
    /// Whether the extension was there at the last flush.
    pub extension_seen: bool,
    /// The launcher starts no sampler before this time: somebody drops the database.
    pub hold_off_until_us: i64,
    /// Why devices cannot be read; empty while they can.
    pub device_problem: Text,
    /// Why pages of EBS volumes cannot be used; empty while they can, or are not there.
    pub nvme_problem: Text,
    /// Why CPU time is not known; empty while it is.
    pub processor_problem: Text,
    /// Why samples cannot be written; empty while they can.
    pub write_problem: Text,
}

/// A short text in shared memory: UTF-8, zero-terminated, cut off where it is longer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text([u8; 256]);

impl Text {
    /// The text; `None` if it is empty.
    pub fn get(&self) -> Option<String> {
        let text = self.0.split(|byte| *byte == 0).next().unwrap_or_default();
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// Holds this text from now on; whether it is another than before.
    pub fn set(&mut self, text: Option<&str>) -> bool {
        let bytes = text.unwrap_or_default().as_bytes();
        let length = bytes.len().min(self.0.len() - 1);
        let mut new = [0; 256];
        new[..length].copy_from_slice(&bytes[..length]);
        std::mem::replace(&mut self.0, new) != new
    }
}

impl Default for SamplerState {
    fn default() -> Self {
        // SAFETY: integers, a bool and bytes, for all of which zero is a valid value.
        unsafe { std::mem::zeroed() }
    }
}

impl SamplerState {
    /// Whether a sampler runs.
    pub fn is_running(&self) -> bool {
        self.pid != 0
    }
}

// SAFETY: a Copy struct of integers and bytes without pointers, only ever reached under the lock below.
unsafe impl PGRXSharedMemory for SamplerState {}

// SAFETY: the name is unique to this library.
static STATE: PgLwLock<SamplerState> = unsafe { PgLwLock::new(c"ebs_advisor") };
static PRELOADED: AtomicBool = AtomicBool::new(false);

/// Asks the postmaster for the memory. Only in shared_preload_libraries.
pub(super) fn reserve() {
    PRELOADED.store(true, Ordering::Relaxed);
    pg_shmem_init!(STATE);
}

/// Whether the library was preloaded, so that there is a sampler at all.
pub fn is_preloaded() -> bool {
    PRELOADED.load(Ordering::Relaxed)
}

/// Makes this process the sampler, until it ends in whatever way; false if another one is.
pub fn claim_sampler() -> bool {
    let pid = std::process::id().cast_signed();
    let claimed = with_sampler_state(|state| {
        let free = state.pid == 0;
        if free {
            let (asked, hold_off_until_us) = (state.flushes_asked, state.hold_off_until_us);
            let fresh = SamplerState::default();
            // What the one before left unanswered it will never answer, and this one has sampled nothing yet.
            *state = SamplerState { pid, flushes_asked: asked, flushes_failed: asked, hold_off_until_us, ..fresh };
        }
        free
    });
    if claimed == Some(true) {
        // SAFETY: the callback is a function of this library, which stays loaded, and takes no argument.
        unsafe { pg_sys::before_shmem_exit(Some(release_sampler), pg_sys::Datum::from(0)) };
    }
    claimed == Some(true)
}

/// Runs when the sampler's process ends, after an error too; all locks have been released by then.
#[pg_guard]
unsafe extern "C-unwind" fn release_sampler(_code: c_int, _argument: pg_sys::Datum) {
    with_sampler_state(|state| state.pid = 0);
}

/// Makes this process know nothing of the state: a sampler on demand must not speak for the preloaded one.
pub fn leave_shared_state() {
    PRELOADED.store(false, Ordering::Relaxed);
}

/// A copy of the state; `None` where the library was not preloaded.
pub fn sampler_state() -> Option<SamplerState> {
    is_preloaded().then(|| *STATE.share())
}

/// Changes the state; `None` where the library was not preloaded.
pub fn with_sampler_state<R>(change: impl FnOnce(&mut SamplerState) -> R) -> Option<R> {
    is_preloaded().then(|| change(&mut STATE.exclusive()))
}
