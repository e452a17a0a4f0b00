//! The volumes that the cluster is on now: their limits, size and saturation, the bottleneck of the database, and the demand of its data and of
//! its WAL, each for volumes of its own.

pub(crate) mod apart_demand;
pub(crate) mod bottleneck;
pub(crate) mod checked_limits;
pub(crate) mod current_state;
pub(crate) mod current_volume;
pub(crate) mod demand_bounds;
pub(crate) mod file_parts;
pub(crate) mod limits;
pub(crate) mod load;
pub(crate) mod refuted_limit;
pub(crate) mod saturation;
pub(crate) mod sequential;
pub(crate) mod size;
mod spent_credits;
pub(crate) mod wal_demand;
