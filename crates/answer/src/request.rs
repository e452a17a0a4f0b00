//! Requests for advice: from given arguments to checked values that fit the evidence.

use ebs_advice::arguments::{PLATFORM, REGION};
use ebs_advice::{GivenArguments, IoSource, LoadKind, Request, current_instance};
use ebs_aws::catalogue::{Platform, Prices, Zone, describe_without_price_list};
use ebs_base::error::InputError;
use ebs_samples::evidence::{LoadDriver, Window};
use ebs_workload::io_share::keep_postgresql;
use ebs_workload::load_kind::clients_from_command;

use crate::{AnswerError, ConfiguredStorage};

/// Load driver of a run.
#[derive(Clone, Debug, Default)]
pub struct Driver {
    /// Its command, word by word; empty where it is not known.
    pub command: Vec<String>,
    /// Transactions a second that it reported; `None` where it did not.
    pub tps: Option<f64>,
}

impl Driver {
    fn words(&self) -> Vec<&str> {
        self.command.iter().map(String::as_str).collect()
    }
}

/// Figures of a load driver that the prediction needs; `None` where its command does not name the clients.
pub fn load_driver(driver: &Driver) -> Option<LoadDriver> {
    clients_from_command(&driver.words()).map(|clients| LoadDriver { clients, tps: driver.tps })
}

/// Checks arguments; platform and place that were not given are these. A zone that is named has a platform of its own; a region that is named,
/// or a platform, is not that of the zone that the volumes are in now. `prices` gives the prices of a region or zone.
pub fn check_request<E: From<InputError>>(
    given: &GivenArguments,
    platform: Option<Platform>,
    place: Option<&str>,
    prices: impl FnOnce(&str) -> Result<Prices, E>,
) -> Result<Request, E> {
    let mut settings = given.settings()?;
    let (given_platform, given_region) = (given.text(&PLATFORM), given.text(&REGION));
    let named = given_region.and_then(Zone::parse);
    let is_in_zone = |platform: &Platform| matches!(platform, Platform::LocalZone | Platform::Wavelength);
    let leaves_zone = given_region.is_some() && named.is_none();
    let known = platform.filter(|platform| !(leaves_zone && is_in_zone(platform)));
    // RDS stays RDS in a Local Zone, with prices that are not known.
    let rds = known.filter(|platform| platform.is_rds());
    let of_place = rds.or(named.map(|zone| zone.platform)).or(known);
    if let Some(platform) = of_place.filter(|_| given_platform.is_none()) {
        platform.name().clone_into(&mut settings.platform);
    }
    // RDS that is named beside an instance of RDS stays in its zone.
    let is_rds_name = |name: &str| name.parse().is_ok_and(Platform::is_rds);
    let stays = |name: &str, zone: &Zone| name == zone.platform.name() || rds.is_some() && is_rds_name(name);
    let default = settings.region.clone();
    let place = match (given_region, place.and_then(Zone::parse)) {
        (Some(named), _) => named.to_owned(),
        (None, Some(zone)) if given_platform.is_some_and(|name| !stays(name, &zone)) => zone.region,
        (None, _) => place.map_or(default, str::to_owned),
    };
    Ok(settings.check(prices(&place)?)?)
}

/// Message and hint on a region without prices; `None` where the prices of the request are known, and of a zone, which has none.
pub fn missing_prices(request: &Request) -> Option<(String, &'static str)> {
    let prices = &request.prices;
    prices.stand_in.as_ref().filter(|_| Zone::parse(&prices.region).is_none())?;
    let hint = describe_without_price_list(&prices.region)
        .unwrap_or("Import them by \"ebsctl prices\", or name another region (docs/prices.md).");
    Some((format!("prices of {} are unknown: no amount is printed", prices.region), hint))
}

/// Leaves the I/O of a source in the evidence, which is refused where PostgreSQL's share is not known. Evidence without samples is
/// answered as insufficient. `name` is that of the run or look-back.
pub fn keep_source(window: Window, source: IoSource, name: &str) -> Result<Window, AnswerError> {
    if source == IoSource::All || window.intervals.is_empty() {
        return Ok(window);
    }
    keep_postgresql(window).ok_or_else(|| AnswerError::UnknownShare(name.to_owned()))
}

/// Refuses a request on RDS for an instance whose storage is not known.
pub fn refuse_storage(request: &Request, configured: &ConfiguredStorage) -> Result<(), AnswerError> {
    match configured.unknown_storage.as_ref().filter(|_| request.platform.is_rds()) {
        Some(storage) => Err(AnswerError::UnknownStorage(storage.clone())),
        None => Ok(()),
    }
}

/// Completes a request with what evidence and configuration tell. Without a named instance, the limits of the one that was declared or
/// detected count. The command of a run's load driver shows a closed or an open loop.
pub fn complete_request(
    request: Request,
    window: &Window,
    configured: &ConfiguredStorage,
    driver: &Driver,
    max_wal_bytes: Option<u64>,
) -> Request {
    Request {
        instance: request.instance.or_else(|| current_instance(window, &configured.declared)),
        driver_load: LoadKind::from_command(&driver.words()),
        max_wal_bytes,
        database: configured.database.clone(),
        ..request
    }
}
