//! Replay: the recorded intervals run through a candidate's limits.
//!
//! What a volume cannot serve in its interval waits for the next; an interval in which anything waited is throttled. A
//! busy second thus throttles the seconds after it until the backlog is gone, as it would on EBS.

use crate::bucket::Bucket;
use crate::catalogue::{Ceiling, VolumeConfig};
use crate::demand::Demand;
use crate::units::MIB;

/// What a replay gave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Seconds in which requests had to wait for the limit.
    pub throttled_s: f64,
    /// Seconds replayed.
    pub seconds: f64,
    /// Largest demand of one interval as a share of the ceiling; above one means throttled.
    pub peak: f64,
    /// Whether burst credits ran out.
    pub credits_ran_out: bool,
}

impl Outcome {
    /// Throttled seconds in all, per cent.
    pub fn throttled_pct(&self) -> f64 {
        if self.seconds > 0.0 { 100.0 * self.throttled_s / self.seconds } else { 0.0 }
    }
}

/// Runs `demand` against `volumes` such volumes, on an instance with this baseline.
pub fn replay(demand: &Demand, config: &VolumeConfig, volumes: u64, instance: Option<Ceiling>) -> Outcome {
    let steady = config.ceiling(volumes);
    against(demand, instance, steady, Bucket::full(config, volumes))
}

/// Runs `demand` against a constant ceiling.
pub fn replay_ceiling(demand: &Demand, ceiling: Ceiling) -> Outcome {
    against(demand, None, ceiling, None)
}

fn against(demand: &Demand, instance: Option<Ceiling>, steady: Ceiling, mut bucket: Option<Bucket>) -> Outcome {
    let mut outcome = Outcome::default();
    let (mut waiting_requests, mut waiting_mib) = (0.0, 0.0);
    for interval in &demand.intervals {
        let seconds = interval.seconds;
        let volume = bucket.as_ref().map_or(steady, |bucket| bucket.ceiling(seconds));
        let limit = instance.map_or(volume, |instance| lower(volume, instance));
        let requests = interval.ssd_requests() as f64 + waiting_requests;
        let mib = interval.bytes() as f64 / MIB as f64 + waiting_mib;
        let (can_requests, can_mib) = (limit.iops * seconds, limit.mibps * seconds);
        waiting_requests = (requests - can_requests).max(0.0);
        waiting_mib = (mib - can_mib).max(0.0);
        if let Some(bucket) = &mut bucket {
            bucket.spend(requests.min(can_requests), seconds);
            outcome.credits_ran_out |= bucket.credits() <= 0.0;
        }
        outcome.seconds += seconds;
        // Less than a request or 4 KiB left over is rounding, not waiting.
        if waiting_requests >= 1.0 || waiting_mib >= 1.0 / 256.0 {
            outcome.throttled_s += seconds;
        }
        outcome.peak = outcome.peak.max(interval.iops() / limit.iops).max(interval.mibps() / limit.mibps);
    }
    outcome
}

fn lower(a: Ceiling, b: Ceiling) -> Ceiling {
    Ceiling { iops: a.iops.min(b.iops), mibps: a.mibps.min(b.mibps) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::VolumeType;
    use crate::demand::Interval;
    use crate::evidence::DeviceCounts;
    use proptest::prelude::*;

    fn each_second(requests: &[u64]) -> Demand {
        let interval = |&reads: &u64| Interval {
            ended_us: 0,
            seconds: 1.0,
            counts: DeviceCounts { reads, read_bytes: reads * 8192, ..Default::default() },
        };
        Demand { timed: true, intervals: requests.iter().map(interval).collect() }
    }

    fn gp3(iops: u64) -> VolumeConfig {
        VolumeConfig::new(VolumeType::Gp3, 1_000, Some(iops), Some(500)).unwrap()
    }

    #[test]
    fn a_backlog_throttles_the_seconds_after_it() {
        // 9,000 in one second on 3,000 IOPS: two more seconds to work it off; the third has room again.
        let outcome = replay(&each_second(&[9_000, 0, 0, 0]), &gp3(3_000), 1, None);
        assert_eq!((outcome.throttled_s, outcome.peak), (2.0, 3.0));
        assert_eq!(replay(&each_second(&[3_000; 60]), &gp3(3_000), 1, None).throttled_s, 0.0);
    }

    #[test]
    fn the_instance_is_a_ceiling_too() {
        let small = Some(Ceiling { iops: 1_000.0, mibps: 1e6 });
        assert_eq!(replay(&each_second(&[2_000; 10]), &gp3(3_000), 1, small).throttled_pct(), 100.0);
    }

    #[test]
    fn gp2_bursts_until_its_credits_are_gone() {
        let volume = VolumeConfig::new(VolumeType::Gp2, 100, None, None).unwrap();
        let outcome = replay(&each_second(&[3_000; 2_400]), &volume, 1, None);
        assert!(outcome.credits_ran_out);
        // 2,000 s at 3,000 IOPS, then 300 IOPS.
        assert!((outcome.throttled_s - 400.0).abs() <= 1.0, "{outcome:?}");
    }

    proptest! {
        #[test]
        fn a_larger_volume_never_throttles_more(
            requests in prop::collection::vec(0u64..20_000, 1..100), a in 3_000u64..80_000, b in 3_000u64..80_000,
        ) {
            let demand = each_second(&requests);
            let throttled = |iops| replay(&demand, &gp3(iops), 1, None).throttled_s;
            prop_assert!(throttled(a.max(b)) <= throttled(a.min(b)));
        }
    }
}
