//! A reading of pg_stat_statements.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::counts::StatementKey;
use super::entry::Entry;
use super::rows::Rows;

/// Content of pg_stat_statements at one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statements {
    /// Time of the last reset of all statements, microseconds since 1970 (pg_stat_statements_info).
    pub reset_us: Option<i64>,
    /// Number of times that the least executed statements were evicted since then (`dealloc`; pg_stat_statements.max).
    pub evictions: Option<u64>,
    /// True if track_io_timing was on in the session that read it.
    pub timed: bool,
    /// Number of rows of other roles without a query id, which are left out: the owner of the extension may not see them.
    pub hidden: u64,
    /// Names of the roles, by OID.
    pub roles: BTreeMap<u32, String>,
    /// Names of the databases, by OID.
    pub databases: BTreeMap<u32, String>,
    /// Texts of statements by query id, where they were read with the counters: of a server that is watched from elsewhere, where they
    /// cannot be read later.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<i64, String>,
    /// The statements, a row each.
    #[serde(with = "Rows")]
    #[cfg_attr(feature = "schema", schemars(with = "Rows"))]
    pub entries: BTreeMap<StatementKey, Entry>,
}

/// Reason for which there is no reading of pg_stat_statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Missing {
    /// Its library is not preloaded.
    NotPreloaded,
    /// The extension is not created in this database.
    NotCreated(String),
    /// The extension is of this version, which is before 1.9 (of PostgreSQL 14) and has neither WAL nor query levels.
    TooOld(String),
    /// This role may not use its schema or function.
    NoAccess(String),
    /// Statements were not read with this run.
    NotRead,
}
