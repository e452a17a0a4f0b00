//! Bounds of what load drivers leave.

/// Maximum size of a file, bytes. A driver's output of a day with a line a second is a few MB.
pub const MAX_OUTPUT: u64 = 64 << 20;

/// Maximum length of a line, bytes: HammerDB writes its jobs as JSON in one.
pub const MAX_LINE: u64 = 8 << 20;
