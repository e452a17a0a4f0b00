//! Settings of a server that are kept with a run.

/// Settings that change how many requests a workload makes, or how they are counted and timed, as SQL constants for `IN (…)`.
pub const IO_SETTINGS: &str = "'block_size', 'shared_buffers', 'effective_io_concurrency', 'maintenance_io_concurrency',
    'io_method', 'io_workers', 'io_combine_limit', 'debug_io_direct', 'max_wal_size', 'min_wal_size', 'checkpoint_timeout',
    'checkpoint_completion_target', 'wal_compression', 'full_page_writes', 'synchronous_commit', 'wal_sync_method',
    'fsync', 'wal_buffers', 'commit_delay', 'backend_flush_after', 'bgwriter_flush_after', 'checkpoint_flush_after',
    'track_io_timing', 'track_wal_io_timing', 'autovacuum', 'data_checksums', 'max_connections', 'work_mem',
    'temp_buffers', 'huge_pages', 'wal_level', 'archive_mode'";
