//! The request, and the limits of its instance.

use serde::Serialize;

use ebs_advice as advice;
use ebs_aws::catalogue::{self, Ceiling};
use ebs_base::units::Usd;

/// Arguments, as those of ebs_options.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Request<'a> {
    /// `ec2`, `outposts`, `rds`, `rds-multi-az` or `rds-cluster`.
    platform: &'static str,
    /// AWS region whose prices apply.
    region: &'a str,
    /// Date of the oldest price list used, `2026-10-15`.
    prices_as_of: &'a str,
    /// Percentile of one-second demand that volumes are sized for, per cent.
    percentile: f64,
    /// Headroom above that demand, as a share: 0.2 is 20 %.
    headroom: f64,
    /// Maximum share of time that may be throttled in the replay, per cent.
    max_throttled_pct: f64,
    /// Minimum throughput of the database, as a ratio to the current one.
    min_throughput_ratio: Option<f64>,
    /// Maximum mean latency of a request, ms.
    latency_target_ms: Option<f64>,
    /// Minimum durability a year, per cent.
    durability_pct: Option<f64>,
    /// Maximum price of all roles, US dollars a month.
    budget_usd: Option<f64>,
    /// Maximum number of volumes in a stripe; null: as many as there are now, else one.
    max_volumes: Option<u64>,
    /// Minimum size of each role's volumes together, GiB.
    min_size_gib: Option<u64>,
    /// I/O that volumes are sized for: `all` of the devices', or that of `postgresql` alone.
    io_source: &'static str,
}

impl<'a> From<&'a advice::Request> for Request<'a> {
    fn from(request: &'a advice::Request) -> Request<'a> {
        Request {
            platform: request.platform.name(),
            region: &request.prices.region,
            prices_as_of: request.prices.as_of(request.platform),
            percentile: request.rule.percentile,
            headroom: request.rule.headroom,
            max_throttled_pct: request.rule.max_throttled_pct,
            min_throughput_ratio: request.min_throughput_ratio,
            latency_target_ms: request.latency_target_ms,
            durability_pct: request.durability_pct,
            budget_usd: request.budget_usd.map(Usd::dollars),
            max_volumes: request.max_volumes,
            min_size_gib: request.min_size_gib,
            io_source: request.io_source.name(),
        }
    }
}

/// Limits of an instance, over all volumes attached to it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Instance<'a> {
    /// EC2 instance type or RDS instance class: `r6i.4xlarge`.
    instance_type: &'a str,
    /// Sustained limits.
    baseline: Limits,
    /// Limits for 30 minutes a day.
    maximum_30_min: Limits,
    /// Date of AWS's table of limits, `2026-10-15`.
    as_of: &'a str,
}

impl<'a> From<&'a catalogue::Instance> for Instance<'a> {
    fn from(instance: &'a catalogue::Instance) -> Instance<'a> {
        Instance {
            instance_type: &instance.instance_type,
            baseline: Limits::from(instance.baseline()),
            maximum_30_min: Limits::from(instance.maximum()),
            as_of: &instance.source_snapshot,
        }
    }
}

/// Limits of IOPS and throughput.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Limits {
    /// I/O operations a second.
    iops: f64,
    /// MiB/s.
    throughput_mibps: f64,
}

impl From<Ceiling> for Limits {
    fn from(ceiling: Ceiling) -> Limits {
        Limits { iops: ceiling.iops, throughput_mibps: ceiling.mibps }
    }
}
