//! A part of the cluster, as it was observed: volumes that are sized together.

use std::rc::Rc;

use super::inputs::Inputs;
use super::joint_size::joint_size;
use super::loop_demand::{ClosedLoop, LoopDemand};
use crate::current::current_state::{CurrentState, StateArguments};
use crate::current::current_volume::CurrentVolume;
use crate::current::sequential::sequential_series;
use crate::replay::{Measure, Series};
use crate::requirement::{Requirement, SizingRule};
use ebs_aws::catalogue::{Ceiling, LimitKind};
use ebs_prediction::LimitOwner;
use ebs_prediction::saturation::{LimitMatch, NAMED_WEIGHT};
use ebs_samples::evidence::{Role, Volume};
use ebs_stats::averaging::COARSE_S;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Metric, find};
use ebs_workload::volume_group::VolumeGroup;

/// A part of the cluster.
pub struct Part<'a> {
    /// Inputs of the answer.
    pub inputs: Inputs<'a>,
    /// Its observed state.
    pub state: Rc<CurrentState>,
    /// Demand on each type in a closed loop; empty in an open one.
    pub loop_demands: Vec<LoopDemand>,
    /// The current volumes, as far as they were declared.
    pub current: Option<CurrentVolume>,
    /// True where samples are averages over more than 1.5 s, which hide peaks.
    pub coarse_samples: bool,
}

/// Fewest samples whose percentiles bound the demand between them: the interval of a percentile over fewer is no wider than
/// their own spread. A choice.
const MIN_SAMPLES: usize = 30;

impl<'a> Part<'a> {
    /// Derives the state and the unmet demand of a group.
    pub fn new(inputs: Inputs<'a>, group: VolumeGroup) -> Part<'a> {
        let Inputs { window, request, declared, pause, .. } = inputs;
        pause();
        let arguments = StateArguments {
            platform: request.platform,
            instance: request.instance,
            driver_load: request.driver_load,
            sessions: None,
            min_size_gib: request.min_size_gib,
        };
        let mut state = CurrentState::new(window, group, declared, &arguments);
        state.size = joint_size(inputs, &state.group.volumes, state.size);
        let state = Rc::new(state);
        pause();
        let coarse_samples = state.group.demand.averaged_s > COARSE_S;
        let current = current_volumes(inputs, &state);
        let weight = state.load.closed_weight;
        let loop_demands = ClosedLoop { state: &state, weight, rule: request.rule, pause }.demands();
        Part { inputs, state, loop_demands, current, coarse_samples }
    }

    /// Limit of the instance that was reached for a larger share of time than is accepted; `None` where there is none.
    pub fn reached_instance(&self) -> Option<LimitMatch> {
        let saturation = self.state.saturation.as_ref()?;
        let max_throttled_pct = self.inputs.request.rule.max_throttled_pct;
        let is_accepted = 100.0 * saturation.limit.seconds_share <= max_throttled_pct;
        saturation.reached_instance().filter(|_| !is_accepted)
    }

    /// The same, where it is the throughput's: however the requests are counted, their bytes are the same.
    pub fn reached_instance_throughput(&self) -> Option<LimitMatch> {
        self.reached_instance().filter(|limit| limit.limited == LimitKind::Throughput)
    }

    /// Rates that the instance delivers; `None` where it is not known.
    pub fn instance_ceiling(&self) -> Option<Ceiling> {
        let baseline = self.inputs.request.instance_baseline()?;
        let (saturation, observed) = (self.state.saturation.as_ref(), &self.state.group.demand);
        Some(saturation.map_or(baseline, |saturation| saturation.instance_ceiling(baseline, observed)))
    }

    /// Demand on the type that is asked for least.
    pub fn least_series(&self) -> (&Series, f64) {
        let least = self.loop_demands.iter().min_by(|a, b| a.scale.total_cmp(&b.scale));
        least.map_or((self.series(), 1.0), |demand| (&demand.series, demand.scale))
    }

    /// The demand that it is sized for.
    pub fn demand(&self) -> &Demand {
        self.state.sized_demand()
    }

    /// Series of this demand, for replay.
    pub fn series(&self) -> &Series {
        self.state.sized_series()
    }

    /// True where samples are too few to show the peaks between them.
    pub fn has_few_samples(&self) -> bool {
        self.series().steps().len() < MIN_SAMPLES
    }

    /// Upper end of the percentile of the demand.
    pub fn percentile(&self, rule: SizingRule) -> Ceiling {
        let known = self.p99().filter(|_| rule.percentile == 99.0 && !self.state.has_unmet_demand());
        known.unwrap_or_else(|| {
            self.bounded(Requirement::from_demand(self.demand(), None, rule, self.inputs.pause).percentile)
        })
    }

    /// An upper end of a percentile, within the limits that the demand never exceeded, and at least its greatest average.
    fn bounded(&self, percentile: Ceiling) -> Ceiling {
        let bound = |limited, measure| {
            self.state.bounds.bound(limited, percentile.rate(limited), self.series().max_rate(measure))
        };
        Ceiling { iops: bound(LimitKind::Iops, Measure::Requests), mibps: bound(LimitKind::Throughput, Measure::Mib) }
    }

    /// Limits of the volumes; `None` where they are not known, or where they may be too small, as the demand was at one of them.
    pub fn own_limits(&self) -> Option<Ceiling> {
        let own = self.state.saturation.and_then(|saturation| saturation.limit.match_of(LimitOwner::Volume).copied());
        self.state.limits.filter(|_| own.is_none_or(|own| own.weight < NAMED_WEIGHT))
    }

    /// Upper ends of the p99, which the figures contain already: the interval is half of the work over a long history.
    fn p99(&self) -> Option<Ceiling> {
        let upper = |metric| {
            let figure = find(&self.state.figures, metric)?;
            Some(figure.p99_interval?.high.max(figure.p99?))
        };
        Some(Ceiling { iops: upper(Metric::Requests)?, mibps: upper(Metric::Throughput)? })
    }

    /// The volumes of the part.
    pub fn volumes(&self) -> impl Iterator<Item = &'a Volume> + '_ {
        let volumes = &self.inputs.window.layout.volumes;
        self.state.group.volumes.iter().filter_map(|&volume| volumes.get(volume))
    }

    /// The volume with the data on RDS, whose storage is one.
    pub fn storage_of_rds(&self) -> Option<&'a Volume> {
        let is_rds = self.inputs.request.platform.is_rds();
        self.volumes().find(|volume| volume.roles.contains(&Role::Data)).filter(|_| is_rds)
    }

    /// True where WAL is on a volume of RDS's own now.
    pub fn has_log_volume(&self) -> bool {
        self.inputs.log_volume_without_device().is_some()
            || self.volumes().any(|volume| self.inputs.is_log_volume(volume))
    }
}

/// The current volumes of a part, as far as they were declared: of RDS its data and its dedicated log volume together, which are one
/// part there.
fn current_volumes(inputs: Inputs, state: &CurrentState) -> Option<CurrentVolume> {
    let Inputs { window, request, declared, pause, .. } = inputs;
    if let Some(volume) = state.group.single(window) {
        let series = (&state.series, state.sized_series());
        let current = CurrentVolume::from_declarations(volume, declared, series, request)?;
        let sequential = match current.volumes.as_slice() {
            [(config, _)] => sequential_series(window, config, state),
            _ => None,
        };
        let current = match sequential {
            Some(merged) => CurrentVolume::from_declarations(volume, declared, (&merged, &merged), request)?,
            None => current,
        };
        let current = current.with_credits_checked(&state.group.demand);
        let current = current.with_log_volume(inputs.log_volume_without_device(), &request.prices);
        return Some(current.with_refuted_limit(state.refuted_limit.as_ref()));
    }
    let from_volume = |&index: &usize| {
        pause();
        let series = Series::new(&Demand::from_window(window, index));
        let volume = window.layout.volumes.get(index)?;
        let current = CurrentVolume::from_declarations(volume, declared, (&series, &series), request)?;
        let log_bill = current.bill.filter(|_| inputs.is_log_volume(volume));
        Some(CurrentVolume { log_bill, ..current })
    };
    let is_one_part = request.platform.is_rds();
    let volumes = state.group.volumes.iter().filter(|_| is_one_part).map(from_volume);
    CurrentVolume::together(volumes.collect::<Option<Vec<_>>>()?)
}
