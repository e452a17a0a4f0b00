//! Wait times and I/O of processes, from one reading to the next, in bounded memory. Reads no process itself.

mod backend_io;
mod participation;
mod process;
mod wait_times;

pub use backend_io::{BackendIo, BackendIoTracker};
pub use process::{CatalogueName, Dimensions, ProcessIdentity, Processes, SessionState};
pub use wait_times::{CLIENT_READ, WaitTimes};
