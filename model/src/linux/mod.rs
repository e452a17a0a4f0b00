//! What Linux says of devices, mounts and processes, and an EBS volume of itself. Parsers take readers, trees or bytes,
//! never paths: the shell opens files.

mod btrfs;
mod diskstats;
mod dmi;
mod identity;
mod machine;
mod mounts;
mod nvme_page;
mod place;
mod process;
mod processor;
mod topology;
mod tree;

pub use diskstats::{Disk, diskstats};
pub use dmi::instance_type;
pub use machine::{Machine, Paths};
pub use mounts::{Backing, Mounts};
pub use nvme_page::{EBS_PAGE_LEN, PageError};
pub use place::{Part, Sizes, place};
pub use process::{MachineCounts, Process, TimeCounts, children, machine_time, process, process_io};
pub use processor::{Look, Others, Processes, Processor};
pub use topology::Stack;
pub use tree::Tree;

#[cfg(test)]
mod trees_tests;
