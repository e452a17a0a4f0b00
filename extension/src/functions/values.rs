//! Values as columns have them.

use ebs_base::format::usd_plain;
use ebs_base::units::Usd;
use pgrx::datum::{Date, TimestampWithTimeZone};
use pgrx::{AnyNumeric, PgSqlErrorCode, pg_sys};

use crate::errors::Error;

/// Microseconds from 1970 to 2000, where PostgreSQL's time begins.
const EPOCHS_APART_US: i64 = 946_684_800 * 1_000_000;

/// A count as bigint.
pub fn to_bigint(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

/// A share in per cent.
pub fn to_percent(share: f64) -> f64 {
    100.0 * share
}

/// An amount as a numeric with two decimals.
pub fn to_numeric(amount: Usd) -> AnyNumeric {
    AnyNumeric::try_from(usd_plain(amount).as_str()).unwrap_or_default()
}

/// A day, `2026-10-15`, as a date.
pub fn to_date(day: &str) -> Result<Date, Error> {
    let invalid =
        || Error::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, format!("\"{day}\" is no date"), "Report this.");
    let mut parts = day.split('-').map(|part| part.parse::<u16>().ok());
    let mut next = || parts.next().flatten().ok_or_else(invalid);
    let (year, month, date) = (next()?, next()?, next()?);
    let small = |part: u16| u8::try_from(part).map_err(|_| invalid());
    Date::new(i32::from(year), small(month)?, small(date)?).map_err(|_| invalid())
}

/// Microseconds since 1970 as a timestamp.
pub fn to_timestamp(us: i64) -> TimestampWithTimeZone {
    TimestampWithTimeZone::try_from(us - EPOCHS_APART_US).unwrap_or(TimestampWithTimeZone::positive_infinity())
}

/// A timestamp as microseconds since 1970; `None` of one before 1970, and of infinity.
pub fn from_timestamp(at: TimestampWithTimeZone) -> Option<i64> {
    let at_us: pg_sys::TimestampTz = at.into();
    (-EPOCHS_APART_US..i64::MAX).contains(&at_us).then(|| at_us.saturating_add(EPOCHS_APART_US))
}
