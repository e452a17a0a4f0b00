//! Demand of a closed loop, which asks a volume of another latency for another demand.

use crate::replay::Series;
use ebs_aws::catalogue::VolumeType;

/// Demand of a closed loop on volumes of a type.
#[derive(Clone, Debug)]
pub struct TypeDemand {
    /// The type.
    pub volume_type: VolumeType,
    /// Demand over the observed demand, at most one.
    pub scale: f64,
    /// The demand.
    pub series: Series,
}
