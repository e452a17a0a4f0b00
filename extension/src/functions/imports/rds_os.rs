//! ebs_import_rds_os: log events of RDS Enhanced Monitoring.

use ebs_comparison::export::EnvironmentDocument;
use ebs_imports::format::arguments::{DEVICE, EVENTS, INSTANCE, LABEL, WAL_DEVICE};
use ebs_imports::monitoring::rds_os::{Collector, OsMetrics, ReadError, SOURCE, Selection};
use ebs_imports::monitoring::{ErrorClass, ImportError, RDS_OS};
use pgrx::prelude::*;

use super::imported_run::{check_names, import_error, non_empty};
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::functions::documents;
use crate::functions::values::to_bigint;
use crate::interrupts::check_interrupts;
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_import_rds_os(call: CalledFunction) -> SqlResult<i64> {
    let label = call.text(LABEL.name);
    let [device, wal_device, instance] = [DEVICE, WAL_DEVICE, INSTANCE].map(|argument| call.text(argument.name));
    storage::require_writable(c"ebs_import_rds_os()");
    check_names(label, &[device, wal_device])?;
    let selected = |argument| non_empty(argument).map(str::to_owned);
    let selection =
        Selection { device: selected(device), wal_device: selected(wal_device), instance: selected(instance) };
    if selection.device.is_some() && selection.device == selection.wal_device {
        return Err(import_error(ImportError::SameDevice, RDS_OS.shape).into());
    }
    let mut collector = Collector::new(selection);
    collector
        .read(documents::check_events(call.text(EVENTS.name))?.as_bytes(), &check_interrupts)
        .map_err(read_error)?;
    let metrics = collector.finish(&check_interrupts).map_err(|error| import_error(error, RDS_OS.shape))?;
    Ok(store(label, metrics)?)
}

/// Stores a run of its blocks, and returns the number of its intervals.
fn store(label: Option<&str>, metrics: OsMetrics) -> Result<i64, Error> {
    let intervals = to_bigint(metrics.intervals());
    let source = storage::ImportSource {
        from_us: metrics.blocks.iter().filter_map(|block| block.started_us()).min().unwrap_or(0),
        to_us: metrics.blocks.iter().filter_map(|block| block.ended_us()).max().unwrap_or(0),
        environment: Some(EnvironmentDocument {
            db_instance: metrics.db_instance.as_deref(),
            dbi_resource_id: metrics.dbi_resource_id.as_deref(),
            ..EnvironmentDocument::imported(SOURCE, &metrics.limitations)
        }),
    };
    let run_id = storage::begin_run(label, None, Some(&source))?;
    metrics.blocks.into_iter().try_for_each(|block| storage::import_block(block, run_id))?;
    Ok(intervals)
}

fn read_error(error: ReadError) -> Error {
    match error {
        ReadError::Events(error) if error.class() == ErrorClass::Limit => {
            let hint = "Import fewer hours at once, or one day after the other with ebsctl import rds-os.";
            import_error(error, hint)
        }
        ReadError::Events(error) => import_error(error, RDS_OS.shape),
        // A text in memory is always readable.
        ReadError::Source(error) => {
            let message = format!("the events cannot be read: {error}");
            Error::new(PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION, message, RDS_OS.shape)
        }
    }
}
