//! Need: what a volume must be able to do, read off the demand.

use crate::catalogue::Ceiling;
use crate::demand::{Demand, Interval};
use crate::replay::replay_ceiling;
use crate::stats::{Sample, quantile, quantile_interval};
use crate::units::GIB;

/// How a need is read off a demand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Percentile of one-second demand, 50 to 100.
    pub percentile: f64,
    /// Added to it, as a share: 0.2 is 20 %.
    pub headroom: f64,
    /// Share of seconds that may be throttled, per cent.
    pub max_throttled_pct: f64,
}

/// What the volumes of one role must be able to do together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// I/Os per second.
    pub iops: f64,
    /// MiB per second.
    pub mibps: f64,
    /// The upper end of the percentile that decides, before headroom.
    pub percentile: Ceiling,
    /// GiB; `None` where the evidence does not say how large the filesystem is.
    pub size_gib: Option<u64>,
    /// Whether the replay asked for more IOPS than percentile and headroom did.
    pub iops_raised: bool,
    /// Whether it asked for more throughput.
    pub mibps_raised: bool,
}

impl Need {
    /// For IOPS and for MiB/s each: the upper end of the interval of the percentile, times one plus headroom, or what the
    /// replay needs to keep within the throttled seconds that are allowed, whichever is more.
    pub fn of(demand: &Demand, size_gib: Option<u64>, rule: Rule) -> Need {
        let percentile = Ceiling {
            iops: upper(&demand.samples(|i| Some(i.iops())), rule.percentile),
            mibps: upper(&demand.samples(|i| Some(i.mibps())), rule.percentile),
        };
        let replayed = least_replayed(demand, rule.max_throttled_pct);
        let (iops, mibps) = (percentile.iops * (1.0 + rule.headroom), percentile.mibps * (1.0 + rule.headroom));
        Need {
            iops: iops.max(replayed.iops),
            mibps: mibps.max(replayed.mibps),
            percentile,
            size_gib,
            iops_raised: replayed.iops > iops,
            mibps_raised: replayed.mibps > mibps,
        }
    }

    /// As a ceiling.
    pub fn ceiling(&self) -> Ceiling {
        Ceiling { iops: self.iops, mibps: self.mibps }
    }
}

/// The upper end of the interval of a percentile; never below the percentile itself.
fn upper(samples: &[Sample], percentile: f64) -> f64 {
    let p = percentile / 100.0;
    let observed = quantile(samples, p).unwrap_or(0.0);
    quantile_interval(samples, p).map_or(observed, |interval| interval.high.max(observed))
}

/// The least IOPS and the least MiB/s that keep within the throttled seconds allowed. Each is found alone; where together
/// they throttle too much, because they do so in different seconds, each may use half of what is allowed. It depends on
/// the demand alone, so that a lower percentile never asks for more.
fn least_replayed(demand: &Demand, max_throttled_pct: f64) -> Ceiling {
    const ENDLESS: f64 = f64::MAX;
    let each = |allowed: f64| Ceiling {
        iops: least(|iops| Ceiling { iops, mibps: ENDLESS }, demand, allowed, |i| i.iops()),
        mibps: least(|mibps| Ceiling { iops: ENDLESS, mibps }, demand, allowed, |i| i.mibps()),
    };
    let alone = each(max_throttled_pct);
    match replay_ceiling(demand, alone).throttled_pct() <= max_throttled_pct {
        true => alone,
        false => each(max_throttled_pct / 2.0),
    }
}

/// The least figure (to 0.1 % of the peak) at which the replay stays within `allowed` per cent of throttled seconds. At the
/// peak nothing is throttled.
fn least(ceiling: impl Fn(f64) -> Ceiling, demand: &Demand, allowed: f64, figure: impl Fn(&Interval) -> f64) -> f64 {
    let peak = demand.intervals.iter().map(figure).fold(0.0, f64::max);
    let (mut low, mut high) = (0.0, peak);
    while high - low > 0.001 * peak {
        let middle = (low + high) / 2.0;
        if replay_ceiling(demand, ceiling(middle)).throttled_pct() <= allowed { high = middle } else { low = middle }
    }
    high
}

/// Bytes as whole GiB, rounded up.
pub fn gib(bytes: u64) -> u64 {
    bytes.div_ceil(GIB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::Interval;
    use crate::evidence::DeviceCounts;

    fn demand(requests: impl Iterator<Item = u64>) -> Demand {
        let interval = |reads| Interval {
            ended_us: 0,
            seconds: 1.0,
            counts: DeviceCounts { reads, read_bytes: reads * 8192, ..Default::default() },
        };
        Demand { timed: true, intervals: requests.map(interval).collect() }
    }

    const RULE: Rule = Rule { percentile: 99.0, headroom: 0.2, max_throttled_pct: 1.0 };

    #[test]
    fn a_constant_demand_needs_itself_and_the_headroom() {
        let need = Need::of(&demand((0..600).map(|_| 1_000)), Some(100), RULE);
        assert_eq!((need.iops.round(), need.iops_raised, need.mibps_raised), (1_200.0, false, false));
        assert_eq!((need.mibps * 1000.0).round(), (1_200.0f64 * 8192.0 / 1048576.0 * 1000.0).round());
    }

    #[test]
    fn a_low_percentile_is_raised_until_the_replay_holds() {
        let bursty = demand((0..600).map(|second| if second % 10 == 0 { 5_000 } else { 100 }));
        let need = Need::of(&bursty, None, Rule { percentile: 50.0, ..RULE });
        assert!(need.iops_raised && need.iops > 1_000.0, "{need:?}");
        assert!(replay_ceiling(&bursty, need.ceiling()).throttled_pct() <= 1.0);
    }

    /// 4,000 small reads a second, and every 20th second 400 MiB of large ones: each limit is raised by itself.
    #[test]
    fn a_lower_percentile_never_asks_for_more() {
        let interval = |second: u64| {
            let (reads, bytes) = if second.is_multiple_of(20) { (1_600, 400 << 20) } else { (4_000, 4_000 * 8_192) };
            let counts = DeviceCounts { reads, read_bytes: bytes, ..Default::default() };
            Interval { ended_us: 0, seconds: 1.0, counts }
        };
        let demand = Demand { timed: true, intervals: (1..=1_200).map(interval).collect() };
        let needs =
            [50.0, 75.0, 90.0, 95.0, 99.0, 100.0].map(|p| Need::of(&demand, None, Rule { percentile: p, ..RULE }));
        for pair in needs.windows(2) {
            assert!(pair[0].iops <= pair[1].iops && pair[0].mibps <= pair[1].mibps, "{pair:?}");
        }
        assert!(needs[0].iops <= 4_800.0 && needs[0].mibps <= 401.0 && needs[0].mibps_raised, "{:?}", needs[0]);
        for need in needs {
            assert!(replay_ceiling(&demand, need.ceiling()).throttled_pct() <= 1.0, "{need:?}");
        }
    }

    #[test]
    fn no_demand_needs_nothing() {
        let need = Need::of(&demand((0..60).map(|_| 0)), Some(8), RULE);
        assert_eq!((need.iops, need.mibps, need.iops_raised), (0.0, 0.0, false));
    }
}
