//! The request, and the limits of its instance.

use ebs_advice as advice;
use ebs_aws::catalogue::{self, Ceiling};
use ebs_base::object;
use ebs_base::units::Usd;

object! {
    /// Arguments, as those of ebs_options.
    pub(super) struct Request<'a>(request: &'a advice::Request) {
        /// `ec2`, `outposts`, `rds`, `rds-multi-az` or `rds-cluster`.
        platform: &'static str = request.platform.name(),
        /// AWS region whose prices apply.
        region: &'a str = &request.prices.region,
        /// Date of the oldest price list used, `2026-10-15`.
        prices_as_of: &'a str = request.prices.as_of(request.platform),
        /// Percentile of one-second demand that volumes are sized for, per cent.
        percentile: f64 = request.rule.percentile,
        /// Headroom above that demand, as a share: 0.2 is 20 %.
        headroom: f64 = request.rule.headroom,
        /// The same of a closed loop: none, unless it was requested.
        closed_headroom: f64 = request.rule.closed_headroom,
        /// Maximum share of the time, and of the requests, that may be throttled in the replay, per cent.
        max_throttled_pct: f64 = request.rule.max_throttled_pct,
        /// Share of the throughput without a limit that volumes keep in a closed loop, per cent.
        keep_throughput_pct: f64 = 100.0 * request.rule.keep_throughput,
        /// Minimum throughput of the database, as a ratio to the current one.
        min_throughput_ratio: Option<f64> = request.min_throughput_ratio,
        /// Maximum mean latency of a request, ms.
        latency_target_ms: Option<f64> = request.latency_target_ms,
        /// Minimum durability a year, per cent.
        durability_pct: Option<f64> = request.durability_pct,
        /// Maximum price of all roles, US dollars a month.
        budget_usd: Option<f64> = request.budget_usd.map(Usd::dollars),
        /// Maximum number of volumes in a stripe; null: as many as there are now, else one.
        max_volumes: Option<u64> = request.max_volumes,
        /// Minimum size of each role's volumes together, GiB.
        min_size_gib: Option<u64> = request.min_size_gib,
        /// I/O that volumes are sized for: `all` of the devices', or that of `postgresql` alone.
        io_source: &'static str = request.io_source.name(),
    }
}

object! {
    /// Limits of an instance, over all volumes attached to it.
    pub(super) struct Instance<'a>(instance: &'a catalogue::Instance) {
        /// EC2 instance type or RDS instance class: `r6i.4xlarge`.
        instance_type: &'a str = &instance.instance_type,
        /// Sustained limits.
        baseline: Limits = Limits::from(instance.baseline()),
        /// Limits for 30 minutes a day.
        maximum_30_min: Limits = Limits::from(instance.maximum()),
        /// Date of AWS's table of limits, `2026-10-15`.
        as_of: &'a str = &instance.source_snapshot,
    }
}

object! {
    /// Limits of IOPS and throughput.
    struct Limits(ceiling: Ceiling) {
        /// I/O operations a second.
        iops: f64 = ceiling.iops,
        /// MiB/s.
        throughput_mibps: f64 = ceiling.mibps,
    }
}
