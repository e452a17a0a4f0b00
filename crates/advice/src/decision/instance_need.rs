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
}
