//! EBS volumes as Linux shows them: names in sysfs, nodes in /dev.

use std::ffi::OsString;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use ebs_linux::EBS_PAGE_LEN;
use rustix::fs::{Mode, OFlags};

use crate::error::Error;
use crate::ioctl::{self, Page};
use crate::serial::Serial;
use crate::service::{Host, Volume};

const EBS_MODEL: &str = "Amazon Elastic Block Store";

/// The file trees of a host, and the devices to read.
pub struct Linux {
    /// /sys, or another tree like it.
    pub sysfs: PathBuf,
    /// /dev, or another.
    pub dev: PathBuf,
    /// Devices named by the user; if there are none, all volumes are read.
    pub devices: Vec<PathBuf>,
}

impl Host for Linux {
    fn nodes(&self) -> Result<Vec<PathBuf>, Error> {
        if !self.devices.is_empty() {
            return Ok(self.devices.clone());
        }
        let controllers = self.sysfs.join("class/nvme");
        let unreadable = |_| Error::NoVolume(controllers.clone());
        let entries = fs::read_dir(&controllers).map_err(unreadable)?;
        let mut names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
        names.sort();
        let is_ebs = |name: &OsString| read_attribute(&controllers.join(name), "model").as_deref() == Some(EBS_MODEL);
        let nodes: Vec<PathBuf> = names.into_iter().filter(is_ebs).map(|name| self.dev.join(name)).collect();
        if nodes.is_empty() { Err(Error::NoVolume(controllers)) } else { Ok(nodes) }
    }

    fn requires_all(&self) -> bool {
        !self.devices.is_empty()
    }

    fn open(&self, node: &Path) -> Result<(Volume, Box<Page>), Error> {
        // Nothing is sent to a device of another vendor: log page 0xD0 may mean anything to it.
        if let Some(model) = self.attribute(node, "model").filter(|model| model != EBS_MODEL) {
            return Err(Error::OtherModel { node: node.to_owned(), model });
        }
        // NONBLOCK: a FIFO that is named by mistake must not wait for a writer.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let opened = rustix::fs::open(node, flags, Mode::empty());
        let device = opened.map_err(|errno| Error::Open { node: node.to_owned(), errno })?;
        let page = read_page(node, &device)?;
        // While the device is open, its name is given to no other volume: the serial number read now is this one's, and so is
        // every page.
        let serial = self.attribute(node, "serial").and_then(|text| Serial::parse(&text));
        let serial = serial.ok_or_else(|| Error::NoSerial(node.to_owned()))?;
        let node = node.to_owned();
        Ok((Volume { node: node.clone(), serial, read_page: Box::new(move || read_page(&node, &device)) }, page))
    }
}

impl Linux {
    /// An attribute in sysfs of a controller (nvme1), or of the controller of a namespace (nvme1n1).
    fn attribute(&self, node: &Path, name: &str) -> Option<String> {
        let node = fs::canonicalize(node).ok()?;
        let device = node.file_name()?;
        let controller = self.sysfs.join("class/nvme").join(device);
        let namespace = self.sysfs.join("class/block").join(device).join("device");
        read_attribute(&controller, name).or_else(|| read_attribute(&namespace, name))
    }
}

/// An attribute of a device. Models and serial numbers are padded with blanks.
fn read_attribute(device: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(device.join(name)).ok()?;
    Some(text.trim().to_owned())
}

fn read_page(node: &Path, device: &OwnedFd) -> Result<Box<Page>, Error> {
    let mut page = Box::new([0; EBS_PAGE_LEN]);
    ioctl::read_log_page(device.as_fd(), &mut page).map_err(|error| Error::from_log_page(node.to_owned(), error))?;
    ebs_linux::ebs_page(&page[..]).map_err(|error| Error::InvalidPage { node: node.to_owned(), error })?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Trees as on an instance with two EBS volumes and one instance store volume.
    fn tree() -> (tempfile::TempDir, Linux) {
        let temp = tempfile::tempdir().unwrap();
        let (sysfs, dev) = (temp.path().join("sys"), temp.path().join("dev"));
        fs::create_dir_all(&dev).unwrap();
        fs::create_dir_all(sysfs.join("class/block")).unwrap();
        for (name, model, serial) in [
            ("nvme0", "Amazon Elastic Block Store              ", "vol0aaa"),
            ("nvme1", "Amazon EC2 NVMe Instance Storage        ", "AWS0123"),
            ("nvme2", "Amazon Elastic Block Store              ", "vol0bbb"),
        ] {
            let controller = sysfs.join("class/nvme").join(name);
            fs::create_dir_all(&controller).unwrap();
            fs::write(controller.join("model"), format!("{model}\n")).unwrap();
            fs::write(controller.join("serial"), format!("{serial}\n")).unwrap();
            let namespace = sysfs.join("class/block").join(format!("{name}n1"));
            fs::create_dir_all(&namespace).unwrap();
            symlink(&controller, namespace.join("device")).unwrap();
            fs::write(dev.join(name), "").unwrap();
            fs::write(dev.join(format!("{name}n1")), "").unwrap();
        }
        let linux = Linux { sysfs, dev, devices: Vec::new() };
        (temp, linux)
    }

    #[test]
    fn ebs_controllers_are_found_by_their_model() {
        let (_temp, linux) = tree();
        assert_eq!(linux.nodes().unwrap(), [linux.dev.join("nvme0"), linux.dev.join("nvme2")]);
    }

    #[test]
    fn a_machine_without_ebs_volumes_has_none() {
        let (temp, mut linux) = tree();
        for name in ["nvme0", "nvme2"] {
            fs::remove_dir_all(linux.sysfs.join("class/nvme").join(name)).unwrap();
        }
        assert!(matches!(linux.nodes(), Err(Error::NoVolume(_))));
        linux.sysfs = temp.path().join("missing");
        let error = linux.nodes().unwrap_err();
        assert!(matches!(error, Error::NoVolume(_)));
        assert!(error.hint().unwrap().contains("Nitro"));
    }

    #[test]
    fn named_devices_are_taken_as_they_are() {
        let (_temp, mut linux) = tree();
        linux.devices = vec!["/dev/nvme9".into()];
        assert_eq!(linux.nodes().unwrap(), [Path::new("/dev/nvme9")]);
    }

    #[test]
    fn attributes_of_a_namespace_are_those_of_its_controller() {
        let (temp, linux) = tree();
        let by_id = temp.path().join("nvme-Amazon_Elastic_Block_Store_vol0bbb");
        symlink(linux.dev.join("nvme2n1"), &by_id).unwrap();
        for node in [linux.dev.join("nvme2"), linux.dev.join("nvme2n1"), by_id] {
            assert_eq!(linux.attribute(&node, "serial").as_deref(), Some("vol0bbb"));
            assert_eq!(linux.attribute(&node, "model").as_deref(), Some(EBS_MODEL));
        }
        assert_eq!(linux.attribute(temp.path(), "serial"), None);
    }

    #[test]
    fn another_model_is_refused_before_anything_is_sent() {
        let (_temp, linux) = tree();
        let error = linux.open(&linux.dev.join("nvme1n1")).err().unwrap();
        assert!(
            matches!(&error, Error::OtherModel { model, .. } if model == "Amazon EC2 NVMe Instance Storage"),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_is_no_device_is_refused_by_the_kernel() {
        let (_temp, linux) = tree();
        let error = linux.open(&linux.dev.join("nvme0")).err().unwrap();
        assert!(matches!(error, Error::NotNvme(_)), "{error}");
        assert!(matches!(linux.open(Path::new("/nowhere")), Err(Error::Open { .. })));
    }
}
