//! The block device over a volume's file, set up like an EBS volume's.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::run;
use crate::error::Error;

/// Attaches a device to the file. Direct I/O: each request reaches the file as it is, and its reply is the file's.
pub fn attach(file: &Path) -> Result<PathBuf, Error> {
    run("losetup", &["--find", "--show", "--direct-io=on", &file.to_string_lossy()]).map(PathBuf::from)
}

/// Sets the queue up like that of an NVMe device: largest request, read-ahead, no write cache, no scheduler. A setting that the
/// kernel refuses is logged.
pub fn tune(device: &Path, max_request_kib: u64) {
    let Some(name) = device.file_name() else { return };
    let queue = Path::new("/sys/block").join(name).join("queue");
    let max_request_kib = max_request_kib.to_string();
    let settings = [
        ("scheduler", "none"),
        ("max_sectors_kb", &max_request_kib),
        ("read_ahead_kb", "128"),
        ("write_cache", "write through"),
        ("rotational", "0"),
    ];
    for (setting, value) in settings {
        if let Err(error) = fs::write(queue.join(setting), value) {
            eprintln!("could not set {setting} of {} to {value}: {error}", device.display());
        }
    }
}

/// Lists the devices attached to the file, also those whose file is served no more.
pub fn attached_to(file: &Path) -> Vec<PathBuf> {
    let Ok(devices) = fs::read_dir("/sys/block") else { return Vec::new() };
    // Not losetup --list: it writes blanks as \x20.
    let attached = |device: fs::DirEntry| {
        let backing = fs::read_to_string(device.path().join("loop/backing_file")).ok()?;
        let backing = backing.trim_end_matches('\n').trim_end_matches(" (deleted)");
        (Path::new(backing) == file).then(|| Path::new("/dev").join(device.file_name()))
    };
    devices.flatten().filter_map(attached).collect()
}

/// Detaches the device, at once or when its last user is gone.
pub fn detach(device: &Path) {
    let _ = run("losetup", &["--detach", &device.to_string_lossy()]);
}
