//! Files of /proc and /sys as SQL reads them, and /sys as a tree: SQL resolves no symlinks, so devices are found by their names.

use ebs_linux::{Disk, Tree};
use serde::Deserialize;

use crate::answer::parse_answer;
use crate::devices::{MAX_FILE_BYTES, file};
use crate::query::Query;

/// Files of the server's machine. `None` is one that is not there or may not be read.
pub trait RemoteFiles {
    /// Returns the content of a file.
    fn read(&self, path: &str) -> Option<String>;

    /// Returns the names in a directory.
    fn list(&self, path: &str) -> Option<Vec<String>>;
}

/// Query of the content of a file, as a JSON text on one line that [`parse_file`] parses.
pub fn read_query(path: &str) -> Query {
    Query::new(format!("SELECT pg_catalog.to_json({})::text AS value", file("$1"))).bind(path.to_owned())
}

/// Parses the answer to [`read_query`].
pub fn parse_file(text: &str) -> Option<String> {
    parse_answer(text).ok().filter(|file: &String| is_file(file))
}

/// Tells whether a text is as long as a file that is asked for may be; a server may answer with more.
pub(crate) fn is_file(text: &str) -> bool {
    text.len() <= MAX_FILE_BYTES as usize
}

/// Most names of a directory that are taken: a backend has some hundred files open, a machine of 1,000 disks some thousands of devices.
const MAX_NAMES: usize = 10_000;

/// Query of the names in a directory, as a JSON array that [`parse_list`] parses.
pub fn list_query(path: &str) -> Query {
    let text = "SELECT pg_catalog.json_agg(name ORDER BY name)::text AS value FROM pg_catalog.pg_ls_dir($1, true, false) AS d(name)";
    Query::new(text).bind(path.to_owned())
}

/// Parses the answer to [`list_query`].
pub fn parse_list(text: &str) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Names(Vec<String>);
    parse_answer(text).ok().map(|Names(names)| names).filter(|names| names.len() <= MAX_NAMES)
}

/// /sys of the server's machine.
pub struct RemoteSysfs<'a> {
    /// Its files.
    pub files: &'a dyn RemoteFiles,
    /// Block devices in diskstats.
    pub disks: &'a [Disk],
}

impl Tree for RemoteSysfs<'_> {
    fn read(&self, path: &str) -> Option<String> {
        self.files.read(&format!("/sys/{path}")).map(|text| text.trim().to_owned())
    }

    fn list(&self, path: &str) -> Vec<String> {
        self.files.list(&format!("/sys/{path}")).unwrap_or_default()
    }

    /// A device is `block/NAME`, a partition `block/DISK/NAME`: the symlinks of these names lead to it, whatever bus it is on.
    fn resolve(&self, path: &str) -> Option<String> {
        let (_, last) = path.rsplit_once('/')?;
        let by_number = self.disks.iter().find(|disk| disk.number == last).map(|disk| disk.name.as_str());
        let name = by_number.unwrap_or(last);
        if self.disks.iter().all(|disk| disk.name != name) {
            return None;
        }
        let is_partition_of = |disk: &&Disk| {
            name.starts_with(&disk.name)
                && disk.name != name
                && self.read(&format!("block/{}/{name}/partition", disk.name)).is_some()
        };
        let disk = self.disks.iter().find(is_partition_of);
        Some(disk.map_or_else(|| format!("block/{name}"), |disk| format!("block/{}/{name}", disk.name)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Files by path.
    pub(crate) struct Recorded(pub BTreeMap<&'static str, &'static str>);

    impl RemoteFiles for Recorded {
        fn read(&self, path: &str) -> Option<String> {
            self.0.get(path).map(|text| (*text).to_owned())
        }

        fn list(&self, path: &str) -> Option<Vec<String>> {
            let below = format!("{path}/");
            let mut names: Vec<String> = self
                .0
                .keys()
                .filter_map(|file| file.strip_prefix(&below)?.split('/').next().map(str::to_owned))
                .collect();
            names.dedup();
            Some(names)
        }
    }

    fn disk(number: &str, name: &str) -> Disk {
        Disk { number: number.to_owned(), name: name.to_owned(), counts: Default::default() }
    }

    #[test]
    fn devices_are_found_by_number_and_by_name() {
        let files = Recorded(BTreeMap::from([("/sys/block/nvme0n1/nvme0n1p1/partition", "1\n")]));
        let disks =
            [disk("259:0", "nvme0n1"), disk("259:1", "nvme0n1p1"), disk("259:2", "nvme0n10"), disk("253:0", "dm-0")];
        let sysfs = RemoteSysfs { files: &files, disks: &disks };
        let resolved = ["dev/block/259:1", "dev/block/259:2", "block/dm-0/slaves/nvme0n1p1", "dev/block/8:0"]
            .map(|path| sysfs.resolve(path));
        let expected = [Some("block/nvme0n1/nvme0n1p1"), Some("block/nvme0n10"), Some("block/nvme0n1/nvme0n1p1"), None];
        assert_eq!(resolved, expected.map(|path| path.map(str::to_owned)));
    }

    #[test]
    fn a_path_is_a_parameter() {
        assert_eq!(read_query("/it's").parameters, [Some("/it's".to_owned())]);
        assert_eq!(list_query("/it's").parameters, [Some("/it's".to_owned())]);
        assert_eq!(parse_list(r#"["a","b"]"#), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!((parse_list("[1"), parse_list("{}")), (None, None));
    }
}
