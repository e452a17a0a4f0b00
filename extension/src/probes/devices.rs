//! /proc/diskstats.

use std::fs::File;
use std::io::BufReader;

use ebs_linux::{Disk, diskstats};

use crate::settings;

/// All block devices with their counters, or why they cannot be read.
pub fn disks() -> Result<Vec<Disk>, String> {
    let path = settings::procfs_root().join("diskstats");
    let complain = |error: &dyn std::fmt::Display| format!("could not read \"{}\": {error}", path.display());
    let file = File::open(&path).map_err(|error| complain(&error))?;
    diskstats(BufReader::new(file)).map_err(|error| complain(&error))
}
