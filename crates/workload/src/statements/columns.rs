//! Columns of pg_stat_statements, whose names differ between versions.

/// Returns the columns of a row as an SQL list, in the order of [`StatementKey`](super::StatementKey), the beginning of the counting,
/// [`StatementCounts`](super::StatementCounts). `present` are the function's own columns: those of one figure that exist are added up.
pub fn column_list(present: &[String]) -> String {
    let has = |name: &str| present.iter().any(|column| column == name);
    let sum = |names: &[&str]| {
        let present: Vec<&str> = names.iter().copied().filter(|name| has(name)).collect();
        if present.is_empty() { "0".to_owned() } else { present.join(" + ") }
    };
    let count = |name: &str| format!("{name}::bigint");
    let micros = |names: &[&str]| format!("(1000 * ({}))::bigint", sum(names));
    let since = if has("stats_since") { "(extract(epoch FROM stats_since) * 1000000)::bigint" } else { "NULL::bigint" };
    let mut list: Vec<String> =
        ["userid::bigint", "dbid::bigint", "queryid", "toplevel", since].map(str::to_owned).into();
    let counts = [
        "calls",
        "rows",
        "shared_blks_hit",
        "shared_blks_read",
        "shared_blks_dirtied",
        "shared_blks_written",
        "local_blks_read",
        "local_blks_written",
        "temp_blks_read",
        "temp_blks_written",
    ];
    list.extend(counts.map(count));
    // One column for both before PostgreSQL 17.
    list.push(micros(&["blk_read_time", "shared_blk_read_time", "local_blk_read_time"]));
    list.push(micros(&["blk_write_time", "shared_blk_write_time", "local_blk_write_time"]));
    list.push(micros(&["total_exec_time"]));
    list.extend(["wal_records", "wal_fpi", "least(wal_bytes, 9223372036854775807)"].map(count));
    list.join(", ")
}
