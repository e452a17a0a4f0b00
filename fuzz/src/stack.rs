//! The stack on which parsers run: smaller than that of a backend, so that unbounded recursion overflows it.

use std::panic;
use std::thread;

/// Size of the stack, bytes: an eighth of PostgreSQL's `max_stack_depth`. Frames of optimised code are smaller than these.
pub const BYTES: usize = 256 << 10;

/// Runs `work` on such a stack and returns its result. A panic is passed on to the caller.
pub fn small<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(BYTES).spawn_scoped(scope, work).expect("a thread");
        thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}
