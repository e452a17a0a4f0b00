//! Files of Linux about devices, mounts and processes, and the NVMe page of an EBS volume.

use std::path::Path;

use ebs_linux::Mounts;

/// /proc/diskstats.
pub fn diskstats(data: &[u8]) {
    for disk in ebs_linux::diskstats(data).into_iter().flatten() {
        assert!(disk.number.contains(':') && !disk.name.is_empty(), "{disk:?}");
    }
}

/// /proc/PID/mountinfo, and the mounts of some paths.
pub fn mountinfo(data: &[u8]) {
    let Ok(mounts) = Mounts::parse(data) else { return };
    for path in ["/", "/pgdata", "/pgdata/pg_wal", "/bound/pg", "relative"] {
        let _ = mounts.backing(Path::new(path));
    }
}

/// Files of a process and the machine's: /proc/PID/stat, /proc/PID/io, /proc/stat, /proc/PID/task/TID/children.
pub fn process(data: &[u8]) {
    let _ = ebs_linux::process_io(data);
    let _ = ebs_linux::process(data, 100);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = ebs_linux::machine_time(text, 100);
        ebs_linux::children(text);
    }
}

/// The statistics page of an EBS volume.
pub fn nvme_page(data: &[u8]) {
    let Ok(page) = ebs_linux::ebs_page(data) else { return };
    for bins in [&page.read_histogram, &page.write_histogram] {
        assert!(bins.len() <= 64 && bins.is_sorted_by_key(|bin| bin.lower_us), "{bins:?}");
        assert!(bins.iter().all(|bin| bin.upper_us.is_none_or(|upper_us| bin.lower_us <= upper_us)), "{bins:?}");
    }
}
