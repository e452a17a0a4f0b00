//! /proc/diskstats.

use std::fs::File;
use std::io::BufReader;

use ebs_linux::{Disk, diskstats};

use super::filesystem::unreadable;
use crate::settings;

/// Reads all block devices with their counters; an error is the reason that they cannot be read.
pub fn read_disks() -> Result<Vec<Disk>, String> {
    let path = settings::procfs_root().join("diskstats");
    let file = File::open(&path).map_err(|error| unreadable(&path, &error))?;
    diskstats(BufReader::new(file)).map_err(|error| unreadable(&path, &error))
}
