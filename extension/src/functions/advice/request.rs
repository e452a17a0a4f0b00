//! Requests for advice: from the arguments of a SQL function to checked values and the evidence that they are about.

use ebs_advice::{IoSource, LoadKind, Request, Settings};
use ebs_aws::catalogue::{AURORA, Platform, Zone, describe_without_price_list};
use ebs_base::error::InputError;
use ebs_base::lookback::Lookback;
use ebs_base::names;
use ebs_base::units::Usd;
use ebs_report::sql_literal;
use ebs_samples::evidence::{LoadDriver, StorageLayout, Window};
use ebs_workload::io_share::keep_postgresql;
use ebs_workload::load_kind::clients_from_command;
use pgrx::datum::Interval;
use pgrx::{AnyNumeric, PgSqlErrorCode};

use crate::errors::{Error, notice_with_hint};
use crate::functions::configured::{ConfiguredStorage, refuse_unknown_storage};
use crate::functions::run_selection::{RunSelection, refuse_lookback, select_run};
use crate::storage;

/// The arguments, as written in SQL. NULL is the default, so that callers can pass on arguments that they were not given.
#[derive(Default)]
pub struct RequestArguments<'a> {
    pub platform: Option<&'a str>,
    pub region: Option<&'a str>,
    pub instance: Option<&'a str>,
    pub percentile: Option<f64>,
    pub headroom: Option<f64>,
    pub max_throttled_pct: Option<f64>,
    pub keep_throughput_pct: Option<f64>,
    pub min_throughput_ratio: Option<f64>,
    pub latency_target_ms: Option<f64>,
    pub durability_pct: Option<f64>,
    pub budget_usd: Option<AnyNumeric>,
    pub max_volumes: Option<i32>,
    pub min_size_gib: Option<i64>,
    pub io_source: Option<&'a str>,
}

impl RequestArguments<'_> {
    /// Checks them for a run. Called before evidence is read: a mistyped one should not cost the time of a look-back.
    pub fn check(&self, run: Option<&str>) -> Result<Request, Error> {
        if let Some(platform) = self.platform {
            platform.parse::<Platform>()?;
            return self.check_on(None, None);
        }
        self.check_on(run.map(platform_of_run).transpose()?.flatten(), None)
    }

    /// Checks them; platform and region that were not given are these. A zone that is named has a platform of its own; a region that is
    /// named, or a platform, is not that of the zone that the volumes are in now.
    fn check_on(&self, platform: Option<Platform>, region: Option<&str>) -> Result<Request, Error> {
        let mut settings = self.settings()?;
        let named = self.region.and_then(Zone::parse);
        let is_in_zone = |platform: &Platform| matches!(platform, Platform::LocalZone | Platform::Wavelength);
        let leaves_zone = self.region.is_some() && named.is_none();
        let known = platform.filter(|platform| !(leaves_zone && is_in_zone(platform)));
        // RDS stays RDS in a Local Zone, with prices that are not known.
        let rds = known.filter(|platform| platform.is_rds());
        let of_place = rds.or(named.map(|zone| zone.platform)).or(known);
        if let Some(platform) = of_place.filter(|_| self.platform.is_none()) {
            platform.name().clone_into(&mut settings.platform);
        }
        // RDS that is named beside an instance of RDS stays in its zone.
        let is_rds_name = |name: &str| name.parse().is_ok_and(Platform::is_rds);
        let stays = |name: &str, zone: &Zone| name == zone.platform.name() || rds.is_some() && is_rds_name(name);
        let default = settings.region.clone();
        let place = match (self.region, region.and_then(Zone::parse)) {
            (Some(named), _) => named.to_owned(),
            (None, Some(zone)) if self.platform.is_some_and(|name| !stays(name, &zone)) => zone.region,
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

    /// The settings, with the defaults of [`Settings`] for arguments that were left out.
    fn settings(&self) -> Result<Settings, Error> {
        let default = Settings::default();
        Ok(Settings {
            platform: self.platform.map_or(default.platform, names::owned),
            region: self.region.map_or(default.region, names::owned),
            instance: self.instance.map(names::owned),
            percentile: self.percentile.unwrap_or(default.percentile),
            headroom: self.headroom,
            max_throttled_pct: self.max_throttled_pct.unwrap_or(default.max_throttled_pct),
            keep_throughput_pct: self.keep_throughput_pct.unwrap_or(default.keep_throughput_pct),
            min_throughput_ratio: self.min_throughput_ratio,
            latency_target_ms: self.latency_target_ms,
            durability_pct: self.durability_pct,
            budget_usd: self.budget_usd.as_ref().map(parse_dollars).transpose()?,
            max_volumes: self.max_volumes,
            min_size_gib: self.min_size_gib,
            io_source: self.io_source.map_or(Ok(default.io_source), parse_io_source)?,
        })
    }

    /// The arguments that differ from the defaults, with their literals: `percentile`, `95`.
    pub fn to_sql(&self) -> Vec<(&'static str, String)> {
        let default = Settings::default();
        let text = |value: Option<&str>, default: &str| value.filter(|value| *value != default).map(sql_literal);
        let number = |value: Option<f64>, default: f64| value.filter(|value| *value != default).map(|v| v.to_string());
        let given = [
            ("platform", text(self.platform, &default.platform)),
            ("region", text(self.region, &default.region)),
            ("instance", self.instance.map(sql_literal)),
            ("percentile", number(self.percentile, default.percentile)),
            ("headroom", self.headroom.map(|share| share.to_string())),
            ("max_throttled_pct", number(self.max_throttled_pct, default.max_throttled_pct)),
            ("keep_throughput_pct", number(self.keep_throughput_pct, default.keep_throughput_pct)),
            ("min_throughput_ratio", self.min_throughput_ratio.map(|ratio| ratio.to_string())),
            ("latency_target_ms", self.latency_target_ms.map(|ms| ms.to_string())),
            ("durability_pct", self.durability_pct.map(|pct| pct.to_string())),
            ("budget_usd", self.budget_usd.as_ref().map(AnyNumeric::to_string)),
            ("max_volumes", self.max_volumes.map(|volumes| volumes.to_string())),
            ("io_source", text(self.io_source, default.io_source.name())),
            ("min_size_gib", self.min_size_gib.map(|gib| gib.to_string())),
        ];
        given.into_iter().filter_map(|(name, literal)| Some((name, literal?))).collect()
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

fn parse_io_source(name: &str) -> Result<IoSource, Error> {
    IoSource::parse(name).ok_or_else(|| {
        Error::invalid_parameter(
            format!("unrecognized value for io_source: \"{}\"", names::quoted(name)),
            "Use io_source => 'all' (the default: all I/O of the devices) or io_source => 'postgresql' (PostgreSQL's alone).",
        )
        .with_detail("io_source is one of all, postgresql.")
    })
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

fn parse_dollars(amount: &AnyNumeric) -> Result<Usd, Error> {
    let text = amount.to_string();
    text.parse().map_err(|_| {
        let value = text.parse().unwrap_or(f64::NAN);
        let meaning = "US dollars a month for all volumes, for example 100.00.";
        Error::from(InputError::OutOfRange { argument: "budget_usd", value, min: 0.01, max: 1e9, meaning })
    })
}
