//! The bottleneck of the run as the bound of a prediction for its own volumes: what was measured says more of them than a model.

use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_prediction::BindingLimit;

/// The volumes of a run, and what they were bound by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunBound {
    /// Type of the volumes.
    pub volume_type: VolumeType,
    /// Number of them.
    pub volumes: u64,
    /// Their limits together, without and with burst credits.
    pub ceilings: [Ceiling; 2],
    /// The limiting factor.
    pub cause: BindingLimit,
    /// Another one that is as likely; `None` where the first is clear.
    pub also: Option<BindingLimit>,
}

impl RunBound {
    /// True of so many volumes of a type with these limits together, as far as the instance lets them through.
    pub fn is_of(
        &self,
        (volume_type, volumes): (VolumeType, u64),
        ceiling: Ceiling,
        within_instance: impl Fn(Ceiling) -> Ceiling,
    ) -> bool {
        let has_limits = self.ceilings.iter().any(|own| within_instance(*own) == within_instance(ceiling));
        (self.volume_type, self.volumes) == (volume_type, volumes) && has_limits
    }
}
