//! The extension pg_stat_statements, in whatever schema and version it was created.

use std::collections::BTreeMap;

use ebs_workload::statements::{Entry, Missing, StatementCounts, StatementKey, Statements, column_list};
use pgrx::prelude::*;
use pgrx::spi::{self, SpiHeapTupleData};

use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::sql::count_column;
use crate::{ffi, memory};

/// The extension as it is installed in this database.
struct Installed {
    /// Its schema, quoted.
    schema: String,
    /// Columns of its function.
    columns: Vec<String>,
}

/// Reads all its counters, as far as the calling role may see them, without the texts.
pub fn read_statements() -> Result<Result<Statements, Missing>, Error> {
    match find_installed()? {
        Ok(installed) => read(&installed).map(Ok),
        Err(missing) => Ok(Err(missing)),
    }
}

/// Reason that the calling role cannot read it; `None` where it can.
pub fn statements_missing() -> Result<Option<Missing>, Error> {
    Ok(find_installed()?.err())
}

/// Reads the texts of these statements, as far as the calling role may: those of others take pg_read_all_stats.
pub fn read_statement_texts(query_ids: Vec<i64>) -> Result<BTreeMap<StatementKey, String>, Error> {
    let Ok(installed) = find_installed()? else { return Ok(BTreeMap::new()) };
    // Without that right PostgreSQL gives neither id nor text.
    let query = format!(
        "SELECT userid::bigint, dbid::bigint, queryid, toplevel, query FROM {}.pg_stat_statements(true)
         WHERE queryid = ANY ($1) AND query IS NOT NULL",
        installed.schema
    );
    Spi::connect(|client| {
        let rows = client.select(&query, None, &[query_ids.into()])?;
        let text = |row: SpiHeapTupleData| {
            check_interrupts();
            let text = row.get::<&str>(5)?.unwrap_or_default();
            memory::require(text.len(), "The text of a statement")?;
            Ok::<_, Error>((read_key(&row)?, text.to_owned()))
        };
        rows.map(text).collect()
    })
}

/// Finds the extension's own function: one of that name in another schema is not it. Calling it where its library is not
/// preloaded is an error, and one of its settings that is only in postgresql.conf is not in pg_settings.
fn find_installed() -> Result<Result<Installed, Missing>, Error> {
    const QUERY: &str = "
        SELECT EXISTS (SELECT FROM pg_catalog.pg_settings WHERE name = 'pg_stat_statements.max'),
               pg_catalog.quote_ident(n.nspname), p.proargnames, e.extversion,
               pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'),
               pg_catalog.current_database()::text, current_user::text,
               EXISTS (SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc i ON i.oid = d.objid
                       WHERE d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid
                         AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND i.proname = 'pg_stat_statements_info'
                         AND pg_catalog.has_function_privilege(i.oid, 'EXECUTE'))
        FROM (VALUES (1)) one
        LEFT JOIN pg_catalog.pg_extension e ON e.extname = 'pg_stat_statements'
        LEFT JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
        LEFT JOIN LATERAL (SELECT f.oid, f.proargnames FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc f ON f.oid = d.objid
              WHERE d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid AND d.deptype = 'e'
                AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND f.proname = 'pg_stat_statements') p ON true";
    let read = |row: &SpiHeapTupleData| -> Result<Result<Installed, Missing>, spi::Error> {
        let text = |column: usize| Ok::<_, spi::Error>(row.get::<String>(column)?.unwrap_or_default());
        if row.get::<bool>(1)? != Some(true) {
            return Ok(Err(Missing::NotPreloaded));
        }
        let Some(schema) = row.get::<String>(2)? else { return Ok(Err(Missing::NotCreated(text(6)?))) };
        let columns = row.get::<Vec<String>>(3)?.unwrap_or_default();
        if row.get::<bool>(5)? != Some(true) {
            return Ok(Err(Missing::NoAccess(text(7)?)));
        }
        let recent = row.get::<bool>(8)? == Some(true) && columns.iter().any(|column| column == "toplevel");
        Ok(if recent { Ok(Installed { schema, columns }) } else { Err(Missing::TooOld(text(4)?)) })
    };
    Spi::connect(|client| match client.select(QUERY, Some(1), &[])?.next() {
        Some(row) => Ok(read(&row)?),
        None => Ok(Err(Missing::NotPreloaded)),
    })
}

fn read(installed: &Installed) -> Result<Statements, Error> {
    let schema = &installed.schema;
    // Evictions first: a statement evicted in between is then missing, and known to have been evicted.
    let info = format!(
        "SELECT dealloc, (extract(epoch FROM stats_reset) * 1000000)::bigint,
                pg_catalog.current_setting('track_io_timing')::boolean
         FROM {schema}.pg_stat_statements_info()"
    );
    let query = format!("SELECT {} FROM {schema}.pg_stat_statements(false)", column_list(&installed.columns));
    Spi::connect(|client| {
        let mut statements = Statements::default();
        if let Some(row) = client.select(&info, Some(1), &[])?.next() {
            statements.evictions = row.get::<i64>(1)?.and_then(|times| u64::try_from(times).ok());
            statements.reset_us = row.get(2)?;
            statements.timed = row.get(3)?.unwrap_or(false);
        }
        for row in client.select(&query, None, &[])? {
            match row.get::<i64>(3)? {
                Some(_) => drop(statements.entries.insert(read_key(&row)?, read_entry(&row)?)),
                None => statements.hidden += 1,
            }
        }
        let Statements { entries, roles, databases, .. } = &mut statements;
        for key in entries.keys() {
            if !roles.contains_key(&key.user_id) {
                roles.extend(ffi::role_name(key.user_id).map(|name| (key.user_id, name)));
            }
            if !databases.contains_key(&key.database_id) {
                databases.extend(ffi::database_name(key.database_id).map(|name| (key.database_id, name)));
            }
        }
        Ok(statements)
    })
}

fn read_number(row: &SpiHeapTupleData, column: usize) -> Result<u32, spi::Error> {
    Ok(u32::try_from(count_column(row, column)?).unwrap_or(0))
}

fn read_key(row: &SpiHeapTupleData) -> Result<StatementKey, spi::Error> {
    Ok(StatementKey {
        user_id: read_number(row, 1)?,
        database_id: read_number(row, 2)?,
        query_id: row.get(3)?.unwrap_or(0),
        top_level: row.get(4)?.unwrap_or(true),
    })
}

fn read_entry(row: &SpiHeapTupleData) -> Result<Entry, spi::Error> {
    let count = |column| count_column(row, column);
    Ok(Entry {
        since_us: row.get(5)?,
        counts: StatementCounts {
            calls: count(6)?,
            rows: count(7)?,
            blocks_hit: count(8)?,
            blocks_read: count(9)?,
            blocks_dirtied: count(10)?,
            blocks_written: count(11)?,
            local_blocks_read: count(12)?,
            local_blocks_written: count(13)?,
            temp_blocks_read: count(14)?,
            temp_blocks_written: count(15)?,
            read_us: count(16)?,
            write_us: count(17)?,
            exec_us: count(18)?,
            wal_records: count(19)?,
            wal_fpi: count(20)?,
            wal_bytes: count(21)?,
        },
    })
}
