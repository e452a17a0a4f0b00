//! ebs_import_samples: counts per interval, from any source.

use ebs_imports::monitoring::block;
use ebs_imports::monitoring::samples::{FIELDS, Row, series};
use pgrx::AnyElement;
use pgrx::prelude::*;

use super::batches::{ArrayName, microseconds, read_in_batches};
use super::imported_run::{check_names, import_error, non_empty, store_block};
use crate::errors::{Error, SqlResult};
use crate::ffi;
use crate::interrupts::check_interrupts;

const SHAPE: &str = "Samples are a JSON array of objects {\"ts\", \"reads\", \"writes\", \"read_bytes\", \"write_bytes\", \
                     \"read_ms\", \"write_ms\", \"read_merges\", \"write_merges\"}: ends of intervals in time order, counts per \
                     interval; times and merges may be left out.";

#[pg_extern(sql = false)]
fn ebs_import_samples(label: Option<&str>, device: Option<&str>, samples: Option<AnyElement>) -> SqlResult<i64> {
    ffi::require_writable(c"ebs_import_samples()");
    check_names(label, &[device])?;
    let rows = read_rows(samples)?;
    let device = non_empty(device).unwrap_or("imported");
    let series = series(device, &rows, &check_interrupts).map_err(|error| import_error(error, SHAPE))?;
    drop(rows);
    let block = block(&series, None, &check_interrupts).map_err(|error| import_error(error, SHAPE))?;
    drop(series);
    Ok(store_block(label, block, (None, &[]), SHAPE)?)
}

fn read_rows(samples: Option<AnyElement>) -> Result<Vec<Row>, Error> {
    let query = format!(
        "SELECT {}, reads, writes, read_bytes, write_bytes, read_ms, write_ms, read_merges, write_merges
         FROM ROWS FROM (pg_catalog.jsonb_to_recordset($1) AS (ts timestamptz, reads float8, writes float8,
             read_bytes float8, write_bytes float8, read_ms float8, write_ms float8, read_merges float8,
             write_merges float8)) WITH ORDINALITY
         ORDER BY ordinality",
        microseconds("ts")
    );
    let mut rows = Vec::new();
    let name = ArrayName { objects: "samples", document: "the array of samples", shape: SHAPE };
    read_in_batches(samples, name, |batch| {
        Spi::connect(|client| {
            for row in client.select(&query, None, &[batch.into()])? {
                let mut counts = [None; FIELDS.len()];
                for (count, column) in counts.iter_mut().zip(2..) {
                    *count = row.get(column)?;
                }
                rows.push(Row { at_us: row.get(1)?, counts });
            }
            Ok(())
        })
    })?;
    Ok(rows)
}
