//! Volumes of the cluster: from its directories to the disks that hold them.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use ebs_linux::{Machine, Mounts, Part, Sizes, Stack, instance_type};
use ebs_samples::evidence::{Role, StorageLayout, UnresolvedRole};
use rustix::fs::statvfs;

use super::diskstats::read_disks;
use super::filesystem::{Filesystem, Sysfs, unreadable};
use crate::ffi::Tablespaces;
use crate::settings;

/// Finds the volumes behind the data directory, pg_wal, each tablespace, and the temporary files that go to one; parts without a
/// block device, with the reason. `tablespaces` is the catalogue's, or the reason that it could not be read.
pub fn find_storage_layout(data_directory: &Path, tablespaces: &Result<Tablespaces, String>) -> StorageLayout {
    let sysfs = Sysfs(settings::sysfs_root());
    let machine = read_machine(&sysfs);
    let part = |role, path: &Path| Part { role, found: find_stack(&machine, path) };
    let mut parts = vec![part(Role::Data, data_directory), part(Role::Wal, &data_directory.join("pg_wal"))];
    let mut unnamed = Vec::new();
    for (oid, path) in tablespace_directories(data_directory) {
        match tablespaces {
            Ok(known) => parts.extend(roles(known, oid).into_iter().map(|role| part(role, &path))),
            Err(error) => {
                let reason = format!("its name could not be read: {error}");
                unnamed.push(UnresolvedRole { role: Role::Tablespace(oid.to_string()), reason });
            }
        }
    }
    let mut layout = ebs_linux::build_storage_layout(parts, instance_type(&sysfs));
    layout.unresolved.extend(unnamed);
    layout
}

/// Roles of the directory of this tablespace: none while it is being created or dropped.
fn roles(tablespaces: &Tablespaces, oid: u32) -> Vec<Role> {
    let Some(name) = tablespaces.names.get(&oid) else { return Vec::new() };
    let temporary = tablespaces.temporary.contains(name).then_some(Role::Temp);
    [Role::Tablespace(name.clone())].into_iter().chain(temporary).collect()
}

/// Directories of tablespaces, by OID: pg_tblspc has a symlink by OID for each tablespace, or a directory
/// (allow_in_place_tablespaces).
fn tablespace_directories(data_directory: &Path) -> Vec<(u32, PathBuf)> {
    let entries = fs::read_dir(data_directory.join("pg_tblspc")).into_iter().flatten().flatten();
    let by_oid = |entry: fs::DirEntry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path()));
    let mut directories: Vec<(u32, PathBuf)> = entries.filter_map(by_oid).collect();
    directories.sort();
    directories
}

fn read_machine(sysfs: &Sysfs) -> Result<Machine<'_>, String> {
    let mountinfo = settings::procfs_root().join("self/mountinfo");
    let file = File::open(&mountinfo).map_err(|error| unreadable(&mountinfo, &error))?;
    let mounts = Mounts::parse(BufReader::new(file)).map_err(|error| unreadable(&mountinfo, &error))?;
    Ok(Machine { mounts, disks: read_disks()?, sysfs })
}

fn find_stack(machine: &Result<Machine, String>, path: &Path) -> Result<(Stack, Option<Sizes>), String> {
    let machine = machine.as_ref().map_err(String::clone)?;
    let canonical =
        path.canonicalize().map_err(|error| format!("could not resolve \"{}\": {error}", path.display()))?;
    let stack = machine.disks_of(&canonical, &Filesystem)?;
    let sizes = statvfs(&canonical).ok().map(|filesystem| {
        let bytes = |blocks: u64| blocks.saturating_mul(filesystem.f_frsize);
        let all = bytes(filesystem.f_blocks);
        Sizes { all, used: all.saturating_sub(bytes(filesystem.f_bfree)) }
    });
    Ok((stack, sizes))
}
