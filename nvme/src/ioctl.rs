//! Get Log Page through NVME_IOCTL_ADMIN_CMD: the only unsafe code of this program.

use std::ffi::c_void;
use std::os::fd::BorrowedFd;

use ebs_linux::EBS_PAGE_LEN;
use rustix::io::{Errno, Result};
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, ioctl, opcode};

/// The bytes of a log page.
pub type Page = [u8; EBS_PAGE_LEN];

/// Error of reading a log page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPageError {
    /// The kernel refused.
    Kernel(Errno),
    /// The device refused, with this NVMe status.
    Device(i32),
}

/// The size of the command is part of the number.
const NVME_IOCTL_ADMIN_CMD: Opcode = opcode::read_write::<AdminCommand>(b'N', 0x41);
const GET_LOG_PAGE: u8 = 0x02;
/// EBS's statistics, in the range that NVMe leaves to vendors.
const EBS_STATISTICS: u32 = 0xD0;
/// Length of the page as NVMe counts it, in four-byte words from 0. AWS's own `ebsnvme` asks for one word more than the page
/// has; the `ebsnvme` of FreeBSD and `nvme amzn stats` ask for this many.
const LAST_WORD: u32 = (EBS_PAGE_LEN / 4 - 1) as u32;

/// `struct nvme_passthru_cmd` of linux/nvme_ioctl.h.
#[repr(C)]
#[derive(Default)]
struct AdminCommand {
    opcode: u8,
    flags: u8,
    rsvd1: u16,
    nsid: u32,
    cdw2: u32,
    cdw3: u32,
    metadata: u64,
    addr: u64,
    metadata_len: u32,
    data_len: u32,
    cdw10: u32,
    cdw11: u32,
    cdw12: u32,
    cdw13: u32,
    cdw14: u32,
    cdw15: u32,
    /// 0 is the driver's default. A shorter one would make the driver reset the controller of a volume that is merely slow.
    timeout_ms: u32,
    result: u32,
}

// SAFETY: `as_ptr` points to the struct that the opcode's size and direction promise, for as long as it is borrowed.
unsafe impl Ioctl for &mut AdminCommand {
    /// The NVMe status: 0 is success, and a positive number is the device's refusal, which is no errno.
    type Output = IoctlOutput;
    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        NVME_IOCTL_ADMIN_CMD
    }

    fn as_ptr(&mut self) -> *mut c_void {
        std::ptr::from_mut::<AdminCommand>(self).cast()
    }

    unsafe fn output_from_ptr(status: IoctlOutput, _: *mut c_void) -> Result<IoctlOutput> {
        Ok(status)
    }
}

/// Fills `page` with log page 0xD0 of the NVMe controller or namespace behind `device`. Reads nothing else and changes
/// nothing on the device. Takes as long as the device does.
pub fn read_log_page(device: BorrowedFd<'_>, page: &mut Page) -> std::result::Result<(), LogPageError> {
    let mut command = AdminCommand {
        opcode: GET_LOG_PAGE,
        nsid: 1,
        addr: page.as_mut_ptr().expose_provenance() as u64,
        data_len: EBS_PAGE_LEN as u32,
        cdw10: EBS_STATISTICS | LAST_WORD << 16,
        ..AdminCommand::default()
    };
    // SAFETY: the kernel writes at most data_len bytes to addr, which are those of `page`, and `page` is borrowed
    // mutably until the call, which is synchronous, is over. Any bytes are a valid `Page`.
    match unsafe { ioctl(device, &mut command) } {
        Ok(0) => Ok(()),
        Ok(status) => Err(LogPageError::Device(status)),
        Err(errno) => Err(LogPageError::Kernel(errno)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::mem::{offset_of, size_of};
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn the_command_is_laid_out_as_linux_nvme_ioctl_h_says() {
        assert_eq!(size_of::<AdminCommand>(), 72);
        assert_eq!(offset_of!(AdminCommand, nsid), 4);
        assert_eq!(offset_of!(AdminCommand, metadata), 16);
        assert_eq!(offset_of!(AdminCommand, addr), 24);
        assert_eq!(offset_of!(AdminCommand, data_len), 36);
        assert_eq!(offset_of!(AdminCommand, cdw10), 40);
        assert_eq!(offset_of!(AdminCommand, timeout_ms), 64);
        assert_eq!(offset_of!(AdminCommand, result), 68);
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn the_request_is_nvme_ioctl_admin_cmd() {
        assert_eq!(NVME_IOCTL_ADMIN_CMD, 0xC048_4E41);
    }

    #[test]
    fn the_kernel_refuses_what_is_no_nvme_device() {
        let mut page = [0xAA; EBS_PAGE_LEN];
        for file in [File::open("/dev/null").unwrap(), tempfile::tempfile().unwrap()] {
            assert_eq!(read_log_page(file.as_fd(), &mut page), Err(LogPageError::Kernel(Errno::NOTTY)));
        }
        assert_eq!(page, [0xAA; EBS_PAGE_LEN]);
    }
}
