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

/// Volumes that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The volumes.
    pub priced: Priced,
    /// Shortfall; `None` of feasible ones, and of those that were not searched for.
    pub shortfall: Option<Shortfall>,
}

impl From<Priced> for Found {
    fn from(priced: Priced) -> Found {
        Found { priced, shortfall: None }
    }
}

impl Found {
    /// The volumes of a result, or those that come nearest; `None` where not even these are sold.
    pub fn from_result(result: Result<Priced, Shortfall>) -> Option<Found> {
        match result {
            Ok(priced) => Some(Found::from(priced)),
            Err(shortfall) => Some(Found { priced: shortfall.best?, shortfall: Some(shortfall) }),
        }
    }
}
