//! State that the sampler and backends share.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};

use ebs_base::fixed_text::FixedText;
use pgrx::pg_sys;
use pgrx::prelude::*;
use pgrx::{PGRXSharedMemory, PgLwLock, pg_shmem_init};

/// State of the sampler, and requests of backends. One lock protects it, and is held for copies only.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SamplerState {
    /// Process id; 0 while none runs.
    pub pid: i32,
    /// Number of the database it is connected to.
    pub database: u32,
    /// Start of the sampler, microseconds since 1970.
    pub started_us: i64,
    /// Time of the latest sample, microseconds since 1970.
    pub sampled_us: i64,
    /// Time of the latest write, microseconds since 1970.
    pub flushed_us: i64,
    /// Samples taken since it started.
    pub samples: u64,
    /// Grid points that passed without a sample.
    pub missed: u64,
    /// Lateness of all samples, summed, microseconds.
    pub late_us: u64,
    /// Lateness of the sample that came latest, microseconds.
    pub max_late_us: u64,
    /// CPU time it used, microseconds.
    pub cpu_us: u64,
    /// Bytes of WAL it wrote.
    pub wal_bytes: u64,
    /// Bytes it read from storage.
    pub read_bytes: u64,
    /// Bytes it sent towards storage.
    pub write_bytes: u64,
    /// Number of the latest flush that a backend requested.
    pub flushes_requested: u64,
    /// Flushes done: all up to this number.
    pub flushes_done: u64,
    /// Flushes that failed: all up to this number, where it is above the one before.
    pub flushes_failed: u64,
    /// Time of the sample with which the latest flush on request ended, microseconds since 1970.
    pub flush_sampled_us: i64,
    /// Samples that could not be written and were given up.
    pub lost: u64,
    /// True if the extension was there at the last flush.
    pub extension_seen: bool,
    /// The launcher starts no sampler before this time, microseconds since 1970: the database is being dropped.
    pub hold_off_until_us: i64,
    /// Reason that devices cannot be read; empty while they can.
    pub device_problem: SharedText,
    /// Reason that pages of EBS volumes cannot be used; empty while they can, or are not there.
    pub nvme_problem: SharedText,
    /// Reason that CPU time is not known; empty while it is.
    pub processor_problem: SharedText,
    /// Reason that samples cannot be written; empty while they can.
    pub write_problem: SharedText,
    /// Reason that old samples cannot be downsampled or removed; empty while they can.
    pub upkeep_problem: SharedText,
}

/// A reason in shared memory.
type SharedText = FixedText<256>;

impl SamplerState {
    /// True while a sampler runs.
    pub fn is_running(&self) -> bool {
        self.pid != 0
    }
}

// SAFETY: a Copy struct of integers and bytes without pointers, only ever reached under the lock below.
unsafe impl PGRXSharedMemory for SamplerState {}

// SAFETY: the name is unique to this library.
static STATE: PgLwLock<SamplerState> = unsafe { PgLwLock::new(c"ebs_advisor") };
static PRELOADED: AtomicBool = AtomicBool::new(false);

/// Reserves the memory. Only in shared_preload_libraries.
pub(super) fn reserve() {
    PRELOADED.store(true, Ordering::Relaxed);
    pg_shmem_init!(STATE);
}

/// True if the library was preloaded, so that there is a sampler at all.
pub fn is_preloaded() -> bool {
    PRELOADED.load(Ordering::Relaxed)
}

/// Makes this process the sampler, until it ends in whatever way; false if another one is.
pub fn claim_sampler() -> bool {
    let pid = std::process::id().cast_signed();
    let claimed = update_sampler_state(|state| {
        let free = state.pid == 0;
        if free {
            let (requested, hold_off_until_us) = (state.flushes_requested, state.hold_off_until_us);
            let fresh = SamplerState::default();
            // Requests that the sampler before left open have failed: this one has sampled nothing yet.
            *state = SamplerState {
                pid,
                flushes_requested: requested,
                flushes_failed: requested,
                hold_off_until_us,
                ..fresh
            };
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
    update_sampler_state(|state| state.pid = 0);
}

/// Detaches this process from the state: a sampler on demand must not report as the preloaded one.
pub fn detach_sampler_state() {
    PRELOADED.store(false, Ordering::Relaxed);
}

/// A copy of the state; `None` where the library was not preloaded.
pub fn sampler_state() -> Option<SamplerState> {
    is_preloaded().then(|| *STATE.share())
}

/// Changes the state; `None` where the library was not preloaded.
pub fn update_sampler_state<R>(change: impl FnOnce(&mut SamplerState) -> R) -> Option<R> {
    is_preloaded().then(|| change(&mut STATE.exclusive()))
}
