//! ebs_price: what volumes cost.

use ebs_advisor_model::advice::{DEFAULTS, check_platform};
use ebs_advisor_model::catalogue::{Illegal, PRICES_AS_OF, VolumeConfig, VolumeType, prices};
use ebs_advisor_model::error::{Refusal, within};
use ebs_advisor_model::format::usd_plain;
use ebs_advisor_model::price::bill;
use ebs_advisor_model::units::Usd;
use pgrx::AnyNumeric;
use pgrx::datum::Date;
use pgrx::prelude::*;

use crate::errors::{Failure, Outcome};

type Row = (
    name!(usd_month, AnyNumeric),
    name!(usd_storage, AnyNumeric),
    name!(usd_iops, AnyNumeric),
    name!(usd_throughput, AnyNumeric),
    name!(price_date, Date),
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
) -> Outcome<TableIterator<'static, Row>> {
    let config = config(volume_type, size_gib, iops, throughput_mibps)?;
    check_platform(platform.unwrap_or(DEFAULTS.0)).map_err(Failure::from)?;
    let many = within("volumes", f64::from(volumes.unwrap_or(1)), (1.0, 10_000.0), "A number of equal volumes.");
    let volumes = many.map_err(Failure::from)? as u64;
    let prices = prices(region.unwrap_or(DEFAULTS.1)).map_err(Failure::from)?;
    let bill = bill(&config, volumes, prices);
    let row =
        (numeric(bill.total()), numeric(bill.storage), numeric(bill.iops), numeric(bill.throughput), price_date()?);
    Ok(TableIterator::once(row))
}

fn config(
    volume_type: Option<&str>,
    size_gib: Option<i64>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
) -> Result<VolumeConfig, Failure> {
    let volume_type: VolumeType = volume_type.unwrap_or_default().parse()?;
    let count = |what: &'static str, value: i64| {
        let most = 1e7;
        within(what, value as f64, (1.0, most), "GiB, IOPS and MiB/s are whole numbers.").map(|v| v as u64)
    };
    let size_gib = size_gib.ok_or_else(|| {
        let hint = "For example: SELECT * FROM ebs_price('gp3', 1024);";
        Failure::new(PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED, "size_gib must not be null", hint)
    })?;
    let size_gib = count("size_gib", size_gib)?;
    let iops = iops.map(|value| count("iops", value)).transpose()?;
    let mibps = throughput_mibps.map(|value| count("throughput_mibps", value)).transpose()?;
    let config = VolumeConfig::new(volume_type, size_gib, iops, mibps);
    config.map_err(|illegal: Illegal| Failure::from(Refusal::Illegal(illegal)))
}

/// An amount as a numeric with two decimals.
pub fn numeric(amount: Usd) -> AnyNumeric {
    AnyNumeric::try_from(usd_plain(amount).as_str()).unwrap_or_default()
}

fn price_date() -> Result<Date, Failure> {
    let mut parts = PRICES_AS_OF.split('-').map(|part| part.parse::<u32>().unwrap_or(1));
    let mut next = || parts.next().unwrap_or(1);
    let (year, month, day) = (next(), next(), next());
    let invalid =
        |_| Failure::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, "the catalogue's date is no date", "Report this.");
    Date::new(year.cast_signed(), month as u8, day as u8).map_err(invalid)
}
