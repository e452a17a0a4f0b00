//! Whether this machine can emulate volumes.

use std::fs;
use std::path::Path;

use crate::fuse::device::FUSE_DEVICE;
use crate::program::run;

/// What is missing, a line each; empty where nothing is.
pub fn missing() -> Vec<String> {
    let mut missing = Vec::new();
    if !rustix::process::geteuid().is_root() {
        missing.push("not root: mounting takes root".to_owned());
    } else if !may_mount() {
        missing.push("no CAP_SYS_ADMIN: root of a container that may not mount".to_owned());
    }
    if !Path::new(FUSE_DEVICE).exists() {
        missing.push(format!("no {FUSE_DEVICE}: the kernel has no FUSE, or its module is not loaded (modprobe fuse)"));
    } else if fs::File::options().read(true).write(true).open(FUSE_DEVICE).is_err() {
        missing.push(format!("{FUSE_DEVICE} cannot be opened"));
    }
    if fs::File::options().read(true).write(true).open("/dev/loop-control").is_err() {
        missing.push("/dev/loop-control cannot be opened: no loop devices (modprobe loop)".to_owned());
    }
    for program in ["losetup", "mkfs.ext4"] {
        if run(program, &["-V"]).is_err() {
            missing.push(format!("{program} cannot be run: install util-linux and e2fsprogs"));
        }
    }
    missing
}

fn may_mount() -> bool {
    use rustix::thread::{CapabilitySet, capabilities};
    capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN))
}
