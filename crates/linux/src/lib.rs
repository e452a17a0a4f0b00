//! Volumes and counters from /proc/diskstats, mountinfo, sysfs, /proc/PID and the NVMe page of an EBS volume: readers, trees or
//! bytes in, values out. Knows [`ebs_samples`] and [`ebs_base`]; opens no file.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod btrfs;
mod cgroup;
mod diskstats;
mod dmi;
mod machine;
mod medium;
mod mounts;
mod nvme_page;
mod process;
mod processor;
mod run_delay;
mod storage_layout;
mod topology;
mod tree;

pub use cgroup::cpu_quota;
pub use diskstats::{Disk, device_counts, diskstats};
pub use dmi::instance_type;
pub use machine::{Machine, Paths};
pub use mounts::{Backing, Mounts};
pub use nvme_page::{EBS_PAGE_LEN, PageError, ebs_page};
pub use process::{MachineCounts, Process, TimeCounts, children, machine_time, process, process_io};
pub use processor::{Look, Others, Processes, Processor};
pub use run_delay::{QueueCounts, Queues, RunDelay, queue_counts};
pub use storage_layout::{Part, Sizes, build_storage_layout};
pub use topology::Stack;
pub use tree::Tree;

#[cfg(test)]
mod trees_tests;
