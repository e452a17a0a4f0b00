//! Bytes of both directions, signed, since the balance subtracts them.

/// Bytes read and bytes written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Read; `None` where not known.
    pub read: Option<i64>,
    /// Written; `None` where not known.
    pub write: Option<i64>,
}

impl Bytes {
    pub(super) fn known(read: u64, write: u64) -> Bytes {
        Bytes { read: Some(signed(read)), write: Some(signed(write)) }
    }
}

/// Converts a count of bytes; above the range, the largest number.
pub(super) fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
