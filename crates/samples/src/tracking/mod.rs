//! Wait times of processes: identities and wait events as numbers, in bounded memory. Reads no process itself.

mod process;
mod wait_times;

pub use process::{CatalogueName, Dimensions, ProcessIdentity, Processes};
pub use wait_times::WaitTimes;
