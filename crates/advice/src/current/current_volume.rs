//! The current volumes of a role, as far as they were declared: price and replay.

use crate::replay::{InstanceLimit, Outcome, Series, replay};
use crate::request::settings::Request;
use ebs_aws::catalogue::{Platform, VolumeConfig};
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
    /// Replay of the demand on them; `None` for volumes that are not alike.
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
        let outcome = match volumes.as_slice() {
            [(config, count)] => {
                let instance = InstanceLimit::from(request.instance_baseline());
                replay(series, config, *count, instance, request.rule.max_throttled_pct)
            }
            _ => None,
        };
        Some(CurrentVolume { volumes, bill, outcome })
    }

    /// Savings of another bill, a month; negative where it is dearer. Both prices are rounded as they are shown, so that they
    /// add up.
    pub fn monthly_saving(&self, other: &Bill) -> Option<Usd> {
        self.bill.map(|bill| bill.total().rounded() - other.total().rounded())
    }
}
