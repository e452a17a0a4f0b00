//! The server: version, identity, settings, and the rights of the role that is connected.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::query::Query;

/// Settings that change how many requests a workload makes, or how they are counted and timed, as a list of SQL constants.
pub use ebs_workload::settings::IO_SETTINGS;

/// A server as one query describes it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Server {
    /// Version, `17.5`.
    pub version: String,
    /// Version as a number, 170005.
    pub version_num: u32,
    /// Bytes of a block.
    pub block_size: u64,
    /// Start of the server, microseconds since 1970.
    pub started_us: i64,
    /// Data directory; `None` where the role may not know it.
    pub data_directory: Option<String>,
    /// Role that is connected.
    pub role: String,
    /// True if the role may see what other roles' sessions wait for (pg_read_all_stats, or pg_monitor).
    pub sees_sessions: bool,
    /// Settings that change the I/O of a workload, as far as the role may read them.
    pub settings: Option<BTreeMap<String, String>>,
}

impl Server {
    /// The query; its one value is parsed by [`crate::parse_answer`].
    pub fn query() -> Query {
        Query::new(format!(
            "SELECT pg_catalog.json_build_object(
                 'version', pg_catalog.current_setting('server_version'),
                 'version_num', pg_catalog.current_setting('server_version_num')::int,
                 'block_size', pg_catalog.current_setting('block_size')::int,
                 'started_us', {},
                 'data_directory', (SELECT setting FROM pg_catalog.pg_settings WHERE name = 'data_directory'),
                 'role', current_user::text,
                 'sees_sessions', pg_catalog.pg_has_role(current_user, 'pg_read_all_stats', 'USAGE'),
                 'settings', (SELECT pg_catalog.json_object_agg(name, pg_catalog.current_setting(name) ORDER BY name)
                              FROM pg_catalog.pg_settings WHERE name IN ({IO_SETTINGS})))::text AS value",
            microseconds("pg_catalog.pg_postmaster_start_time()")
        ))
    }

    /// True from this major version on.
    pub fn is_at_least(&self, major: u32) -> bool {
        self.version_num >= major * 10_000
    }
}

/// SQL for a time as microseconds since 1970; NULL for NULL and for infinity.
pub(crate) fn microseconds(time: &str) -> String {
    format!("(CASE WHEN pg_catalog.isfinite({time}) THEN (extract(epoch FROM {time}) * 1000000)::bigint END)")
}
