//! Disks that hold a path.

use std::path::{Path, PathBuf};

use super::topology::{Stack, below};
use super::{Backing, Disk, Mounts, Tree, btrfs};
use ebs_samples::evidence::{Layout, Medium, Member};

/// Mounts, disks and sysfs of this machine, as the kernel shows them.
pub struct Machine<'a> {
    /// The mounts that the server sees.
    pub mounts: Mounts,
    /// Block devices in /proc/diskstats.
    pub disks: Vec<Disk>,
    /// /sys.
    pub sysfs: &'a dyn Tree,
}

/// Queries about a path that need the filesystem itself.
pub trait Paths {
    /// Resolves all symlinks of a path; `None` if the server does not see such a path.
    fn canonical(&self, path: &Path) -> Option<PathBuf>;

    /// Device number of the path, `major:minor`, as stat(2) has it.
    fn device(&self, path: &Path) -> Option<String>;
}

impl Machine<'_> {
    /// The disks that hold `path`, which must be canonical; or why they are not known.
    pub fn disks_of(&self, path: &Path, paths: &dyn Paths) -> Result<Stack, String> {
        let stack = match self.mounts.backing(path).unwrap_or_else(|| of_file(path, paths)) {
            Backing::Unknown(reason) => return Err(reason),
            Backing::Overlay(upper) => return self.below_overlay(path, &upper, paths),
            Backing::Device(number) => self.of_number(path, &number)?,
            Backing::Btrfs(source) => btrfs::disks(self.sysfs, &source).ok_or_else(|| {
                format!("{} is on btrfs, and sysfs does not show which disks {source} belongs to", path.display())
            })?,
        };
        match stack.members.iter().find(|member| !self.counts(&member.device)) {
            Some(member) => Err(format!("disk {} of {} is not in diskstats", member.device, path.display())),
            None => Ok(stack),
        }
    }

    /// The disks below the directory that an overlay writes to. In a container that is a path of the host: only if the
    /// server sees it too, outside the overlay, does it say anything here.
    fn below_overlay(&self, path: &Path, upper: &Path, paths: &dyn Paths) -> Result<Stack, String> {
        let seen = paths.canonical(upper);
        match seen.as_ref().map(|upper| (upper, self.mounts.backing(upper))) {
            Some((upper, Some(Backing::Device(_) | Backing::Btrfs(_)))) => self.disks_of(upper, paths),
            _ => Err(format!(
                "{} is on overlay, which hides the device below it (put the data directory on a volume)",
                path.display()
            )),
        }
    }

    fn of_number(&self, path: &Path, number: &str) -> Result<Stack, String> {
        let Some(disk) = self.disks.iter().find(|disk| disk.number == number) else {
            return Err(format!("device {number} of {} is not in diskstats", path.display()));
        };
        let alone = || Stack {
            device: disk.name.clone(),
            members: vec![Member { device: disk.name.clone(), medium: Medium::Unknown }],
            layout: Layout::Single,
        };
        Ok(below(self.sysfs, number).unwrap_or_else(alone))
    }

    fn counts(&self, device: &str) -> bool {
        self.disks.iter().any(|disk| disk.name == device)
    }
}

/// Finds the device by stat(2) of the file, for paths that no mount holds: correct for filesystems on one device, and
/// refused for others.
fn of_file(path: &Path, paths: &dyn Paths) -> Backing {
    match paths.device(path).filter(|number| !number.starts_with("0:")) {
        Some(number) => Backing::Device(number),
        None => Backing::Unknown(format!("no mount holds {}, and it names no single block device", path.display())),
    }
}
