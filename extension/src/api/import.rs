//! ebs_import_samples: evidence from elsewhere.

use ebs_advisor_model::evidence::import::{ImportError, Sample, block};
use pgrx::JsonB;
use pgrx::prelude::*;

use crate::errors::{Failure, Outcome};
use crate::store;

const SHAPE: &str = "Samples are a JSON array of objects {\"ts\", \"reads\", \"writes\", \"read_bytes\", \"write_bytes\", \
                     \"read_ms\", \"write_ms\"}: ends of intervals in time order, counts per interval; the two times may be left out.";

/// Longest name of a device: the kernel's are at most 31 bytes.
const DEVICE_LIMIT: usize = 63;

#[pg_extern(sql = false)]
fn ebs_import_samples(label: Option<&str>, device: Option<&str>, samples: Option<JsonB>) -> Outcome<i64> {
    let samples = parsed(samples)?;
    let device = device.map(str::trim).filter(|name| !name.is_empty()).unwrap_or("imported");
    if device.chars().count() > DEVICE_LIMIT || device.chars().any(char::is_control) {
        let message = format!("a device needs a name of at most {DEVICE_LIMIT} printable characters");
        let hint = "For example nvme1n1.";
        return Err(Failure::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, hint).into());
    }
    let block = block(device, &samples).map_err(refused)?;
    let (Some(first), Some(last)) = (block.ticks.first(), block.ticks.last()) else {
        return Err(refused(ImportError::TooFew(0)).into());
    };
    let started_us = first.at_us - i64::try_from(first.dt_us).unwrap_or(0);
    let run_id = store::begin(label, None, Some((started_us, last.at_us)))?;
    store::import(&block, run_id)?;
    Ok(i64::try_from(block.ticks.len()).unwrap_or(i64::MAX))
}

fn refused(error: ImportError) -> Failure {
    Failure::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, error.to_string(), SHAPE)
        .detail("Nothing was imported.")
}

/// The rows as PostgreSQL reads their times and numbers, so that a malformed one is its own well-known error.
fn parsed(samples: Option<JsonB>) -> Result<Vec<Sample>, Failure> {
    let array =
        samples.filter(|JsonB(value)| value.as_array().is_some_and(|rows| rows.iter().all(|row| row.is_object())));
    let Some(array) = array else {
        let message = "samples must be a JSON array of objects";
        return Err(Failure::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, SHAPE));
    };
    Spi::connect(|client| {
        let rows = client.select(
            "SELECT (extract(epoch FROM ts) * 1000000)::bigint, reads, writes, read_bytes, write_bytes, read_ms, write_ms
             FROM ROWS FROM (pg_catalog.jsonb_to_recordset($1) AS (ts timestamptz, reads float8, writes float8,
                 read_bytes float8, write_bytes float8, read_ms float8, write_ms float8)) WITH ORDINALITY
             ORDER BY ordinality",
            None,
            &[array.into()],
        )?;
        let mut samples = Vec::with_capacity(rows.len());
        for row in rows {
            let mut counts = [None; 6];
            for (count, column) in counts.iter_mut().zip(2..) {
                *count = row.get(column)?;
            }
            samples.push(Sample { at_us: row.get(1)?, counts });
        }
        Ok(samples)
    })
}
