//! ebs_aurora: Aurora I/O-Optimized against Standard.

use ebs_advice::{AuroraAdvice, AuroraDemand, AuroraOption, AuroraRates, Settings, aurora_advice};
use ebs_aws::catalogue::{AuroraPrices, aurora_prices};
use ebs_base::names::non_empty;
use ebs_base::units::Usd;
use ebs_imports::monitoring::{AURORA, aurora, select_cluster};
use ebs_report::reasons;
use pgrx::datum::Date;
use pgrx::prelude::*;
use pgrx::{AnyElement, AnyNumeric};

use crate::errors::{Error, SqlResult};
use crate::functions::documents;
use crate::functions::imports::imported_run::input_error;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_date, to_numeric, to_percent};
use crate::interrupts::check_interrupts;

/// Most dollars that a unit costs: more than any price of AWS.
const MAX_USD: &str = "1000000";

sql_row! {
    rounded struct AuroraRow(
        advice: &AuroraAdvice,
        (option, other): (AuroraOption, AuroraOption),
        listed: Option<&AuroraPrices>,
        price_date: Option<Date>,
    )
    where {
        let rounded = |requests: f64| to_bigint(requests.round() as i128);
        let interval = advice.requests.and_then(|requests| requests.interval);
        let saved = other.total().zip(option.total());
    } {
        storage_type: &'static str = option.storage_type.name(),
        cheaper: Option<bool> = saved.map(|_| advice.cheaper() == Some(option.storage_type)),
        usd_month: Option<AnyNumeric> = option.total().map(to_numeric),
        // Of both as they are shown, so that they add up.
        usd_month_saved: Option<AnyNumeric> = saved.map(|(other, this)| to_numeric(other.rounded() - this.rounded())),
        usd_instances: Option<AnyNumeric> = option.instances.map(to_numeric),
        usd_storage: Option<AnyNumeric> = option.storage.map(to_numeric),
        usd_requests: Option<AnyNumeric> = option.requests.map(to_numeric),
        requests_pct: Option<f64> = advice.request_share().map(to_percent),
        break_even_pct: Option<f64> = advice.break_even_share.map(to_percent),
        requests_month: Option<i64> = advice.requests.map(|requests| rounded(requests.mean)),
        requests_month_low: Option<i64> = interval.map(|(low, _)| rounded(low)),
        requests_month_high: Option<i64> = interval.map(|(_, high)| rounded(high)),
        break_even_requests: Option<i64> = advice.break_even_requests.map(to_bigint),
        size_gib: Option<f64> = advice.size_gib,
        price_date: Option<Date> = price_date,
        price_doubt: Option<String> = listed.map(|listed| format!("{}: {}", listed.status.name(), listed.source)),
        limitations: Option<String> = reasons::aurora::describe(&advice.limitations),
    }
}

#[allow(clippy::too_many_arguments, reason = "prices that a user may give, all of them with defaults")]
#[pg_extern(sql = false)]
fn ebs_aurora(
    metrics: Option<AnyElement>,
    instances_usd_hour: Option<AnyNumeric>,
    region: Option<&str>,
    cluster: Option<&str>,
    storage_usd: Option<AnyNumeric>,
    requests_usd: Option<AnyNumeric>,
    optimized_storage_usd: Option<AnyNumeric>,
    optimized_instances_usd_hour: Option<AnyNumeric>,
    period_s: Option<i32>,
) -> SqlResult<TableIterator<'static, Columns<AuroraRow>>> {
    let given = GivenPrices {
        instances_hour: to_usd("instances_usd_hour", instances_usd_hour)?,
        storage: to_usd("storage_usd", storage_usd)?,
        requests: to_usd("requests_usd", requests_usd)?,
        optimized_storage: to_usd("optimized_storage_usd", optimized_storage_usd)?,
        optimized_instances_hour: to_usd("optimized_instances_usd_hour", optimized_instances_usd_hour)?,
    };
    let (rates, listed) = given.rates(region)?;
    let answer = documents::read_import(metrics, "CloudWatch's answer")?;
    let answer = answer.map_or(serde_json::Value::Null, |answer| answer.0);
    let refuse = |error| input_error(&error, AURORA.shape);
    let clusters = aurora(&answer, period_s.map(i64::from), &check_interrupts).map_err(refuse)?;
    let usage = select_cluster(clusters, non_empty(cluster)).map_err(refuse)?;
    let demand = AuroraDemand {
        period_s: usage.period_s,
        reads: &usage.reads,
        writes: &usage.writes,
        used_bytes: &usage.used_bytes,
    };
    let advice = aurora_advice(&demand, &rates, &check_interrupts);
    let mut options = [advice.standard, advice.optimized];
    options.sort_by_key(|option| advice.cheaper().is_some_and(|cheaper| cheaper != option.storage_type));
    let price_date = listed.map(|listed| to_date(&listed.as_of)).transpose()?;
    let pairs = [(options[0], options[1]), (options[1], options[0])];
    Ok(table(pairs.map(|pair| AuroraRow::new(&advice, pair, listed, price_date))))
}

/// Prices that the caller gives.
struct GivenPrices {
    instances_hour: Option<Usd>,
    storage: Option<Usd>,
    requests: Option<Usd>,
    optimized_storage: Option<Usd>,
    optimized_instances_hour: Option<Usd>,
}

impl GivenPrices {
    /// The given prices, and the region's where they are not given, with the source of those. All of a region without prices must be
    /// given, but those of instances.
    fn rates(&self, region: Option<&str>) -> Result<(AuroraRates, Option<&'static AuroraPrices>), Error> {
        let default = Settings::default();
        let known = aurora_prices(region.unwrap_or(&default.region));
        let given = self.storage.zip(self.requests).zip(self.optimized_storage);
        let listed = if given.is_some() { known.ok() } else { Some(known?) };
        let price = |given: Option<Usd>, listed_price: fn(&AuroraPrices) -> Usd| {
            given.or_else(|| listed.map(listed_price)).unwrap_or_default()
        };
        let rates = AuroraRates {
            standard_storage: price(self.storage, |listed| listed.standard_storage),
            requests_million: price(self.requests, |listed| listed.requests_million),
            optimized_storage: price(self.optimized_storage, |listed| listed.optimized_storage),
            instances_hour: self.instances_hour,
            optimized_instances_hour: self.optimized_instances_hour,
            optimized_instances_pct: listed.map(|listed| listed.optimized_instances_pct),
        };
        let used = given.is_none() || self.optimized_instances_hour.is_none();
        Ok((rates, listed.filter(|_| used)))
    }
}

/// A price that is given; refused where it is none.
fn to_usd(argument: &str, given: Option<AnyNumeric>) -> Result<Option<Usd>, Error> {
    let Some(given) = given else { return Ok(None) };
    let most: Usd = MAX_USD.parse().unwrap_or_default();
    let text = given.normalize();
    // A quotient of two prices has any number of decimals.
    let decimals = text.find('.').map_or(text.len(), |point| point + 1 + Usd::DECIMALS);
    let price = text.get(..decimals).unwrap_or(text).parse::<Usd>().ok();
    let price = price.filter(|price| (Usd::default()..=most).contains(price));
    price.map(Some).ok_or_else(|| {
        let message = format!("{argument} must be between 0 and {MAX_USD}");
        Error::invalid_parameter(message, "It is a price in US dollars.")
    })
}
