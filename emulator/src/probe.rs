//! Check of the machine for all that emulated volumes need.

use std::fs::File;
use std::path::Path;

use rustix::thread::{CapabilitySet, capabilities};

use crate::fuse::device::FUSE_DEVICE;
use crate::host::program::run;

/// Requirements that are not met, a line each.
pub fn missing() -> Vec<String> {
    let mut missing = Vec::new();
    if !rustix::process::geteuid().is_root() {
        missing.push("not root: mounting takes root".to_owned());
    } else if !may_mount() {
        missing.push("no CAP_SYS_ADMIN: root of a container that may not mount".to_owned());
    }
    if !Path::new(FUSE_DEVICE).exists() {
        missing.push(format!("no {FUSE_DEVICE}: the kernel has no FUSE, or its module is not loaded (modprobe fuse)"));
    } else if !can_open(FUSE_DEVICE) {
        missing.push(format!("{FUSE_DEVICE} cannot be opened"));
    }
    if !can_open("/dev/loop-control") {
        missing.push("/dev/loop-control cannot be opened: no loop devices (modprobe loop)".to_owned());
    }
    for program in ["losetup", "mkfs.ext4"] {
        if run(program, &["-V"]).is_err() {
            missing.push(format!("{program} cannot be run: install util-linux and e2fsprogs"));
        }
    }
    missing
}

fn can_open(device: &str) -> bool {
    File::options().read(true).write(true).open(device).is_ok()
}

fn may_mount() -> bool {
    capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN))
}
