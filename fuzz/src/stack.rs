//! The stack on which parsers are run: a small part of what a backend has, so that a recursion without a bound ends here.

use std::panic;
use std::thread;

/// Bytes of the stack: an eighth of PostgreSQL's `max_stack_depth`, in which frames of optimised code are smaller.
pub const BYTES: usize = 256 << 10;

/// Runs `work` on such a stack and returns its result; a panic goes on here.
pub fn small<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(BYTES).spawn_scoped(scope, work).expect("a thread");
        thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}
