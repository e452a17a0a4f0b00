//! Limits of a document of runs.

/// Version of its shape: grows when a key changes its meaning or goes.
pub const SCHEMA_VERSION: u64 = 1;

/// Most bytes of samples in one document, packed: a week and more of seconds, and a third more of them in base64 still
/// fits what PostgreSQL takes for one jsonb (256 MB).
pub const MAX_PACKED_BYTES: usize = 64 << 20;

/// Most marks, results and reports of fio of one run, each.
pub const MAX_ROWS: usize = 1_000;

/// Most runs in one document.
pub const MAX_RUNS: usize = 1_000;

/// Longest note, environment or details of a result, bytes.
pub const MAX_NOTE: usize = 1 << 20;

/// Volumes declared of one run: each was a call of ebs_volume_declare, of which so many are kept.
pub const MAX_DECLARED: usize = 10_000;
