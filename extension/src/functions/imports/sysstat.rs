//! ebs_import_iostat, ebs_import_sar: reports of sysstat.

use ebs_base::names::truncated;
use ebs_base::units::SECOND_US;
use ebs_imports::formats::{find, read_demand};
use ebs_imports::monitoring::{Calendar, ImportError, ImportOptions, MonitoringData};
use pgrx::datum::TimestampWithTimeZone;
use pgrx::prelude::*;

use super::imported_run::{check_names, import_error, store_devices};
use crate::errors::{Error, SqlResult};
use crate::functions::documents;
use crate::functions::values::from_timestamp;
use crate::interrupts::check_interrupts;
use crate::sql::first_text;
use crate::storage;

const IOSTAT: &str =
    "Accepted is what iostat -xt INTERVAL prints, or iostat -xt -o JSON INTERVAL, without -h or --human.";
const SAR: &str = "Accepted is what sar -d, sadf -d FILE -- -d or sadf -j FILE -- -d prints, without --human.";

/// Longest time zone that is copied, characters: longer than any that is known.
const MAX_TIME_ZONE: usize = 200;

/// Longest interval between two reports, seconds: a year.
const MAX_INTERVAL_S: f64 = 366.0 * 86_400.0;

#[allow(clippy::too_many_arguments, reason = "facts that a report lacks, all of them with defaults")]
#[pg_extern(sql = false)]
fn ebs_import_iostat(
    label: Option<&str>,
    report: Option<&str>,
    device: Option<&str>,
    wal_device: Option<&str>,
    started_at: Option<TimestampWithTimeZone>,
    interval_s: Option<f64>,
    time_zone: Option<&str>,
    since_boot: Option<bool>,
) -> SqlResult<i64> {
    storage::require_writable(c"ebs_import_iostat()");
    check_names(label, &[device, wal_device])?;
    let options = ImportOptions {
        since_boot: since_boot.unwrap_or(true),
        untimed: started_at.zip(interval_s).map(|(began, seconds)| parse_untimed(began, seconds)).transpose()?,
        ..ImportOptions::new(calendar(time_zone)?)
    };
    let imported = read("iostat", documents::check_report(report)?, &options);
    Ok(store_devices(label, imported, (device, wal_device), IOSTAT)?)
}

#[pg_extern(sql = false)]
fn ebs_import_sar(
    label: Option<&str>,
    report: Option<&str>,
    device: Option<&str>,
    wal_device: Option<&str>,
    time_zone: Option<&str>,
) -> SqlResult<i64> {
    storage::require_writable(c"ebs_import_sar()");
    check_names(label, &[device, wal_device])?;
    let options = ImportOptions::new(calendar(time_zone)?);
    let imported = read("sar", documents::check_report(report)?, &options);
    Ok(store_devices(label, imported, (device, wal_device), SAR)?)
}

fn read(format: &str, text: &str, options: &ImportOptions) -> Result<MonitoringData, ImportError> {
    let format = find(format).ok_or(ImportError::Foreign("format"))?;
    read_demand(format, text, options, &check_interrupts)
}

/// The calendar of a report: times without a zone are of this one, or the session's; DateStyle decides which of 11/12/26 is the
/// day.
fn calendar(time_zone: Option<&str>) -> Result<Calendar, Error> {
    let setting = |name: &str| first_text("SELECT pg_catalog.current_setting($1)", &[name.into()]);
    let time_zone = time_zone.map_or_else(|| setting("TimeZone"), |zone| Ok(truncated(zone, MAX_TIME_ZONE)))?;
    let day_first = setting("DateStyle")?.contains("DMY");
    Calendar::new(&time_zone, day_first).map_err(|error| import_error(error, IOSTAT))
}

/// Beginning and interval of a report without times, microseconds.
fn parse_untimed(began: TimestampWithTimeZone, seconds: f64) -> Result<(i64, i64), Error> {
    let refuse = |message: &str| import_error(ImportError::Argument(message.to_owned()), IOSTAT);
    let began_us = from_timestamp(began).ok_or_else(|| refuse("started_at must be a finite time from 1970 on"))?;
    if !(0.001..=MAX_INTERVAL_S).contains(&seconds) {
        return Err(refuse("interval_s must be between 0.001 and 31622400"));
    }
    Ok((began_us, (seconds * SECOND_US as f64).round() as i64))
}
