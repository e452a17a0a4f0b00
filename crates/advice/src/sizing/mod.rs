//! Sizing: the requirement on volumes of each type, derived from the demand of a scenario.

pub(crate) mod sizings;
