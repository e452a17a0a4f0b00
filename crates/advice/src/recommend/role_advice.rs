//! What was found for one volume of the cluster, or for all of it on one.

use crate::current::bottleneck::Bottleneck;
use crate::current::current_volume::CurrentVolume;
use crate::current::saturation::Saturation;
use crate::current::size::SizeNeed;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::InstanceShort;
use crate::migration::procedure::Procedure;
use crate::predictor::predictor::Predictor;
use crate::recommend::decision_step::Step;
use crate::recommend::variation::Variation;
use crate::requirement::Requirement;
use ebs_aws::catalogue::Ceiling;
use ebs_prediction::predict::MissingInput;
use ebs_workload::io_profile::Figure;

/// What was found for one volume of the cluster.
#[derive(Clone, Debug)]
pub struct RoleAdvice {
    /// `data`, `wal` or `data+wal`.
    pub role: String,
    /// The device it is on now.
    pub device: String,
    /// Size of the filesystem, bytes, if known.
    pub filesystem_bytes: Option<u64>,
    /// Bytes in use, if known.
    pub used_bytes: Option<u64>,
    /// How large it must be, and why.
    pub size: SizeNeed,
    /// Its demand: requests and throughput in full, of the others the mean.
    pub figures: Vec<Figure>,
    /// Reads in all requests.
    pub read_share: Option<f64>,
    /// What is needed, no more than the instance carries.
    pub requirement: Requirement,
    /// The same whatever the instance carries.
    pub required_without_instance: Ceiling,
    /// What there is now, as far as it was declared.
    pub current: Option<CurrentVolume>,
    /// What the database would do elsewhere; `None` where the evidence does not say.
    pub predictor: Option<Predictor>,
    /// The limit that it was seen at: then more was asked than is seen.
    pub saturation: Option<Saturation>,
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
