//! The decision: the volumes of each part of the cluster, ranked, with the other scenarios beside them and the way to them.

pub(crate) mod action;
pub(crate) mod advice;
pub(crate) mod advise;
pub(crate) mod carried_demand;
pub(crate) mod confidence;
pub(crate) mod confidence_level;
pub(crate) mod decide;
mod find_smaller;
pub(crate) mod finding;
mod grounds;
pub(crate) mod idle;
pub(crate) mod instance_need;
pub(crate) mod log_volume;
mod negligible;
mod plan;
pub(crate) mod present;
pub(crate) mod priced_volumes;
pub(crate) mod rationale;
pub(crate) mod recommendation;
mod role;
pub(crate) mod role_advice;
pub(crate) mod separate_wal;
pub(crate) mod shortlist;
pub(crate) mod smaller_storage;
pub(crate) mod step;
mod steps;

#[cfg(test)]
mod average_tests;
#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod burst_tests;
#[cfg(test)]
mod checked_tests;
#[cfg(test)]
mod closed_loop_tests;
#[cfg(test)]
mod continuity_tests;
#[cfg(test)]
mod count_tests;
#[cfg(test)]
mod cut_off_tests;
#[cfg(test)]
mod delivery_tests;
#[cfg(test)]
mod instance_tests;
#[cfg(test)]
mod kept_tests;
#[cfg(test)]
mod place_tests;
#[cfg(test)]
mod stripe_tests;
#[cfg(test)]
mod successor_tests;
#[cfg(test)]
mod useless_limit_tests;
#[cfg(test)]
mod volume_limit_tests;
#[cfg(test)]
mod walk_scenario_tests;
#[cfg(test)]
mod walk_tests;
