//! /proc/diskstats.

use std::collections::BTreeMap;
use std::io::BufRead;

use procfs_core::{DiskStats, FromBufRead, ProcResult};

use ebs_base::units::SECTOR;
use ebs_samples::evidence::{DeviceCounts, StorageLayout, Volume};

/// One line of /proc/diskstats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disk {
    /// `major:minor`, as mountinfo and sysfs write it.
    pub number: String,
    /// The kernel's name.
    pub name: String,
    /// Cumulative counts.
    pub counts: DeviceCounts,
}

/// All block devices, partitions among them.
pub fn diskstats(text: impl BufRead) -> ProcResult<Vec<Disk>> {
    let DiskStats(lines) = DiskStats::from_buf_read(text)?;
    let disk = |line: procfs_core::DiskStat| Disk {
        number: format!("{}:{}", line.major, line.minor),
        name: line.name,
        counts: DeviceCounts {
            reads: line.reads,
            writes: line.writes,
            read_bytes: line.sectors_read.saturating_mul(SECTOR),
            write_bytes: line.sectors_written.saturating_mul(SECTOR),
            read_ms: line.time_reading,
            write_ms: line.time_writing,
            busy_ms: line.time_in_progress,
            weighted_ms: line.weighted_time_in_progress,
            read_merges: line.merged,
            write_merges: line.writes_merged,
        },
    };
    Ok(lines.into_iter().map(disk).collect())
}

/// Counts of the disks of these volumes, and the first of their disks that is not among those read.
pub fn device_counts(disks: Vec<Disk>, layout: &StorageLayout) -> (BTreeMap<String, DeviceCounts>, Option<String>) {
    let names: Vec<&str> = layout.volumes.iter().flat_map(Volume::disks).collect();
    let of_volumes = disks.into_iter().filter(|disk| names.contains(&disk.name.as_str()));
    let counts: BTreeMap<_, _> = of_volumes.map(|disk| (disk.name, disk.counts)).collect();
    let missing = names.into_iter().find(|disk| !counts.contains_key(*disk)).map(str::to_owned);
    (counts, missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_are_of_512_bytes() {
        let text = " 259       1 nvme1n1 100 5 800 70 30 2 240 90 1 60 161 0 0 0 0 4 1\n";
        let disks = diskstats(text.as_bytes()).unwrap();
        let counts = DeviceCounts {
            reads: 100,
            writes: 30,
            read_bytes: 409_600,
            write_bytes: 122_880,
            read_ms: 70,
            write_ms: 90,
            busy_ms: 60,
            weighted_ms: 161,
            read_merges: 5,
            write_merges: 2,
        };
        assert_eq!(disks, [Disk { number: "259:1".into(), name: "nvme1n1".into(), counts }]);
    }

    #[test]
    fn only_disks_of_volumes_are_counted_and_a_missing_one_is_named() {
        let disk = |name: &str, reads| {
            let counts = DeviceCounts { reads, ..DeviceCounts::default() };
            Disk { number: String::new(), name: name.to_owned(), counts }
        };
        let volume = |device: &str| Volume { device: device.to_owned(), ..Volume::default() };
        let layout = |devices: &[&str]| {
            let volumes = devices.iter().map(|device| volume(device)).collect();
            StorageLayout { volumes, ..StorageLayout::default() }
        };
        let disks = || vec![disk("nvme0n1", 1), disk("nvme1n1", 2), disk("nvme1n1p1", 3)];
        let (counts, missing) = device_counts(disks(), &layout(&["nvme1n1"]));
        assert_eq!((counts.len(), counts["nvme1n1"].reads, missing), (1, 2, None));
        let (counts, missing) = device_counts(disks(), &layout(&["nvme1n1", "nvme2n1", "nvme3n1"]));
        assert_eq!((counts.len(), missing.as_deref()), (1, Some("nvme2n1")));
    }

    #[test]
    fn more_sectors_than_bytes_can_be_counted_are_no_panic() {
        let text = " 259 1 nvme1n1 1 0 18446744073709551615 1 1 0 18446744073709551615 1 0 1 1\n";
        assert_eq!(diskstats(text.as_bytes()).unwrap()[0].counts.read_bytes, u64::MAX);
    }

    #[test]
    fn a_truncated_line_is_an_error_not_a_zero() {
        assert!(diskstats(" 259 1 nvme1n1 100 5 800\n".as_bytes()).is_err());
    }
}
