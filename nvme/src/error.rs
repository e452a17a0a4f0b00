//! What this program refuses, in words an administrator can act on.

use std::io;
use std::path::PathBuf;

use ebs_linux::PageError;
use rustix::io::Errno;

use crate::ioctl::Failure;

/// Why a volume cannot be published, or none at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing to read.
    #[error("no EBS volume was found below \"{}\"", .0.display())]
    NoVolume(PathBuf),
    /// The node cannot be opened.
    #[error("could not open \"{}\": {errno}", .node.display())]
    Open { node: PathBuf, errno: Errno },
    /// The node is something else: the kernel does not know the command for it.
    #[error("\"{}\" is not an NVMe device: {}", .0.display(), Errno::NOTTY)]
    NotNvme(PathBuf),
    /// The command was refused.
    #[error("could not read the EBS statistics of \"{}\": {errno}", .node.display())]
    Kernel { node: PathBuf, errno: Errno },
    /// The device knows no such page.
    #[error("\"{}\" refused NVMe log page 0xD0 with NVMe status {status:#06X}", .node.display())]
    Device { node: PathBuf, status: i32 },
    /// By its model it is another NVMe device; nothing was sent to it.
    #[error("\"{}\" is not an EBS volume but a device of model \"{model}\"", .node.display())]
    Model { node: PathBuf, model: String },
    /// By its page it is no EBS volume.
    #[error("\"{}\" did not answer as an EBS volume does: {error}", .node.display())]
    Page { node: PathBuf, error: PageError },
    /// Without a serial number there is no name to publish it under.
    #[error("\"{}\" has no volume ID in sysfs", .0.display())]
    NoSerial(PathBuf),
    /// The directory or a file in it.
    #[error("could not write \"{}\": {error}", .path.display())]
    Publish { path: PathBuf, error: io::Error },
}

impl Error {
    /// What the read of `node` met.
    pub fn of_read(node: PathBuf, failure: Failure) -> Error {
        match failure {
            Failure::Kernel(Errno::NOTTY) => Error::NotNvme(node),
            Failure::Kernel(errno) => Error::Kernel { node, errno },
            Failure::Device(status) => Error::Device { node, status },
        }
    }

    /// What to do about it; `None` where the message says it all.
    pub fn hint(&self) -> Option<&'static str> {
        let denied = |errno: &Errno| [Errno::ACCESS, Errno::PERM].contains(errno);
        Some(match self {
            Error::NoVolume(_) => {
                "EBS volumes are NVMe devices on instances of the Nitro System only; there they can be named, as in \
                 \"ebs-nvme-stats /dev/nvme1\"."
            }
            Error::Open { errno, .. } if denied(errno) => {
                "Run it as root, best by the systemd unit ebs-nvme-stats.service. A member of group disk may open the \
                 namespace (/dev/nvme1n1), and reads it once root did: setcap cap_sys_admin+ep $(command -v ebs-nvme-stats)"
            }
            Error::Kernel { errno, .. } if denied(errno) => {
                "Reading the statistics takes CAP_SYS_ADMIN: use the systemd unit ebs-nvme-stats.service, or as root: \
                 setcap cap_sys_admin+ep $(command -v ebs-nvme-stats)"
            }
            Error::NotNvme(_) | Error::Model { .. } | Error::Page { .. } => {
                "EBS volumes are listed by: grep -H . /sys/class/nvme/*/model"
            }
            Error::Device { .. } => "Only EBS volumes on instances of the Nitro System have this page.",
            Error::NoSerial(_) => "Name the controller (/dev/nvme1) or the namespace (/dev/nvme1n1), not a partition.",
            Error::Publish { .. } => "Name a directory that you may write to, best on a tmpfs: --directory",
            Error::Open { .. } | Error::Kernel { .. } => return None,
        })
    }
}
