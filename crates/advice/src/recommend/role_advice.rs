//! What was found for one volume of the cluster, or for all of it on one.

use crate::current::bottleneck::Bottleneck;
use crate::current::current_state::CurrentState;
use crate::current::current_volume::CurrentVolume;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::InstanceShort;
use crate::migration::procedure::Procedure;
use crate::recommend::decision_step::Step;
use crate::recommend::variation::Variation;
use crate::requirement::Requirement;
use ebs_aws::catalogue::Ceiling;
use ebs_prediction::predict::MissingInput;
use ebs_workload::io_profile::Figure;

/// What was found for one volume of the cluster.
#[derive(Clone, Debug)]
pub struct RoleAdvice {
    /// Its volumes, demand, size, saturation and prediction.
    pub state: CurrentState,
    /// Size of the filesystem, bytes, if known.
    pub filesystem_bytes: Option<u64>,
    /// Its demand: requests and throughput in full, of the others the mean.
    pub figures: Vec<Figure>,
    /// What is needed, no more than the instance carries.
    pub requirement: Requirement,
    /// The same whatever the instance carries.
    pub required_without_instance: Ceiling,
    /// What there is now, as far as it was declared.
    pub current: Option<CurrentVolume>,
    /// What holds the database back now, or why that is not known.
    pub bottleneck: Result<Bottleneck, MissingInput>,
    /// The instance's limit, if it binds.
    pub instance_short: Option<InstanceShort>,
    /// Feasible ones first, cheapest first.
    pub candidates: Vec<Candidate>,
    /// What would change the answer.
    pub variations: Vec<Variation>,
    /// How the choice was narrowed.
    pub decision: Vec<Step>,
    /// How to get there; `None` if nothing is recommended.
    pub procedure: Option<Procedure>,
}

impl RoleAdvice {
    /// The recommended volumes; `None` if nothing meets everything asked for.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|candidate| candidate.feasible)
    }
}
