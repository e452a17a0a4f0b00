//! The check that every long computation makes: loops of the pure crates, streams of rows, readers of documents.

use crate::memory;

/// Ends the statement, by unwinding, if it is to end (cancel, `statement_timeout`, a server that shuts down), if memory was
/// refused, or if it holds more than `ebs_advisor.work_memory`.
pub fn check_interrupts() {
    pgrx::check_for_interrupts!();
    memory::check();
}
