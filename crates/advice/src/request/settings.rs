//! Arguments of a request for advice, checked.

use crate::request::database_facts::DatabaseFacts;
use crate::requirement::SizingRule;
use ebs_aws::catalogue::{Ceiling, Instance, Platform, Prices, VolumeConfig, VolumeType, instance, surely_has};
use ebs_base::error::{InputError, within};
use ebs_base::units::Usd;
use ebs_workload::io_share::IoSource;
use ebs_workload::load_kind::LoadKind;

/// The arguments of `ebs_options`, as written.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `ec2`.
    pub platform: String,
    /// AWS region whose prices count.
    pub region: String,
    /// EC2 instance type or RDS instance class whose limits count; `None`: not checked.
    pub instance: Option<String>,
    /// Percentile of one-second demand to size for.
    pub percentile: f64,
    /// Headroom added to the demand, as a share; `None`: 0.2 of an open loop, and none of a closed one.
    pub headroom: Option<f64>,
    /// Share of the time and of the requests that may be throttled, per cent.
    pub max_throttled_pct: f64,
    /// Share of the throughput without a limit that volumes keep in a closed loop, per cent.
    pub keep_throughput_pct: f64,
    /// Least throughput of the database, relative to the current one.
    pub min_throughput_ratio: Option<f64>,
    /// Largest mean latency of a request, ms.
    pub latency_target_ms: Option<f64>,
    /// Least yearly durability, per cent.
    pub durability_pct: Option<f64>,
    /// Largest price of everything, dollars a month.
    pub budget_usd: Option<Usd>,
    /// Most volumes in a stripe; `None`: as many as there are now, else one.
    pub max_volumes: Option<i32>,
    /// GiB of each role's volumes together; `None`: by use and growth.
    pub min_size_gib: Option<i64>,
    /// I/O that volumes are sized for.
    pub io_source: IoSource,
}

impl Default for Settings {
    /// Defaults. Those of the declarations in SQL are the same (`sql/options.sql` compares both).
    fn default() -> Settings {
        let rule = SizingRule::default();
        Settings {
            platform: Platform::Ec2.name().to_owned(),
            region: "us-east-1".to_owned(),
            instance: None,
            percentile: rule.percentile,
            headroom: None,
            max_throttled_pct: rule.max_throttled_pct,
            keep_throughput_pct: 100.0 * rule.keep_throughput,
            min_throughput_ratio: None,
            latency_target_ms: None,
            durability_pct: None,
            budget_usd: None,
            max_volumes: None,
            min_size_gib: None,
            io_source: IoSource::All,
        }
    }
}

/// Checked arguments.
#[derive(Clone, Debug)]
pub struct Request {
    /// Platform of the volumes.
    pub platform: Platform,
    /// Prices of the region.
    pub prices: Prices,
    /// The instance, if one was named.
    pub instance: Option<&'static Instance>,
    /// Rule by which demand becomes a requirement.
    pub rule: SizingRule,
    /// Least throughput of the database, relative to the current one.
    pub min_throughput_ratio: Option<f64>,
    /// Largest mean latency of a request, ms.
    pub latency_target_ms: Option<f64>,
    /// Least yearly durability, per cent.
    pub durability_pct: Option<f64>,
    /// Largest price of everything, dollars a month.
    pub budget_usd: Option<Usd>,
    /// Most volumes in a stripe; `None`: as many as there are now, else one.
    pub max_volumes: Option<u64>,
    /// GiB of each role's volumes together.
    pub min_size_gib: Option<u64>,
    /// I/O that volumes are sized for; the window holds no other.
    pub io_source: IoSource,
    /// Kind of the load by the run's driver; `None` where that is not known.
    pub driver_load: Option<LoadKind>,
    /// max_wal_size of the server that was sampled, bytes; `None` where that is not known.
    pub max_wal_bytes: Option<u64>,
    /// The RDS instance that was sampled.
    pub database: DatabaseFacts,
}

/// Range of the durability that can be asked for, per cent a year. A fraction such as 0.99999 is below it: as a percentage it would
/// exclude nothing, in silence. 28 volumes of 99.8 % in a stripe have 94.6 %.
const DURABILITY_PCT: (f64, f64) = (50.0, 99.999);

/// Most volumes in a stripe: the number that most Nitro instances can attach
/// (<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/volume_limits.html>).
pub const MAX_VOLUMES: u64 = 28;

impl Settings {
    /// Checks every argument; `prices` are the region's.
    pub fn check(&self, prices: Prices) -> Result<Request, InputError> {
        let optional = |argument, value: Option<f64>, range, meaning| {
            value.map(|value| within(argument, value, range, meaning)).transpose()
        };
        let durability = "Yearly durability in per cent, not as a fraction: 99.8 (gp2, gp3, io1) or 99.999 (io2).";
        let volumes = "The most volumes to stripe (RAID 0).";
        let size = "GiB of each role's volumes together; an EBS volume holds up to 65,536.";
        let check_size = |gib: i64| {
            within("min_size_gib", gib as f64, (1.0, (65_536 * MAX_VOLUMES) as f64), size).map(|gib| gib as u64)
        };
        if let Some(budget) = self.budget_usd {
            within("budget_usd", budget.cents() as f64 / 100.0, (0.01, 1e9), "US dollars a month for all volumes.")?;
        }
        let ratio = "The database's throughput compared with now: 0.95 keeps 95 % of it.";
        let latency = "Milliseconds a request takes on average, reads and writes as they are mixed, for example 0.5.";
        let max_volumes = optional("max_volumes", self.max_volumes.map(f64::from), (1.0, MAX_VOLUMES as f64), volumes)?;
        let platform: Platform = self.platform.parse()?;
        if self.budget_usd.is_some() && !prices.are_known(platform) {
            let place = if prices.stand_in.is_some() { &prices.region } else { platform.name() };
            return Err(InputError::Illegal {
                reason: format!("budget_usd cannot be checked: the prices of {place} are not in the catalogue"),
                remedy: "Leave out budget_usd, or name a region with prices (docs/prices.md).",
            });
        }
        Ok(Request {
            platform,
            prices,
            rule: self.rule()?,
            instance: self.instance.as_deref().map(|name| instance_on(platform, name)).transpose()?,
            min_throughput_ratio: optional("min_throughput_ratio", self.min_throughput_ratio, (0.0, 10.0), ratio)?,
            latency_target_ms: optional("latency_target_ms", self.latency_target_ms, (0.01, 1_000.0), latency)?,
            durability_pct: optional("durability_pct", self.durability_pct, DURABILITY_PCT, durability)?,
            budget_usd: self.budget_usd,
            max_volumes: max_volumes.map(|count| count as u64),
            min_size_gib: self.min_size_gib.map(check_size).transpose()?,
            io_source: self.io_source,
            driver_load: None,
            max_wal_bytes: None,
            database: DatabaseFacts::default(),
        })
    }

    fn rule(&self) -> Result<SizingRule, InputError> {
        let percentile = "The percentile of one-second demand to size for, for example 99.";
        let headroom = "A share added to the demand: 0.2 is 20 %.";
        let throttled = "Share of the time and of the requests that may be throttled, in per cent, for example 1.";
        let kept = "Share of the throughput without a limit that a closed loop keeps, in per cent, for example 98.";
        let given = self.headroom.map(|share| within("headroom", share, (0.0, 10.0), headroom)).transpose()?;
        let default = SizingRule::default();
        Ok(SizingRule {
            percentile: within("percentile", self.percentile, (50.0, 100.0), percentile)?,
            headroom: given.unwrap_or(default.headroom),
            closed_headroom: given.unwrap_or(default.closed_headroom),
            max_throttled_pct: within("max_throttled_pct", self.max_throttled_pct, (0.0, 100.0), throttled)?,
            keep_throughput: within("keep_throughput_pct", self.keep_throughput_pct, (50.0, 99.9), kept)? / 100.0,
        })
    }
}

/// Returns the instance with this name on the platform. On EC2 an RDS instance class is refused: its volumes cannot be ordered there.
fn instance_on(platform: Platform, name: &str) -> Result<&'static Instance, InputError> {
    let known = instance(name)?;
    let is_class = name.get(..3).is_some_and(|prefix| prefix.eq_ignore_ascii_case("db."));
    if platform == Platform::Ec2 && is_class {
        let accepted = format!(
            "\"{name}\" is an RDS instance class: platform => 'rds', or instance => '{}'.",
            known.instance_type
        );
        return Err(InputError::unknown("EC2 instance type", name, accepted));
    }
    Ok(known)
}

impl Request {
    /// Sustained limits of the instance.
    pub fn instance_baseline(&self) -> Option<Ceiling> {
        self.instance.map(Instance::baseline)
    }

    /// Limits of these volumes on the instance beside its own ([`Instance::max_of_volumes`]).
    pub fn volumes_ceiling(&self, config: &VolumeConfig, volumes: u64) -> Option<Ceiling> {
        let stripes = config.class().map_or(1, |class| class.stripes.max(1));
        self.instance.map(|instance| instance.max_of_volumes(volumes * stripes))
    }

    /// Sustained limits of the instance for these volumes: no more than each of them, or each EBS card, reaches there.
    pub fn instance_ceiling(&self, config: &VolumeConfig, volumes: u64) -> Option<Ceiling> {
        self.instance_baseline().zip(self.volumes_ceiling(config, volumes)).map(|(all, some)| all.min(some))
    }

    /// True of a type that is known to be had in the region or zone.
    pub fn surely_has(&self, volume_type: VolumeType) -> bool {
        surely_has(self.platform, &self.prices.region, volume_type)
    }

    /// True of a type that is as durable as requested.
    pub fn accepts_durability(&self, volume_type: VolumeType) -> bool {
        self.durability_pct.is_none_or(|requested| volume_type.durability_pct() >= requested)
    }

    /// Most volumes that may be striped: one on RDS, which makes its stripes itself, and by default.
    pub fn max_stripe(&self) -> u64 {
        if self.platform.is_rds() { 1 } else { self.max_volumes.unwrap_or(1) }
    }
}

#[cfg(test)]
mod tests {
    use ebs_aws::catalogue::prices;

    use super::*;

    fn check(settings: Settings) -> Result<Request, InputError> {
        settings.check(prices("us-east-1").unwrap().clone())
    }

    #[test]
    fn a_durability_given_as_a_fraction_is_refused() {
        for (durability, accepted) in [(0.998, false), (0.99999, false), (49.9, false), (50.0, true), (99.999, true)] {
            let answer = check(Settings { durability_pct: Some(durability), ..Settings::default() });
            assert_eq!(answer.is_ok(), accepted, "{durability}");
        }
    }

    #[test]
    fn an_rds_class_is_refused_on_ec2_alone() {
        let on = |platform: &str, name: &str| {
            check(Settings { platform: platform.to_owned(), instance: Some(name.to_owned()), ..Settings::default() })
        };
        let hint = on("ec2", "DB.r6i.large").unwrap_err().hint();
        assert_eq!(hint, "\"DB.r6i.large\" is an RDS instance class: platform => 'rds', or instance => 'r6i.large'.");
        for (platform, name) in [("rds", "db.r6i.large"), ("rds", "r6i.large"), ("ec2", "r6i.large")] {
            assert!(on(platform, name).is_ok(), "{platform} {name}");
        }
    }
}
