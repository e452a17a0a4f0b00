//! Memory that this library takes: bounded by `ebs_advisor.work_memory`, and an ERROR where the system refuses it.
//!
//! Rust aborts where an allocation fails. So the memory for everything up to the next check is mapped beforehand, as a reserve
//! that serves where the system refuses (`ffi/allocator.rs`), and the check raises the error:
//!
//! - [`check`], which [`crate::interrupts::check_interrupts`] calls in every long loop, keeps a reserve of [`GROWTH`] times what
//!   the transaction holds: a vector that doubles takes no more.
//! - [`require`] comes before work that is done in one piece and has a known size: a document that is parsed, a block that is
//!   unpacked, an answer that is computed from a window.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ebs_base::format::memory_size;
use ebs_base::units::MIB;
use pgrx::PgSqlErrorCode;

use crate::errors::{Error, USE_LESS_MEMORY};
use crate::ffi::{self, TransactionEnd};
use crate::settings;

/// Reserve kept, in multiples of what a transaction holds: a vector that grows is copied into one twice as long, and nothing
/// between two checks holds more than that vector twice over.
const GROWTH: usize = 2;

/// Most bytes that a parser takes between two checks, beside vectors that grow.
const PIECE: usize = 12 << 20;

/// Bytes of a transaction that the reserve within the library always covers.
const ALWAYS_COVERED: usize = ffi::BUILT_IN_BYTES / 4;

/// Share of the reserve that fragmentation may make useless, per cent.
const FRAGMENTATION_PCT: usize = 25;

/// Bytes in use when this transaction began: tables that are read once, caches of the session.
static AT_BEGIN: AtomicUsize = AtomicUsize::new(0);
/// Bytes in use at the last check.
static AT_CHECK: AtomicUsize = AtomicUsize::new(0);
/// Most bytes that this transaction has had in use.
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Most bytes taken between two checks beyond the reserve: above 0, a refusal by the system could have ended the process.
static UNCOVERED: AtomicUsize = AtomicUsize::new(0);
/// True once a worker has warned that memory is refused.
static WARNED: AtomicBool = AtomicBool::new(false);

/// Ends the statement with an ERROR if memory was refused, or if it holds more than it may.
pub fn check() {
    record_usage();
    if let Some(bytes) = ffi::take_refused() {
        out_of_memory(bytes).raise();
    }
    let used = used();
    if used > settings::work_memory() {
        limit_exceeded(format!("It holds {}.", memory_size(used))).raise();
    }
    prepare();
    let ahead = GROWTH * used + PIECE;
    if used > ALWAYS_COVERED && !ensure_reserve(ahead) {
        out_of_memory(ahead).raise();
    }
}

/// Ensures the memory that a parser takes up to its first check, even if the system refuses more.
pub fn require_piece(what: &str) -> Result<(), Error> {
    require(0, what)
}

/// Refuses `what`, which takes `bytes`, if that is more than the transaction may have; otherwise ensures that they are available,
/// even if the system refuses more.
pub fn require(bytes: usize, what: &str) -> Result<(), Error> {
    record_usage();
    let used = used();
    if used.saturating_add(bytes) > settings::work_memory() {
        let in_use =
            if used >= MIB as usize { format!(" beside the {} in use", memory_size(used)) } else { String::new() };
        return Err(limit_exceeded(format!("{what} takes up to {}{in_use}.", memory_size(bytes))));
    }
    // Twice over where the transaction holds much: the next check finds its own reserve, too.
    let ahead = bytes.max(PIECE).max(GROWTH * used + PIECE);
    prepare();
    if ensure_reserve(ahead) { Ok(()) } else { Err(out_of_memory(ahead)) }
}

/// Ensures the memory to report an out-of-memory error of PostgreSQL's own. To be called before PostgreSQL allocates anything;
/// where that memory is refused now, so is what is allocated next, while contexts are small and need little to report it.
pub fn prepare() {
    ffi::prepare_error_memory();
}

/// Bytes that this transaction has in use.
fn used() -> usize {
    ffi::live_bytes().saturating_sub(AT_BEGIN.load(Ordering::Relaxed))
}

/// Makes the reserve at least `bytes` large, without its part for errors; false if the system refuses.
fn ensure_reserve(bytes: usize) -> bool {
    let whole = bytes.saturating_add(bytes / 100 * FRAGMENTATION_PCT);
    ffi::grow_reserve(whole.saturating_add(ffi::BUILT_IN_BYTES))
}

/// Records the memory taken since the last check.
fn record_usage() {
    let high = ffi::high_water();
    let grown = high.saturating_sub(AT_CHECK.load(Ordering::Relaxed));
    UNCOVERED.fetch_max(grown.saturating_sub(ffi::free_reserve()), Ordering::Relaxed);
    PEAK.fetch_max(high.saturating_sub(AT_BEGIN.load(Ordering::Relaxed)), Ordering::Relaxed);
    AT_CHECK.store(ffi::live_bytes(), Ordering::Relaxed);
}

/// Functions for the end of a transaction: one reports the memory it took, one gives back the reserve.
pub static AT_TRANSACTION_END: TransactionEnd =
    TransactionEnd { before_commit: report_usage, after_end: give_back_reserve };

/// Reports at DEBUG1 the memory that this transaction took.
fn report_usage() {
    record_usage();
    let (peak, uncovered) = (PEAK.load(Ordering::Relaxed), UNCOVERED.load(Ordering::Relaxed));
    if peak > 0 {
        pgrx::debug1!("ebs_advisor: transaction used at most {peak} bytes, {uncovered} of them without a reserve");
    }
}

/// Gives back the reserve of a transaction that is over.
fn give_back_reserve() {
    ffi::take_refused();
    ffi::shrink_reserve();
    ffi::free_error_memory();
    ffi::high_water();
    let live = ffi::live_bytes();
    AT_BEGIN.store(live, Ordering::Relaxed);
    AT_CHECK.store(live, Ordering::Relaxed);
    PEAK.store(0, Ordering::Relaxed);
    UNCOVERED.store(0, Ordering::Relaxed);
}

/// Recovers from a refusal in a background worker, with one warning; false if so much of the reserve is in use that the worker
/// should end, to be started again.
pub fn recover() -> bool {
    if let Some(bytes) = ffi::take_refused()
        && !WARNED.swap(true, Ordering::Relaxed)
    {
        pgrx::warning!("ebs_advisor: the system refused {bytes} bytes of memory");
    }
    ffi::free_reserve() >= ffi::BUILT_IN_BYTES / 2
}

fn limit_exceeded(detail: String) -> Error {
    let bound = memory_size(settings::work_memory());
    let message = format!("this needs more memory than ebs_advisor.work_memory ({bound})");
    let hint = "Ask for a shorter look-back or run, import in parts, or raise ebs_advisor.work_memory.";
    Error::new(PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY, message, hint).with_detail(detail)
}

fn out_of_memory(bytes: usize) -> Error {
    Error::new(PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY, "out of memory", USE_LESS_MEMORY)
        .with_detail(format!("The system refused {} to ebs_advisor.", memory_size(bytes)))
}
