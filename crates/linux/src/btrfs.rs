//! Btrfs: its mounts have device numbers that no disk has, and sysfs lists the disks by filesystem.

use super::Tree;
use super::topology::{Stack, name, of_path, together};
use ebs_samples::evidence::Layout;

/// The disks of the btrfs filesystem that was mounted from `source`, one of its devices; `None` if sysfs has no such
/// filesystem.
pub(super) fn disks(sysfs: &dyn Tree, source: &str) -> Option<Stack> {
    let device = kernel_name(sysfs, source)?;
    let filesystems = sysfs.list("fs/btrfs");
    let uuid = filesystems.iter().find(|uuid| sysfs.list(&devices(uuid)).contains(&device))?;
    let below = |device: &String| of_path(sysfs, &sysfs.resolve(&format!("{}/{device}", devices(uuid)))?);
    let below = sysfs.list(&devices(uuid)).iter().map(below).collect::<Option<Vec<Stack>>>()?;
    // The kernel names no device that they make together; its number of the mount changes with the order of mounting.
    let short = uuid.split('-').next().unwrap_or(uuid);
    Some(together(below, &format!("btrfs-{short}"), Layout::Btrfs))
}

fn devices(uuid: &str) -> String {
    format!("fs/btrfs/{uuid}/devices")
}

/// `/dev/mapper/vg-data` is `dm-0`, and `/dev/nvme1n1` is `nvme1n1`.
fn kernel_name(sysfs: &dyn Tree, source: &str) -> Option<String> {
    match source.strip_prefix("/dev/mapper/") {
        Some(mapped) => {
            let called = |device: &String| sysfs.read(&format!("block/{device}/dm/name")).as_deref() == Some(mapped);
            sysfs.list("block").into_iter().find(called)
        }
        None => source.starts_with("/dev/").then(|| name(source).to_owned()),
    }
}
