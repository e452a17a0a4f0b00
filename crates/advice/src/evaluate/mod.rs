//! Evaluation of candidate volumes against the request.

pub(crate) mod availability;
pub(crate) mod binding;
pub(crate) mod candidate;
pub(crate) mod candidates;
pub(crate) mod context;

pub(crate) mod evaluated_demand;
pub(crate) mod evaluation;
pub(crate) mod explain;
pub(crate) mod latency;
pub(crate) mod latency_search;
pub(crate) mod reason;
pub(crate) mod risk;
pub(crate) mod shortage;
pub(crate) mod sizing;
pub(crate) mod successor;
