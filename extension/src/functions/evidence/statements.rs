//! ebs_queries: statements by the I/O that they cause.

use ebs_report::reasons::queries::{LOST_NOTE, describe_rest, describe_statement};
use ebs_report::reasons::statements::{describe_reason, describe_reason_then, describe_remedy, describe_remedy_then};
use ebs_workload::statements::{Device, Lost, Observed, StatementDemand};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::statement_activity::{StatementActivity, statement_activity, statement_texts};
use crate::errors::{SqlResult, notice, notice_with_hint};
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

sql_row! {
    #[derive(Default)]
    rounded struct StatementRow {
        query_id: Option<i64>,
        role: Option<String>,
        database: Option<String>,
        top_level: Option<bool>,
        calls: Option<i64>,
        calls_s: Option<f64>,
        blocks_read: Option<i64>,
        blocks_read_s: Option<f64>,
        blocks_read_per_call: Option<f64>,
        device_reads_s: Option<f64>,
        device_reads_s_low: Option<f64>,
        device_reads_s_high: Option<f64>,
        demand_pct: Option<f64>,
        read_ms: Option<f64>,
        read_ms_per_call: Option<f64>,
        temp_blocks_read: Option<i64>,
        temp_blocks_written: Option<i64>,
        temp_blocks_per_call: Option<f64>,
        blocks_dirtied: Option<i64>,
        blocks_dirtied_per_call: Option<f64>,
        wal_bytes: Option<i64>,
        wal_bytes_s: Option<f64>,
        wal_bytes_per_call: Option<f64>,
        wal_pct: Option<f64>,
        wal_fpi: Option<i64>,
        exec_ms_per_call: Option<f64>,
        rows_per_call: Option<f64>,
        hit_pct: Option<f64>,
        statement: Option<String>,
        note: Option<String>,
    }
}

impl StatementRow {
    fn new(statement: &StatementDemand, observed: &Observed, text: Option<&String>) -> StatementRow {
        let count = |count: u64| Some(to_bigint(count));
        let per_call = |amount: u64| statement.per_call(amount as f64);
        let per_second = |amount: u64| statement.per_second(amount as f64);
        let blocks = statement.blocks_hit + statement.blocks_read;
        StatementRow {
            query_id: Some(statement.query_id),
            role: statement.role.clone(),
            database: statement.database.clone(),
            top_level: Some(statement.top_level),
            calls: count(statement.calls),
            calls_s: per_second(statement.calls),
            blocks_read: count(statement.blocks_read),
            blocks_read_s: per_second(statement.blocks_read),
            blocks_read_per_call: per_call(statement.blocks_read),
            device_reads_s: statement.device_reads_s,
            device_reads_s_low: statement.device_reads_range.map(|range| range.0),
            device_reads_s_high: statement.device_reads_range.map(|range| range.1),
            demand_pct: statement.demand_share.map(to_percent),
            read_ms: statement.read_ms,
            read_ms_per_call: statement.read_ms.and_then(|ms| statement.per_call(ms)),
            temp_blocks_read: count(statement.temp_blocks_read),
            temp_blocks_written: count(statement.temp_blocks_written),
            temp_blocks_per_call: per_call(statement.temp_blocks_read + statement.temp_blocks_written),
            blocks_dirtied: count(statement.blocks_dirtied),
            blocks_dirtied_per_call: per_call(statement.blocks_dirtied),
            wal_bytes: count(statement.wal_bytes),
            wal_bytes_s: per_second(statement.wal_bytes),
            wal_bytes_per_call: per_call(statement.wal_bytes),
            wal_pct: statement.wal_share.map(to_percent),
            wal_fpi: count(statement.wal_fpi),
            exec_ms_per_call: statement.per_call(statement.exec_ms),
            rows_per_call: per_call(statement.rows),
            hit_pct: (blocks > 0).then(|| 100.0 * statement.blocks_hit as f64 / blocks as f64),
            statement: text.cloned(),
            note: describe_statement(statement, observed),
        }
    }

    /// A statement whose counters were lost: nothing but its identity is known.
    fn from_lost(lost: &Lost) -> StatementRow {
        StatementRow {
            query_id: Some(lost.key.query_id),
            role: lost.role.clone(),
            database: lost.database.clone(),
            top_level: Some(lost.key.top_level),
            note: Some(LOST_NOTE.to_owned()),
            ..StatementRow::default()
        }
    }

    /// I/O of the device that no statement accounts for.
    fn from_rest(observed: &Observed, device: &Device) -> StatementRow {
        let reads_s = device.rest_reads_s(&observed.statements);
        let bytes_s = (device.postgres_bytes_s - device.statements_bytes_s).max(0.0);
        StatementRow {
            blocks_read_s: Some(bytes_s / observed.block_size.max(1) as f64),
            device_reads_s: Some(reads_s),
            demand_pct: (device.requests_s > 0.0).then(|| 100.0 * reads_s / device.requests_s),
            note: Some(describe_rest(observed, device)),
            ..StatementRow::default()
        }
    }
}

#[pg_extern(sql = false)]
fn ebs_queries(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<StatementRow>>> {
    let selection = select_run(run, lookback)?;
    let StatementActivity { observed, device } = match statement_activity(&selection)? {
        Ok(activity) => activity,
        Err(missing) => {
            let (text, remedy) = match selection.run {
                Some(_) => (describe_reason_then(&missing), describe_remedy_then(&missing)),
                None => (describe_reason(&missing), describe_remedy(&missing)),
            };
            notice_with_hint(format!("no statements of {}: {text}", selection.name), remedy);
            return Ok(TableIterator::empty());
        }
    };
    if observed.statements.is_empty() && observed.lost.is_empty() {
        notice(format!("no statement was counted in {}", selection.name));
    }
    let texts = statement_texts(&selection, &observed)?;
    let row = |statement: &StatementDemand| StatementRow::new(statement, &observed, texts.get(&statement.key()));
    let mut rows: Vec<StatementRow> = observed.statements.iter().map(row).collect();
    rows.extend(observed.lost.iter().map(StatementRow::from_lost));
    rows.extend(device.map(|device| StatementRow::from_rest(&observed, &device)));
    Ok(table(rows))
}
