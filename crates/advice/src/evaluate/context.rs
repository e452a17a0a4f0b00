//! The evaluation context: everything that candidates of one part of the cluster are evaluated against.

use crate::current::bottleneck::Bottleneck;
use crate::current::current_volume::CurrentVolume;
use crate::current::saturation::Saturation;
use crate::evaluate::bound::Bound;
use crate::prediction::predictor::Predictor;
use crate::replay::Outcome;
use crate::request::settings::Request;
use crate::requirement::Requirement;
use crate::search::Task;
use ebs_aws::catalogue::{Ceiling, Instance};
use ebs_workload::demand::Demand;

/// The instance's limit, where the demand of all volumes together is more than it carries.
#[derive(Clone, Copy, Debug)]
pub struct InstanceShort {
    /// The instance.
    pub instance: &'static Instance,
    /// Its limit that binds.
    pub bound: Bound,
    /// Its sustained limits.
    pub baseline: Ceiling,
    /// Replay against that limit alone.
    pub outcome: Outcome,
    /// Replay with its 30 minutes a day at the maximum; `None` where baseline and maximum are the same.
    pub burst: Option<Outcome>,
}

/// Everything a candidate is judged by.
pub struct EvaluationContext<'a> {
    /// The demand on the role's volume, with what is taken to be behind its limit.
    pub demand: &'a Demand,
    /// Requirement: no more than the instance carries, and no less than the replay needs.
    pub requirement: Requirement,
    /// The same whatever the instance carries.
    pub required_without_instance: Ceiling,
    /// The task of the search.
    pub task: &'a Task<'a>,
    /// The instance's limit, if it is the one that binds.
    pub instance_short: Option<InstanceShort>,
    /// Predictor of the database on other volumes; `None` without the evidence for it.
    pub predictor: Option<&'a Predictor>,
    /// The limit that the demand was seen at.
    pub saturation: Option<Saturation>,
    /// The bottleneck of the database; `None` where the evidence does not say.
    pub bottleneck: Option<Bottleneck>,
    /// The current volumes, as far as they were declared.
    pub current: Option<&'a CurrentVolume>,
    /// True where samples are averages over more than 1.5 s, and so hide peaks.
    pub coarse: bool,
    /// True where there are too few of them to know of peaks between.
    pub few: bool,
    /// The request.
    pub request: &'a Request,
}

/// Requirement of a task, by percentile or by replay.
pub fn least(task: &Task) -> Requirement {
    let (least, need) = (task.least(), *task.need());
    // In whole numbers the replay seems to ask for a little more than the percentile does.
    let more = |replayed: f64, needed: f64| if replayed > needed.ceil() { replayed } else { needed };
    Requirement { iops: more(least.iops, need.iops), mibps: more(least.mibps, need.mibps), ..need }
}
