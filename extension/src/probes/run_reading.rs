//! Counters that are read through SQL when a run begins, at its marks and when it ends.

use std::collections::BTreeMap;

use ebs_workload::reading::{Reading, Table, TableCounts, Tables, tables_query};
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::clock::wall_us;
use super::statements::read_statements;
use crate::errors::Error;
use crate::ffi;
use crate::sql::count_column;

/// Reads all of them now, with the rights of the caller.
pub fn take_run_reading() -> Result<Reading, Error> {
    // First, because it gives up the transaction's snapshot of cumulative statistics.
    let checkpoints = Some(ffi::read_checkpoints());
    Ok(Reading {
        read_us: wall_us(),
        block_size: block_size(),
        statements: read_statements()?,
        checkpoints,
        tables: Some(read_tables()?),
    })
}

/// Reads the tables of this database.
fn read_tables() -> Result<Tables, Error> {
    const DATABASE: &str = "
        SELECT pg_catalog.current_database()::text,
               (SELECT (extract(epoch FROM stats_reset) * 1000000)::bigint FROM pg_catalog.pg_stat_database
                WHERE datname = pg_catalog.current_database())";
    Spi::connect(|client| {
        let mut tables = Tables::default();
        if let Some(row) = client.select(DATABASE, Some(1), &[])?.next() {
            tables.database = row.get(1)?.unwrap_or_default();
            tables.reset_us = row.get(2)?;
        }
        let rows = client.select(&tables_query(true), None, &[])?;
        tables.tables = rows.map(|row| read_table(&row)).collect::<Result<BTreeMap<_, _>, Error>>()?;
        Ok(tables)
    })
}

fn read_table(row: &SpiHeapTupleData) -> Result<(u32, Table), Error> {
    let count = |column| count_column(row, column);
    let counts = TableCounts {
        inserted: count(6)?,
        updated: count(7)?,
        hot_updated: count(8)?,
        newpage_updated: count(9)?,
        deleted: count(10)?,
        vacuums: count(11)?,
    };
    let table = Table {
        name: row.get(2)?.unwrap_or_default(),
        fillfactor: row.get::<i32>(3)?.and_then(|per_cent| u8::try_from(per_cent).ok()).unwrap_or(100),
        indexes: u32::try_from(count(4)?).unwrap_or(u32::MAX),
        bytes: count(5)? * block_size(),
        counts,
    };
    Ok((u32::try_from(count(1)?).unwrap_or(0), table))
}

/// Bytes of a block of this server.
pub fn block_size() -> u64 {
    u64::from(pg_sys::BLCKSZ)
}
