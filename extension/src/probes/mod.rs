//! Reads the world: /proc, /sys, filesystems, and PostgreSQL's counters. Never writes anything.

mod accounts;
mod clock;
mod devices;
mod nvme;
mod place;
mod processes;
mod processor;
mod reading;
mod sessions;
mod snapshot;
mod statements;
mod storage;
mod tree;
mod waits;

pub use accounts::accounts;
pub use clock::{clock, cpu_us, monotonic_us, sleep_until, wall_us};
pub use nvme::{Page, nvme_pages};
pub use place::place;
pub use processor::Processor;
pub use reading::{block_size, reading};
pub use sessions::SessionIo;
pub use snapshot::{Probe, snapshot, timing};
pub use statements::{statement_texts, statements, statements_missing};
pub use waits::{Oid, Sweeper};
