//! Arguments of a request for advice, checked.

use crate::request::database_facts::DatabaseFacts;
use crate::requirement::SizingRule;
use ebs_aws::catalogue::{Ceiling, Instance, Platform, Prices, VolumeConfig, VolumeType, surely_has};
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
    /// The settings of a request without arguments.
    fn default() -> Settings {
        let rule = SizingRule::DEFAULT;
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

/// Most volumes in a stripe: the number that most Nitro instances can attach
/// (<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/volume_limits.html>).
pub const MAX_VOLUMES: u64 = 28;

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
