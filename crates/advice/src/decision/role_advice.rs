//! Advice for one volume of the cluster, or for all of it on one.

use ebs_prediction::{BindingLimit, LimitOwner};
use std::rc::Rc;

use crate::current::current_state::CurrentState;
use crate::current::current_volume::CurrentVolume;
use crate::current::saturation::Saturation;
use crate::decision::decide::Decision;
use crate::decision::present::Present;
use crate::decision::recommendation::Recommendation;
use crate::decision::smaller_storage::{NoSmallerStorage, SmallerStorage};
use crate::evaluate::candidate::Candidate;
use crate::migration::procedure::Procedure;
use crate::request::settings::Request;
use crate::requirement::Requirement;
use crate::scenario::instance_saturation::InstanceSaturation;
use crate::scenario::variation::VariedArgument;
use ebs_aws::catalogue::Ceiling;

/// A variation of the request and its recommendation.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The argument that differs.
    pub argument: VariedArgument,
    /// The volumes that would be recommended; `None` if nothing would.
    pub best: Option<Candidate>,
}

/// Advice for one volume of the cluster, or for all of it on one.
#[derive(Clone, Debug)]
pub struct RoleAdvice {
    /// Its volumes, demand, size, saturation and prediction.
    pub state: Rc<CurrentState>,
    /// Requirement on volumes of the recommended type (or else the general purpose one), no more than the instance carries.
    pub requirement: Requirement,
    /// Requirement on them by the percentile, not limited by the instance.
    pub required_without_instance: Ceiling,
    /// The current volumes, as far as they were declared.
    pub current: Option<CurrentVolume>,
    /// Saturation of the instance, if there is one.
    pub instance_saturation: Option<InstanceSaturation>,
    /// The decision.
    pub decision: Decision,
    /// Feasible ones first, cheapest first; before these the present volumes, where they are kept in place of others, or those until the instance
    /// is larger.
    pub candidates: Vec<Candidate>,
    /// The cheapest volumes for the observed demand with headroom, as if clients kept their pace; `None` where the recommended
    /// ones are sized for it.
    pub peak_option: Option<Candidate>,
    /// The cheapest volumes for a closed loop; `None` where the kind of the load is known.
    pub closed_option: Option<Candidate>,
    /// The cheapest volumes for the other count of the requests; `None` where there is no doubt of it, or none suffice.
    pub count_option: Option<Candidate>,
    /// The cheapest volumes that keep the current throughput, where the recommended ones lose a part of it; `None` elsewhere, and where nothing
    /// is predicted by waits.
    pub kept_option: Option<Candidate>,
    /// The instance's limit that does not suffice for the other count; `None` where there is no doubt of it, or it does.
    pub count_bound: Option<BindingLimit>,
    /// Arguments that would change the recommendation.
    pub variations: Vec<Variation>,
    /// The change to the recommended volumes, or to those until the instance is larger; `None` where there are none.
    pub procedure: Option<Procedure>,
    /// Smaller storage of RDS by a Blue/Green deployment, or the reason why there is none; `None` where there is no storage of RDS today.
    pub smaller_storage: Option<Result<SmallerStorage, NoSmallerStorage>>,
}

impl RoleAdvice {
    /// The present volumes.
    pub fn present(&self) -> Present<'_> {
        Present {
            state: &self.state,
            current: self.current.as_ref(),
            instance_saturation: self.instance_saturation.as_ref(),
        }
    }

    /// The recommendation, for the arguments that the advice was computed with.
    pub fn recommendation(&self, request: &Request) -> Recommendation<'_> {
        Recommendation::new(&self.candidates, self.instance_saturation.as_ref(), &self.requirement, request)
    }

    /// The recommended volumes; `None` if none meet everything that was requested.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|candidate| candidate.feasible)
    }

    /// The instance, and the saturation at a limit of the volumes above what it sustains: its burst credits carried the run. `None` where
    /// the run was at no such limit.
    pub fn limit_above_instance(&self) -> Option<(&InstanceSaturation, &Saturation)> {
        let instance = self.instance_saturation.as_ref().filter(|instance| instance.reached.is_none())?;
        let saturation = self.state.saturation.as_ref()?;
        let limit = &saturation.limit;
        let is_of_volume = limit.named().next()?.owner == LimitOwner::Volume;
        (is_of_volume && limit.rate > instance.baseline.counted(limit.limited)).then_some((instance, saturation))
    }
}
