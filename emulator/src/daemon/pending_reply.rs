//! Reply to a request whose I/O is done, and which is not due yet.

use crate::fuse::protocol::EIO;
use crate::volume::RequestKind;

/// A reply with the figures of its request.
pub struct PendingReply {
    /// The kernel's number of the request.
    pub unique: u64,
    pub kind: RequestKind,
    pub bytes: u64,
    pub arrived_ns: u64,
    pub body: ReplyBody,
}

/// Result of the I/O on the backing file.
pub enum ReplyBody {
    /// The bytes read.
    Read(Vec<u8>),
    /// A `fuse_write_out`.
    Written([u8; 8]),
    /// Failure of the backing file.
    Failed,
}

impl ReplyBody {
    pub fn bytes(&self) -> &[u8] {
        match self {
            ReplyBody::Read(data) => data,
            ReplyBody::Written(count) => count,
            ReplyBody::Failed => &[],
        }
    }

    /// The errno of the reply, or 0.
    pub fn errno(&self) -> i32 {
        if matches!(self, ReplyBody::Failed) { EIO } else { 0 }
    }

    /// The buffer, for the next read.
    pub fn into_buffer(self) -> Option<Vec<u8>> {
        match self {
            ReplyBody::Read(data) => Some(data),
            _ => None,
        }
    }
}
