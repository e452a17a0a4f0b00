//! The current volumes of a role, as far as they were declared: price and replay.

use crate::replay::{InstanceLimit, MAX_FOLLOWED_PCT, Outcome, Series, replay};
use crate::request::settings::Request;
use ebs_aws::catalogue::{Ceiling, Platform, VolumeConfig};
use ebs_aws::price::{Bill, bill};
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
    /// Replay of the demand on them; of several kinds, that of the kind that throttles most.
    pub outcome: Option<Outcome>,
}

impl CurrentVolume {
    /// Reads the declarations of `volume`; `None` where there are none.
    pub fn from_declarations(
        volume: &Volume,
        declared: &Declarations,
        series: &Series,
        request: &Request,
    ) -> Option<CurrentVolume> {
        let declared = declared.find(volume);
        if declared.is_empty() {
            return None;
        }
        // Declared volumes are EBS volumes: on Outposts they have its limits, and a move to RDS does not change their price.
        let platform = if request.platform.is_rds() { Platform::Ec2 } else { request.platform };
        let on_platform = |config: VolumeConfig| VolumeConfig { platform, ..config };
        let volumes: Vec<(VolumeConfig, u64)> =
            declared.iter().map(|declaration| (on_platform(declaration.config), declaration.volumes)).collect();
        let bills = volumes.iter().map(|(config, count)| bill(config, *count, &request.prices));
        let bill = bills.collect::<Option<Vec<Bill>>>().map(|bills| bills.into_iter().sum());
        let outcome = replay_kinds(series, &volumes, volume.layout.stripes_evenly(), request);
        Some(CurrentVolume { volumes, bill, outcome })
    }

    /// Savings of another bill, a month; negative where it is dearer. Both prices are rounded as they are shown, so that they
    /// add up.
    pub fn monthly_saving(&self, other: &Bill) -> Option<Usd> {
        self.bill.map(|bill| bill.total().rounded() - other.total().rounded())
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
        let part = |baseline: Ceiling| Ceiling { iops: share * baseline.iops, mibps: share * baseline.mibps };
        let each = request.instance_ceiling(&kind.0, kind.1);
        let instance = request.instance_baseline().map(part).zip(each).map(|(part, each)| part.min(each));
        let instance = InstanceLimit::from(instance);
        let scaled = (share < 1.0).then(|| series.scaled(share));
        replay(
            scaled.as_ref().unwrap_or(series),
            &kind.0,
            kind.1,
            instance,
            request.rule.max_throttled_pct.max(MAX_FOLLOWED_PCT),
        )
    };
    let outcomes = volumes.iter().map(replay_kind).collect::<Option<Vec<Outcome>>>()?;
    let busier = |a: &Outcome, b: &Outcome| a.throttled_s.total_cmp(&b.throttled_s).then(a.peak.total_cmp(&b.peak));
    outcomes.into_iter().max_by(busier)
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
}
