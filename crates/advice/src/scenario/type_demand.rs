//! Demand of a closed loop, which asks a volume of another latency for another demand.

use crate::current::current_state::CurrentState;
use crate::replay::Series;
use ebs_aws::catalogue::VolumeType;

/// Demand of a closed loop on volumes of a type.
#[derive(Clone, Debug)]
pub struct TypeDemand {
    /// The type.
    pub volume_type: VolumeType,
    /// Demand over the observed demand, at most one.
    pub scale: f64,
    /// The demand.
    pub series: Series,
}

impl TypeDemand {
    /// Demand on each type that a database can use, of this observed series and for a weight of the closed loop; empty where that is an
    /// open one, or not known. `pause` is called before each.
    pub fn list(state: &CurrentState, series: &Series, closed_weight: f64, pause: &dyn Fn()) -> Vec<TypeDemand> {
        let predictor = state.predictor.as_ref().ok();
        if closed_weight <= 0.0 || predictor.is_none() {
            return Vec::new();
        }
        let demand = |volume_type| {
            pause();
            let scale = state.load.weighted_scale(predictor, volume_type, closed_weight);
            TypeDemand { volume_type, scale, series: series.scaled(scale) }
        };
        VolumeType::suitable().map(demand).collect()
    }
}
