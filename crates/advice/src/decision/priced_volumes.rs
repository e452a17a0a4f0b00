//! Volumes with the price that is shown.

use crate::current::current_volume::CurrentVolume;
use crate::evaluate::candidate::Candidate;
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::units::Usd;

/// Equal volumes and their price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PricedVolumes {
    /// Configuration of each.
    pub config: VolumeConfig,
    /// Number of equal volumes.
    pub volumes: u64,
    /// Price of all of them a month, after discounts; `None` where it is not known.
    pub usd_month: Option<Usd>,
}

impl PricedVolumes {
    /// The current volumes; `None` where they are of several kinds.
    pub fn from_current(current: &CurrentVolume) -> Option<PricedVolumes> {
        let [(config, volumes)] = *current.volumes.as_slice() else { return None };
        let usd_month = current.bill.map(|bill| bill.total().rounded());
        Some(PricedVolumes { config, volumes, usd_month })
    }
}

impl From<&Candidate> for PricedVolumes {
    fn from(candidate: &Candidate) -> PricedVolumes {
        let usd_month = candidate.bill.map(|bill| bill.total().rounded());
        PricedVolumes { config: candidate.config, volumes: candidate.volumes, usd_month }
    }
}
