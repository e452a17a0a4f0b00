//! Called within everything that may take long: the model's loops, what streams rows, what reads a document.

use crate::memory;

/// Ends the statement, by unwinding, if somebody wants that (cancel, `statement_timeout`, a server that shuts down), if memory was
/// refused, or if it holds more than `ebs_advisor.work_memory`.
pub fn pause() {
    pgrx::check_for_interrupts!();
    memory::check();
}
