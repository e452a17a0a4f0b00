//! A request whose answer is ready and not yet due.

use std::cmp::Ordering;

use crate::fuse::protocol::EIO;
use crate::volume::RequestKind;

/// Ordered by when its answer is due, and then by its place in the order of arrival.
pub struct Pending {
    pub due_ns: u64,
    /// How many came before it.
    pub nth: u64,
    /// Names it in the answer.
    pub unique: u64,
    pub kind: RequestKind,
    pub bytes: u64,
    pub arrived_ns: u64,
    pub body: Body,
}

/// What is answered.
pub enum Body {
    /// The bytes read.
    Read(Vec<u8>),
    /// How many were written.
    Written([u8; 8]),
    /// The backing file failed.
    Failed,
}

impl Body {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Body::Read(data) => data,
            Body::Written(count) => count,
            Body::Failed => &[],
        }
    }

    pub fn error(&self) -> i32 {
        if matches!(self, Body::Failed) { EIO } else { 0 }
    }

    /// A buffer for the next read.
    pub fn reusable(self) -> Option<Vec<u8>> {
        match self {
            Body::Read(data) => Some(data),
            _ => None,
        }
    }
}

impl Ord for Pending {
    fn cmp(&self, other: &Pending) -> Ordering {
        (self.due_ns, self.nth).cmp(&(other.due_ns, other.nth))
    }
}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Pending) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pending {
    fn eq(&self, other: &Pending) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pending {}
