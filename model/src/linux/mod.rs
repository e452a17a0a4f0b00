//! What Linux says of devices and mounts. Parsers take readers, never paths: the shell opens files.

mod diskstats;
mod mounts;

pub use diskstats::{Disk, diskstats};
pub use mounts::{Backing, Mounts};
