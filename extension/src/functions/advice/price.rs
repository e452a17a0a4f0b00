//! ebs_price: price of volumes.

use ebs_advice::Settings;
use ebs_aws::catalogue::{Item, Part, Platform, Price, Prices, VolumeConfig, describe_without_price_list};
use ebs_aws::price::{bill, parts, uncertainties};
use ebs_report::reasons;
use pgrx::AnyNumeric;
use pgrx::datum::Date;
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_date, to_numeric};
use crate::functions::volume_arguments::{volume_config, volume_count};
use crate::storage;

sql_row! {
    struct PriceRow {
        usd_month: AnyNumeric,
        usd_storage: AnyNumeric,
        usd_iops: AnyNumeric,
        usd_throughput: AnyNumeric,
        price_date: Date,
        price_status: &'static str,
        price_doubt: Option<String>,
    }
}

#[pg_extern(sql = false)]
fn ebs_price(
    volume_type: Option<&str>,
    size_gib: Option<i64>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
    volumes: Option<i32>,
    platform: Option<&str>,
    region: Option<&str>,
) -> SqlResult<TableIterator<'static, Columns<PriceRow>>> {
    let default = Settings::default();
    let platform: Platform = platform.unwrap_or(&default.platform).parse().map_err(Error::from)?;
    let config = volume_config(platform, volume_type, size_gib, iops, throughput_mibps)?;
    let volumes = volume_count(volumes)?;
    let region = region.unwrap_or(&default.region);
    let prices = storage::prices_to_show(region)?;
    if !prices.are_known(platform) {
        return Err(unknown_prices(platform, &prices).into());
    }
    let bill = bill(&config, volumes, &prices).ok_or_else(|| unknown_price(&config, &prices))?;
    let unit_prices = parts(&config).into_iter().map(|part| prices.get(platform, config.volume_type, part));
    let unit_prices: Vec<&Price> = unit_prices.collect::<Option<_>>().ok_or_else(|| unknown_price(&config, &prices))?;
    // A bill is as old as the oldest of its prices, and as certain as the least certain.
    let oldest = unit_prices.iter().map(|price| price.as_of.as_str()).min().unwrap_or_default();
    let status = unit_prices.iter().map(|price| price.status).max().map_or("", |status| status.name());
    Ok(table([PriceRow {
        usd_month: to_numeric(bill.total()),
        usd_storage: to_numeric(bill.storage),
        usd_iops: to_numeric(bill.iops),
        usd_throughput: to_numeric(bill.throughput),
        price_date: to_date(oldest)?,
        price_status: status,
        price_doubt: reasons::prices::describe(&uncertainties(&config, &prices)),
    }]))
}

/// Error that names the place whose prices are not in the catalogue.
fn unknown_prices(platform: Platform, prices: &Prices) -> Error {
    let place = match prices.stand_in {
        Some(_) => prices.region.clone(),
        None => format!("platform {}", platform.name()),
    };
    let message = format!("prices of {place} are unknown");
    let without_list = describe_without_price_list(&prices.region).filter(|_| prices.stand_in.is_some());
    let hint = match (platform, without_list) {
        (Platform::Outposts, _) => "Storage on Outposts is bought with the rack.",
        (_, Some(reason)) => reason,
        _ => {
            "Regions with prices are in docs/prices.md; \"ebsctl prices\" imports AWS's price lists of others, not those of zones."
        }
    };
    Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, message, hint)
}

/// Error that names the first unknown price of a type.
fn unknown_price(config: &VolumeConfig, prices: &Prices) -> Error {
    let platform = if config.platform.is_rds() { Platform::Rds } else { Platform::Ec2 };
    let volume_type = config.volume_type;
    let items = Part::ALL.map(|part| Item { platform, volume_type, part });
    let missing = items.iter().find(|item| item.is_sold() && !prices.items.contains_key(item));
    let name = missing.map_or(volume_type.name().to_owned(), Item::to_string);
    let message = format!("price of {name} in {} is unknown", prices.region);
    let hint = "ebs_prices shows which are; \"ebsctl prices\" imports AWS's price lists (docs/prices.md).";
    Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, message, hint)
}
