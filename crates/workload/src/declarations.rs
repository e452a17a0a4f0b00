//! Declarations of users about their volumes and their instance, for facts that a server has no permission to read.

use std::collections::BTreeSet;

use ebs_aws::catalogue::VolumeConfig;
use ebs_base::error::InputError;
use ebs_base::names;
use ebs_samples::evidence::{Medium, Member, Role, StorageLayout, Volume};

/// Configuration of one volume: declared, or imported from AWS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Name in the declaration: an EBS volume id, a device, or a role.
    pub volume: String,
    /// Configuration of each of its EBS volumes.
    pub config: VolumeConfig,
    /// Number of equal EBS volumes that act as one.
    pub volumes: u64,
    /// Time of the declaration, microseconds since 1970; 0 of an imported configuration, which any declaration replaces.
    pub declared_us: i64,
    /// Time of the import of a configuration, microseconds since 1970; `None` of a declaration.
    pub imported_us: Option<i64>,
    /// True where it can be attached to several instances (Multi-Attach).
    pub is_multi_attach: bool,
}

impl Declared {
    /// Declaration of volumes since always.
    pub fn new(volume: &str, config: VolumeConfig, volumes: u64) -> Declared {
        let volume = volume.to_owned();
        Declared { volume, config, volumes, declared_us: 0, imported_us: None, is_multi_attach: false }
    }
}

/// All declarations in force at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// EC2 instance type or RDS instance class.
    pub instance: Option<String>,
    /// Volumes, each name once.
    pub volumes: Vec<Declared>,
    /// Dedicated log volume of the imported RDS instance, of which the samples have no device; `None` elsewhere.
    pub log_volume: Option<VolumeConfig>,
}

impl Declarations {
    /// Finds the declarations of a volume: the latest of the whole volume, or else those of its disks, in their order.
    pub fn find(&self, volume: &Volume) -> Vec<&Declared> {
        let latest = |named: &dyn Fn(&str) -> bool| {
            self.volumes.iter().filter(|declared| named(&declared.volume)).max_by_key(|declared| declared.declared_us)
        };
        match latest(&|name| names_whole(volume, name)) {
            Some(whole) => vec![whole],
            None => volume.members.iter().filter_map(|member| latest(&|name| names_member(member, name))).collect(),
        }
    }
}

impl Declarations {
    /// Names of the declarations that are in force on these volumes, in alphabetical order. One of a disk is not while one of its whole
    /// volume is, and of several of one volume the latest is.
    pub fn in_force(&self, layout: &StorageLayout) -> BTreeSet<&str> {
        layout.volumes.iter().flat_map(|volume| self.find(volume)).map(|declared| declared.volume.as_str()).collect()
    }

    /// Finds the declaration that is in force instead of the one of this name; `None` if that one is, or names no volume of these.
    pub fn overruling(&self, layout: &StorageLayout, name: &str) -> Option<&Declared> {
        let named = |volume: &&Volume| {
            names_whole(volume, name) || volume.members.iter().any(|member| names_member(member, name))
        };
        let found = self.find(layout.volumes.iter().find(named)?);
        if found.iter().any(|declared| declared.volume == name) { None } else { found.first().copied() }
    }
}

/// Checks that `name` is one of the volumes of `owner`, `This cluster` or an imported run, and that it is made of as many as are declared.
/// Where it is one disk as far as can be seen, there may be more of them behind it.
pub fn check(layout: &StorageLayout, owner: &str, name: &str, volumes: u64) -> Result<String, InputError> {
    let unknown = |name: &str| {
        let accepted = format!("{owner} is on {}.", known(layout).join(", "));
        InputError::UnknownName { what: "volume", name: names::quoted(name), accepted }
    };
    let name = names::bounded(name).ok_or_else(|| unknown(name))?;
    let name = name.strip_prefix("/dev/").unwrap_or(name);
    if let Some(volume) = layout.volumes.iter().find(|volume| names_whole(volume, name)) {
        let members = volume.members.len();
        if members > 1 && volumes != members as u64 {
            let disks = volume.members.iter().map(best_name).collect::<Vec<_>>().join(", ");
            return Err(InputError::NotMadeOf { name: name.to_owned(), made_of: members, volumes, disks });
        }
        return Ok(name.to_owned());
    }
    if layout.volumes.iter().flat_map(|volume| &volume.members).any(|member| names_member(member, name)) {
        return match volumes {
            1 => Ok(name.to_owned()),
            _ => Err(InputError::NotMadeOf { name: name.to_owned(), made_of: 1, volumes, disks: name.to_owned() }),
        };
    }
    // A part without a block device belongs to the cluster, too.
    if layout.unresolved.iter().any(|part| part.role.name() == name) {
        return Ok(name.to_owned());
    }
    Err(unknown(name))
}

/// Returns true if the name is that of the volume: a role of it (`data`, `wal`, both), its device, or its only disk.
pub fn names_whole(volume: &Volume, name: &str) -> bool {
    let alone = match volume.members.as_slice() {
        [member] => names_member(member, name),
        _ => false,
    };
    alone || volume.device == name || volume.role() == name || volume.roles.iter().any(|role| role.name() == name)
}

fn names_member(member: &Member, name: &str) -> bool {
    member.device == name || matches!(&member.medium, Medium::Ebs(id) if id == name)
}

fn best_name(member: &Member) -> &str {
    match &member.medium {
        Medium::Ebs(id) => id,
        _ => &member.device,
    }
}

/// Every name that [`check`] accepts, except a disk's device where its volume id is known.
fn known(layout: &StorageLayout) -> Vec<String> {
    let of = |volume: &Volume| {
        let device = (volume.members.len() != 1).then(|| volume.device.clone());
        let members = volume.members.iter().map(|member| best_name(member).to_owned());
        volume.roles.iter().map(Role::name).chain(device).chain(members).collect::<Vec<_>>()
    };
    let unresolved = layout.unresolved.iter().map(|part| part.role.name());
    layout.volumes.iter().flat_map(of).chain(unresolved).collect()
}

#[cfg(test)]
#[path = "declarations_tests.rs"]
mod tests;
