//! The server that a run ran on: version, settings, system.

use pgrx::JsonB;

use crate::errors::Error;
use crate::sql::first_value;

/// Settings that change how many requests a workload makes, or how they are counted and timed.
const SETTINGS: &str = "'block_size', 'shared_buffers', 'effective_io_concurrency', 'maintenance_io_concurrency',
    'io_method', 'io_workers', 'io_combine_limit', 'debug_io_direct', 'max_wal_size', 'min_wal_size', 'checkpoint_timeout',
    'checkpoint_completion_target', 'wal_compression', 'full_page_writes', 'synchronous_commit', 'wal_sync_method',
    'fsync', 'wal_buffers', 'commit_delay', 'backend_flush_after', 'bgwriter_flush_after', 'checkpoint_flush_after',
    'track_io_timing', 'track_wal_io_timing', 'autovacuum', 'data_checksums', 'max_connections', 'work_mem',
    'temp_buffers', 'huge_pages', 'wal_level', 'archive_mode'";

/// Reads them as one document.
pub fn read_environment() -> Result<JsonB, Error> {
    let query = format!(
        "SELECT pg_catalog.jsonb_build_object(
             'server_version', pg_catalog.current_setting('server_version'),
             'system_identifier', (SELECT system_identifier::text FROM pg_catalog.pg_control_system()),
             'settings', (SELECT pg_catalog.jsonb_object_agg(name, pg_catalog.current_setting(name) ORDER BY name)
                          FROM pg_catalog.pg_settings WHERE name IN ({SETTINGS})))"
    );
    Ok(first_value(&query, &[])?.unwrap_or(JsonB(serde_json::Value::Null)))
}
