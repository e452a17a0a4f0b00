//! The resource for which no volume of a type is feasible.

use super::priced::Priced;
use ebs_prediction::BindingLimit;

/// The shortfall where nothing is feasible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The best volumes of the type: where the instance is short, the cheapest that add nothing to its throttling. `None`
    /// where not even these are sold.
    pub best: Option<Priced>,
    /// Size, or the rate with the largest shortfall.
    pub resource: BindingLimit,
    /// Requirement for all volumes together, in the unit of the resource.
    pub required: f64,
    /// Maximum of all volumes together, in the same unit.
    pub max: f64,
}
