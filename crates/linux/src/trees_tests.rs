//! Whole trees of `tests/trees`: from a path to disks, ids and the instance type.

// The recorded trees are files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

struct Recorded(PathBuf);

impl Tree for Recorded {
    fn read(&self, path: &str) -> Option<String> {
        Some(fs::read_to_string(self.0.join(path)).ok()?.trim().to_owned())
    }

    fn list(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(path)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let root = self.0.canonicalize().ok()?;
        let target = self.0.join(path).canonicalize().ok()?;
        Some(target.strip_prefix(root).ok()?.to_str()?.to_owned())
    }
}

/// Paths that exist as they are called, all with the same device number.
struct Seen(&'static [&'static str], &'static str);

impl Paths for Seen {
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        self.0.iter().any(|seen| path == Path::new(seen)).then(|| path.to_owned())
    }

    fn device(&self, _: &Path) -> Option<String> {
        Some(self.1.to_owned())
    }
}

const NOTHING: Seen = Seen(&[], "0:99");

fn root(tree: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/trees").join(tree)
}

fn sysfs(tree: &str) -> Recorded {
    Recorded(root(tree).join("sys"))
}

fn found(tree: &str, path: &str, paths: &dyn Paths) -> Result<Stack, String> {
    let proc = |file: &str| fs::read_to_string(root(tree).join("proc").join(file)).unwrap();
    let machine = Machine {
        mounts: Mounts::parse(proc("self/mountinfo").as_bytes()).unwrap(),
        disks: diskstats(proc("diskstats").as_bytes()).unwrap(),
        sysfs: &sysfs(tree),
    };
    machine.disks_of(Path::new(path), paths)
}

/// Text of `ebs_status` for the storage.
fn shown(tree: &str, path: &str) -> String {
    let part =
        Part { role: ebs_samples::evidence::Role::Data, found: found(tree, path, &NOTHING).map(|stack| (stack, None)) };
    let layout = build_storage_layout(vec![part], None);
    match layout.volumes.first() {
        Some(volume) => volume.description(),
        None => layout.unresolved[0].reason.clone(),
    }
}

#[test]
fn a_partition_is_its_disk_and_the_disk_says_which_volume_it_is() {
    assert_eq!(shown("nitro", "/var/lib/postgresql"), "nvme0n1 (vol-0a00000000000000a)");
    assert_eq!(shown("nitro", "/bound/pg"), "nvme0n1 (vol-0a00000000000000a)");
    assert_eq!(shown("nitro", "/scratch/pg"), "nvme5n1 (instance store)");
}

#[test]
fn stripes_are_known_with_their_members() {
    assert_eq!(
        shown("nitro", "/pgdata"),
        "md0 (raid0 of nvme1n1 vol-0b11111111111111b, nvme2n1 vol-0c22222222222222c)"
    );
    assert_eq!(
        shown("nitro", "/pgdata/pg_wal"),
        "dm-0 (device-mapper over nvme3n1 vol-0d33333333333333d, nvme4n1 vol-0e44444444444444e)"
    );
}

#[test]
fn what_has_one_layer_below_is_that_layer() {
    // A logical volume on one physical volume, and LUKS on an array.
    assert_eq!(shown("nitro", "/logs"), "nvme4n1 (vol-0e44444444444444e)");
    assert_eq!(shown("nitro", "/secret/pg"), shown("nitro", "/pgdata"));
}

#[test]
fn btrfs_is_on_the_disks_that_sysfs_lists() {
    assert_eq!(
        shown("btrfs", "/pgdata/base"),
        "btrfs-3f1c9a52 (btrfs over nvme1n1 vol-0aa1111111111111a, nvme2n1 vol-0bb2222222222222b)"
    );
    assert_eq!(shown("btrfs", "/single"), "nvme3n1 (vol-0cc3333333333333c)");
    assert_eq!(
        shown("btrfs", "/gone"),
        "/gone is on btrfs, and sysfs does not show which disks /dev/nvme9n1 belongs to"
    );
}

#[test]
fn an_overlay_is_followed_only_where_its_directory_is_seen() {
    let device = |path: &str, paths: &Seen| found("overlay", path, paths).map(|stack| stack.device);
    let hidden = "is on overlay, which hides the device below it";
    assert!(device("/var/lib/postgresql", &NOTHING).unwrap_err().contains(hidden));
    // A directory of that name that lies in the overlay itself is not the host's.
    let inside = Seen(&["/var/lib/docker/overlay2/7c31/diff"], "0:52");
    assert!(device("/var/lib/postgresql", &inside).unwrap_err().contains(hidden));
    assert!(device("/merged/pg", &NOTHING).unwrap_err().contains(hidden));
    assert_eq!(device("/merged/pg", &Seen(&["/rw/upper"], "259:2")), Ok("nvme1n1".to_owned()));
    assert_eq!(device("/volume", &NOTHING), Ok("nvme0n1".to_owned()));
}

#[test]
fn xen_says_neither_which_volume_nor_which_instance() {
    assert_eq!(shown("xen", "/pgdata"), "xvdf");
    assert_eq!(shown("xen", "/var"), "xvda");
    assert_eq!(instance_type(&sysfs("xen")), None);
}

#[test]
fn nitro_says_which_instance_it_is() {
    assert_eq!(instance_type(&sysfs("nitro")).as_deref(), Some("r6id.4xlarge"));
    assert_eq!(instance_type(&sysfs("nitro/none")), None);
}

#[test]
fn a_container_sees_the_hosts_trees_elsewhere() {
    assert_eq!(shown("container/host", "/var/lib/postgresql/data"), "nvme1n1 (vol-0e11111111111111e)");
    assert!(shown("container/host", "/tmp").contains("is on overlay"));
    assert_eq!(instance_type(&sysfs("container/host")).as_deref(), Some("r7i.2xlarge"));
}

#[test]
fn without_sysfs_a_device_is_what_diskstats_calls_it() {
    let proc = |file: &str| fs::read_to_string(root("nitro/proc").join(file)).unwrap();
    let machine = Machine {
        mounts: Mounts::parse(proc("self/mountinfo").as_bytes()).unwrap(),
        disks: diskstats(proc("diskstats").as_bytes()).unwrap(),
        sysfs: &sysfs("nitro/none"),
    };
    assert_eq!(machine.disks_of(Path::new("/pgdata"), &NOTHING).unwrap().device, "md0");
}

#[test]
fn a_disk_that_is_not_counted_is_not_known() {
    let mounts = "24 1 9:0 / / rw - xfs /dev/md0 rw";
    let disks = "9 0 md0 1 0 8 1 0 0 0 0 0 1 1 0 0 0 0 0 0\n 259 2 nvme1n1 1 0 8 1 0 0 0 0 0 1 1 0 0 0 0 0 0\n";
    let machine = Machine {
        mounts: Mounts::parse(mounts.as_bytes()).unwrap(),
        disks: diskstats(disks.as_bytes()).unwrap(),
        sysfs: &sysfs("nitro"),
    };
    assert_eq!(machine.disks_of(Path::new("/pg"), &NOTHING).unwrap_err(), "disk nvme2n1 of /pg is not in diskstats");
}

#[test]
fn a_container_has_the_cpus_of_its_quota_and_of_those_above_it() {
    let quota = |tree: &str| {
        let tree = format!("quota/{tree}");
        let cgroups = fs::read_to_string(root(&tree).join("proc/self/cgroup")).unwrap();
        cpu_quota(&cgroups, &sysfs(&tree)).map(f64::from)
    };
    assert_eq!(quota("unified"), Some(1.5));
    assert_eq!(quota("namespace"), Some(0.5));
    // Docker names it as on the host, and shows of version 1 only what is below.
    assert_eq!(quota("legacy"), Some(2.5));
    // CentOS 7 names the controllers in the other order than the directory.
    assert_eq!(quota("reversed"), Some(3.5));
    assert_eq!(quota("none"), None);
}

#[test]
fn a_quota_that_cannot_be_told_is_none() {
    let quota = |cgroups: &str| cpu_quota(cgroups, &sysfs("quota/unified")).map(f64::from);
    let none = ["", "0", "0::", "0::/../../other", "4:cpu:/kubepods.slice", "4:cpuset:/", "0::/kubepods.slice/cpu.max"];
    assert_eq!(none.map(quota), [None, None, None, None, None, None, Some(64.0)]);
}
