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

impl Missing {
    /// Describes the reason, in the present tense.
    pub fn text(&self) -> String {
        self.worded("is", "may")
    }

    /// Describes the reason at the beginning or the end of a run, in the past tense.
    pub fn text_then(&self) -> String {
        self.worded("was", "might")
    }

    fn worded(&self, is: &str, may: &str) -> String {
        match self {
            Missing::NotPreloaded => format!("pg_stat_statements {is} not preloaded"),
            Missing::NotCreated(database) => format!("pg_stat_statements {is} not created in database {database}"),
            Missing::TooOld(version) => format!("pg_stat_statements {is} of version {version}, and 1.9 is needed"),
            Missing::NoAccess(role) => format!("role {role} {may} not use pg_stat_statements"),
            Missing::NotRead => "statements were not read when this run began and ended".to_owned(),
        }
    }

    /// Describes the remedy for the next run, where statements were missing in this one.
    pub fn remedy_then(&self) -> String {
        match self {
            Missing::NotRead => self.remedy(),
            _ => format!("Begin another run; if it is missing still: {}", self.remedy()),
        }
    }

    /// Describes the remedy.
    pub fn remedy(&self) -> String {
        match self {
            Missing::NotPreloaded => "Set shared_preload_libraries = 'ebs_advisor, pg_stat_statements', restart, CREATE EXTENSION pg_stat_statements, and begin a run. It comes with PostgreSQL's contrib modules.".to_owned(),
            Missing::NotCreated(database) => format!("In database {database}: CREATE EXTENSION pg_stat_statements; then begin a run."),
            Missing::TooOld(_) => "ALTER EXTENSION pg_stat_statements UPDATE; then begin a run.".to_owned(),
            Missing::NoAccess(role) => format!(
                "Let {role} use its schema and execute its functions; a member of pg_read_all_stats sees the statements of all roles."
            ),
            Missing::NotRead => "Begin another run with SELECT ebs_run_begin('my-run'); where pg_stat_statements is preloaded and created. What was sampled elsewhere has none.".to_owned(),
        }
    }
}
