//! Storage layout of the cluster: its parts, grouped by the volumes that hold them.

use super::topology::{Stack, union};
use ebs_samples::evidence::{Layout, Role, StorageLayout, UnresolvedRole, Volume};

/// Size of a filesystem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes.
    pub all: u64,
    /// Bytes of it in use.
    pub used: u64,
}

/// A part of the cluster, and its disks.
pub struct Part {
    /// The part.
    pub role: Role,
    /// Its disks and the size of its filesystem, or why they are not known.
    pub found: Result<(Stack, Option<Sizes>), String>,
}

/// Groups the parts by volume. Parts on the same disks are on one volume, and so are parts on some of the same
/// disks: their shares of the I/O of a common disk are not known.
///
/// A tablespace beside the data directory is not named, and neither are temporary files there: it is one volume to advise on
/// whatever is on it.
pub fn build_storage_layout(parts: Vec<Part>, instance: Option<String>) -> StorageLayout {
    let mut layout = StorageLayout { instance, ..StorageLayout::default() };
    for Part { role, found } in parts {
        match found {
            Ok((stack, sizes)) => add(&mut layout.volumes, role, stack, sizes),
            Err(reason) => layout.unresolved.push(UnresolvedRole { role, reason }),
        }
    }
    for volume in &mut layout.volumes {
        let roles = &mut volume.roles;
        let with_data = roles.contains(&Role::Data);
        roles.retain(|role| !with_data || matches!(role, Role::Data | Role::Wal));
        roles.sort();
        roles.dedup();
    }
    layout
}

fn add(volumes: &mut Vec<Volume>, role: Role, stack: Stack, sizes: Option<Sizes>) {
    let mut volume = Volume {
        device: stack.device,
        roles: vec![role],
        members: stack.members,
        layout: stack.layout,
        timed: true,
        filesystem_bytes: sizes.map(|sizes| sizes.all),
        used_bytes: sizes.map(|sizes| sizes.used),
    };
    // What overlaps with it becomes one with it, in the place of the first; the first one's filesystem stays the volume's.
    let mut at = volumes.len();
    while let Some(index) = volumes.iter().rposition(|known| overlap(known, &volume)) {
        volume = merged(volumes.remove(index), volume);
        at = at.min(index);
    }
    volumes.insert(at, volume);
}

fn overlap(one: &Volume, other: &Volume) -> bool {
    one.disks().any(|disk| other.disks().any(|known| known == disk))
}

fn merged(first: Volume, second: Volume) -> Volume {
    let members = union(first.members.iter().chain(&second.members));
    let (device, layout) = match (first.members.len() == members.len(), second.members.len() == members.len()) {
        (true, _) => (first.device, first.layout),
        (false, true) => (second.device, second.layout),
        // Two sets that share a disk: neither's name is right for both.
        (false, false) => (
            format!("{}+{}", first.device, second.device),
            if first.layout == Layout::Single { second.layout } else { first.layout },
        ),
    };
    Volume {
        device,
        roles: [first.roles, second.roles].concat(),
        members,
        layout,
        timed: first.timed && second.timed,
        filesystem_bytes: first.filesystem_bytes,
        used_bytes: first.used_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{Medium, Member};

    fn part(role: Role, device: &str, disks: &[&str], gib: u64) -> Part {
        let member = |disk: &&str| Member { device: (*disk).to_owned(), medium: Medium::Unknown };
        let layout = if disks.len() > 1 { Layout::DeviceMapper } else { Layout::Single };
        let stack = Stack { device: device.to_owned(), members: disks.iter().map(member).collect(), layout };
        Part { role, found: Ok((stack, Some(Sizes { all: gib, used: 1 }))) }
    }

    fn shown(parts: Vec<Part>) -> Vec<String> {
        let volume = |volume: &Volume| {
            format!("{} on {} of {}", volume.role(), volume.device, volume.disks().collect::<Vec<_>>().join(","))
        };
        build_storage_layout(parts, None).volumes.iter().map(volume).collect()
    }

    fn fast() -> Role {
        Role::Tablespace("fast".to_owned())
    }

    #[test]
    fn filesystems_on_the_same_disks_are_one_volume_with_the_size_of_the_first() {
        let parts = || vec![part(Role::Data, "dm-0", &["a", "b"], 9), part(Role::Wal, "dm-1", &["b", "a"], 7)];
        assert_eq!(shown(parts()), ["data+wal on dm-0 of a,b"]);
        assert_eq!(build_storage_layout(parts(), None).volumes[0].filesystem_bytes, Some(9));
    }

    #[test]
    fn sets_that_share_a_disk_are_one_volume_over_all_of_them() {
        let wal = || part(Role::Wal, "b", &["b"], 1);
        assert_eq!(shown(vec![part(Role::Data, "dm-0", &["a", "b"], 1), wal()]), ["data+wal on dm-0 of a,b"]);
        assert_eq!(shown(vec![part(Role::Data, "a", &["a"], 1), wal()]), ["data on a of a", "wal on b of b"]);
        let chained = vec![
            part(Role::Data, "dm-0", &["a", "b"], 1),
            part(Role::Wal, "dm-1", &["c", "d"], 1),
            part(fast(), "dm-2", &["b", "c"], 1),
        ];
        assert_eq!(shown(chained), ["data+wal on dm-0+dm-1+dm-2 of a,b,c,d"]);
    }

    #[test]
    fn a_tablespace_beside_the_data_directory_is_not_named() {
        let beside =
            vec![part(Role::Data, "a", &["a"], 1), part(fast(), "a", &["a"], 1), part(Role::Temp, "a", &["a"], 1)];
        assert_eq!(shown(beside), ["data on a of a"]);
        let apart = vec![
            part(Role::Data, "a", &["a"], 1),
            part(fast(), "b", &["b"], 1),
            part(Role::Temp, "b", &["b"], 1),
            part(Role::Wal, "b", &["b"], 1),
        ];
        assert_eq!(shown(apart), ["data on a of a", "wal+tablespace fast+temp on b of b"]);
    }

    #[test]
    fn a_part_without_a_disk_says_why() {
        let parts = vec![Part { role: Role::Data, found: Err("it is on tmpfs".to_owned()) }];
        let layout = build_storage_layout(parts, Some("m5.large".to_owned()));
        assert_eq!((layout.unresolved[0].reason.as_str(), layout.volumes.len()), ("it is on tmpfs", 0));
        assert_eq!(layout.instance.as_deref(), Some("m5.large"));
    }
}
