//! Bounds of what load drivers leave.

/// Maximum size of a file, bytes. A driver's output of a day with a line a second is a few MB.
pub const MAX_OUTPUT: u64 = 64 << 20;
