//! The service: it publishes volumes, drops those that vanish, and finds those that appear.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::directory::Directory;
use crate::error::Error;
use crate::ioctl::Page;
use crate::serial::Serial;
use crate::stop::StopSignal;

/// Time between two searches for new volumes: attaching one takes seconds, and sysfs is read for it.
const SEARCH_INTERVAL: Duration = Duration::from_secs(60);

/// A host with volumes.
pub trait Host {
    /// Lists the nodes to read; an error if there are none.
    fn nodes(&self) -> Result<Vec<PathBuf>, Error>;
    /// True if each of the nodes must be readable at the start, because the user named it.
    fn requires_all(&self) -> bool;
    /// Opens a node, and reads its first page; refuses one that is no EBS volume.
    fn open(&self, node: &Path) -> Result<(Volume, Box<Page>), Error>;
}

/// An open volume.
pub struct Volume {
    /// The node that was opened.
    pub node: PathBuf,
    /// The name of its page.
    pub serial: Serial,
    /// Reads and checks its page.
    pub read_page: Box<dyn FnMut() -> Result<Box<Page>, Error>>,
}

/// The publisher of volumes.
pub struct Service<H> {
    host: H,
    directory: Directory,
    volumes: Vec<Volume>,
    /// The last message about each node, which is not repeated every minute.
    last_messages: BTreeMap<PathBuf, String>,
}

impl<H: Host> Service<H> {
    /// Publishes a first page of each volume. Fails if there is none, or if a named one cannot be published.
    pub fn start(host: H, directory: Directory) -> Result<Self, Error> {
        let nodes = host.nodes()?;
        let mut service = Service { host, directory, volumes: Vec::new(), last_messages: BTreeMap::new() };
        let mut errors = Vec::new();
        for node in nodes {
            errors.extend(service.add(&node).err().map(|error| (node, error)));
        }
        if !errors.is_empty() && (service.volumes.is_empty() || service.host.requires_all()) {
            service.remove_pages();
            return Err(errors.remove(0).1);
        }
        for (node, error) in errors {
            service.log(&node, format!("not publishing it: {error}"));
        }
        Ok(service)
    }

    /// Publishes at every `interval` from now until `stop`, then removes the pages.
    pub fn run(mut self, interval: Duration, stop: &StopSignal) {
        let begin = Instant::now();
        let (mut tick, mut search) = (begin + interval, begin + SEARCH_INTERVAL);
        while !stop.wait_until(tick) {
            self.publish();
            if Instant::now() >= search {
                self.search();
                search = Instant::now() + SEARCH_INTERVAL;
            }
            // Ticks that pass while a device answers late are skipped; the later ones keep their times.
            while tick <= Instant::now() {
                tick += interval;
            }
        }
        self.remove_pages();
    }

    /// Publishes a page of each volume. One that fails is dropped; the next search tries it again.
    fn publish(&mut self) {
        for mut volume in std::mem::take(&mut self.volumes) {
            let published = (volume.read_page)().and_then(|page| self.directory.publish(&volume.serial, &page));
            match published {
                Ok(()) => self.volumes.push(volume),
                Err(error) => {
                    self.directory.remove(&volume.serial);
                    self.log(&volume.node, format!("{} is not published any more: {error}", volume.serial));
                }
            }
        }
    }

    /// Adds volumes that are not read yet.
    fn search(&mut self) {
        let nodes = self.host.nodes().unwrap_or_default();
        self.last_messages.retain(|node, _| nodes.contains(node));
        for node in nodes {
            if self.volumes.iter().any(|volume| volume.node == node) {
                continue;
            }
            match self.add(&node) {
                Ok(()) => drop(self.last_messages.remove(&node)),
                Err(error) => self.log(&node, format!("not publishing it: {error}")),
            }
        }
    }

    fn add(&mut self, node: &Path) -> Result<(), Error> {
        let (volume, page) = self.host.open(node)?;
        // A controller and its namespace are one volume.
        if self.volumes.iter().any(|other| other.serial == volume.serial) {
            return Ok(());
        }
        self.directory.publish(&volume.serial, &page)?;
        self.volumes.push(volume);
        Ok(())
    }

    fn remove_pages(&self) {
        for volume in &self.volumes {
            self.directory.remove(&volume.serial);
        }
    }

    fn log(&mut self, node: &Path, message: String) {
        if self.last_messages.get(node) != Some(&message) {
            eprintln!("{}: {message}", node.display());
            self.last_messages.insert(node.to_owned(), message);
        }
    }
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
