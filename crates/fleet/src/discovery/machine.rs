//! Machines: node_exporter's disks by their serial numbers, the instance that they are on, and their file systems.

use std::collections::{BTreeMap, BTreeSet};

use ebs_prometheus::Labels;

use crate::discovery::device::{disk, is_instance_id, volume_id};
use crate::discovery::fleet::Origin;
use crate::discovery::metric;
use crate::discovery::source::Source;
use crate::discovery::target::{target, target_name};

/// Machines by the labels of their node_exporter.
pub struct Machines(BTreeMap<Labels, Machine>);

#[derive(Default)]
struct Machine {
    /// EC2 instances and their types that it was, in the order of their IDs; several where a name was given to another instance.
    instances: BTreeMap<String, Option<String>>,
    /// Volume IDs that a disk had, `None` of another disk.
    disks: BTreeMap<String, BTreeSet<Option<String>>>,
    /// Mount points of each block device.
    file_systems: BTreeMap<String, BTreeSet<String>>,
}

/// A file system that is on a disk, as far as names tell.
pub struct FileSystem {
    /// Block device, as node_exporter names it.
    pub device: String,
    /// Mount points.
    pub mountpoints: BTreeSet<String>,
    /// True where it is on this disk alone; false of what several disks may make together.
    pub is_alone: bool,
}

impl Machines {
    /// Machines that these label sets name.
    pub fn new(labels: &[Labels]) -> Machines {
        let mut machines: BTreeMap<Labels, Machine> = BTreeMap::new();
        for labels in labels {
            let is_known =
                [metric::NODE_DISK_INFO, metric::NODE_DMI_INFO, metric::NODE_FILESYSTEM_SIZE, metric::NODE_UNAME_INFO]
                    .contains(&labels.name());
            if is_known {
                machines.entry(target(labels)).or_default().add(labels);
            }
        }
        Machines(machines)
    }

    /// EBS volumes, each with the disk that it was.
    pub fn volumes(&self) -> impl Iterator<Item = (String, Origin)> {
        self.0.iter().flat_map(|(target, machine)| {
            // Which of several instances a disk was on is told by time, not by label sets: the name of the exporter stands for all.
            let single = machine.instances.first_key_value().filter(|_| machine.instances.len() == 1);
            let host = single.map_or_else(|| target_name(target), |(id, _)| id.clone());
            let instance_type = single.and_then(|(_, known)| known.clone());
            machine.disks.iter().flat_map(move |(device, ids)| {
                let origin = Origin {
                    source: Source::NodeExporter,
                    target: target.clone(),
                    device: Some(device.clone()),
                    host: Some(host.clone()),
                    instance_type: instance_type.clone(),
                };
                ids.iter().flatten().map(move |id| (id.clone(), origin.clone()))
            })
        })
    }

    /// Exporters without serial numbers of any disk.
    pub fn unidentified(&self) -> Vec<String> {
        let unidentified = self.0.iter().filter(|(_, machine)| machine.disks.is_empty());
        unidentified.map(|(target, _)| target_name(target)).collect()
    }

    /// File systems on a disk of a machine: those of its partitions, and where it has none, those of devices that disks without a file
    /// system of their own make together.
    pub fn file_systems(&self, target: &Labels, device: &str) -> Vec<FileSystem> {
        let Some(machine) = self.0.get(target) else { return Vec::new() };
        let file_system = |(path, mountpoints): (&String, &BTreeSet<String>), is_alone| FileSystem {
            device: path.clone(),
            mountpoints: mountpoints.clone(),
            is_alone,
        };
        let own: Vec<FileSystem> = machine.file_systems_on(device).map(|found| file_system(found, true)).collect();
        if !own.is_empty() {
            return own;
        }
        let is_ebs = |ids: &BTreeSet<Option<String>>| ids.iter().any(Option::is_some);
        let disks = machine.disks.iter().filter(|(_, ids)| is_ebs(ids));
        let bare = disks.filter(|(name, _)| machine.file_systems_on(name).next().is_none());
        let is_single = bare.count() == 1;
        let combined =
            machine.file_systems.iter().filter(|(path, _)| path.starts_with("/dev/") && disk(path).is_none());
        combined.map(|found| file_system(found, is_single)).collect()
    }
}

impl Machine {
    /// Block devices with a file system that are a disk, or its partitions.
    fn file_systems_on<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a String, &'a BTreeSet<String>)> {
        self.file_systems.iter().filter(move |(path, _)| disk(path) == Some(name))
    }

    fn add(&mut self, labels: &Labels) {
        match labels.name() {
            metric::NODE_DISK_INFO => {
                let Some(device) = labels.get("device") else { return };
                let id = labels.get("serial").and_then(volume_id);
                self.disks.entry(device.to_owned()).or_default().insert(id);
            }
            metric::NODE_DMI_INFO => {
                let id = labels.get("board_asset_tag").filter(|tag| is_instance_id(tag));
                let product = labels.get("product_name").filter(|name| name.contains('.')).map(str::to_owned);
                self.instances.extend(id.map(|id| (id.to_owned(), product)));
            }
            metric::NODE_FILESYSTEM_SIZE => {
                let both = labels.get("device").zip(labels.get("mountpoint"));
                if let Some((device, mountpoint)) = both {
                    self.file_systems.entry(device.to_owned()).or_default().insert(mountpoint.to_owned());
                }
            }
            _ => {}
        }
    }
}
