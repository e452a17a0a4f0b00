//! SQLite databases that others wrote. A schema is a program: a view or a generated column computes without end, or a value of gigabytes
//! (<https://sqlite.org/security.html>). Only ordinary tables are read, with bounded work and memory.

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

/// Longest value and row, bytes: a value is a line that a driver printed.
const MAX_LENGTH: i32 = 1 << 20;
/// Longest statement of a schema, bytes.
const MAX_SQL: i32 = 64 << 10;
/// Most columns of a table, and depth of an expression: HammerDB's tables have 15.
const MAX_COLUMNS: i32 = 100;
/// Memory of SQLite, bytes: its cache takes 2 MiB, sorting the rows of the longest output less than this.
const MAX_HEAP: u64 = 256 << 20;
/// Steps of SQLite's machine for all queries of a file: a table of 256 MiB takes less, and so many steps some 20 seconds.
const MAX_STEPS: u64 = 1_000_000_000;
/// Steps between two looks at their number.
const STEPS_BETWEEN: i32 = 10_000;

/// Opens a database for reading. Without SQLITE_OPEN_URI the name is not parsed as a URI; neither a file nor a journal is created.
pub fn open(file: &str) -> rusqlite::Result<Connection> {
    let mut database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    database.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    for config in [
        DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW,
        DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER,
    ] {
        database.set_db_config(config, false)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, MAX_LENGTH),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_SQL),
        (Limit::SQLITE_LIMIT_COLUMN, MAX_COLUMNS),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, MAX_COLUMNS),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
    ] {
        database.set_limit(limit, value)?;
    }
    bound_steps(&mut database, MAX_STEPS)?;
    database.pragma_update(None, "cell_size_check", true)?;
    database.pragma_update_and_check(None, "hard_heap_limit", MAX_HEAP as i64, |_| Ok(()))?;
    Ok(database)
}

/// Ends a query after this many steps of all queries, with SQLite's error of an interruption.
fn bound_steps(database: &mut Connection, max_steps: u64) -> rusqlite::Result<()> {
    let mut left = max_steps;
    let progress = move || {
        left = left.saturating_sub(STEPS_BETWEEN as u64);
        left == 0
    };
    database.progress_handler(STEPS_BETWEEN, Some(progress))
}

/// True if the database has this table. One that is a view, or computes its values, is refused with the problem.
pub fn has_table(database: &Connection, table: &str) -> rusqlite::Result<Result<bool, String>> {
    let kind = "SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE";
    let kinds: Vec<String> = database.prepare(kind)?.query_map([table], |row| row.get(0))?.collect::<Result<_, _>>()?;
    match kinds.first().map(String::as_str) {
        None => return Ok(Ok(false)),
        Some("table") => {}
        Some(kind) => return Ok(Err(format!("{table} is no table but of type {kind}"))),
    }
    let computed = "SELECT count(*) FROM pragma_table_xinfo(?1, 'main') WHERE hidden <> 0";
    let computed: i64 = database.query_row(computed, [table], |row| row.get(0))?;
    Ok(if computed > 0 { Err(format!("{table} has columns that are computed")) } else { Ok(true) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_without_end_is_interrupted() {
        let mut database = Connection::open_in_memory().unwrap();
        bound_steps(&mut database, 1_000_000).unwrap();
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
        let error = database.query_row(endless, [], |row| row.get::<_, i64>(0)).unwrap_err();
        assert_eq!(error.to_string(), "interrupted");
        // The steps are those of all queries together.
        assert!(database.query_row(endless, [], |row| row.get::<_, i64>(0)).is_err());
    }
}
