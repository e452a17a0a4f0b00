//! Disks below a block device, through partitions, device-mapper and md.

use super::Tree;
use super::medium::medium;
use ebs_samples::evidence::{Layout, Member};

/// The disks that carry something, and how they make one. Kept as [`ebs_samples::evidence::Volume`] once roles are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The kernel's name: of the one disk, or of what the disks make together.
    pub device: String,
    /// The disks, without repetition.
    pub members: Vec<Member>,
    /// Arrangement of the disks.
    pub layout: Layout,
}

/// Maximum depth: more than any stack in use (LVM on LUKS on md on partitions has five levels). A deeper one is a loop in a
/// damaged tree.
const MAX_DEPTH: usize = 16;

/// Maximum number of devices below one: where each of a dozen levels names the next one several times, following all paths
/// would not end in any useful time.
const MAX_DEVICES: usize = 4_096;

/// The disks below the block device `major:minor`; `None` where sysfs does not show it, or not all that it is made of.
///
/// A partition is its disk, because EBS limits volumes. A loop device is a disk, too: it counts its own requests, while
/// the disk of its file counts what the page cache leaves of that, and whatever else is on it.
pub(super) fn below(sysfs: &dyn Tree, number: &str) -> Option<Stack> {
    of_path(sysfs, &sysfs.resolve(&format!("dev/block/{number}"))?)
}

/// The same for a device by its path in sysfs.
pub(super) fn of_path(sysfs: &dyn Tree, device: &str) -> Option<Stack> {
    descend(sysfs, device, 0, &mut { MAX_DEVICES })
}

/// `left` is the number of devices that may still be visited.
fn descend(sysfs: &dyn Tree, device: &str, depth: usize, left: &mut usize) -> Option<Stack> {
    if *left == 0 {
        return None;
    }
    *left -= 1;
    let disk = whole(sysfs, device);
    let slaves = sysfs.list(&format!("{disk}/slaves"));
    if slaves.is_empty() {
        let device = name(disk).to_owned();
        let members = vec![Member { medium: medium(sysfs, disk), device: device.clone() }];
        return Some(Stack { device, members, layout: Layout::Single });
    }
    if depth == MAX_DEPTH {
        return None;
    }
    let slave = |slave: &String| descend(sysfs, &sysfs.resolve(&format!("{disk}/slaves/{slave}"))?, depth + 1, left);
    let below = slaves.iter().map(slave).collect::<Option<Vec<Stack>>>()?;
    Some(together(below, name(disk), layout(sysfs, disk)))
}

/// Combines several stacks into one. If they have no more disks than one of them, the result is that one: a logical volume
/// on a single physical volume is the disk, and one on an md array is the array.
pub(super) fn together(below: Vec<Stack>, device: &str, layout: Layout) -> Stack {
    let members = union(below.iter().flat_map(|stack| &stack.members));
    let same = below.into_iter().find(|stack| stack.members.len() == members.len());
    same.unwrap_or_else(|| Stack { device: device.to_owned(), members, layout })
}

/// Members without repetition, in the order of their first appearance.
pub(super) fn union<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<Member> {
    let mut union: Vec<Member> = Vec::new();
    for member in members {
        if !union.iter().any(|known| known.device == member.device) {
            union.push(member.clone());
        }
    }
    union
}

/// The disk of a partition; anything else is itself.
fn whole<'a>(sysfs: &dyn Tree, device: &'a str) -> &'a str {
    match (sysfs.read(&format!("{device}/partition")), device.rsplit_once('/')) {
        (Some(_), Some((disk, _))) => disk,
        _ => device,
    }
}

fn layout(sysfs: &dyn Tree, disk: &str) -> Layout {
    match sysfs.read(&format!("{disk}/md/level")) {
        Some(level) => Layout::Md(level),
        None => Layout::DeviceMapper,
    }
}

pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fifteen devices, each of which names the next one three times.
    struct Wide;

    impl Tree for Wide {
        fn read(&self, _: &str) -> Option<String> {
            None
        }

        fn list(&self, path: &str) -> Vec<String> {
            let last = path == "15/slaves";
            if last { Vec::new() } else { ["a", "b", "c"].map(str::to_owned).into() }
        }

        fn resolve(&self, path: &str) -> Option<String> {
            let device: u32 = path.split('/').next()?.parse().unwrap_or(0);
            Some((device + 1).to_string())
        }
    }

    #[test]
    fn a_tree_with_millions_of_ways_down_is_left_soon() {
        assert_eq!(below(&Wide, "253:0"), None);
    }
}
