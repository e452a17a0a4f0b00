//! Storage layout of the cluster: roles, volumes, and the disks of each volume.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Part of the cluster, by the kind of files that it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// The data directory.
    Data,
    /// pg_wal.
    Wal,
    /// A tablespace, by its name.
    Tablespace(String),
    /// Temporary files, where temp_tablespaces sends them to a tablespace; otherwise they belong to the data directory.
    Temp,
}

impl Role {
    /// The name shown to users.
    pub fn name(&self) -> String {
        match self {
            Role::Data => "data".to_owned(),
            Role::Wal => "wal".to_owned(),
            Role::Tablespace(name) => format!("tablespace {name}"),
            Role::Temp => "temp".to_owned(),
        }
    }
}

/// Kind of a disk, as far as it can be seen without network and without privileges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Medium {
    /// An EBS volume, with its id (`vol-0123456789abcdef0`).
    Ebs(String),
    /// An EC2 instance store disk: not EBS, gone when the instance stops.
    InstanceStore,
    /// Something else, with the model it names.
    Other(String),
    /// The disk does not identify itself.
    #[default]
    Unknown,
}

impl Medium {
    /// `vol-0123456789abcdef0`, `instance store`, a model; `None` where the disk does not identify itself.
    pub fn name(&self) -> Option<&str> {
        match self {
            Medium::Ebs(name) | Medium::Other(name) => Some(name),
            Medium::InstanceStore => Some("instance store"),
            Medium::Unknown => None,
        }
    }
}

/// One disk of a volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The kernel's name of the whole disk, `nvme1n1`.
    pub device: String,
    /// Kind of the disk.
    pub medium: Medium,
}

impl Member {
    /// The EBS volume of this id, of which the evidence has no kernel's name: the id stands for it.
    pub fn from_ebs_volume_id(id: &str) -> Member {
        Member { device: id.to_owned(), medium: Medium::Ebs(id.to_owned()) }
    }
}

/// True of an EBS volume's id, `vol-0123456789abcdef0`: no kernel names a disk so.
pub fn is_ebs_volume_id(name: &str) -> bool {
    let digits = name.strip_prefix("vol-").filter(|digits| !digits.is_empty());
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Arrangement of the disks of a volume.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// One disk.
    #[default]
    Single,
    /// Linux software RAID, with its level as the kernel names it (`raid0`).
    Md(String),
    /// Device-mapper (LVM): striped or concatenated cannot be seen without privileges.
    DeviceMapper,
    /// Btrfs over several disks.
    Btrfs,
}

impl Layout {
    /// True where each disk takes the same part of the demand: one disk, or RAID 0.
    pub fn stripes_evenly(&self) -> bool {
        match self {
            Layout::Single => true,
            Layout::Md(level) => level == "raid0",
            Layout::DeviceMapper | Layout::Btrfs => false,
        }
    }
}

/// One disk, or a set of disks that act as one, with a part of the cluster on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volume {
    /// The kernel's name: of the whole disk (`nvme1n1`), or of what the disks make together (`md0`, `dm-0`).
    pub device: String,
    /// Parts of the cluster on it, in order, without repetition.
    pub roles: Vec<Role>,
    /// Its disks, whose counts are added up; empty where the evidence does not say.
    pub members: Vec<Member>,
    /// Arrangement of its disks.
    pub layout: Layout,
    /// True if its counts hold times; samples from elsewhere may not.
    pub timed: bool,
    /// Size of the filesystem, bytes; `None` where the evidence does not say.
    pub filesystem_bytes: Option<u64>,
    /// Bytes of it in use.
    pub used_bytes: Option<u64>,
}

impl Volume {
    /// `data`, `wal` or `data+wal`.
    pub fn role(&self) -> String {
        self.roles.iter().map(Role::name).collect::<Vec<_>>().join("+")
    }

    /// ID of the EBS volume that it is; `None` of several disks, and of a disk that is not known to be one.
    pub fn ebs_volume_id(&self) -> Option<&str> {
        match self.members.as_slice() {
            [Member { medium: Medium::Ebs(id), .. }] => Some(id),
            _ => None,
        }
    }

    /// Describes the volume with its device: `nvme1n1 (vol-0123456789abcdef0)`, `md0 (raid0 of nvme1n1 vol-0a…, nvme2n1
    /// vol-0b…)`.
    pub fn description(&self) -> String {
        match self.composition() {
            Some(composition) => format!("{} ({composition})", self.device),
            None => self.device.clone(),
        }
    }

    /// The same without the device's name; `None` where nothing else is known.
    pub fn composition(&self) -> Option<String> {
        let how = match &self.layout {
            Layout::Single => {
                let name = self.members.first()?.medium.name().filter(|name| *name != self.device);
                return name.map(str::to_owned);
            }
            Layout::Md(level) => format!("{level} of"),
            Layout::DeviceMapper => "device-mapper over".to_owned(),
            Layout::Btrfs => "btrfs over".to_owned(),
        };
        let member = |member: &Member| match member.medium.name() {
            Some(medium) => format!("{} {medium}", member.device),
            None => member.device.clone(),
        };
        Some(format!("{how} {}", self.members.iter().map(member).collect::<Vec<_>>().join(", ")))
    }

    /// Names of the disks whose counts add up to the volume's.
    pub fn disks(&self) -> impl Iterator<Item = &str> {
        let alone = self.members.is_empty().then_some(self.device.as_str());
        alone.into_iter().chain(self.members.iter().map(|member| member.device.as_str()))
    }
}

/// A part of the cluster for which there is no block device, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnresolvedRole {
    /// The part.
    pub role: Role,
    /// Reason for users: `/pgdata is on tmpfs, which lives in memory`.
    pub reason: String,
}

/// Volumes of the cluster, and parts of it without one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageLayout {
    /// Devices found, in the order samples refer to them.
    pub volumes: Vec<Volume>,
    /// Parts without one.
    pub unresolved: Vec<UnresolvedRole>,
    /// EC2 instance type, where the machine shows it.
    pub instance: Option<String>,
}

impl StorageLayout {
    /// Ids of the EBS volumes, in order, each once.
    pub fn ebs_volume_ids(&self) -> BTreeSet<&str> {
        let members = self.volumes.iter().flat_map(|volume| &volume.members);
        let ids = members.filter_map(|member| match &member.medium {
            Medium::Ebs(id) => Some(id.as_str()),
            _ => None,
        });
        ids.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_hexadecimal_digits_alone() {
        let names = ["vol-0123456789abcdef0", "vol-06", "vol-", "vol-0data", "nvme1n1", "volume"];
        assert_eq!(names.map(is_ebs_volume_id), [true, true, false, false, false, false]);
    }

    #[test]
    fn an_id_that_stands_for_the_device_is_named_once() {
        let described = |device: &str| {
            let members = vec![Member::from_ebs_volume_id("vol-01")];
            Volume { device: device.to_owned(), members, ..Volume::default() }.description()
        };
        assert_eq!([described("sdf"), described("vol-01")], ["sdf (vol-01)", "vol-01"]);
    }

    #[test]
    fn the_ids_of_ebs_volumes_are_told_once_each() {
        let member = |medium: Medium| Member { device: "nvme1n1".to_owned(), medium };
        let volume =
            |media: Vec<Medium>| Volume { members: media.into_iter().map(member).collect(), ..Volume::default() };
        let ebs = |id: &str| Medium::Ebs(id.to_owned());
        let volumes = vec![
            volume(vec![ebs("vol-2"), Medium::InstanceStore, ebs("vol-1")]),
            volume(vec![ebs("vol-1"), Medium::Unknown, Medium::Other("vol-3".to_owned())]),
        ];
        let layout = StorageLayout { volumes, ..StorageLayout::default() };
        assert_eq!(layout.ebs_volume_ids().into_iter().collect::<Vec<_>>(), ["vol-1", "vol-2"]);
    }
}
