//! The need for a larger instance.

use ebs_aws::catalogue::{Ceiling, Instance};

/// Limits that the instance must sustain, and the types that do.
#[derive(Clone, Copy, Debug)]
pub struct InstanceNeed {
    /// Requirement of all volumes together, with headroom.
    pub required: Ceiling,
    /// The saturated instance.
    pub saturated: &'static Instance,
    /// The smallest type of its family that sustains it; `None` where none does.
    pub sufficient: Option<&'static Instance>,
    /// A smaller type than that, of another family, that sustains it, too; `None` where there is none, and on RDS, which has not every family.
    pub other_family: Option<&'static Instance>,
}
