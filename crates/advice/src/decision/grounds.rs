//! The grounds of a decision.

use super::instance_need::InstanceNeed;
use super::recommendation::Recommendation;
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::Ceiling;
use ebs_base::units::Usd;

/// Everything that a decision rests on.
pub struct Grounds<'a> {
    /// The scenario that was evaluated, with its sizings.
    pub sizings: &'a Sizings<'a>,
    /// The recommendation by its candidates.
    pub recommendation: Recommendation<'a>,
    /// Requirement on volumes of the recommended type, not limited by the instance.
    pub required: Ceiling,
    /// The need for a larger instance; `None` where it suffices.
    pub need: Option<InstanceNeed>,
    /// Budget that the other roles leave; `None` without one.
    pub budget: Option<Usd>,
}
