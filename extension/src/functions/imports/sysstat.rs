//! ebs_import_iostat, ebs_import_sar: reports of sysstat.

use ebs_base::names::truncated;
use ebs_base::units::SECOND_US;
use ebs_imports::imported::{Calendar, ImportError, IostatSettings, iostat, sar};
use pgrx::datum::TimestampWithTimeZone;
use pgrx::prelude::*;

use super::import::{check_names, keep_chosen, refused};
use crate::errors::{Error, SqlResult};
use crate::functions::documents;
use crate::interrupts::check_interrupts;
use crate::{ffi, storage};

const IOSTAT: &str =
    "Accepted is what iostat -xt INTERVAL prints, or iostat -xt -o JSON INTERVAL, without -h or --human.";
const SAR: &str = "Accepted is what sar -d, sadf -d FILE -- -d or sadf -j FILE -- -d prints, without --human.";

/// Longest time zone that is copied, characters: longer than any that is known.
const MAX_SETTING: usize = 200;

/// Longest interval between two reports, seconds: a year.
const LONGEST_S: f64 = 366.0 * 86_400.0;

#[allow(clippy::too_many_arguments, reason = "what a report does not say of itself, all of it with defaults")]
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
    ffi::require_writable(c"ebs_import_iostat()");
    check_names(label, &[device, wal_device])?;
    let settings = IostatSettings {
        calendar: calendar(time_zone)?,
        since_boot: since_boot.unwrap_or(true),
        untimed: started_at.zip(interval_s).map(|(began, seconds)| untimed(began, seconds)).transpose()?,
    };
    let imported = iostat(documents::report(report)?, &settings, &check_interrupts);
    Ok(keep_chosen(label, imported, (device, wal_device), IOSTAT)?)
}

#[pg_extern(sql = false)]
fn ebs_import_sar(
    label: Option<&str>,
    report: Option<&str>,
    device: Option<&str>,
    wal_device: Option<&str>,
    time_zone: Option<&str>,
) -> SqlResult<i64> {
    ffi::require_writable(c"ebs_import_sar()");
    check_names(label, &[device, wal_device])?;
    let imported = sar(documents::report(report)?, &calendar(time_zone)?, &check_interrupts);
    Ok(keep_chosen(label, imported, (device, wal_device), SAR)?)
}

/// Times without a zone are of this one, or the session's; which of 11/12/26 is the day, DateStyle says.
fn calendar(time_zone: Option<&str>) -> Result<Calendar, Error> {
    let setting = |name: &str| storage::first_text("SELECT pg_catalog.current_setting($1)", &[name.into()]);
    let time_zone = time_zone.map_or_else(|| setting("TimeZone"), |zone| Ok(truncated(zone, MAX_SETTING)))?;
    let day_first = setting("DateStyle")?.contains("DMY");
    Calendar::new(&time_zone, day_first).map_err(|error| refused(error, IOSTAT))
}

/// Beginning and interval, microseconds.
fn untimed(began: TimestampWithTimeZone, seconds: f64) -> Result<(i64, i64), Error> {
    let refuse = |message: &str| refused(ImportError::Argument(message.to_owned()), IOSTAT);
    let began_us = crate::functions::evidence::device_samples::microseconds(began)
        .ok_or_else(|| refuse("started_at must be a finite time from 1970 on"))?;
    if !(0.001..=LONGEST_S).contains(&seconds) {
        return Err(refuse("interval_s must be between 0.001 and 31622400"));
    }
    Ok((began_us, (seconds * SECOND_US as f64).round() as i64))
}
