//! The action on volumes, and the reason for it.

use super::carried_demand::CarriedDemand;
use crate::current::refuted_limit::RefutedLimit;
use crate::evaluate::candidate::{Candidate, Excess};
use ebs_aws::catalogue::{Ceiling, Instance};
use ebs_base::named;
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;

named! {
    /// Action on volumes.
    pub enum Action {
        /// They stay as they are.
        Keep = "keep",
        /// They are modified to the recommended configuration.
        Modify = "modify",
        /// Their instance binds: a larger instance comes first.
        LargerInstance = "larger_instance",
        /// They are not attached.
        Delete = "delete",
        /// No answer.
        NoAnswer = "no_answer",
    }
}

/// Reason for an action.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionReason {
    /// Volumes suffice for the demand and the request: the present ones, or others.
    Sufficient(Box<Candidate>),
    /// The present volumes carry less than the demand with its headroom, or hold too little: others suffice.
    PresentTooSmall(Box<Candidate>),
    /// The present volumes miss requested durability, latency or throughput: others meet them.
    PresentMissesTarget {
        /// Their excesses over the targets, at least one.
        missed: Vec<(BindingLimit, Excess)>,
        /// The others.
        candidate: Box<Candidate>,
    },
    /// Others would suffice, and save too little.
    NegligibleSaving {
        /// The others.
        candidate: Box<Candidate>,
        /// Their saving a month.
        saved: Usd,
    },
    /// The present volumes carried the demand with headroom; others, which cost more, would carry more than averages show.
    PresentSuffices(Box<CarriedDemand>),
    /// The counts show a limit below the described one: the description or the instance is to be checked before any change.
    DescriptionRefuted {
        /// The limit.
        refuted: RefutedLimit,
        /// Volumes that suffice for the demand that it let through.
        candidate: Box<Candidate>,
    },
    /// The instance binds the demand on all its volumes.
    InstanceBinds {
        /// The instance.
        instance: &'static Instance,
        /// Its limit.
        bound: BindingLimit,
        /// Requirement of all its volumes, with headroom.
        required: Ceiling,
        /// The smallest type of its family that sustains that; `None` where none does.
        sufficient: Option<&'static Instance>,
    },
    /// No volume meets everything requested; the nearest.
    NothingSuffices(Option<Box<Candidate>>),
    /// Volumes suffice for the demand, and the present ones are not known.
    ConfigurationUnknown(Box<Candidate>),
    /// They were idle: what the price of their type includes suffices.
    Idle {
        /// Requests.
        requests: u64,
        /// Seconds in which they were counted.
        seconds: f64,
    },
}

impl ActionReason {
    /// The volumes that were found, whether they are ordered or present ones stay; `None` where none suffice or were sought.
    pub fn found(&self) -> Option<&Candidate> {
        match self {
            ActionReason::Sufficient(found)
            | ActionReason::PresentTooSmall(found)
            | ActionReason::ConfigurationUnknown(found)
            | ActionReason::PresentMissesTarget { candidate: found, .. }
            | ActionReason::NegligibleSaving { candidate: found, .. }
            | ActionReason::DescriptionRefuted { candidate: found, .. } => Some(found),
            ActionReason::PresentSuffices(carried) => Some(&carried.candidate),
            ActionReason::InstanceBinds { .. } | ActionReason::NothingSuffices(_) | ActionReason::Idle { .. } => None,
        }
    }
}
