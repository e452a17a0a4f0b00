//! Need: what a volume must be able to do, read off the demand.

use crate::catalogue::Ceiling;
use crate::demand::Demand;
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
    /// GiB; `None` where the evidence does not say how large the filesystem is.
    pub size_gib: Option<u64>,
    /// Whether the replay asked for more than percentile and headroom did.
    pub raised_by_replay: bool,
}

impl Need {
    /// The upper end of the interval of the percentile, times one plus headroom; raised, where the replay shows that a
    /// volume of just this much would throttle more than allowed, by the smallest factor that keeps within it.
    pub fn of(demand: &Demand, size_gib: Option<u64>, rule: Rule) -> Need {
        let upper = |samples: Vec<Sample>| {
            let p = rule.percentile / 100.0;
            // The bootstrap cannot exceed what was seen; nor can a narrow interval fall below it.
            let observed = quantile(&samples, p).unwrap_or(0.0);
            let high = quantile_interval(&samples, p).map_or(observed, |interval| interval.high.max(observed));
            high * (1.0 + rule.headroom)
        };
        let base = Ceiling {
            iops: upper(demand.samples(|i| Some(i.iops()))),
            mibps: upper(demand.samples(|i| Some(i.mibps()))),
        };
        let factor = raise(demand, base, rule.max_throttled_pct);
        Need { iops: base.iops * factor, mibps: base.mibps * factor, size_gib, raised_by_replay: factor > 1.0 }
    }

    /// As a ceiling.
    pub fn ceiling(&self) -> Ceiling {
        Ceiling { iops: self.iops, mibps: self.mibps }
    }
}

/// The smallest factor (to 0.1 %) on `base` at which the replay throttles no more than allowed.
fn raise(demand: &Demand, base: Ceiling, max_throttled_pct: f64) -> f64 {
    let fits = |factor: f64| {
        let ceiling = Ceiling { iops: base.iops * factor, mibps: base.mibps * factor };
        replay_ceiling(demand, ceiling).throttled_pct() <= max_throttled_pct
    };
    if base.iops <= 0.0 || fits(1.0) {
        return 1.0;
    }
    let peak = replay_ceiling(demand, base).peak;
    let (mut low, mut high) = (1.0, peak.max(1.0) * 1.001);
    while high - low > 0.001 * low {
        let middle = (low + high) / 2.0;
        if fits(middle) { high = middle } else { low = middle }
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
        assert_eq!((need.iops.round(), need.raised_by_replay), (1_200.0, false));
        assert_eq!((need.mibps * 1000.0).round(), (1_200.0f64 * 8192.0 / 1048576.0 * 1000.0).round());
    }

    #[test]
    fn a_low_percentile_is_raised_until_the_replay_holds() {
        let bursty = demand((0..600).map(|second| if second % 10 == 0 { 5_000 } else { 100 }));
        let need = Need::of(&bursty, None, Rule { percentile: 50.0, ..RULE });
        assert!(need.raised_by_replay && need.iops > 1_000.0, "{need:?}");
        assert!(replay_ceiling(&bursty, need.ceiling()).throttled_pct() <= 1.0);
    }

    #[test]
    fn no_demand_needs_nothing() {
        let need = Need::of(&demand((0..60).map(|_| 0)), Some(8), RULE);
        assert_eq!((need.iops, need.mibps, need.raised_by_replay), (0.0, 0.0, false));
    }
}
