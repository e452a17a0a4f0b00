//! The part of a request that volumes are for, where the whole of it costs too much.

use ebs_aws::catalogue::VolumeType;
use ebs_base::units::Usd;

/// The part of a request that volumes are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// Cause for which they are not for the whole of it.
    pub cause: RelaxationCause,
    /// Headroom that they have, a share; `None` where they do not even carry the demand without any.
    pub headroom: Option<f64>,
    /// Volumes for the whole request: type, number, and dollars a month; `None` where none meet it.
    pub whole: Option<(VolumeType, u64, Usd)>,
}

/// Cause of a relaxation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RelaxationCause {
    /// The rest of the headroom costs more than half as much again, or is not to be had.
    PriceOfHeadroom,
    /// The rest of the throughput that a closed loop is to keep costs more than half as much again.
    PriceOfThroughput,
    /// A budget, dollars a month.
    Budget(Usd),
}
