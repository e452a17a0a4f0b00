//! Called within everything that may take long: the model's loops, what streams rows, what reads a document.

/// Ends the statement, by unwinding, if somebody wants that: cancel, `statement_timeout`, a server that shuts down.
pub fn pause() {
    pgrx::check_for_interrupts!();
}
