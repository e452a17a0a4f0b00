//! The block device over a volume's file, set up like an EBS volume's.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::program::run;

/// Makes one over this file. Direct I/O: each request reaches the file as it is, and its answer is the file's.
pub fn make(file: &Path) -> Result<PathBuf, Error> {
    run("losetup", &["--find", "--show", "--direct-io=on", &file.to_string_lossy()]).map(PathBuf::from)
}

/// Makes it look like an NVMe device: largest request, read-ahead, no write cache, no scheduler. What a kernel does not let
/// be set is said.
pub fn tune(device: &Path, largest_kib: u64) {
    let Some(name) = device.file_name() else { return };
    let queue = Path::new("/sys/block").join(name).join("queue");
    let largest = largest_kib.to_string();
    // nr_requests: as many tags as an EBS volume's queue has at least. Discards would not be answered.
    let wanted = [
        ("scheduler", "none"),
        ("max_sectors_kb", &largest),
        ("read_ahead_kb", "128"),
        ("write_cache", "write through"),
        ("rotational", "0"),
    ];
    for (setting, value) in wanted {
        if let Err(error) = fs::write(queue.join(setting), value) {
            eprintln!("could not set {setting} of {} to {value}: {error}", device.display());
        }
    }
}

/// The devices over this file, also those whose file does not answer any more.
pub fn over(file: &Path) -> Vec<PathBuf> {
    let Ok(devices) = fs::read_dir("/sys/block") else { return Vec::new() };
    // Not losetup --list: it writes blanks as \x20.
    let ours = |device: fs::DirEntry| {
        let backing = fs::read_to_string(device.path().join("loop/backing_file")).ok()?;
        let backing = backing.trim_end_matches('\n').trim_end_matches(" (deleted)");
        (Path::new(backing) == file).then(|| Path::new("/dev").join(device.file_name()))
    };
    devices.flatten().filter_map(ours).collect()
}

/// Takes it away, at once or when its last user is gone.
pub fn remove(device: &Path) {
    let _ = run("losetup", &["--detach", &device.to_string_lossy()]);
}
