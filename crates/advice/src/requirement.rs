//! Requirement: the least IOPS and throughput of the volumes, derived from the demand.

use ebs_aws::catalogue::{Ceiling, grown_storage_gib};
use ebs_base::pause::Pause;
use ebs_stats::{Distribution, WeightedSample, maximum_bound};
use ebs_workload::demand::Demand;

/// Throttled time, per cent, up to which delays are followed on volumes that are shown, whatever is accepted: a short burst is a small
/// share of the time and may be most of the requests. A choice; following more takes long over a long history.
const MAX_FOLLOWED_PCT: f64 = 10.0;

/// Rule by which demand becomes a requirement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizingRule {
    /// Percentile of one-second demand, 50 to 100.
    pub percentile: f64,
    /// Headroom that is added to the demand of an open loop, as a share: 0.2 is 20 %.
    pub headroom: f64,
    /// The same of a closed loop, which asks for no more than it is answered: what was requested, or none.
    pub closed_headroom: f64,
    /// Largest share of the time, and of the requests, that may be throttled, per cent.
    pub max_throttled_pct: f64,
    /// Share of the throughput without a limit that volumes keep in a closed loop, 0 to 1.
    pub keep_throughput: f64,
}

impl SizingRule {
    /// The rule of a request without arguments; docs/advice.md has the reason for each.
    pub const DEFAULT: SizingRule = SizingRule {
        percentile: 99.0,
        headroom: 0.2,
        closed_headroom: 0.0,
        max_throttled_pct: 1.0,
        keep_throughput: 0.98,
    };
}

impl Default for SizingRule {
    fn default() -> SizingRule {
        SizingRule::DEFAULT
    }
}

impl SizingRule {
    /// The same with this headroom for either loop.
    pub fn with_headroom(self, headroom: f64) -> SizingRule {
        SizingRule { headroom, closed_headroom: headroom, ..self }
    }

    /// Throttled time, per cent, up to which the delays of volumes that are shown are followed: what is accepted, or a short burst's.
    pub fn followed_pct(&self) -> f64 {
        self.max_throttled_pct.max(MAX_FOLLOWED_PCT)
    }
}

/// Requirement for the volumes of one role together, before any replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Requirement {
    /// I/Os per second.
    pub iops: f64,
    /// MiB per second.
    pub mibps: f64,
    /// Upper end of the percentile's interval, without headroom.
    pub percentile: Ceiling,
    /// GiB; `None` where the evidence does not say how large the filesystem is.
    pub size_gib: Option<u64>,
    /// Current size of RDS storage that is modified, GiB, which grows by at least a tenth; `None` elsewhere.
    pub storage_gib: Option<u64>,
}

impl Requirement {
    /// Computes the requirement of IOPS and of MiB/s: the upper end of the percentile's interval, times one plus headroom. The
    /// replay may raise it ([`crate::search`]). Calls `pause` before each interval: over weeks it takes a tenth of a second.
    pub fn from_demand(demand: &Demand, size_gib: Option<u64>, rule: SizingRule, pause: &dyn Fn()) -> Requirement {
        let upper_end = |samples: Vec<WeightedSample>| {
            pause();
            percentile_upper_end(&samples, rule.percentile, demand.averaged_s, demand.pause)
        };
        let percentile = Ceiling {
            iops: upper_end(demand.samples(|i| Some(i.iops()))),
            mibps: upper_end(demand.samples(|i| Some(i.mibps()))),
        };
        Requirement::from_percentile(percentile, size_gib, rule)
    }

    /// Computes the requirement from a known percentile.
    pub fn from_percentile(percentile: Ceiling, size_gib: Option<u64>, rule: SizingRule) -> Requirement {
        let with_headroom = 1.0 + rule.headroom;
        Requirement {
            iops: percentile.iops * with_headroom,
            mibps: percentile.mibps * with_headroom,
            percentile,
            size_gib,
            storage_gib: None,
        }
    }

    /// The same for current RDS storage of so many GiB.
    pub fn on_storage(self, storage_gib: Option<u64>) -> Requirement {
        let size_gib = self.size_gib.map(|size_gib| grown_gib(storage_gib, size_gib));
        Requirement { size_gib, storage_gib, ..self }
    }

    /// The same, raised to these rates.
    pub fn at_least(self, floor: Ceiling) -> Requirement {
        Requirement { iops: self.iops.max(floor.iops), mibps: self.mibps.max(floor.mibps), ..self }
    }

    /// IOPS and MiB/s as a ceiling.
    pub fn ceiling(&self) -> Ceiling {
        Ceiling { iops: self.iops, mibps: self.mibps }
    }
}

/// Size that is ordered for at least this one, GiB, where RDS storage of `storage_gib` is modified.
pub fn grown_gib(storage_gib: Option<u64>, size_gib: u64) -> u64 {
    storage_gib.map_or(size_gib, |current_gib| grown_storage_gib(current_gib, size_gib))
}

/// 95 % upper bound of a percentile of seconds.
pub(crate) fn percentile_upper_end(samples: &[WeightedSample], percentile: f64, averaged_s: f64, pause: Pause) -> f64 {
    if percentile >= 100.0 {
        return maximum_bound(samples, averaged_s, averaged_s, pause).unwrap_or(0.0);
    }
    let bounds = Distribution::pausing(samples, pause).bounds(percentile / 100.0, averaged_s, averaged_s);
    bounds.map_or(0.0, |bounds| bounds.interval.high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::DeviceCounts;
    use ebs_workload::demand::DemandInterval;

    fn demand(requests: impl Iterator<Item = u64>) -> Demand {
        let interval = |reads| DemandInterval {
            ended_us: 0,
            seconds: 1.0,
            counts: DeviceCounts { reads, read_bytes: reads * 8192, ..Default::default() },
            ..DemandInterval::default()
        };
        Demand { timed: true, intervals: requests.map(interval).collect(), ..Demand::default() }
    }

    const RULE: SizingRule = SizingRule::DEFAULT;

    fn requirement(demand: &Demand, size_gib: Option<u64>, rule: SizingRule) -> Requirement {
        Requirement::from_demand(demand, size_gib, rule, &|| ())
    }

    #[test]
    fn a_constant_demand_needs_itself_and_the_headroom() {
        let need = requirement(&demand((0..600).map(|_| 1_000)), Some(100), RULE);
        assert_eq!(need.iops.round(), 1_200.0);
        assert_eq!((need.mibps * 1000.0).round(), (1_200.0f64 * 8192.0 / 1048576.0 * 1000.0).round());
    }

    #[test]
    fn a_lower_percentile_never_asks_for_more() {
        let bursty = demand((0..600).map(|second| second * 7_919 % 5_000));
        let needs = [50.0, 75.0, 90.0, 95.0, 99.0, 100.0]
            .map(|percentile| requirement(&bursty, None, SizingRule { percentile, ..RULE }));
        for pair in needs.windows(2) {
            assert!(pair[0].iops <= pair[1].iops && pair[0].mibps <= pair[1].mibps, "{pair:?}");
        }
        let max = bursty.intervals.iter().map(|interval| interval.iops()).fold(0.0, f64::max);
        assert!(needs[0].iops < needs[5].iops && needs[5].percentile.iops >= max);
    }

    /// Half of the five-minute averages are 500, half 1,500: seconds are up to 3.13 times as far above the mean of 1,000.
    #[test]
    fn averages_over_minutes_need_more_than_their_percentile() {
        let seconds = demand((0..600).map(|n| if n % 2 == 0 { 500 } else { 1_500 }));
        let mut coarse = Demand { averaged_s: 300.0, ..seconds.clone() };
        for interval in &mut coarse.intervals {
            interval.seconds = 300.0;
            interval.counts.reads *= 300;
        }
        let iops = |demand| requirement(demand, None, RULE).percentile.iops;
        assert_eq!((iops(&seconds).round(), iops(&coarse).round()), (1_500.0, 2_565.0));
    }

    /// One AWR hour of 1,000 IOPS: with headroom it needs twice that, as nothing but an assumption says more.
    #[test]
    fn one_hour_needs_twice_its_mean() {
        let hour = DemandInterval {
            ended_us: 0,
            seconds: 3_600.0,
            counts: DeviceCounts { reads: 3_600_000, read_bytes: 3_600_000 * 8192, ..Default::default() },
            ..DemandInterval::default()
        };
        let awr = Demand { averaged_s: 3_600.0, intervals: vec![hour], ..Demand::default() };
        let need = requirement(&awr, None, RULE);
        assert_eq!((need.iops.round(), (need.mibps * 1024.0).round()), (2_000.0, 16_000.0));
    }

    #[test]
    fn no_demand_needs_nothing() {
        let need = requirement(&demand((0..60).map(|_| 0)), Some(8), RULE);
        assert_eq!((need.iops, need.mibps), (0.0, 0.0));
    }
}
