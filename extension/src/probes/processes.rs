//! /proc/PID: the server's processes.

use std::fs::{DirEntry, read, read_link, read_to_string};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use ebs_linux::{MachineCounts, Process, QueueCounts, children, machine_time, process, process_io, queue_counts};
use ebs_samples::evidence::StorageCounts;
use rustix::io::Errno;
use rustix::param::clock_ticks_per_second;

use super::filesystem::unreadable;
use crate::settings;

/// The processes of procfs. Process ids are those it shows: in another namespace they differ from PostgreSQL's own, so the
/// postmaster is found as the parent of this process.
pub struct Processes {
    root: PathBuf,
}

impl Processes {
    /// The processes of the procfs that is set.
    pub fn new() -> Processes {
        Processes { root: settings::procfs_root() }
    }

    /// I/O of this process; `None` if the kernel does not report it.
    pub fn own_io(&self) -> Option<StorageCounts> {
        self.read_io("self").ok().flatten()
    }

    /// The postmaster, from one of its children; `None` if procfs does not show it.
    pub fn postmaster(&self) -> Option<i32> {
        // 0 is a parent outside of this procfs's namespace.
        self.parent_of("self").filter(|pid| *pid > 0)
    }

    /// I/O of a process and of its children that have ended; `Ok(None)` if it has gone.
    pub fn io(&self, pid: i32) -> Result<Option<StorageCounts>, Error> {
        self.read_io(&pid.to_string())
    }

    /// The living children of a process: as the kernel lists them, or without CONFIG_PROC_CHILDREN all processes that name it as
    /// their parent.
    pub fn children(&self, pid: i32) -> Result<Vec<i32>, Error> {
        match read_to_string(self.root.join(format!("{pid}/task/{pid}/children"))) {
            Ok(listed) => Ok(children(&listed)),
            Err(error) if error.kind() == ErrorKind::NotFound => self.children_by_parent(pid),
            Err(error) => Err(error),
        }
    }

    /// Process ids of all processes that procfs shows.
    pub fn all(&self) -> Result<Vec<i32>, Error> {
        let number = |entry: Result<DirEntry, Error>| match entry {
            Ok(entry) => entry.file_name().to_str()?.parse().ok().map(Ok),
            Err(error) => Some(Err(error)),
        };
        self.root.read_dir()?.filter_map(number).collect()
    }

    /// The id of this process, as procfs shows it.
    pub fn own_id(&self) -> Result<i32, String> {
        let path = self.root.join("self");
        let link = read_link(&path).map_err(|error| unreadable(&path, &error))?;
        link.to_str().and_then(|pid| pid.parse().ok()).ok_or_else(|| format!("\"{}\" names no process", path.display()))
    }

    /// A process with its CPU time; `Ok(None)` if it has gone.
    pub fn process(&self, pid: i32) -> Result<Option<Process>, String> {
        let path = self.root.join(format!("{pid}/stat"));
        self.stat(&path).map_err(|error| unreadable(&path, &error))
    }

    /// CPU time of the machine, counted in ticks.
    pub fn machine_time(&self) -> Result<MachineCounts, String> {
        let path = self.root.join("stat");
        let text = read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
        machine_time(&text, clock_ticks_per_second()).ok_or_else(|| format!("\"{}\" has no times", path.display()))
    }

    /// Waits of a process for a CPU; `None` if it has gone, or if the kernel does not count them.
    pub fn queue_counts(&self, pid: i32) -> Option<QueueCounts> {
        queue_counts(&read_to_string(self.root.join(format!("{pid}/schedstat"))).ok()?)
    }

    /// The cgroups of this process.
    pub fn own_cgroups(&self) -> Option<String> {
        read_to_string(self.root.join("self/cgroup")).ok()
    }

    fn children_by_parent(&self, pid: i32) -> Result<Vec<i32>, Error> {
        let mut children = self.all()?;
        children.retain(|child| self.parent_of(&child.to_string()) == Some(pid));
        Ok(children)
    }

    fn parent_of(&self, process: &str) -> Option<i32> {
        self.stat(&self.root.join(process).join("stat")).ok()?.map(|process| process.parent)
    }

    fn stat(&self, path: &Path) -> Result<Option<Process>, Error> {
        // The name in it is bytes of any kind, which the parser skips.
        match read(path) {
            Ok(text) => process(text.as_slice(), clock_ticks_per_second()).map(Some).map_err(Error::other),
            Err(error) if has_gone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_io(&self, process: &str) -> Result<Option<StorageCounts>, Error> {
        match read_to_string(self.root.join(process).join("io")) {
            Ok(text) => process_io(text.as_bytes()).map(Some).map_err(Error::other),
            Err(error) if has_gone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// True of the errors of a process that has ended: it is first without files, and reading one that was open gives ESRCH.
fn has_gone(error: &Error) -> bool {
    error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(Errno::SRCH.raw_os_error())
}
