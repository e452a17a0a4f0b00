//! Demand above the baseline of volumes after every burst credit would have been spent: the declaration is wrong.

use super::current_volume::{CurrentVolume, EXCEEDED_FACTOR, EXCEEDED_TIME_SHARE, ExceededDeclaration};
use ebs_aws::bucket::{Bucket, Burst};
use ebs_aws::catalogue::{LimitKind, VolumeConfig};
use ebs_base::units::SECOND_US;
use ebs_workload::demand::Demand;

impl CurrentVolume {
    /// The same with the demand that the credits of the declared volumes cannot have served.
    pub fn with_credits_checked(self, demand: &Demand) -> CurrentVolume {
        let exceeded = self.exceeded.or_else(|| ExceededDeclaration::find_beyond_credits(demand, &self.volumes));
        CurrentVolume { exceeded, ..self }
    }
}

impl ExceededDeclaration {
    /// Compares the demand with the credits of declared volumes of one kind: a full bucket at its beginning, refilled at the baseline in
    /// time without samples. `None` where that can have served it.
    fn find_beyond_credits(demand: &Demand, volumes: &[(VolumeConfig, u64)]) -> Option<ExceededDeclaration> {
        let [(config, count)] = volumes else { return None };
        let Burst::Iops { bucket, .. } = Burst::new(config.class()?, config, *count) else { return None };
        let declared = bucket.sustained();
        let (above_s, above) = demand_without_credits(demand, bucket.widened(EXCEEDED_FACTOR));
        let seconds: f64 = demand.each().map(|interval| interval.seconds).sum();
        let is_exceeded = above_s > 0.0 && above_s >= EXCEEDED_TIME_SHARE * seconds;
        is_exceeded.then(|| ExceededDeclaration { limited: LimitKind::Iops, observed: above / above_s, declared })
    }
}

/// Seconds with demand above the baseline once the bucket was empty, and the requests of these seconds.
fn demand_without_credits(demand: &Demand, mut bucket: Bucket) -> (f64, f64) {
    let (mut above_s, mut above) = (0.0, 0.0);
    let mut ended_us: Option<i64> = None;
    for interval in demand.each() {
        let began_us = interval.ended_us as f64 - interval.seconds * SECOND_US as f64;
        let unsampled_s = ended_us.map_or(0.0, |ended_us| (began_us - ended_us as f64).max(0.0) / SECOND_US as f64);
        bucket.pass(bucket.change(0.0), unsampled_s);
        let rate = interval.iops();
        let change = bucket.change(rate);
        let beyond_s = (interval.seconds - bucket.seconds_left(change)).max(0.0);
        if change < 0.0 {
            above_s += beyond_s;
            above += beyond_s * rate;
        }
        bucket.pass(change, interval.seconds);
        ended_us = Some(interval.ended_us);
    }
    (above_s, above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_aws::catalogue::{Platform, VolumeType};
    use ebs_samples::evidence::DeviceCounts;
    use ebs_workload::demand::DemandInterval;

    const MINUTE_US: i64 = 60_000_000;

    /// Minutes at this rate, from this minute on.
    fn minutes(from: i64, number: i64, rate: u64) -> impl Iterator<Item = DemandInterval> {
        let counts = DeviceCounts { reads: rate * 60, read_bytes: rate * 60 * 8_192, ..DeviceCounts::default() };
        (from + 1..=from + number).map(move |minute| DemandInterval {
            ended_us: minute * MINUTE_US,
            seconds: 60.0,
            counts,
            ..DemandInterval::default()
        })
    }

    fn found(intervals: impl Iterator<Item = DemandInterval>, size_gib: u64) -> Option<(f64, f64)> {
        let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp2, size_gib, None, None).unwrap();
        let demand = Demand { intervals: intervals.collect(), ..Demand::default() };
        let exceeded = ExceededDeclaration::find_beyond_credits(&demand, &[(config, 1)]);
        exceeded.map(|exceeded| (exceeded.observed.round(), exceeded.declared))
    }

    /// 100 GiB have 300 IOPS: at 900 their 5.4 million credits end after 9,000 s, 150 minutes; at 330, a tenth above, they are not judged.
    #[test]
    fn a_day_at_three_times_the_baseline_is_more_than_credits_allow() {
        assert_eq!(found(minutes(0, 1_440, 900), 100), Some((900.0, 300.0)));
        assert_eq!(found(minutes(0, 1_440, 330), 100), None);
        assert_eq!(found(minutes(0, 149, 900), 100), None);
        // 334 GiB have 1,002 IOPS; 1,000 GiB and more have no credits.
        assert_eq!(found(minutes(0, 1_440, 900), 334), None);
        assert_eq!(found(minutes(0, 1_440, 9_000), 2_000), None);
    }

    /// Ten hours without samples may have filled the bucket again: 36,000 s × 300 are more than it holds.
    #[test]
    fn time_without_samples_may_have_filled_the_bucket() {
        let twice = |pause: i64| minutes(0, 149, 900).chain(minutes(149 + pause, 149, 900));
        assert_eq!(found(twice(600), 100), None);
        assert!(found(twice(0), 100).is_some());
    }
}
