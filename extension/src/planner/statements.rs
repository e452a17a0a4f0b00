//! Statements of this database as pg_stat_statements has them, as far as whoever asks may see them.

use ebs_advisor_model::indexes::{Finding, Kind, StatementDemand};
use pgrx::prelude::*;
use serde::Deserialize;

use super::{ask, missing, schema_of};
use crate::errors::Failure;
use crate::ffi;

/// A statement with its text.
pub struct Observed {
    /// What it asked for.
    pub demand: StatementDemand,
    /// Its text.
    pub text: String,
    /// Why it must not be planned: whoever asks may not act as the role that executed it. Planning runs functions that are
    /// immutable, so that a statement is planned with nobody's rights but those of the role that wrote it.
    pub foreign: Option<String>,
}

/// What there is.
pub enum Statements {
    /// These, and how many more nobody of these rights may read.
    Seen(Vec<Observed>, u64),
    /// Nothing, and what is missing.
    Missing(Finding),
}

#[derive(Deserialize)]
struct Row {
    query_id: Option<i64>,
    user_id: u32,
    role: Option<String>,
    allowed: bool,
    top_level: bool,
    query: Option<String>,
    calls: u64,
    rows: u64,
    blocks_read: u64,
    seconds: f64,
}

/// Statements since pg_stat_statements was last reset.
pub fn observed() -> Result<Statements, Failure> {
    let what_for = "which statements read is not known without it";
    let Some(schema) = schema_of("pg_stat_statements")? else {
        let finding = missing("pg_stat_statements", what_for)?;
        let reason =
            format!("{}; it needs shared_preload_libraries = 'pg_stat_statements' and a restart", finding.reason);
        return Ok(Statements::Missing(Finding { reason, ..finding }));
    };
    match ffi::attempt(|| rows(&schema)) {
        Ok(rows) => Ok(sorted_out(rows?)),
        // Its view raises an error where its library is not loaded.
        Err(message) => Ok(Statements::Missing(Finding::new(Kind::Missing, format!("{message}; {what_for}")))),
    }
}

fn rows(schema: &str) -> Result<Vec<Row>, Failure> {
    let query = format!(
        "SELECT coalesce(json_agg(s), '[]')::text FROM (
             SELECT s.queryid AS query_id, s.userid::bigint AS user_id, r.rolname AS role,
                    r.oid IS NOT NULL AND pg_has_role(current_user, s.userid, 'SET') AS allowed, s.toplevel AS top_level,
                    s.query, s.calls, s.rows, s.shared_blks_read AS blocks_read,
                    extract(epoch FROM clock_timestamp() - i.stats_reset)::float8 AS seconds
             FROM {schema}.pg_stat_statements s CROSS JOIN {schema}.pg_stat_statements_info i
             LEFT JOIN pg_roles r ON r.oid = s.userid
             WHERE s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())) s"
    );
    let document = ask::<String>(&query, &[])?;
    serde_json::from_str(document.as_deref().unwrap_or("[]")).map_err(|error| {
        let hint = "Look at the columns of view pg_stat_statements: ALTER EXTENSION pg_stat_statements UPDATE.";
        Failure::new(
            PgSqlErrorCode::ERRCODE_INTERNAL_ERROR,
            format!("pg_stat_statements cannot be read: {error}"),
            hint,
        )
    })
}

fn sorted_out(rows: Vec<Row>) -> Statements {
    let all = rows.len();
    let seen: Vec<Observed> = rows.into_iter().filter_map(statement).collect();
    let hidden = (all - seen.len()) as u64;
    Statements::Seen(seen, hidden)
}

/// `None` for one that may not be read.
fn statement(row: Row) -> Option<Observed> {
    let foreign = (!row.allowed).then(|| match row.role {
        Some(role) => format!("role {role} executed it: ask as that role, or as one that may SET ROLE to it"),
        None => "the role that executed it is gone".to_owned(),
    });
    let demand = StatementDemand {
        query_id: row.query_id?,
        user_id: row.user_id,
        top_level: row.top_level,
        seconds: row.seconds,
        calls: row.calls,
        rows: row.rows,
        blocks_read: row.blocks_read,
        device_reads_s: None,
    };
    Some(Observed { demand, text: row.query?, foreign })
}
