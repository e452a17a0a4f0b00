//! The layouts of stored blocks that this version knows, and the size of a block.

/// Layout that this version writes. It reads layouts 2 to 4 too; layout 1 was never released.
pub const FORMAT: i16 = 5;

/// Oldest layout that this version reads (`layout2.rs`).
pub(super) const OLDEST_FORMAT: i16 = 2;

/// Layouts below have no counts of merged requests: the columns of a device then end before them.
pub(super) const FIRST_FORMAT_WITH_MERGES: i16 = 4;

/// Layouts below have no waits for a CPU (`layout4.rs`).
pub(super) const FIRST_FORMAT_WITH_RUN_DELAY: i16 = 5;

/// Columns of a device that count merged requests, which are the last ones.
pub(super) const MERGE_COLUMNS: usize = 2;

/// Largest block, bytes before LZ4: an interval takes about 20. A larger claim is damage, and nothing is allocated for it.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// Maximum of readings and of intervals in a block: 46 days of seconds on one volume. An import is one block; the sampler writes
/// blocks of some seconds. A column of three bytes can claim any number of rows, so this limit is the bound of the memory taken.
pub(super) const MAX_READINGS: usize = 4_000_000;
