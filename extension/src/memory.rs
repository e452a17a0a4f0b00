//! Memory that this library takes: bounded by `ebs_advisor.work_memory`, and an ERROR where the system refuses it.
//!
//! Rust aborts where an allocation fails. So what may be asked for before the next look is mapped beforehand, as a reserve that
//! serves where the system refuses (`ffi/allocator.rs`), and the look raises:
//!
//! - [`check`], which [`crate::pause::pause`] calls in every long loop, keeps a reserve of [`GROWTH`] times what the transaction
//!   holds: a vector that doubles asks for no more.
//! - [`require`] stands before what is done in one piece and has a size that is known: a document that is parsed, a block that is
//!   unpacked, an answer that is worked out of a window.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ebs_base::units::MIB;
use pgrx::PgSqlErrorCode;

use crate::errors::{Failure, USE_LESS_MEMORY};
use crate::ffi::{self, TransactionEnd};
use crate::settings;

/// Times what a transaction holds that is kept in reserve: a vector that grows is copied into one twice as long, and nothing
/// between two checks holds more than that vector twice over.
const GROWTH: usize = 2;

/// Bytes that a parser takes at most for a piece of what it reads, between two checks, beside vectors that grow.
const PIECE: usize = 12 << 20;

/// Bytes beyond which a transaction does more than what the reserve of the library covers anyway.
const LITTLE: usize = ffi::RESERVED / 4;

/// Share of the reserve that may be of no use, because it lies between pieces that are in use.
const FRAGMENTS_PCT: usize = 25;

/// Bytes in use when this transaction began: tables that are read once, what a session keeps.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
/// Bytes in use at the last look.
static AT_LOOK: AtomicUsize = AtomicUsize::new(0);
/// Most bytes that this transaction had in use.
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Most bytes between two looks beyond what the reserve had: where it is above 0, a refusal could have ended the process.
static UNCOVERED: AtomicUsize = AtomicUsize::new(0);
/// Whether a worker has told that memory is refused.
static WARNED: AtomicBool = AtomicBool::new(false);

/// Ends the statement with an ERROR if memory was refused, or if it holds more than it may.
pub fn check() {
    look();
    if let Some(bytes) = ffi::take_refused() {
        refused(bytes).raise();
    }
    let used = used();
    if used > settings::work_memory() {
        exceeded(format!("It holds {}.", size(used))).raise();
    }
    prepare();
    let ahead = GROWTH * used + PIECE;
    if used > LITTLE && !cover(ahead) {
        refused(ahead).raise();
    }
}

/// Has what a parser takes for the first piece of a text, or of what is stored, even where the system refuses any more.
pub fn require_piece(what: &str) -> Result<(), Failure> {
    require(0, what)
}

/// Refuses what would need more bytes than there may be; else they are there, even where the system refuses any more.
pub fn require(bytes: usize, what: &str) -> Result<(), Failure> {
    look();
    let used = used();
    if used.saturating_add(bytes) > settings::work_memory() {
        let held = if used >= MIB as usize { format!(" beside the {} in use", size(used)) } else { String::new() };
        return Err(exceeded(format!("{what} takes up to {}{held}.", size(bytes))));
    }
    // What is left of it is known to be there when it was asked for: so the next check finds its own reserve, too.
    let ahead = bytes.max(PIECE).max(GROWTH * used + PIECE);
    prepare();
    if cover(ahead) { Ok(()) } else { Err(refused(ahead)) }
}

/// Has what it takes to tell of memory that PostgreSQL is refused. To be called before anything else is asked of it; where that
/// memory is refused now, so is what is asked next, while contexts are small and need little to tell it.
pub fn prepare() {
    ffi::prepare_cushion();
}

/// Bytes that this transaction has in use.
fn used() -> usize {
    ffi::live_bytes().saturating_sub(BEFORE.load(Ordering::Relaxed))
}

/// Whether the reserve has so much, beside what it has for errors.
fn cover(bytes: usize) -> bool {
    let whole = bytes.saturating_add(bytes / 100 * FRAGMENTS_PCT);
    ffi::grow_reserve(whole.saturating_add(ffi::RESERVED))
}

/// Notes how much was taken since the last look.
fn look() {
    let high = ffi::high_water();
    let grown = high.saturating_sub(AT_LOOK.load(Ordering::Relaxed));
    UNCOVERED.fetch_max(grown.saturating_sub(ffi::reserve_free()), Ordering::Relaxed);
    PEAK.fetch_max(high.saturating_sub(BEFORE.load(Ordering::Relaxed)), Ordering::Relaxed);
    AT_LOOK.store(ffi::live_bytes(), Ordering::Relaxed);
}

/// Reports what a transaction used, and gives back its reserve.
pub static AT_TRANSACTION_END: TransactionEnd = TransactionEnd { before_commit: report, after_end: settle };

/// Tells at DEBUG1 how much this transaction took.
fn report() {
    look();
    let (peak, uncovered) = (PEAK.load(Ordering::Relaxed), UNCOVERED.load(Ordering::Relaxed));
    if peak > 0 {
        pgrx::debug1!("ebs_advisor: transaction used at most {peak} bytes, {uncovered} of them without a reserve");
    }
}

/// The transaction is over: gives back the reserve. Called after an error, too.
fn settle() {
    ffi::take_refused();
    ffi::shrink_reserve();
    ffi::drop_cushion();
    ffi::high_water();
    let live = ffi::live_bytes();
    BEFORE.store(live, Ordering::Relaxed);
    AT_LOOK.store(live, Ordering::Relaxed);
    PEAK.store(0, Ordering::Relaxed);
    UNCOVERED.store(0, Ordering::Relaxed);
}

/// For a worker, which is to go on: false where memory was refused and so much of the reserve is in use that it should end, to
/// be started again.
pub fn survive() -> bool {
    if let Some(bytes) = ffi::take_refused()
        && !WARNED.swap(true, Ordering::Relaxed)
    {
        pgrx::warning!("ebs_advisor: the system refused {bytes} bytes of memory");
    }
    ffi::reserve_free() >= ffi::RESERVED / 2
}

fn exceeded(detail: String) -> Failure {
    let bound = size(settings::work_memory());
    let message = format!("this needs more memory than ebs_advisor.work_memory ({bound})");
    let hint = "Ask for a shorter look-back or run, import in parts, or raise ebs_advisor.work_memory.";
    Failure::new(PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY, message, hint).detail(detail)
}

fn refused(bytes: usize) -> Failure {
    Failure::new(PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY, "out of memory", USE_LESS_MEMORY)
        .detail(format!("The system refused {} to ebs_advisor.", size(bytes)))
}

/// In MB as PostgreSQL's settings have them, or kB.
fn size(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{} kB", bytes.div_ceil(1 << 10)),
        _ => format!("{} MB", bytes.div_ceil(1 << 20)),
    }
}
