//! A machine as text: its mounts, its disks and its /sys, one entry a line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ebs_linux::{Machine, Mounts, Paths, Tree, diskstats, instance_type};

/// Separator of mountinfo, diskstats and the tree.
pub const SEPARATOR: &str = "\n%\n";

/// Resolution of paths to disks, and detection of the instance type.
pub fn sysfs(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut parts = text.splitn(3, SEPARATOR);
    let (Some(mounts), Some(disks), Some(tree)) = (parts.next(), parts.next(), parts.next()) else { return };
    let (Ok(mounts), Ok(disks)) = (Mounts::parse(mounts.as_bytes()), diskstats(disks.as_bytes())) else { return };
    let sysfs = Text::parse(tree);
    let _ = instance_type(&sysfs);
    let machine = Machine { mounts, disks, sysfs: &sysfs };
    for path in ["/", "/pgdata", "/pgdata/pg_wal", "/secret/pg", "/logs", "/single", "/merged/pg", "/volume"] {
        if let Ok(stack) = machine.disks_of(Path::new(path), &Everything) {
            let devices: BTreeSet<&str> = stack.members.iter().map(|member| member.device.as_str()).collect();
            assert!(!stack.members.is_empty() && devices.len() == stack.members.len(), "{stack:?}");
        }
    }
}

/// A file system in which every path exists, on one device.
struct Everything;

impl Paths for Everything {
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        Some(path.to_owned())
    }

    fn device(&self, _: &Path) -> Option<String> {
        Some("259:0".to_owned())
    }
}

/// A tree of lines: `PATH=CONTENT` is a file, `PATH>TARGET` a symlink, its target below the root.
struct Text<'a> {
    files: BTreeMap<&'a str, &'a str>,
    links: BTreeMap<&'a str, &'a str>,
}

/// Maximum number of symlinks in a path, as on Linux.
const MAX_LINKS: usize = 40;

impl Text<'_> {
    fn parse(text: &str) -> Text<'_> {
        let mut tree = Text { files: BTreeMap::new(), links: BTreeMap::new() };
        for line in text.lines() {
            if let Some((path, target)) = line.split_once('>') {
                tree.links.insert(path, target);
            } else if let Some((path, content)) = line.split_once('=') {
                tree.files.insert(path, content);
            }
        }
        tree
    }

    fn exists(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        [&self.files, &self.links]
            .into_iter()
            .any(|known| known.contains_key(path) || below(known, &inside).next().is_some())
    }
}

/// Names in a directory, whose path ends in a slash. The name of a subdirectory is repeated for each file in it.
fn below<'a>(known: &'a BTreeMap<&str, &str>, inside: &'a str) -> impl Iterator<Item = &'a str> {
    let paths = known.range(inside..).map_while(move |(path, _)| path.strip_prefix(inside));
    paths.map(|rest| rest.split_once('/').map_or(rest, |(name, _)| name))
}

impl Tree for Text<'_> {
    fn read(&self, path: &str) -> Option<String> {
        Some(self.files.get(self.resolve(path)?.as_str())?.trim().to_owned())
    }

    fn list(&self, path: &str) -> Vec<String> {
        let Some(path) = self.resolve(path) else { return Vec::new() };
        let inside = format!("{path}/");
        let names: BTreeSet<&str> =
            [&self.files, &self.links].into_iter().flat_map(|known| below(known, &inside)).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let mut left: Vec<&str> = path.split('/').rev().collect();
        let (mut done, mut links) = (String::new(), 0);
        while let Some(name) = left.pop() {
            let here = if done.is_empty() { name.to_owned() } else { format!("{done}/{name}") };
            match self.links.get(here.as_str()) {
                Some(target) => {
                    links += 1;
                    done.clear();
                    left.extend(target.split('/').rev());
                }
                None => done = here,
            }
            if links > MAX_LINKS || left.len() > 1_000 {
                return None;
            }
        }
        self.exists(&done).then_some(done)
    }
}
