//! The evaluation context: everything that candidates of one part of the cluster are evaluated against.

use crate::current::bottleneck::Bottleneck;
use crate::current::current_volume::CurrentVolume;
use crate::current::saturation::Saturation;
use crate::evaluate::evaluated_demand::EvaluatedDemand;
use crate::evaluate::sizing::{Sizing, Sizings};
use crate::prediction::predictor::Predictor;
use crate::replay::{Outcome, Series};
use crate::request::settings::Request;
use crate::requirement::Requirement;
use crate::search::Task;
use ebs_aws::catalogue::{Ceiling, Instance, VolumeType};
use ebs_prediction::saturation::LimitMatch;
use ebs_prediction::{BindingLimit, LimitOwner};

/// A plateau at the instance's limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstancePlateau {
    /// The limit: of its owner, its level, and how well it explains the plateau.
    pub limit: LimitMatch,
    /// Mean rate of the plateau: requests, or bytes, a second.
    pub rate: f64,
    /// Share of seconds at it, 0 to 1.
    pub seconds_share: f64,
    /// Requests in flight there, on average.
    pub in_flight: f64,
    /// The volume's limit, where that may have been reached too.
    pub volume: Option<LimitMatch>,
    /// True where that there was a limit, and which, is sure.
    pub sure: bool,
}

impl InstancePlateau {
    /// The plateau of a run that was saturated at the instance's limit, or may have been; `None` where it was not.
    pub fn from_saturation(saturation: &Saturation) -> Option<InstancePlateau> {
        let (limit, run) = (saturation.instance_match?, &saturation.limit);
        let rate = limit.share * limit.level;
        Some(InstancePlateau {
            limit,
            rate,
            seconds_share: run.seconds_share,
            in_flight: run.in_flight,
            volume: run.match_of(LimitOwner::Volume).copied(),
            sure: run.is_sure(),
        })
    }
}

/// Saturation of the instance: the demand of all volumes together exceeds its limits, or was at them.
#[derive(Clone, Copy, Debug)]
pub struct InstanceSaturation {
    /// The instance.
    pub instance: &'static Instance,
    /// Its limit that binds.
    pub bound: BindingLimit,
    /// Its sustained limits.
    pub baseline: Ceiling,
    /// Plateau at which the run reached it; `None` where the replay shows it.
    pub reached: Option<InstancePlateau>,
    /// Replay against that limit alone.
    pub outcome: Outcome,
    /// Replay with its 30 minutes a day at the maximum; `None` where the baseline is the maximum.
    pub burst: Option<Outcome>,
}

/// Everything that candidates are evaluated against.
#[derive(Clone, Copy)]
pub struct EvaluationContext<'a> {
    /// The demand on the role's volumes, unmet demand beyond a limit included.
    pub demand: EvaluatedDemand<'a>,
    /// Requirement: no more than the instance carries, and no less than the replay requires.
    pub requirement: Requirement,
    /// The percentile's requirement, not limited by the instance.
    pub required_without_instance: Ceiling,
    /// The task of the search.
    pub task: &'a Task<'a>,
    /// Demand that it is sized for over the observed demand, at most one.
    pub scale: f64,
    /// Sizings by type; `None` where all types are sized for the observed demand.
    pub sizings: Option<&'a Sizings<'a>>,
    /// The demand that predictions scale.
    pub series: &'a Series,
    /// Saturation of the instance, if there is one.
    pub instance_saturation: Option<InstanceSaturation>,
    /// Predictor of the database on other volumes; `None` without the evidence for it.
    pub predictor: Option<&'a Predictor>,
    /// Predictor by the device's counts, whose latencies are those of the run; `None` where waits were sampled, or the counts do not tell.
    pub device_predictor: Option<&'a Predictor>,
    /// The limit at which the run was saturated.
    pub saturation: Option<Saturation>,
    /// The bottleneck of the database; `None` where the evidence does not say.
    pub bottleneck: Option<Bottleneck>,
    /// The current volumes, as far as they were declared.
    pub current: Option<&'a CurrentVolume>,
    /// True where samples are averages over more than 1.5 s, which hide peaks.
    pub coarse_samples: bool,
    /// True where samples are too few to show the peaks between them.
    pub few_samples: bool,
    /// True where another count of the same requests needs far other volumes.
    pub risky_count: bool,
    /// The request.
    pub request: &'a Request,
}

impl<'a> EvaluationContext<'a> {
    /// The context for volumes of a type, with the demand on them.
    pub fn for_type(&self, volume_type: VolumeType) -> EvaluationContext<'a> {
        self.sizings.map_or(*self, |sizings| self.with_sizing(sizings.get(volume_type)))
    }

    /// The context with the sizing of a type.
    pub fn with_sizing(&self, sizing: &'a Sizing<'a>) -> EvaluationContext<'a> {
        EvaluationContext {
            requirement: sizing.requirement(),
            required_without_instance: sizing.task.required_without_instance(),
            task: &sizing.task,
            scale: sizing.scale,
            ..*self
        }
    }
}
