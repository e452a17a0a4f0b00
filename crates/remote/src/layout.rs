//! Volumes of the cluster: from what SQL shows of its directories to the disks that hold them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ebs_linux::{Disk, Machine, Mounts, Part, Paths, Stack, build_storage_layout, diskstats, instance_type};
use ebs_samples::evidence::{Layout, Medium, Member, Role, StorageLayout, UnresolvedRole, Volume};
use serde::Deserialize;

use crate::files::{RemoteFiles, RemoteSysfs};

/// Query of the directories; its one value is parsed by [`crate::parse_answer`].
pub const DIRECTORIES_QUERY: &str = "
    SELECT pg_catalog.json_build_object(
        'data', (SELECT setting FROM pg_catalog.pg_settings WHERE name = 'data_directory'),
        'wal_writer', (SELECT pid FROM pg_catalog.pg_stat_activity WHERE backend_type = 'walwriter' LIMIT 1),
        'temporary', (SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'temp_tablespaces'),
        'tablespaces', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(spcname, pg_catalog.pg_tablespace_location(oid)) ORDER BY oid)
                        FROM pg_catalog.pg_tablespace WHERE pg_catalog.pg_tablespace_location(oid) <> ''))::text AS value";

/// Query of used sizes; its one value is parsed by [`crate::parse_answer`]. The server reads the size of each of its files.
pub const SIZES_QUERY: &str = "
    SELECT pg_catalog.json_build_object(
        'wal', (SELECT sum(size)::bigint FROM pg_catalog.pg_ls_waldir()),
        'tablespaces', (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(spcname, pg_catalog.pg_tablespace_size(oid)) ORDER BY oid)
                        FROM pg_catalog.pg_tablespace))::text AS value";

/// Directories of the cluster.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Directories {
    /// Data directory; `None` where the role may not know it.
    data: Option<String>,
    /// Process id of the WAL writer.
    wal_writer: Option<i32>,
    /// temp_tablespaces.
    temporary: Option<String>,
    /// Names and directories of tablespaces outside of the data directory.
    tablespaces: Option<Vec<(String, String)>>,
}

impl Directories {
    /// The first of them: each takes questions of its own.
    fn tablespaces(&self) -> impl Iterator<Item = &(String, String)> {
        const MAX_TABLESPACES: usize = 1_000;
        self.tablespaces.iter().flatten().take(MAX_TABLESPACES)
    }

    /// Roles of a tablespace: its own, and that of temporary files where it takes them.
    fn roles(&self, name: &str) -> Vec<Role> {
        let listed = self.temporary.as_deref().unwrap_or_default().split(',').map(|name| name.trim().trim_matches('"'));
        let temporary = listed.into_iter().any(|listed| listed == name).then_some(Role::Temp);
        [Role::Tablespace(name.to_owned())].into_iter().chain(temporary).collect()
    }
}

/// Used bytes of the parts of the cluster.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct UsedSizes {
    wal: Option<u64>,
    tablespaces: Option<Vec<(String, u64)>>,
}

/// Volumes of the cluster, and the volume of each of its parts.
#[derive(Clone, Debug, Default)]
pub struct RemoteLayout {
    /// The volumes.
    pub layout: StorageLayout,
    /// Tablespaces beside the data directory and their disks.
    tablespace_disks: Vec<(String, BTreeSet<String>)>,
}

/// SQL shows no filesystem beside mountinfo.
struct NoPaths;

impl Paths for NoPaths {
    fn canonical(&self, _: &Path) -> Option<PathBuf> {
        None
    }

    fn device(&self, _: &Path) -> Option<String> {
        None
    }
}

impl RemoteLayout {
    /// Finds the volumes by mountinfo and /sys.
    pub fn find(directories: &Directories, files: &dyn RemoteFiles) -> RemoteLayout {
        match read_machine(files) {
            Ok((mounts, disks)) => find_in(directories, files, mounts, disks),
            Err(reason) => RemoteLayout::unknown(&reason),
        }
    }

    /// Volumes of these disks, which the user names: data and WAL, or WAL apart.
    pub fn from_names(data: &[String], wal: &[String]) -> RemoteLayout {
        let volume = |disks: &[String], roles: Vec<Role>| Volume {
            device: disks.join("+"),
            roles,
            members: disks.iter().map(|device| Member { device: device.clone(), medium: Medium::Unknown }).collect(),
            layout: if disks.len() > 1 { Layout::DeviceMapper } else { Layout::Single },
            timed: true,
            ..Volume::default()
        };
        let volumes = match wal {
            [] => vec![volume(data, vec![Role::Data, Role::Wal])],
            wal => vec![volume(data, vec![Role::Data]), volume(wal, vec![Role::Wal])],
        };
        RemoteLayout { layout: StorageLayout { volumes, ..StorageLayout::default() }, ..RemoteLayout::default() }
    }

    /// No volume, for this reason.
    pub fn unknown(reason: &str) -> RemoteLayout {
        let unresolved = vec![UnresolvedRole { role: Role::Data, reason: reason.to_owned() }];
        RemoteLayout { layout: StorageLayout { unresolved, ..StorageLayout::default() }, ..RemoteLayout::default() }
    }

    /// Sets the used bytes of each volume: databases and WAL alone, which is what PostgreSQL knows.
    pub fn set_used(&mut self, sizes: &UsedSizes) {
        let elsewhere =
            |name: &str| self.tablespace_disks.iter().find(|(known, _)| known == name).map(|(_, disks)| disks);
        let Some(tablespaces) = &sizes.tablespaces else { return };
        let mut used: Vec<Option<u64>> = vec![None; self.layout.volumes.len()];
        let mut add = |index: Option<usize>, bytes: u64| {
            if let Some(sum) = index.and_then(|index| used.get_mut(index)) {
                *sum = Some(sum.unwrap_or(0).saturating_add(bytes));
            }
        };
        let holder = |role: &Role| self.layout.volumes.iter().position(|volume| volume.roles.contains(role));
        for (name, bytes) in tablespaces {
            let index = match elsewhere(name) {
                Some(disks) => {
                    self.layout.volumes.iter().position(|volume| volume.disks().any(|disk| disks.contains(disk)))
                }
                None => holder(&Role::Data),
            };
            add(index, *bytes);
        }
        add(holder(&Role::Wal), sizes.wal.unwrap_or(0));
        for (volume, bytes) in self.layout.volumes.iter_mut().zip(used) {
            volume.used_bytes = bytes;
        }
    }
}

fn read_machine(files: &dyn RemoteFiles) -> Result<(Mounts, Vec<Disk>), String> {
    let read = |path: &str| files.read(path).ok_or_else(|| format!("{path} could not be read"));
    let mounts = Mounts::parse(read("/proc/self/mountinfo")?.as_bytes());
    let disks = diskstats(read("/proc/diskstats")?.as_bytes());
    Ok((
        mounts.map_err(|error| format!("/proc/self/mountinfo is malformed: {error}"))?,
        disks.map_err(|error| format!("/proc/diskstats is malformed: {error}"))?,
    ))
}

fn find_in(directories: &Directories, files: &dyn RemoteFiles, mounts: Mounts, disks: Vec<Disk>) -> RemoteLayout {
    // Directories may be symlinks, which SQL does not resolve; the mounts of open files tell where they lead.
    let data = open_mount(files, &mounts, "self").or_else(|| directories.data.as_deref().map(PathBuf::from));
    let wal_writer = directories.wal_writer.map(|pid| pid.to_string());
    let wal = wal_writer.and_then(|pid| open_mount(files, &mounts, &pid));
    let wal = wal.or_else(|| data.as_ref().map(|data| data.join("pg_wal")));
    let sysfs = RemoteSysfs { files, disks: &disks };
    let machine = Machine { mounts, disks: disks.clone(), sysfs: &sysfs };
    let stack = |path: Option<&Path>| match path {
        Some(path) => machine.disks_of(path, &NoPaths),
        None => Err("the data directory is not shown to this role (pg_read_all_settings)".to_owned()),
    };
    let part = |role: Role, stack: Result<Stack, String>| Part { role, found: stack.map(|stack| (stack, None)) };
    let mut parts = vec![part(Role::Data, stack(data.as_deref())), part(Role::Wal, stack(wal.as_deref()))];
    let mut tablespace_disks = Vec::new();
    for (name, directory) in directories.tablespaces() {
        let found = stack(Some(Path::new(directory)));
        if let Ok(stack) = &found {
            let members = stack.members.iter().map(|member| member.device.clone()).collect();
            tablespace_disks.push((name.clone(), members));
        }
        parts.extend(directories.roles(name).into_iter().map(|role| part(role, found.clone())));
    }
    RemoteLayout { layout: build_storage_layout(parts, instance_type(&sysfs)), tablespace_disks }
}

/// Returns the mount point that all files lie on which the process has open, but for its standard streams.
fn open_mount(files: &dyn RemoteFiles, mounts: &Mounts, pid: &str) -> Option<PathBuf> {
    const LAST_STANDARD_STREAM: u32 = 2;
    let directory = format!("/proc/{pid}/fdinfo");
    let descriptors = files.list(&directory)?;
    let opened =
        descriptors.iter().filter(|name| name.parse::<u32>().is_ok_and(|number| number > LAST_STANDARD_STREAM));
    let mount = |name: &String| {
        let info = files.read(&format!("{directory}/{name}"))?;
        let number = info.lines().find_map(|line| line.strip_prefix("mnt_id:"))?;
        mounts.mount_point(number.trim().parse().ok()?)
    };
    let mut points: BTreeSet<PathBuf> = opened.filter_map(mount).collect();
    let point = points.pop_first()?;
    points.is_empty().then_some(point)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::files::tests::Recorded;
    use crate::parse_answer;

    const MOUNTS: &str = "\
        20 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw\n\
        21 20 0:5 / /proc rw - proc proc rw\n\
        22 20 259:2 / /pgdata rw - xfs /dev/nvme1n1 rw\n\
        23 20 259:3 / /pgwal rw - xfs /dev/nvme2n1 rw\n";
    const DISKS: &str = "\
        259 0 nvme0n1 1 0 8 1 1 0 8 1 0 1 1\n\
        259 1 nvme0n1p1 1 0 8 1 1 0 8 1 0 1 1\n\
        259 2 nvme1n1 1 0 8 1 1 0 8 1 0 1 1\n\
        259 3 nvme2n1 1 0 8 1 1 0 8 1 0 1 1\n";

    fn machine() -> BTreeMap<&'static str, &'static str> {
        BTreeMap::from([
            ("/proc/self/mountinfo", MOUNTS),
            ("/proc/diskstats", DISKS),
            ("/sys/block/nvme0n1/nvme0n1p1/partition", "1\n"),
            ("/sys/block/nvme1n1/device/model", "Amazon Elastic Block Store   \n"),
            ("/sys/block/nvme1n1/device/serial", "vol0123456789abcdef0\n"),
        ])
    }

    fn directories(data: &str) -> Directories {
        let text =
            format!(r#"{{"data":"{data}","wal_writer":77,"temporary":"fast","tablespaces":[["fast","/fast"]]}}"#);
        parse_answer::<Directories>(&text).unwrap()
    }

    fn describe(layout: &RemoteLayout) -> Vec<String> {
        layout.layout.volumes.iter().map(|volume| format!("{} on {}", volume.role(), volume.description())).collect()
    }

    #[test]
    fn volumes_are_found_by_directories() {
        let layout = RemoteLayout::find(&directories("/pgdata/18"), &Recorded(machine()));
        let expected = ["data+wal on nvme1n1 (vol-0123456789abcdef0)", "tablespace fast+temp on nvme0n1"];
        assert_eq!(describe(&layout), expected);
    }

    /// pg_wal is a symlink to another volume, and so is the data directory that the setting names.
    #[test]
    fn symlinks_are_found_by_open_files() {
        let mut files = machine();
        files.extend([
            ("/proc/self/fdinfo/1", "pos:\t0\nflags:\t02\nmnt_id:\t20\nino:\t1\n"),
            ("/proc/self/fdinfo/3", "pos:\t0\nflags:\t02\nmnt_id:\t21\nino:\t1\n"),
            ("/proc/self/fdinfo/4", "pos:\t0\nflags:\t02\nmnt_id:\t22\nino:\t1\n"),
            ("/proc/77/fdinfo/9", "pos:\t0\nflags:\t02\nmnt_id:\t23\nino:\t1\n"),
        ]);
        let layout = RemoteLayout::find(&directories("/var/lib/postgresql/18/main"), &Recorded(files));
        let expected = ["data on nvme1n1 (vol-0123456789abcdef0)", "wal on nvme2n1", "tablespace fast+temp on nvme0n1"];
        assert_eq!(describe(&layout), expected);
    }

    #[test]
    fn used_bytes_are_those_of_databases_and_wal_on_each_volume() {
        let mut layout = RemoteLayout::find(&directories("/pgdata/18"), &Recorded(machine()));
        let sizes = r#"{"wal":1000,"tablespaces":[["pg_default",500],["pg_global",30],["fast",7]]}"#;
        layout.set_used(&parse_answer::<UsedSizes>(sizes).unwrap());
        let used: Vec<_> = layout.layout.volumes.iter().map(|volume| volume.used_bytes).collect();
        assert_eq!(used, [Some(1_530), Some(7)]);
        layout.set_used(&UsedSizes::default());
        assert_eq!(layout.layout.volumes[0].used_bytes, Some(1_530));
    }

    #[test]
    fn without_mounts_there_is_a_reason() {
        let layout = RemoteLayout::find(&directories("/pgdata"), &Recorded(BTreeMap::new()));
        assert!(layout.layout.volumes.is_empty());
        assert_eq!(layout.layout.unresolved[0].reason, "/proc/self/mountinfo could not be read");
        let named = RemoteLayout::from_names(&["nvme1n1".to_owned(), "nvme2n1".to_owned()], &["nvme3n1".to_owned()]);
        assert_eq!(describe(&named).len(), 2);
    }
}
