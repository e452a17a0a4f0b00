//! Requests for advice: from the arguments of a SQL function to checked values and the evidence that they are about.

use ebs_advice::arguments::{PLATFORM, REGION};
use ebs_advice::{GivenArguments, IoSource, LoadKind, Request, Settings};
use ebs_aws::catalogue::{AURORA, Platform, Zone, describe_without_price_list};
use ebs_base::argument::Value;
use ebs_base::lookback::Lookback;
use ebs_report::sql_literal;
use ebs_samples::evidence::{LoadDriver, StorageLayout, Window};
use ebs_workload::io_share::keep_postgresql;
use ebs_workload::load_kind::clients_from_command;
use pgrx::PgSqlErrorCode;
use pgrx::datum::Interval;

use crate::errors::{Error, notice_with_hint};
use crate::ffi::CalledFunction;
use crate::functions::configured::{ConfiguredStorage, refuse_unknown_storage};
use crate::functions::run_selection::{RunSelection, refuse_lookback, select_run};
use crate::storage;

/// The arguments, as written in SQL. NULL is the default, so that callers can pass on arguments that they were not given.
#[derive(Default)]
pub struct RequestArguments<'a>(GivenArguments<'a>);

impl<'a> RequestArguments<'a> {
    /// Takes those that the function is called with.
    pub fn from_call(call: &'a CalledFunction) -> RequestArguments<'a> {
        RequestArguments(GivenArguments::collect(|known| call.value(known.argument.name)))
    }

    /// Checks them for a run. Called before evidence is read: a mistyped one should not cost the time of a look-back.
    pub fn check(&self, run: Option<&str>) -> Result<Request, Error> {
        if let Some(platform) = self.0.text(&PLATFORM) {
            platform.parse::<Platform>()?;
            return self.check_on(None, None);
        }
        self.check_on(run.map(platform_of_run).transpose()?.flatten(), None)
    }

    /// Checks them; platform and region that were not given are these. A zone that is named has a platform of its own; a region that is
    /// named, or a platform, is not that of the zone that the volumes are in now.
    fn check_on(&self, platform: Option<Platform>, region: Option<&str>) -> Result<Request, Error> {
        let mut settings = self.0.settings()?;
        let (given_platform, given_region) = (self.0.text(&PLATFORM), self.0.text(&REGION));
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
        let place = match (given_region, region.and_then(Zone::parse)) {
            (Some(named), _) => named.to_owned(),
            (None, Some(zone)) if given_platform.is_some_and(|name| !stays(name, &zone)) => zone.region,
            (None, _) => region.map_or(default, str::to_owned),
        };
        let prices = storage::prices_of_place(&place, &Settings::default().region)?;
        if prices.stand_in.is_some() && Zone::parse(&place).is_none() {
            notice_with_hint(
                format!("prices of {} are unknown: no amount is printed", prices.region),
                describe_without_price_list(&prices.region)
                    .unwrap_or("Import them by \"ebsctl prices\", or name another region (docs/prices.md)."),
            );
        }
        Ok(settings.check(prices)?)
    }

    /// The arguments that differ from the defaults, with their literals: `percentile`, `95`.
    pub fn to_sql(&self) -> Vec<(&'static str, String)> {
        let literal = |value: Value| match value {
            Value::Text(text) => sql_literal(text),
            number => number.text(),
        };
        self.0.differing().map(|(name, value)| (name, literal(value))).collect()
    }
}

/// Checks the arguments, and selects the evidence of a request. Platform and region that were not given are those of the configuration.
/// Without a named instance, the limits of the one that was declared or detected count. The command of a run's load driver shows a
/// closed or an open loop.
pub fn resolve_request(
    arguments: &RequestArguments,
    run: Option<&str>,
    lookback: Option<Interval>,
) -> Result<(RunSelection, Request), Error> {
    if let Some(label) = run {
        refuse_lookback(label, lookback, Lookback::DEFAULT.us())?;
    }
    let request = arguments.check(run)?;
    let selection = select_source(select_run(run, lookback)?, request.io_source)?;
    let request = arguments.check_on(selection.configured.platform, selection.configured.place())?;
    if let Some(storage) = selection.configured.unknown_storage.as_ref().filter(|_| request.platform.is_rds()) {
        return Err(refuse_unknown_storage(storage));
    }
    let instance = request.instance.or_else(|| selection.detected_instance());
    let run_id = selection.run.as_ref().map(|run| run.run_id);
    let command = run_id.map(storage::driver_command).transpose()?.unwrap_or_default();
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    let driver_load = LoadKind::from_command(&command);
    let tps = run_id.map(storage::driver_tps).transpose()?.flatten();
    let driver = clients_from_command(&command).map(|clients| LoadDriver { clients, tps });
    let selection = RunSelection { window: Window { driver, ..selection.window }, ..selection };
    let max_wal_bytes = selection.max_wal_bytes()?;
    let database = selection.configured.database.clone();
    Ok((selection, Request { instance, driver_load, max_wal_bytes, database, ..request }))
}

/// Platform of a run by its configuration, without its samples. Aurora, which is none, is refused.
fn platform_of_run(label: &str) -> Result<Option<Platform>, Error> {
    let run = storage::find_run(label)?;
    let Some(to_us) = run.to_us.filter(|_| run.imported) else { return Ok(None) };
    let declared = storage::declarations_of_run(&run, to_us)?;
    let storage = ConfiguredStorage::from_run(declared, &run, &StorageLayout::default(), to_us)?;
    match (storage.is_aurora, &storage.unknown_storage) {
        (true, _) => Ok(Some(AURORA.parse()?)),
        (false, Some(unknown)) => Err(refuse_unknown_storage(unknown)),
        (false, None) => Ok(storage.platform),
    }
}

/// Leaves the I/O of a source in the evidence, which is refused where PostgreSQL's share is not known. Evidence without samples is
/// answered as insufficient.
fn select_source(selection: RunSelection, source: IoSource) -> Result<RunSelection, Error> {
    if source == IoSource::All || selection.window.intervals.is_empty() {
        return Ok(selection);
    }
    let RunSelection { window, .. } = selection;
    let Some(window) = keep_postgresql(window) else {
        return Err(Error::new(
            PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            format!("PostgreSQL's share of the I/O is unknown in {}", selection.name),
            "Leave out io_source, or use io_source => 'all': all I/O of the devices is sized for.",
        )
        .with_detail(
            "PostgreSQL's own counts must cover 95 % of the bytes; samples that were imported from other tools have none.",
        ));
    };
    Ok(RunSelection { window, ..selection })
}
