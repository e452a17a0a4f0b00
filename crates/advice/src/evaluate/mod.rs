//! Evaluation of volumes against the request: measured, judged, priced.

pub(crate) mod availability;
pub(crate) mod candidate;
pub(crate) mod candidates;
mod case;
pub(crate) mod cheapest;
pub(crate) mod evaluation;
pub(crate) mod latency;
mod measured;
pub(crate) mod provisioning;
mod queue_limit;
pub(crate) mod reason;
pub(crate) mod relaxation;
pub(crate) mod relaxed;
pub(crate) mod risk;
mod successor;
mod verdict;
