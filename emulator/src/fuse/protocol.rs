//! The part of the FUSE protocol that a single file without directories needs: requests out of bytes, answers into bytes.
//! The layouts are those of <https://github.com/torvalds/linux/blob/master/include/uapi/linux/fuse.h>. A library would own the
//! loop that reads requests; here the same thread must also wait until an answer is due.

/// Bytes before the arguments of a request.
const IN_HEADER: usize = 40;
/// Bytes of the arguments of a write, which its data follow.
const WRITE_ARGUMENTS: usize = 40;
/// Bytes before an answer's body.
pub const OUT_HEADER: usize = 16;
/// The most bytes that a request may read or write.
pub const MAX_TRANSFER: usize = 1 << 20;
/// A buffer in which every request fits.
pub const REQUEST_BYTES: usize = MAX_TRANSFER + 8_192;

const MAJOR: u32 = 7;
const MINOR: u32 = 31;
/// Without this the kernel submits direct I/O one request at a time.
const ASYNC_DIO: u32 = 1 << 15;
const ASYNC_READ: u32 = 1;
const BIG_WRITES: u32 = 1 << 5;
const MAX_PAGES: u32 = 1 << 22;
/// Answers to open: no page cache, and no lock that makes writes wait for each other.
const DIRECT_IO: u32 = 1;
const PARALLEL_DIRECT_WRITES: u32 = 1 << 6;
/// Requests that the kernel keeps in flight: well above any queue depth of a block device (128 tags).
const MAX_BACKGROUND: u16 = 1_024;
/// How long the kernel may take attributes for granted, seconds: they never change.
const ATTRIBUTES_HOLD_S: u64 = 3_600;

/// The errno for what is not known here.
pub const ENOSYS: i32 = 38;
/// The errno for what the backing file did not do.
pub const EIO: i32 = 5;

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// Names it in the answer.
    pub unique: u64,
    /// What is asked.
    pub operation: Operation<'a>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<'a> {
    /// The first request: which features the kernel has.
    Init {
        /// Flags of the kernel.
        features: u32,
    },
    /// Attributes of the file.
    Attributes,
    /// Open it.
    Open,
    /// Read.
    Read {
        /// Where, bytes from the beginning of the file.
        offset: u64,
        /// How many bytes.
        size: usize,
    },
    /// Write.
    Write {
        /// Where, bytes from the beginning of the file.
        offset: u64,
        /// The bytes.
        data: &'a [u8],
    },
    /// Figures of the file system.
    FileSystem,
    /// Something that is answered with success and no more: flush, fsync, release.
    Nothing,
    /// Something that is never answered: forget, interrupt.
    Silence,
    /// The last request.
    Destroy,
    /// Anything else.
    Unknown,
}

/// Reads a request; `None` for bytes that are none.
pub fn parse(bytes: &[u8]) -> Option<Request<'_>> {
    let (opcode, unique) = (u32_at(bytes, 4)?, u64_at(bytes, 8)?);
    let arguments = bytes.get(IN_HEADER..)?;
    let operation = match opcode {
        2 | 36 | 42 => Operation::Silence,
        3 => Operation::Attributes,
        // Truncation and times: the loop device asks for none of it.
        14 => Operation::Open,
        15 => Operation::Read { offset: u64_at(arguments, 8)?, size: u32_at(arguments, 16)? as usize },
        16 => {
            let (offset, size) = (u64_at(arguments, 8)?, u32_at(arguments, 16)? as usize);
            Operation::Write { offset, data: arguments.get(WRITE_ARGUMENTS..)?.get(..size)? }
        }
        17 => Operation::FileSystem,
        18 | 20 | 25 | 34 => Operation::Nothing,
        26 => Operation::Init { features: u32_at(arguments, 12)? },
        38 => Operation::Destroy,
        _ => Operation::Unknown,
    };
    Some(Request { unique, operation })
}

/// The head of an answer with so many bytes of body; `error` is an errno, or 0.
pub fn header(unique: u64, error: i32, body: usize) -> [u8; OUT_HEADER] {
    let mut head = [0; OUT_HEADER];
    head[..4].copy_from_slice(&((OUT_HEADER + body) as u32).to_ne_bytes());
    head[4..8].copy_from_slice(&(-error).to_ne_bytes());
    head[8..].copy_from_slice(&unique.to_ne_bytes());
    head
}

/// The body of the answer to [`Operation::Init`].
pub fn init(features: u32) -> Vec<u8> {
    let wanted = ASYNC_READ | BIG_WRITES | ASYNC_DIO | MAX_PAGES;
    let mut body = Fields::default();
    body.u32(MAJOR).u32(MINOR).u32(MAX_TRANSFER as u32).u32(wanted & features);
    body.u16(MAX_BACKGROUND).u16(MAX_BACKGROUND).u32(MAX_TRANSFER as u32);
    // Granularity of times; pages in a request; 8 fields of later versions.
    body.u32(1).u16((MAX_TRANSFER / 4_096) as u16).u16(0);
    body.0.resize(64, 0);
    body.0
}

/// The body of the answer to [`Operation::Attributes`]: a regular file of root's.
pub fn attributes(size: u64) -> Vec<u8> {
    let mut body = Fields::default();
    body.u64(ATTRIBUTES_HOLD_S).u32(0).u32(0);
    // Inode, size, blocks of 512 bytes, three times.
    body.u64(1).u64(size).u64(size / 512).u64(0).u64(0).u64(0);
    // Nanoseconds of the times; mode, links, owner, group, device, block size, flags.
    body.u32(0).u32(0).u32(0).u32(0o100_600).u32(1).u32(0).u32(0).u32(0).u32(4_096).u32(0);
    body.0
}

/// The body of the answer to [`Operation::Open`].
pub fn opened() -> Vec<u8> {
    let mut body = Fields::default();
    body.u64(0).u32(DIRECT_IO | PARALLEL_DIRECT_WRITES).u32(0);
    body.0
}

/// The body of the answer to a write of so many bytes.
pub fn written(bytes: usize) -> [u8; 8] {
    let mut body = [0; 8];
    body[..4].copy_from_slice(&(bytes as u32).to_ne_bytes());
    body
}

/// The body of the answer to [`Operation::FileSystem`]: nothing free.
pub fn file_system(size: u64) -> Vec<u8> {
    let mut body = Fields::default();
    body.u64(size / 4_096).u64(0).u64(0).u64(1).u64(0).u32(4_096).u32(255).u32(4_096);
    body.0.resize(80, 0);
    body.0
}

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
}

/// The kernel speaks in its own byte order.
fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request as the kernel writes it: length, opcode, number, inode, owner, group, process, padding, arguments.
    fn request(opcode: u32, arguments: &[u8]) -> Vec<u8> {
        let mut bytes = Fields::default();
        bytes.u32((IN_HEADER + arguments.len()) as u32).u32(opcode).u64(77).u64(1).u32(0).u32(0).u32(0).u32(0);
        bytes.0.extend(arguments);
        bytes.0
    }

    fn transfer(offset: u64, size: u32, data: &[u8]) -> Vec<u8> {
        let mut arguments = Fields::default();
        arguments.u64(9).u64(offset).u32(size).u32(0).u64(0).u32(0).u32(0);
        arguments.0.extend(data);
        arguments.0
    }

    #[test]
    fn reads_and_writes_are_understood() {
        let read = request(15, &transfer(8_192, 4_096, &[]));
        let expected = Operation::Read { offset: 8_192, size: 4_096 };
        assert_eq!(parse(&read), Some(Request { unique: 77, operation: expected }));
        let write = request(16, &transfer(512, 3, b"abc"));
        assert_eq!(parse(&write).unwrap().operation, Operation::Write { offset: 512, data: b"abc" });
    }

    #[test]
    fn what_is_cut_short_is_no_request() {
        let write = request(16, &transfer(512, 3, b"abc"));
        for length in 0..write.len() {
            assert_eq!(parse(&write[..length]), None, "{length}");
        }
    }

    #[test]
    fn what_needs_no_answer_gets_none_and_what_is_unknown_is_refused() {
        for (opcode, operation) in [
            (2, Operation::Silence),
            (36, Operation::Silence),
            (42, Operation::Silence),
            (20, Operation::Nothing),
            (25, Operation::Nothing),
            (43, Operation::Unknown),
            (1, Operation::Unknown),
        ] {
            assert_eq!(parse(&request(opcode, &[0; 64])).unwrap().operation, operation, "{opcode}");
        }
    }

    /// Lengths of `struct fuse_…_out`: the kernel refuses an answer of any other.
    #[test]
    fn answers_have_the_lengths_that_the_kernel_expects() {
        assert_eq!(init(u32::MAX).len(), 64);
        assert_eq!(attributes(1 << 30).len(), 16 + 88);
        assert_eq!(opened().len(), 16);
        assert_eq!(file_system(1 << 30).len(), 80);
        assert_eq!(header(77, EIO, 8), [24, 0, 0, 0, 251, 255, 255, 255, 77, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn no_feature_is_asked_for_that_the_kernel_does_not_have() {
        let features = |offered| u32::from_ne_bytes(init(offered)[12..16].try_into().unwrap());
        assert_eq!(features(0), 0);
        assert_eq!(features(ASYNC_DIO | 1 << 31), ASYNC_DIO);
    }
}
