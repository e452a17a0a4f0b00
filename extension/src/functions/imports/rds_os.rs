//! ebs_import_rds_os: log events of RDS Enhanced Monitoring.

use ebs_answer::ImportedRun;
use ebs_base::names::non_empty;
use ebs_imports::format::arguments::{DEVICE, EVENTS, INSTANCE, LABEL, WAL_DEVICE};
use ebs_imports::monitoring::rds_os::{Collector, ReadError, Selection};
use ebs_imports::monitoring::{ErrorClass, ImportError, RDS_OS};
use pgrx::prelude::*;

use super::imported_run::{check_names, import_error, store_run};
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::functions::documents;
use crate::interrupts::check_interrupts;
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_import_rds_os(call: CalledFunction) -> SqlResult<i64> {
    let label = call.text(LABEL.name);
    let [device, wal_device, instance] = [DEVICE, WAL_DEVICE, INSTANCE].map(|argument| call.text(argument.name));
    storage::require_writable(c"ebs_import_rds_os()");
    check_names(label, &[device, wal_device], RDS_OS.shape)?;
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
    let run = collector.finish(&check_interrupts).and_then(ImportedRun::from_os_metrics);
    Ok(store_run(label, run, RDS_OS.shape)?)
}

fn read_error(error: ReadError) -> Error {
    match error {
        ReadError::Events(error) if error.class() == ErrorClass::Limit => {
            let hint = "Import fewer hours at once, or one day after the other with ebsctl import.";
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
