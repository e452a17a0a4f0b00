//! Which volumes are read, and what becomes of those that vanish or appear.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::directory::Directory;
use crate::error::Error;
use crate::ioctl::Page;
use crate::serial::Serial;
use crate::stop::Stop;

/// How often new volumes are looked for: attaching one takes seconds, and sysfs is read for it.
pub const SEARCH_EVERY: Duration = Duration::from_secs(60);

/// Where volumes come from.
pub trait Host {
    /// The nodes to read, or why there are none.
    fn nodes(&self) -> Result<Vec<PathBuf>, Error>;
    /// Whether each of the nodes must be readable at the start, because somebody named it.
    fn insists(&self) -> bool;
    /// Opens a node that is an EBS volume, which its first page shows; refuses any other.
    fn open(&self, node: &Path) -> Result<(Volume, Box<Page>), Error>;
}

/// A volume that is read.
pub struct Volume {
    /// What was opened.
    pub node: PathBuf,
    /// What its page is published as.
    pub serial: Serial,
    /// Reads a page that is an EBS volume's.
    pub read: Box<dyn FnMut() -> Result<Box<Page>, Error>>,
}

/// Publishes volumes until it is told to stop.
pub struct Service<H> {
    host: H,
    directory: Directory,
    volumes: Vec<Volume>,
    /// What was last said of a node, so that it is not said again every minute.
    said: BTreeMap<PathBuf, String>,
}

impl<H: Host> Service<H> {
    /// Publishes a first page of each volume. Refuses if there is none, or if a named one cannot be published.
    pub fn start(host: H, directory: Directory) -> Result<Self, Error> {
        let nodes = host.nodes()?;
        let mut service = Service { host, directory, volumes: Vec::new(), said: BTreeMap::new() };
        let mut refusals = Vec::new();
        for node in nodes {
            refusals.extend(service.take(&node).err().map(|error| (node, error)));
        }
        let refused = service.volumes.is_empty() || service.host.insists();
        if refused && !refusals.is_empty() {
            service.withdraw();
            return Err(refusals.remove(0).1);
        }
        for (node, error) in refusals {
            service.say(&node, format!("not publishing it: {error}"));
        }
        Ok(service)
    }

    /// Publishes at every `interval` from now until `stop`, then takes the pages away.
    pub fn run(mut self, interval: Duration, stop: &Stop) {
        let begin = Instant::now();
        let (mut tick, mut search) = (begin + interval, begin + SEARCH_EVERY);
        while !stop.before(tick) {
            self.publish();
            if Instant::now() >= search {
                self.search();
                search = Instant::now() + SEARCH_EVERY;
            }
            // A device that answered late costs the ticks that it missed, and does not move the ones to come.
            while tick <= Instant::now() {
                tick += interval;
            }
        }
        self.withdraw();
    }

    /// One page of each volume. What cannot be published is dropped, and tried again with the next search.
    fn publish(&mut self) {
        for mut volume in std::mem::take(&mut self.volumes) {
            let published = (volume.read)().and_then(|page| self.directory.publish(&volume.serial, &page));
            match published {
                Ok(()) => self.volumes.push(volume),
                Err(error) => {
                    self.directory.withdraw(&volume.serial);
                    self.say(&volume.node, format!("{} is not published any more: {error}", volume.serial));
                }
            }
        }
    }

    /// Takes on what is not read yet.
    fn search(&mut self) {
        let nodes = self.host.nodes().unwrap_or_default();
        self.said.retain(|node, _| nodes.contains(node));
        for node in nodes {
            if self.volumes.iter().any(|volume| volume.node == node) {
                continue;
            }
            match self.take(&node) {
                Ok(()) => drop(self.said.remove(&node)),
                Err(error) => self.say(&node, format!("not publishing it: {error}")),
            }
        }
    }

    fn take(&mut self, node: &Path) -> Result<(), Error> {
        let (volume, page) = self.host.open(node)?;
        // A controller and its namespace are one volume.
        if self.volumes.iter().any(|known| known.serial == volume.serial) {
            return Ok(());
        }
        self.directory.publish(&volume.serial, &page)?;
        self.volumes.push(volume);
        Ok(())
    }

    fn withdraw(&self) {
        for volume in &self.volumes {
            self.directory.withdraw(&volume.serial);
        }
    }

    fn say(&mut self, node: &Path, message: String) {
        if self.said.get(node) != Some(&message) {
            eprintln!("{}: {message}", node.display());
            self.said.insert(node.to_owned(), message);
        }
    }
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
