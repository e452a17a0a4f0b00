//! ebs_queries: which statements cause the I/O.

use std::collections::BTreeMap;

use ebs_workload::queries::{Device, Lost, Observed, StatementDemand, StatementKey, rest_note, statement_note};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::statements::{Done, done};
use crate::errors::{Error, SqlResult, notice, notice_with_hint};
use crate::functions::subject::{Subject, subject};
use crate::probes;

type Row = (
    name!(query_id, Option<i64>),
    name!(role, Option<String>),
    name!(database, Option<String>),
    name!(top_level, Option<bool>),
    name!(calls, Option<i64>),
    name!(calls_s, Option<f64>),
    name!(blocks_read, Option<i64>),
    name!(blocks_read_s, Option<f64>),
    name!(blocks_read_per_call, Option<f64>),
    name!(device_reads_s, Option<f64>),
    name!(device_reads_s_low, Option<f64>),
    name!(device_reads_s_high, Option<f64>),
    name!(demand_pct, Option<f64>),
    name!(read_ms, Option<f64>),
    name!(read_ms_per_call, Option<f64>),
    name!(temp_blocks_read, Option<i64>),
    name!(temp_blocks_written, Option<i64>),
    name!(temp_blocks_per_call, Option<f64>),
    name!(blocks_dirtied, Option<i64>),
    name!(blocks_dirtied_per_call, Option<f64>),
    name!(wal_bytes, Option<i64>),
    name!(wal_bytes_s, Option<f64>),
    name!(wal_bytes_per_call, Option<f64>),
    name!(wal_pct, Option<f64>),
    name!(wal_fpi, Option<i64>),
    name!(exec_ms_per_call, Option<f64>),
    name!(rows_per_call, Option<f64>),
    name!(hit_pct, Option<f64>),
    name!(statement, Option<String>),
    name!(note, Option<String>),
);

#[pg_extern(sql = false)]
fn ebs_queries(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let done = match done(&subject)? {
        Ok(done) => done,
        Err(missing) => {
            let (text, remedy) = match subject.run {
                Some(_) => (missing.text_then(), missing.remedy_then()),
                None => (missing.text(), missing.remedy()),
            };
            notice_with_hint(format!("no statements of {}: {text}", subject.name), remedy);
            return Ok(TableIterator::new(Vec::new()));
        }
    };
    let Done { observed, device } = &done;
    if observed.statements.is_empty() && observed.lost.is_empty() {
        notice(format!("no statement was counted in {}", subject.name));
    }
    let texts = texts(&subject, observed)?;
    let mut rows: Vec<Row> =
        observed.statements.iter().map(|statement| row(statement, observed, texts.get(&statement.key()))).collect();
    rows.extend(observed.lost.iter().map(lost));
    rows.extend(device.map(|device| rest(observed, &device)));
    Ok(TableIterator::new(rows))
}

/// Texts as the role that asks may read them; those of a run from another server are not to be had here.
pub fn texts(subject: &Subject, observed: &Observed) -> Result<BTreeMap<StatementKey, String>, Error> {
    if subject.run.as_ref().is_some_and(|run| run.imported) {
        return Ok(BTreeMap::new());
    }
    probes::read_statement_texts(observed.statements.iter().map(|statement| statement.query_id).collect())
}

fn count(count: u64) -> Option<i64> {
    Some(i64::try_from(count).unwrap_or(i64::MAX))
}

fn row(of: &StatementDemand, observed: &Observed, text: Option<&String>) -> Row {
    let per_call = |amount: u64| of.per_call(amount as f64);
    let per_second = |amount: u64| of.per_second(amount as f64);
    let pct = |share: Option<f64>| share.map(|share| share * 100.0);
    let asked = of.blocks_hit + of.blocks_read;
    (
        Some(of.query_id),
        of.role.clone(),
        of.database.clone(),
        Some(of.top_level),
        count(of.calls),
        per_second(of.calls),
        count(of.blocks_read),
        per_second(of.blocks_read),
        per_call(of.blocks_read),
        of.device_reads_s,
        of.device_reads_range.map(|range| range.0),
        of.device_reads_range.map(|range| range.1),
        pct(of.demand_share),
        of.read_ms,
        of.read_ms.and_then(|ms| of.per_call(ms)),
        count(of.temp_blocks_read),
        count(of.temp_blocks_written),
        per_call(of.temp_blocks_read + of.temp_blocks_written),
        count(of.blocks_dirtied),
        per_call(of.blocks_dirtied),
        count(of.wal_bytes),
        per_second(of.wal_bytes),
        per_call(of.wal_bytes),
        pct(of.wal_share),
        count(of.wal_fpi),
        of.per_call(of.exec_ms),
        per_call(of.rows),
        (asked > 0).then(|| 100.0 * of.blocks_hit as f64 / asked as f64),
        text.cloned(),
        statement_note(of, observed),
    )
}

/// A row of which nothing is known but who it was.
fn nothing() -> Row {
    (
        None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None,
        None, None, None, None, None, None, None, None, None, None, None, None,
    )
}

fn lost(lost: &Lost) -> Row {
    let mut row = nothing();
    (row.0, row.1, row.2) = (Some(lost.key.query_id), lost.role.clone(), lost.database.clone());
    row.3 = Some(lost.key.top_level);
    row.29 = Some(Lost::NOTE.to_owned());
    row
}

/// What no statement accounts for.
fn rest(observed: &Observed, device: &Device) -> Row {
    let mut row = nothing();
    let reads_s = device.rest_reads_s(&observed.statements);
    row.7 = Some((device.postgres_bytes_s - device.statements_bytes_s).max(0.0) / observed.block_size.max(1) as f64);
    row.9 = Some(reads_s);
    row.12 = (device.requests_s > 0.0).then(|| 100.0 * reads_s / device.requests_s);
    row.29 = Some(rest_note(observed, device));
    row
}
