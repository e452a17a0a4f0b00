//! The part of the FUSE protocol that a single file without directories needs: parses requests and writes replies.
//!
//! Names and layouts are those of <https://github.com/torvalds/linux/blob/master/include/uapi/linux/fuse.h>. A library would own
//! the loop that reads requests; here the same thread must also wait until a reply is due.

const FUSE_FORGET: u32 = 2;
const FUSE_GETATTR: u32 = 3;
const FUSE_OPEN: u32 = 14;
const FUSE_READ: u32 = 15;
const FUSE_WRITE: u32 = 16;
const FUSE_STATFS: u32 = 17;
const FUSE_RELEASE: u32 = 18;
const FUSE_FSYNC: u32 = 20;
const FUSE_FLUSH: u32 = 25;
const FUSE_INIT: u32 = 26;
const FUSE_ACCESS: u32 = 34;
const FUSE_INTERRUPT: u32 = 36;
const FUSE_DESTROY: u32 = 38;
const FUSE_BATCH_FORGET: u32 = 42;

const FUSE_KERNEL_VERSION: u32 = 7;
const FUSE_KERNEL_MINOR_VERSION: u32 = 31;

const FUSE_ASYNC_READ: u32 = 1;
const FUSE_BIG_WRITES: u32 = 1 << 5;
/// Direct I/O with several requests in flight; without it the kernel submits one at a time.
const FUSE_ASYNC_DIO: u32 = 1 << 15;
const FUSE_MAX_PAGES: u32 = 1 << 22;

/// I/O without the page cache.
const FOPEN_DIRECT_IO: u32 = 1;
/// Direct writes without a lock on the file, which would serialise them.
const FOPEN_PARALLEL_DIRECT_WRITES: u32 = 1 << 6;

/// Size of `struct fuse_in_header`, in bytes.
const IN_HEADER_BYTES: usize = 40;
/// Size of `struct fuse_write_in`, which the data follow, in bytes.
const WRITE_IN_BYTES: usize = 40;
/// Size of `struct fuse_init_out`, in bytes.
const INIT_OUT_BYTES: usize = 64;
/// Size of `struct fuse_statfs_out`, in bytes.
const STATFS_OUT_BYTES: usize = 80;
/// Size of `struct fuse_out_header`, in bytes.
pub const OUT_HEADER_BYTES: usize = 16;

const PAGE_BYTES: usize = 4_096;
/// Maximum bytes that a request reads or writes.
pub const MAX_TRANSFER: usize = 1 << 20;
/// Size of a buffer in which every request fits, in bytes.
pub const REQUEST_BYTES: usize = MAX_TRANSFER + 2 * PAGE_BYTES;
/// Requests that the kernel keeps in flight: well above any queue depth of a block device (128 tags).
const MAX_BACKGROUND: u16 = 1_024;
/// Seconds for which the kernel may cache attributes, which never change.
const ATTR_VALID_S: u64 = 3_600;
/// A regular file of root's.
const FILE_MODE: u32 = 0o100_600;

/// The errno of an operation that is not supported.
pub const ENOSYS: i32 = 38;
/// The errno of a failure of the backing file.
pub const EIO: i32 = 5;

/// A request of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// Number that the reply repeats.
    pub unique: u64,
    /// Opcode and arguments.
    pub operation: Operation<'a>,
}

/// Opcode of a request with those of its arguments that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<'a> {
    /// `FUSE_INIT`, the first request.
    Init {
        /// Features of the kernel.
        flags: u32,
    },
    /// `FUSE_GETATTR`.
    GetAttr,
    /// `FUSE_OPEN`.
    Open,
    /// `FUSE_READ`.
    Read {
        /// Bytes from the beginning of the file.
        offset: u64,
        /// Number of bytes.
        size: usize,
    },
    /// `FUSE_WRITE`.
    Write {
        /// Bytes from the beginning of the file.
        offset: u64,
        /// The bytes.
        data: &'a [u8],
    },
    /// `FUSE_STATFS`.
    StatFs,
    /// An operation that succeeds without effect: flush, fsync, release, access.
    NoOp,
    /// A request that has no reply: forget, interrupt.
    NoReply,
    /// `FUSE_DESTROY`, the last request.
    Destroy,
    /// Any other. The loop device sends none of these, not even `FUSE_SETATTR` (truncation, times).
    Unsupported,
}

/// Parses a request; `None` if it is too short for its opcode.
pub fn parse(bytes: &[u8]) -> Option<Request<'_>> {
    let (opcode, unique) = (u32_at(bytes, 4)?, u64_at(bytes, 8)?);
    let arguments = bytes.get(IN_HEADER_BYTES..)?;
    let operation = match opcode {
        FUSE_FORGET | FUSE_INTERRUPT | FUSE_BATCH_FORGET => Operation::NoReply,
        FUSE_GETATTR => Operation::GetAttr,
        FUSE_OPEN => Operation::Open,
        FUSE_READ => Operation::Read { offset: u64_at(arguments, 8)?, size: u32_at(arguments, 16)? as usize },
        FUSE_WRITE => {
            let (offset, size) = (u64_at(arguments, 8)?, u32_at(arguments, 16)? as usize);
            Operation::Write { offset, data: arguments.get(WRITE_IN_BYTES..)?.get(..size)? }
        }
        FUSE_STATFS => Operation::StatFs,
        FUSE_RELEASE | FUSE_FSYNC | FUSE_FLUSH | FUSE_ACCESS => Operation::NoOp,
        FUSE_INIT => Operation::Init { flags: u32_at(arguments, 12)? },
        FUSE_DESTROY => Operation::Destroy,
        _ => Operation::Unsupported,
    };
    Some(Request { unique, operation })
}

/// Writes a `fuse_out_header` for a body of this many bytes; `errno` is 0 for success.
pub fn out_header(unique: u64, errno: i32, body_bytes: usize) -> [u8; OUT_HEADER_BYTES] {
    let mut header = [0; OUT_HEADER_BYTES];
    header[..4].copy_from_slice(&((OUT_HEADER_BYTES + body_bytes) as u32).to_ne_bytes());
    header[4..8].copy_from_slice(&(-errno).to_ne_bytes());
    header[8..].copy_from_slice(&unique.to_ne_bytes());
    header
}

/// Writes a `fuse_init_out` that takes the features used here, as far as the kernel has them.
pub fn init_out(kernel_flags: u32) -> Vec<u8> {
    let flags = FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_ASYNC_DIO | FUSE_MAX_PAGES;
    let mut body = Fields::default();
    // Version, max_readahead, flags.
    body.u32(FUSE_KERNEL_VERSION).u32(FUSE_KERNEL_MINOR_VERSION).u32(MAX_TRANSFER as u32).u32(flags & kernel_flags);
    // max_background, congestion_threshold, max_write.
    body.u16(MAX_BACKGROUND).u16(MAX_BACKGROUND).u32(MAX_TRANSFER as u32);
    // time_gran, max_pages, map_alignment.
    body.u32(1).u16((MAX_TRANSFER / PAGE_BYTES) as u16).u16(0);
    body.padded(INIT_OUT_BYTES)
}

/// Writes a `fuse_attr_out` for a file of this many bytes.
pub fn attr_out(size: u64) -> Vec<u8> {
    let mut body = Fields::default();
    // attr_valid, attr_valid_nsec, dummy.
    body.u64(ATTR_VALID_S).u32(0).u32(0);
    // Inode, size, blocks of 512 bytes, atime, mtime, ctime.
    body.u64(1).u64(size).u64(size / 512).u64(0).u64(0).u64(0);
    // Nanoseconds of the times; mode, nlink, uid, gid, rdev, blksize, flags.
    body.u32(0).u32(0).u32(0).u32(FILE_MODE).u32(1).u32(0).u32(0).u32(0).u32(PAGE_BYTES as u32).u32(0);
    body.0
}

/// Writes a `fuse_open_out`.
pub fn open_out() -> Vec<u8> {
    let mut body = Fields::default();
    body.u64(0).u32(FOPEN_DIRECT_IO | FOPEN_PARALLEL_DIRECT_WRITES).u32(0);
    body.0
}

/// Writes a `fuse_write_out`.
pub fn write_out(bytes: usize) -> [u8; 8] {
    let mut body = [0; 8];
    body[..4].copy_from_slice(&(bytes as u32).to_ne_bytes());
    body
}

/// Writes a `fuse_statfs_out` of a full file system with one file.
pub fn statfs_out(size: u64) -> Vec<u8> {
    let mut body = Fields::default();
    // blocks, bfree, bavail, files, ffree; bsize, namelen, frsize.
    body.u64(size / PAGE_BYTES as u64).u64(0).u64(0).u64(1).u64(0);
    body.u32(PAGE_BYTES as u32).u32(255).u32(PAGE_BYTES as u32);
    body.padded(STATFS_OUT_BYTES)
}

/// Fields of a structure in the byte order of the machine, which is the kernel's.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn u16(&mut self, value: u16) -> &mut Fields {
        self.0.extend(value.to_ne_bytes());
        self
    }

    fn u32(&mut self, value: u32) -> &mut Fields {
        self.0.extend(value.to_ne_bytes());
        self
    }

    fn u64(&mut self, value: u64) -> &mut Fields {
        self.0.extend(value.to_ne_bytes());
        self
    }

    fn padded(mut self, bytes: usize) -> Vec<u8> {
        self.0.resize(bytes, 0);
        self.0
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;
