//! The recommendation: candidates of each part of the cluster, ranked, explained and with the way to them.

pub(crate) mod advice;
pub(crate) mod advise;
mod advisor;
#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod closed_loop_tests;
pub(crate) mod confidence;
pub(crate) mod confidence_level;
#[cfg(test)]
mod continuity_tests;
#[cfg(test)]
mod count_tests;
#[cfg(test)]
mod cut_off_tests;
pub(crate) mod decision;
pub(crate) mod decision_step;
#[cfg(test)]
mod delivery_tests;
mod find_smaller;
mod instance_limit;
pub(crate) mod instance_load;
pub(crate) mod log_volume;
mod part;
pub(crate) mod rationale;
pub(crate) mod recommendation;
pub(crate) mod role_advice;
pub(crate) mod separate_wal;
pub(crate) mod shortlist;
pub(crate) mod smaller_storage;
#[cfg(test)]
mod successor_tests;
pub(crate) mod variation;

#[cfg(test)]
mod stripe_tests;

#[cfg(test)]
mod burst_tests;
#[cfg(test)]
mod checked_tests;
#[cfg(test)]
mod place_tests;
#[cfg(test)]
mod volume_limit_tests;
