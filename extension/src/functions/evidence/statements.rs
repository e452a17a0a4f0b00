//! ebs_queries: statements by the I/O that they cause.

use ebs_answer::StatementActivity;
use ebs_report::reasons::queries::{LOST_NOTE, describe_rest, describe_statement};
use ebs_report::reasons::statements::{describe_reason, describe_reason_then, describe_remedy, describe_remedy_then};
use ebs_workload::statements::{Device, Lost, Observed, StatementDemand};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::statement_activity::{statement_activity, statement_texts};
use crate::errors::{SqlResult, notice, notice_with_hint};
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

sql_row! {
    #[derive(Default)]
    rounded struct StatementRow(statement: &StatementDemand, observed: &Observed, text: Option<&String>)
    where {
        let count = |count: u64| Some(to_bigint(count));
        let per_call = |amount: u64| statement.per_call(amount as f64);
        let per_second = |amount: u64| statement.per_second(amount as f64);
        let blocks = statement.blocks_hit + statement.blocks_read;
    } {
        query_id: Option<i64> = Some(statement.query_id),
        role: Option<String> = statement.role.clone(),
        database: Option<String> = statement.database.clone(),
        top_level: Option<bool> = Some(statement.top_level),
        calls: Option<i64> = count(statement.calls),
        calls_s: Option<f64> = per_second(statement.calls),
        blocks_read: Option<i64> = count(statement.blocks_read),
        blocks_read_s: Option<f64> = per_second(statement.blocks_read),
        blocks_read_per_call: Option<f64> = per_call(statement.blocks_read),
        device_reads_s: Option<f64> = statement.device_reads_s,
        device_reads_s_low: Option<f64> = statement.device_reads_range.map(|range| range.0),
        device_reads_s_high: Option<f64> = statement.device_reads_range.map(|range| range.1),
        demand_pct: Option<f64> = statement.demand_share.map(to_percent),
        read_ms: Option<f64> = statement.read_ms,
        read_ms_per_call: Option<f64> = statement.read_ms.and_then(|ms| statement.per_call(ms)),
        temp_blocks_read: Option<i64> = count(statement.temp_blocks_read),
        temp_blocks_written: Option<i64> = count(statement.temp_blocks_written),
        temp_blocks_per_call: Option<f64> = per_call(statement.temp_blocks_read + statement.temp_blocks_written),
        blocks_dirtied: Option<i64> = count(statement.blocks_dirtied),
        blocks_dirtied_per_call: Option<f64> = per_call(statement.blocks_dirtied),
        wal_bytes: Option<i64> = count(statement.wal_bytes),
        wal_bytes_s: Option<f64> = per_second(statement.wal_bytes),
        wal_bytes_per_call: Option<f64> = per_call(statement.wal_bytes),
        wal_pct: Option<f64> = statement.wal_share.map(to_percent),
        wal_fpi: Option<i64> = count(statement.wal_fpi),
        exec_ms_per_call: Option<f64> = statement.per_call(statement.exec_ms),
        rows_per_call: Option<f64> = per_call(statement.rows),
        hit_pct: Option<f64> = (blocks > 0).then(|| 100.0 * statement.blocks_hit as f64 / blocks as f64),
        statement: Option<String> = text.cloned(),
        note: Option<String> = describe_statement(statement, observed),
    }
}

impl StatementRow {
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
