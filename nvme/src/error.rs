//! Errors and their hints.

use std::io;
use std::path::PathBuf;

use ebs_linux::PageError;
use rustix::io::Errno;

use crate::ioctl::LogPageError;

/// Reason why a volume, or all of them, cannot be published.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No volume was found.
    #[error("no EBS volume was found below \"{}\"", .0.display())]
    NoVolume(PathBuf),
    /// A node cannot be opened.
    #[error("could not open \"{}\": {errno}", .node.display())]
    Open { node: PathBuf, errno: Errno },
    /// The kernel does not know the command for the node.
    #[error("\"{}\" is not an NVMe device: {}", .0.display(), Errno::NOTTY)]
    NotNvme(PathBuf),
    /// The kernel refused the command.
    #[error("could not read the EBS statistics of \"{}\": {errno}", .node.display())]
    Ioctl { node: PathBuf, errno: Errno },
    /// The device has no such page.
    #[error("\"{}\" refused NVMe log page 0xD0 with NVMe status {status:#06X}", .node.display())]
    NvmeStatus { node: PathBuf, status: i32 },
    /// The model is not EBS's; nothing was sent to the device.
    #[error("\"{}\" is not an EBS volume but a device of model \"{model}\"", .node.display())]
    OtherModel { node: PathBuf, model: String },
    /// The page is not that of an EBS volume.
    #[error("\"{}\" did not answer as an EBS volume does: {error}", .node.display())]
    InvalidPage { node: PathBuf, error: PageError },
    /// The serial number is not known, and the page is named after it.
    #[error("\"{}\" has no volume ID in sysfs", .0.display())]
    NoSerial(PathBuf),
    /// The directory or a file in it cannot be written.
    #[error("could not write \"{}\": {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
}

impl Error {
    /// The error of reading the log page of `node`.
    pub fn from_log_page(node: PathBuf, error: LogPageError) -> Error {
        match error {
            LogPageError::Kernel(Errno::NOTTY) => Error::NotNvme(node),
            LogPageError::Kernel(errno) => Error::Ioctl { node, errno },
            LogPageError::Device(status) => Error::NvmeStatus { node, status },
        }
    }

    /// Advice to the administrator.
    pub fn hint(&self) -> Option<&'static str> {
        let is_denied = |errno: &Errno| [Errno::ACCESS, Errno::PERM].contains(errno);
        Some(match self {
            Error::NoVolume(_) => {
                "EBS volumes are NVMe devices on instances of the Nitro System only; there they can be named, as in \
                 \"ebs-nvme-stats /dev/nvme1\"."
            }
            Error::Open { errno, .. } if is_denied(errno) => {
                "Run it as root, best by the systemd unit ebs-nvme-stats.service. A member of group disk may open the \
                 namespace (/dev/nvme1n1), and reads it once root did: setcap cap_sys_admin+ep $(command -v ebs-nvme-stats)"
            }
            Error::Ioctl { errno, .. } if is_denied(errno) => {
                "Reading the statistics takes CAP_SYS_ADMIN: use the systemd unit ebs-nvme-stats.service, or as root: \
                 setcap cap_sys_admin+ep $(command -v ebs-nvme-stats)"
            }
            Error::NotNvme(_) | Error::OtherModel { .. } | Error::InvalidPage { .. } => {
                "EBS volumes are listed by: grep -H . /sys/class/nvme/*/model"
            }
            Error::NvmeStatus { .. } => "Only EBS volumes on instances of the Nitro System have this page.",
            Error::NoSerial(_) => "Name the controller (/dev/nvme1) or the namespace (/dev/nvme1n1), not a partition.",
            Error::Write { .. } => "Name a directory that you may write to, best on a tmpfs: --directory",
            Error::Open { .. } | Error::Ioctl { .. } => return None,
        })
    }
}
