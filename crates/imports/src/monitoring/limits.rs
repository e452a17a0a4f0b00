//! Bounds of a report.

/// Devices of one import: a report of more is refused. The most that one instance attaches are 128 volumes, and each may be
/// cut into partitions and striped.
pub const MAX_DEVICES: usize = 1_000;

/// Longest name of a device in a report, bytes: a name of the device mapper has 127 at most.
pub const MAX_DEVICE_NAME: usize = 255;

/// Longest line of a report, bytes: `sadf -dh` has all devices in one, a thousand of them in some 140 kB.
pub const MAX_LINE: usize = 256 << 10;

/// Columns of a table: `iostat -x` has 23.
pub const MAX_COLUMNS: usize = 100;

/// Tables of one report: `iostat --pretty` has a few for the same devices.
pub const MAX_TABLES: usize = 20;

/// Counts of one interval are below this: a petabyte is more than any instance moves in an hour.
pub(super) const MAX_COUNT: f64 = 1e15;
