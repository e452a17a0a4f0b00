//! The current volumes of a role, as far as they were declared: price and replay.

use std::cmp::Ordering;

use crate::current::refuted_limit::RefutedLimit;
use crate::replay::{InstanceLimit, Measure, Outcome, Series, Step, replay};
use crate::request::settings::Request;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, LimitKind, Platform, Prices, VolumeConfig};
use ebs_aws::price::{Bill, bill, order_bill};
use ebs_base::units::Usd;
use ebs_samples::evidence::Volume;
use ebs_workload::declarations::Declarations;

/// The volumes of a role as they were declared.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentVolume {
    /// Each kind of them, and the number of it.
    pub volumes: Vec<(VolumeConfig, u64)>,
    /// Their price; `None` where a part of it is not known.
    pub bill: Option<Bill>,
    /// Price by which they are compared with others, which is not shown where it is that of another region.
    pub order_bill: Option<Bill>,
    /// Price of RDS's dedicated log volume among them, which stays beside io1 and io2 storage; `None` where there is none.
    pub log_bill: Option<Bill>,
    /// Replay of the demand on them; of several kinds, that of the kind that throttles most. Where the samples refute the declared limit,
    /// throttled are the seconds at the limit that they show.
    pub outcome: Option<Outcome>,
    /// Demand that they cannot have served; `None` where they can.
    pub exceeded: Option<ExceededDeclaration>,
    /// True where one of them can be attached to several instances (Multi-Attach).
    pub is_multi_attach: bool,
}

/// Demand above the limits of the declared volumes: the declaration is wrong, or a cache or merging was in front of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExceededDeclaration {
    /// The limit that is exceeded.
    pub limited: LimitKind,
    /// Highest rate that was observed, in its unit; of credits the mean rate once they would have been spent.
    pub observed: f64,
    /// The limit of the declared volumes, with burst credits, in the same unit; without them once they would have been spent.
    pub declared: f64,
}

/// Rate over a limit that EBS delivers for moments: volumes pass what they saved in idle seconds. A choice.
pub(super) const EXCEEDED_FACTOR: f64 = 1.1;

/// Share of the time above that from which on a limit was exceeded. A choice.
pub(super) const EXCEEDED_TIME_SHARE: f64 = 0.01;

impl ExceededDeclaration {
    /// Compares the observed demand with volumes as declared: with their burst, whose credits may have lasted.
    fn find(series: &Series, volumes: &[(VolumeConfig, u64)]) -> Option<ExceededDeclaration> {
        let limit = |(config, count): &(VolumeConfig, u64)| Some(Burst::ceiling(config.class()?, config, *count));
        let limits = volumes.iter().map(limit).collect::<Option<Vec<Ceiling>>>()?;
        let find = |limited, measure, declared: f64| {
            let is_above = |step: &&Step| step.rate(measure) > EXCEEDED_FACTOR * declared;
            let above_s: f64 = series.steps().iter().filter(is_above).map(|step| step.seconds).sum();
            let exceeded = ExceededDeclaration { limited, observed: series.max_rate(measure), declared };
            (above_s > 0.0 && above_s >= EXCEEDED_TIME_SHARE * series.seconds()).then_some(exceeded)
        };
        find(LimitKind::Iops, Measure::Requests, limits.iter().map(|one| one.iops).sum())
            .or_else(|| find(LimitKind::Throughput, Measure::Mib, limits.iter().map(|one| one.mibps).sum()))
    }
}

impl CurrentVolume {
    /// Reads the declarations of `volume`, whose observed demand, and that which it is replayed with, are given; `None` where there are
    /// none.
    pub fn from_declarations(
        volume: &Volume,
        declared: &Declarations,
        (observed, series): (&Series, &Series),
        request: &Request,
    ) -> Option<CurrentVolume> {
        let declared = declared.find(volume);
        if declared.is_empty() {
            return None;
        }
        // Declared volumes are EBS volumes: on Outposts and in a zone they have its limits, and a move to RDS does not change their
        // price. Nor does a move from where they are known to be change it.
        let platform = if request.platform.is_rds() { Platform::Ec2 } else { request.platform };
        let on_platform = |config: VolumeConfig| match config.platform {
            Platform::Ec2 => VolumeConfig { platform, ..config },
            _ => config,
        };
        let volumes: Vec<(VolumeConfig, u64)> =
            declared.iter().map(|declaration| (on_platform(declaration.config), declaration.volumes)).collect();
        let [bill, order_bill] = [bill, order_bill].map(|price| {
            let bills = volumes.iter().map(|(config, count)| price(config, *count, &request.prices));
            bills.collect::<Option<Vec<Bill>>>().map(|bills| bills.into_iter().sum())
        });
        let is_multi_attach = declared.iter().any(|declaration| declaration.is_multi_attach);
        let outcome = replay_kinds(series, &volumes, volume.layout.stripes_evenly(), request);
        let exceeded = ExceededDeclaration::find(observed, &volumes);
        Some(CurrentVolume { volumes, bill, order_bill, log_bill: None, outcome, exceeded, is_multi_attach })
    }

    /// The declared volumes of roles that are sized together: all of them, each replayed with its own demand. `volumes` is not empty.
    pub fn together(volumes: Vec<CurrentVolume>) -> Option<CurrentVolume> {
        let sum = |bills: Option<Vec<Bill>>| bills.map(|bills| bills.into_iter().sum());
        let bill = sum(volumes.iter().map(|one| one.bill).collect());
        let order_bill = sum(volumes.iter().map(|one| one.order_bill).collect());
        let is_multi_attach = volumes.iter().any(|one| one.is_multi_attach);
        let outcomes = volumes.iter().map(|one| one.outcome).collect::<Option<Vec<Outcome>>>();
        let exceeded = volumes.iter().find_map(|one| one.exceeded);
        let log_bill = volumes.iter().find_map(|one| one.log_bill);
        let kinds: Vec<(VolumeConfig, u64)> = volumes.into_iter().flat_map(|one| one.volumes).collect();
        (!kinds.is_empty()).then(|| CurrentVolume {
            volumes: kinds,
            bill,
            order_bill,
            log_bill,
            outcome: outcomes.and_then(|outcomes| outcomes.into_iter().max_by(compare_load)),
            exceeded,
            is_multi_attach,
        })
    }

    /// The same with RDS's dedicated log volume beside it, whose demand the samples do not tell apart.
    pub fn with_log_volume(self, log_volume: Option<VolumeConfig>, prices: &Prices) -> CurrentVolume {
        let Some(config) = log_volume else { return self };
        let plus = |all: Option<Bill>, one: Option<Bill>| Some([all?, one?].into_iter().sum());
        let log_bill = bill(&config, 1, prices);
        CurrentVolume {
            volumes: self.volumes.into_iter().chain([(config, 1)]).collect(),
            bill: plus(self.bill, log_bill),
            order_bill: plus(self.order_bill, order_bill(&config, 1, prices)),
            log_bill,
            ..self
        }
    }

    /// The same where the samples show a limit below the declared one: the seconds at it are throttled, though the declared limit would
    /// throttle none, and the latency that it adds is not known.
    pub fn with_refuted_limit(self, refuted: Option<&RefutedLimit>) -> CurrentVolume {
        let Some(refuted) = refuted else { return self };
        let at_limit = |outcome: Outcome| {
            let throttled_s = outcome.throttled_s.max(refuted.seconds_share * outcome.seconds);
            let throttled_high_pct = outcome.throttled_high_pct.max(100.0 * refuted.seconds_share);
            Outcome { throttled_s, throttled_high_pct, added: None, peak: outcome.peak.max(1.0), ..outcome }
        };
        CurrentVolume { outcome: self.outcome.map(at_limit), ..self }
    }

    /// Savings of other volumes at this price, a month; negative where they are dearer. A log volume that stays beside them is paid for
    /// on. The prices are rounded as they are shown, so that they add up.
    pub fn monthly_saving(&self, config: &VolumeConfig, other: &Bill) -> Option<Usd> {
        let stays = VolumeConfig::log_volume(config.platform, config.volume_type).is_some();
        let log = self.log_bill.filter(|_| stays).map_or(Usd::default(), |log| log.total().rounded());
        self.bill.map(|bill| bill.total().rounded() - log - other.total().rounded())
    }
}

/// Replays each kind with its part of the demand: the same for each volume of an even stripe, else by size. `None` where a kind has
/// no known limits.
fn replay_kinds(
    series: &Series,
    volumes: &[(VolumeConfig, u64)],
    stripes_evenly: bool,
    request: &Request,
) -> Option<Outcome> {
    let weight = |(config, count): &(VolumeConfig, u64)| {
        *count as f64 * if stripes_evenly { 1.0 } else { config.size_gib as f64 }
    };
    let total: f64 = volumes.iter().map(weight).sum();
    let replay_kind = |kind: &(VolumeConfig, u64)| {
        let share = weight(kind) / total;
        let part = |baseline: Ceiling| baseline.times(share);
        let each = request.instance_ceiling(&kind.0, kind.1);
        let instance = request.instance_baseline().map(part).zip(each).map(|(part, each)| part.min(each));
        let instance = InstanceLimit::from(instance);
        let scaled = (share < 1.0).then(|| series.scaled(share));
        replay(scaled.as_ref().unwrap_or(series), &kind.0, kind.1, instance, request.rule.followed_pct())
    };
    let outcomes = volumes.iter().map(replay_kind).collect::<Option<Vec<Outcome>>>()?;
    outcomes.into_iter().max_by(compare_load)
}

/// Compares replays by the time that is throttled, and then by the peak.
fn compare_load(a: &Outcome, b: &Outcome) -> Ordering {
    a.throttled_s.total_cmp(&b.throttled_s).then(a.peak.total_cmp(&b.peak))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::settings::Settings;
    use ebs_aws::catalogue::{VolumeType, prices};
    use ebs_samples::evidence::DeviceCounts;
    use ebs_workload::demand::{Demand, DemandInterval};

    fn gp2(size_gib: u64) -> VolumeConfig {
        VolumeConfig::new(Platform::Ec2, VolumeType::Gp2, size_gib, None, None).unwrap()
    }

    /// gp2 of 2,000 GiB has 6,000 IOPS, of 4,000 GiB 12,000. By size the larger takes 2/3: both are full at 18,000. In an even stripe
    /// each takes half: the smaller is full at 12,000.
    #[test]
    fn volumes_of_two_sizes_are_replayed_each_with_its_part() {
        let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
        let throttled = |iops: u64, stripes_evenly| {
            let counts = DeviceCounts { reads: iops, read_bytes: iops * 8_192, ..DeviceCounts::default() };
            let interval = |second: i64| DemandInterval {
                ended_us: second * 1_000_000,
                seconds: 1.0,
                counts,
                ..DemandInterval::default()
            };
            let demand = Demand { intervals: (1..=100).map(interval).collect(), ..Demand::default() };
            let volumes = [(gp2(2_000), 1), (gp2(4_000), 1)];
            replay_kinds(&Series::new(&demand), &volumes, stripes_evenly, &request).unwrap().throttled_pct()
        };
        assert_eq!([throttled(17_900, false), throttled(18_100, false)], [0.0, 100.0]);
        assert_eq!([throttled(11_900, true), throttled(12_100, true)], [0.0, 100.0]);
    }

    /// 3,300 is a tenth above gp3's 3,000, and gp2's burst; 1 % of 1,000 seconds are 10. 2,200 × 64 KiB are 137.5 MiB/s, a tenth above
    /// 125. Four volumes have four times as many.
    #[test]
    fn a_demand_above_the_declared_limits_is_found() {
        let exceeded = |(reads, kib, seconds): (u64, u64, usize), config: VolumeConfig, volumes: u64| {
            let interval = |second: i64| {
                let reads = if (second as usize) <= seconds { reads } else { 100 };
                let counts = DeviceCounts { reads, read_bytes: reads * kib * 1_024, ..DeviceCounts::default() };
                DemandInterval { ended_us: second * 1_000_000, seconds: 1.0, counts, ..DemandInterval::default() }
            };
            let demand = Demand { intervals: (1..=1_000).map(interval).collect(), ..Demand::default() };
            let found = ExceededDeclaration::find(&Series::new(&demand), &[(config, volumes)]);
            found.map(|found| (found.limited, found.observed, found.declared))
        };
        let gp3 = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 500, None, None).unwrap();
        let found = Some((LimitKind::Iops, 5_092.0, 3_000.0));
        assert_eq!(exceeded((5_092, 8, 10), gp3, 1), found);
        assert_eq!(exceeded((5_092, 8, 10), gp2(200), 1), found);
        assert_eq!(exceeded((5_092, 8, 9), gp3, 1), None);
        assert_eq!(exceeded((3_300, 8, 1_000), gp3, 1), None);
        assert_eq!(exceeded((5_092, 8, 1_000), gp3, 4), None);
        assert_eq!(exceeded((2_201, 64, 10), gp3, 1), Some((LimitKind::Throughput, 2_201.0 / 16.0, 125.0)));
        assert_eq!(exceeded((2_200, 64, 10), gp3, 1), None);
    }

    /// 1,000 reads a second on gp3 whose 12,000 IOPS are declared, and which the samples show at 1,000 in 40 % of the seconds.
    #[test]
    fn seconds_at_a_lower_limit_than_declared_are_throttled() {
        let outcome = Outcome { seconds: 600.0, peak: 0.1, added: Some(Default::default()), ..Outcome::default() };
        let current = CurrentVolume {
            volumes: Vec::new(),
            bill: None,
            order_bill: None,
            log_bill: None,
            outcome: Some(outcome),
            exceeded: None,
            is_multi_attach: false,
        };
        let (limited, level, declared) = (LimitKind::Iops, 1_000.0, 12_000.0);
        let refuted = RefutedLimit { limited, level, declared, seconds_share: 0.4 };
        assert_eq!(current.clone().with_refuted_limit(None), current);
        let outcome = current.with_refuted_limit(Some(&refuted)).outcome.unwrap();
        assert_eq!((outcome.throttled_pct(), outcome.throttled_high_pct, outcome.added), (40.0, 40.0, None));
        assert_eq!((outcome.peak, outcome.is_within(1.0)), (1.0, false));
    }
}
