//! ebs_price: what volumes cost.

use ebs_advice::advice::Settings;
use ebs_aws::catalogue::{Illegal, Item, Part, Platform, Price, Prices, VolumeConfig, VolumeType};
use ebs_aws::price::{bill, doubts, parts};
use ebs_base::error::{Refusal, within};
use ebs_base::format::usd_plain;
use ebs_base::units::Usd;
use pgrx::AnyNumeric;
use pgrx::datum::Date;
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::storage;

type Row = (
    name!(usd_month, AnyNumeric),
    name!(usd_storage, AnyNumeric),
    name!(usd_iops, AnyNumeric),
    name!(usd_throughput, AnyNumeric),
    name!(price_date, Date),
    name!(price_status, &'static str),
    name!(price_doubt, Option<String>),
);

#[pg_extern(sql = false)]
fn ebs_price(
    volume_type: Option<&str>,
    size_gib: Option<i64>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
    volumes: Option<i32>,
    platform: Option<&str>,
    region: Option<&str>,
) -> SqlResult<TableIterator<'static, Row>> {
    let default = Settings::default();
    let platform: Platform = platform.unwrap_or(&default.platform).parse().map_err(Error::from)?;
    let config = config(platform, volume_type, size_gib, iops, throughput_mibps)?;
    let volumes = count_of_volumes(volumes)?;
    let prices = storage::prices_of_region(region.unwrap_or(&default.region))?;
    let bill = bill(&config, volumes, &prices).ok_or_else(|| not_known(&config, &prices))?;
    let used = parts(&config).into_iter().map(|part| prices.get(platform, config.volume_type, part));
    let used: Vec<&Price> = used.collect::<Option<_>>().ok_or_else(|| not_known(&config, &prices))?;
    // A bill is as old as the oldest of its prices, and as sure as the least sure.
    let oldest = used.iter().map(|price| price.as_of.as_str()).min().unwrap_or_default();
    let status = used.iter().map(|price| price.status).max().map_or("", |status| status.name());
    let doubts = doubts(&config, &prices);
    Ok(TableIterator::once((
        numeric(bill.total()),
        numeric(bill.storage),
        numeric(bill.iops),
        numeric(bill.throughput),
        date(oldest)?,
        status,
        (!doubts.is_empty()).then(|| doubts.join("; ")),
    )))
}

/// Names the first price of a type that nobody knows.
fn not_known(config: &VolumeConfig, prices: &Prices) -> Error {
    let platform = if config.platform.is_rds() { Platform::Rds } else { Platform::Ec2 };
    let volume_type = config.volume_type;
    let items = Part::ALL.map(|part| Item { platform, volume_type, part });
    let missing = items.iter().find(|item| item.is_sold() && !prices.items.contains_key(item));
    let what = missing.map_or(volume_type.name().to_owned(), Item::to_string);
    let message = format!("price of {what} in {} is not known", prices.region);
    let hint = "ebs_prices shows which are; \"ebsctl prices\" imports AWS's price lists (docs/prices.md).";
    Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, message, hint)
}

/// The argument `volumes`.
pub fn count_of_volumes(volumes: Option<i32>) -> Result<u64, Error> {
    let many = within("volumes", f64::from(volumes.unwrap_or(1)), (1.0, 10_000.0), "A number of equal volumes.");
    Ok(many? as u64)
}

/// One volume, as type, size, IOPS and throughput name it; what is left out is what the type includes.
pub fn config(
    platform: Platform,
    volume_type: Option<&str>,
    size_gib: Option<i64>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
) -> Result<VolumeConfig, Error> {
    let volume_type: VolumeType = volume_type.unwrap_or_default().parse()?;
    let count = |what: &'static str, value: i64| {
        let most = 1e7;
        within(what, value as f64, (1.0, most), "GiB, IOPS and MiB/s are whole numbers.").map(|v| v as u64)
    };
    let size_gib = size_gib.ok_or_else(|| {
        let hint = "For example: size_gib => 1024.";
        Error::new(PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED, "size_gib must not be null", hint)
    })?;
    let size_gib = count("size_gib", size_gib)?;
    let iops = iops.map(|value| count("iops", value)).transpose()?;
    let mibps = throughput_mibps.map(|value| count("throughput_mibps", value)).transpose()?;
    let config = VolumeConfig::new(platform, volume_type, size_gib, iops, mibps);
    config.map_err(|illegal: Illegal| Error::from(Refusal::from(illegal)))
}

/// An amount as a numeric with two decimals.
pub fn numeric(amount: Usd) -> AnyNumeric {
    AnyNumeric::try_from(usd_plain(amount).as_str()).unwrap_or_default()
}

/// A day, `2026-10-15`.
pub(super) fn date(day: &str) -> Result<Date, Error> {
    let invalid =
        || Error::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, format!("\"{day}\" is no date"), "Report this.");
    let mut parts = day.split('-').map(|part| part.parse::<u16>().ok());
    let mut next = || parts.next().flatten().ok_or_else(invalid);
    let (year, month, date) = (next()?, next()?, next()?);
    let small = |part: u16| u8::try_from(part).map_err(|_| invalid());
    Date::new(i32::from(year), small(month)?, small(date)?).map_err(|_| invalid())
}
