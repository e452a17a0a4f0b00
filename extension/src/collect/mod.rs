//! Reads the world: /proc, /sys, filesystems, and PostgreSQL's counters. Never writes anything.

mod clock;
mod devices;
mod place;
mod snapshot;

pub use clock::{cpu_us, monotonic_us, wall_us};
pub use place::place;
pub use snapshot::{Probe, snapshot, sweep, timing};
