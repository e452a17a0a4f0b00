//! Limits of a document of runs.

/// Version of its shape: grows when a key changes its meaning or goes.
pub const SCHEMA_VERSION: u64 = 1;

/// Most packed bytes of samples in a document: more than a week of seconds, which in base64, a third larger, are within
/// PostgreSQL's limit of a jsonb (256 MB).
pub const MAX_PACKED_BYTES: usize = 64 << 20;

/// Most marks, results and reports of fio of one run, each.
pub const MAX_ROWS: usize = 1_000;

/// Most findings about indexes of one run.
pub(super) const MAX_INDEX_FINDINGS: usize = 1_000;

/// Longest JSON of all of them, bytes: each of the 80 statements that are planned with 10,000 characters, and as much again.
pub(super) const MAX_INDEX_FINDINGS_BYTES: usize = 4 << 20;

/// Most runs in one document.
pub const MAX_RUNS: usize = 1_000;

/// Longest note, environment or details of a result, bytes.
pub const MAX_NOTE: usize = 1 << 20;

/// Most declared volumes of a run: as many calls of ebs_volume_declare are kept.
pub const MAX_DECLARED: usize = 10_000;
