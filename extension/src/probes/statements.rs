//! The extension pg_stat_statements, in whatever schema and version it was created.

use std::collections::BTreeMap;

use ebs_workload::statements::{
    Entry, INSTALLATION_QUERY, Installation, Missing, StatementCounts, StatementKey, Statements, StatementsSource,
    column_list,
};
use pgrx::prelude::*;
use pgrx::spi::{self, SpiHeapTupleData};

use crate::errors::Error;
use crate::sql::{count_column, select_rows};
use crate::{ffi, memory};

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
    select_rows(&query, &[query_ids.into()], |row| {
        let text = row.get::<&str>(5)?.unwrap_or_default();
        memory::require(text.len(), "The text of a statement")?;
        Ok((read_key(row)?, text.to_owned()))
    })
}

fn find_installed() -> Result<Result<StatementsSource, Missing>, Error> {
    let text =
        |row: &SpiHeapTupleData, column: usize| Ok::<_, spi::Error>(row.get::<String>(column)?.unwrap_or_default());
    let read = |row: &SpiHeapTupleData| {
        Ok::<_, spi::Error>(Installation {
            preloaded: row.get(1)?.unwrap_or(false),
            schema: row.get(2)?,
            columns: row.get(3)?,
            version: row.get(4)?,
            allowed: row.get(5)?,
            database: text(row, 6)?,
            role: text(row, 7)?,
            has_info: row.get(8)?.unwrap_or(false),
        })
    };
    Spi::connect(|client| match client.select(INSTALLATION_QUERY, Some(1), &[])?.next() {
        Some(row) => Ok(read(&row)?.source()),
        None => Ok(Err(Missing::NotPreloaded)),
    })
}

fn read(installed: &StatementsSource) -> Result<Statements, Error> {
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
