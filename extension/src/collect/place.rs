//! Where the cluster is: from the data directory and pg_wal to block devices.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use ebs_advisor_model::evidence::{Place, Role, Unplaced, Volume};
use ebs_advisor_model::linux::{Backing, Disk, Mounts};
use rustix::fs::{StatVfs, major, minor, stat, statvfs};

use super::devices::disks;
use crate::settings;

/// The devices behind the data directory and pg_wal; parts without one, with the reason.
pub fn place(data_directory: &Path) -> Place {
    let mut place = Place::default();
    for (role, path) in [(Role::Data, data_directory.to_owned()), (Role::Wal, data_directory.join("pg_wal"))] {
        match device(&path) {
            Ok((device, sizes)) => add(&mut place, role, device, sizes),
            Err(reason) => place.unplaced.push(Unplaced { role, reason }),
        }
    }
    place
}

fn add(place: &mut Place, role: Role, device: String, sizes: Option<StatVfs>) {
    if let Some(volume) = place.volumes.iter_mut().find(|volume| volume.device == device) {
        volume.roles.push(role);
        return;
    }
    let bytes = |blocks: fn(&StatVfs) -> u64| sizes.as_ref().map(|fs| blocks(fs).saturating_mul(fs.f_frsize));
    let filesystem_bytes = bytes(|fs| fs.f_blocks);
    let free = bytes(|fs| fs.f_bfree);
    place.volumes.push(Volume {
        device,
        roles: vec![role],
        timed: true,
        filesystem_bytes,
        used_bytes: filesystem_bytes.zip(free).map(|(all, free)| all.saturating_sub(free)),
    });
}

/// The whole device that holds `path`, and the size of its filesystem.
fn device(path: &Path) -> Result<(String, Option<StatVfs>), String> {
    let shown = path.display();
    let canonical = path.canonicalize().map_err(|error| format!("could not resolve \"{shown}\": {error}"))?;
    let mountinfo = settings::procfs_root().join("self/mountinfo");
    let complain = |error: &dyn std::fmt::Display| format!("could not read \"{}\": {error}", mountinfo.display());
    let file = File::open(&mountinfo).map_err(|error| complain(&error))?;
    let mounts = Mounts::parse(BufReader::new(file)).map_err(|error| complain(&error))?;
    match mounts.backing(&canonical).unwrap_or_else(|| device_of_file(&canonical)) {
        Backing::Unknown(reason) => Err(reason),
        Backing::Device(number) => {
            let disks = disks()?;
            let named = |disk: &&Disk| disk.number == number;
            let Some(disk) = disks.iter().find(named) else {
                return Err(format!("device {number} of {shown} is not in diskstats"));
            };
            Ok((whole_disk(&number).unwrap_or_else(|| disk.name.clone()), statvfs(&canonical).ok()))
        }
    }
}

/// What the file itself says, where the mounts do not: right for filesystems on one device, and known where it is not.
fn device_of_file(path: &Path) -> Backing {
    match stat(path) {
        Ok(file) if major(file.st_dev) != 0 => {
            Backing::Device(format!("{}:{}", major(file.st_dev), minor(file.st_dev)))
        }
        _ => Backing::Unknown(format!("no mount holds {}, and it names no single block device", path.display())),
    }
}

/// The disk of a partition: EBS limits a volume, whatever its partitions. `None` if this is no partition.
fn whole_disk(number: &str) -> Option<String> {
    let link: PathBuf = settings::sysfs_root().join("dev/block").join(number);
    let partition = link.canonicalize().ok()?;
    partition.join("partition").exists().then_some(())?;
    Some(partition.parent()?.file_name()?.to_string_lossy().into_owned())
}
