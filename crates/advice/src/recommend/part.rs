//! A volume group with the demand that it is sized for.

use std::rc::Rc;

use crate::current::current_state::{CurrentState, StateArguments};
use crate::current::saturation::Saturation;
use crate::evaluate::sizing::{SizingConditions, Sizings, TypeDemand};
use crate::replay::{Measure, Series};
use crate::request::settings::Request;
use crate::requirement::{Requirement, SizingRule};
use ebs_aws::catalogue::{Ceiling, Instance, LimitKind, VolumeType};
use ebs_prediction::saturation::LimitMatch;
use ebs_samples::evidence::Window;
use ebs_stats::averaging::COARSE_S;
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Figure, Metric, brief_figures, find};
use ebs_workload::volume_group::VolumeGroup;

/// A volume group with the demand that it is sized for.
pub(super) struct Part {
    /// Its observed state.
    pub state: Rc<CurrentState>,
    /// Demand on each type in a closed loop, at most the observed one; empty in an open one.
    pub type_demands: Vec<TypeDemand>,
    /// Figures of the observed demand.
    pub figures: Vec<Figure>,
}

impl Part {
    /// Derives the state and the unmet demand of a group.
    pub fn new(
        window: &Window,
        group: VolumeGroup,
        (request, declared): (&Request, &Declarations),
        pause: &dyn Fn(),
    ) -> Part {
        pause();
        let arguments = StateArguments {
            platform: request.platform,
            instance: request.instance,
            driver_load: request.driver_load,
            sessions: None,
            min_size_gib: request.min_size_gib,
        };
        let state = CurrentState::new(window, group, declared, &arguments);
        pause();
        let mut figures = brief_figures(&state.group.demand, pause);
        for (metric, limit) in [(Metric::Requests, state.checked.iops), (Metric::Throughput, state.checked.mibps)] {
            bound_p99(&mut figures, metric, limit);
        }
        let mut part = Part { state: Rc::new(state), type_demands: Vec::new(), figures };
        part.type_demands = part.type_demands(part.series(), part.state.load.closed_weight, pause);
        part
    }

    /// Demand on each type that a database can use, of this observed series and for a weight of the closed loop; empty where that is an
    /// open one, or not known.
    pub fn type_demands(&self, series: &Series, closed_weight: f64, pause: &dyn Fn()) -> Vec<TypeDemand> {
        let (load, predictor) = (&self.state.load, self.state.predictor.as_ref().ok());
        if closed_weight <= 0.0 || predictor.is_none() {
            return Vec::new();
        }
        let demand = |volume_type| {
            pause();
            let scale = load.weighted_scale(predictor, volume_type, closed_weight);
            TypeDemand { volume_type, scale, series: series.scaled(scale) }
        };
        VolumeType::suitable().map(demand).collect()
    }

    /// The sizings for these demands by type.
    pub fn sizings<'a>(
        &'a self,
        type_demands: &'a [TypeDemand],
        size_gib: Option<u64>,
        request: &Request,
        pause: &'a dyn Fn(),
    ) -> Sizings<'a> {
        let percentile = self.percentile(request.rule, pause);
        let conditions = self.conditions(self.series(), percentile, size_gib, request, pause);
        Sizings::new(self.series(), type_demands, &conditions)
    }

    /// Conditions of the sizing for a series, of which `percentile` is the upper end of the percentile.
    pub fn conditions<'a>(
        &self,
        series: &Series,
        percentile: Ceiling,
        size_gib: Option<u64>,
        request: &Request,
        pause: &'a dyn Fn(),
    ) -> SizingConditions<'a> {
        SizingConditions {
            percentile,
            closed_percentile: self.closed_percentile(series, percentile),
            size_gib,
            storage_gib: self.state.size.storage_gib,
            rule: request.rule,
            saturation: self.cutting_saturation(request),
            instance: self.instance_ceiling(request),
            is_instance_reached: self.reached_instance(request).is_some(),
            max_volume_iops: request.instance.and_then(Instance::max_volume_iops),
            pause,
        }
    }

    /// Upper end of the percentile in a closed loop, which asks for no more than in its greatest second; where samples are
    /// averages over more than a second, that is not known.
    fn closed_percentile(&self, series: &Series, percentile: Ceiling) -> Ceiling {
        let weight = self.state.load.closed_weight;
        if series.averaged_s > COARSE_S {
            return percentile;
        }
        let bounded = |percentile: f64, measure| {
            let bound = series.max_rate(measure).min(percentile);
            if bound > 0.0 { percentile * (bound / percentile).powf(weight) } else { percentile }
        };
        Ceiling { iops: bounded(percentile.iops, Measure::Requests), mibps: bounded(percentile.mibps, Measure::Mib) }
    }

    /// Saturation for a larger share of time than is accepted; `None` where there is none.
    fn cutting_saturation(&self, request: &Request) -> Option<Saturation> {
        let is_accepted =
            |saturation: &Saturation| 100.0 * saturation.limit.seconds_share <= request.rule.max_throttled_pct;
        self.state.saturation.filter(|saturation| !is_accepted(saturation))
    }

    /// Limit of the instance that was reached for a larger share of time than is accepted; `None` where there is none.
    pub fn reached_instance(&self, request: &Request) -> Option<LimitMatch> {
        let saturation = self.state.saturation.as_ref()?;
        let is_accepted = 100.0 * saturation.limit.seconds_share <= request.rule.max_throttled_pct;
        saturation.reached_instance().filter(|_| !is_accepted)
    }

    /// The same, where it is the throughput's: however the requests are counted, their bytes are the same.
    pub fn reached_instance_throughput(&self, request: &Request) -> Option<LimitMatch> {
        self.reached_instance(request).filter(|limit| limit.limited == LimitKind::Throughput)
    }

    /// Conditions of the sizing for the other count of the requests, of this percentile: the instance delivers its baseline, but for
    /// a plateau of throughput.
    pub fn other_count_conditions<'a>(
        &self,
        conditions: &SizingConditions<'a>,
        percentile: Ceiling,
        request: &Request,
    ) -> SizingConditions<'a> {
        let throughput = self.reached_instance_throughput(request);
        let instance = if throughput.is_some() { conditions.instance } else { request.instance_baseline() };
        let is_instance_reached = throughput.is_some();
        SizingConditions {
            percentile,
            closed_percentile: percentile,
            saturation: None,
            instance,
            is_instance_reached,
            ..*conditions
        }
    }

    /// Rates that the instance delivers; `None` where it is not known.
    fn instance_ceiling(&self, request: &Request) -> Option<Ceiling> {
        let baseline = request.instance_baseline()?;
        let (saturation, observed) = (self.state.saturation.as_ref(), &self.state.group.demand);
        Some(saturation.map_or(baseline, |saturation| saturation.instance_ceiling(baseline, observed)))
    }

    /// Demand on the type that is asked for least.
    pub fn least_series(&self) -> (&Series, f64) {
        let least = self.type_demands.iter().min_by(|a, b| a.scale.total_cmp(&b.scale));
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

    /// Upper end of the percentile of the demand.
    fn percentile(&self, rule: SizingRule, pause: &dyn Fn()) -> Ceiling {
        let known = self.p99().filter(|_| rule.percentile == 99.0 && !self.state.has_unmet_demand());
        known.unwrap_or_else(|| self.bounded(Requirement::from_demand(self.demand(), None, rule, pause).percentile))
    }

    /// An upper end of a percentile, at most the limits that the demand never exceeded, and at least its greatest average.
    fn bounded(&self, percentile: Ceiling) -> Ceiling {
        let bound = |percentile: f64, limit: Option<f64>, measure| {
            limit.map_or(percentile, |limit| percentile.min(limit.max(self.series().max_rate(measure))))
        };
        let checked = &self.state.checked;
        Ceiling {
            iops: bound(percentile.iops, checked.iops, Measure::Requests),
            mibps: bound(percentile.mibps, checked.mibps, Measure::Mib),
        }
    }

    /// Its requirement for the observed demand, before any replay.
    pub fn requirement(&self, size_gib: Option<u64>, rule: SizingRule, pause: &dyn Fn()) -> Requirement {
        Requirement::from_percentile(self.percentile(rule, pause), size_gib, rule)
    }

    /// Upper ends of the p99, which the figures contain already: the interval is half of the work over a long history.
    fn p99(&self) -> Option<Ceiling> {
        let upper = |metric| {
            let figure = find(&self.figures, metric)?;
            Some(figure.p99_interval?.high.max(figure.p99?))
        };
        Some(Ceiling { iops: upper(Metric::Requests)?, mibps: upper(Metric::Throughput)? })
    }
}

/// Bounds the upper end of the p99 by a limit that the demand never exceeded. Averages may lie above a limit by the doubt of the count: the
/// end is never below the p99 itself.
fn bound_p99(figures: &mut [Figure], metric: Metric, limit: Option<f64>) {
    let figure = figures.iter_mut().find(|figure| figure.metric == metric);
    let (Some(limit), Some(figure)) = (limit, figure) else { return };
    if let (Some(interval), Some(p99)) = (figure.p99_interval.as_mut(), figure.p99) {
        interval.high = interval.high.min(limit.max(p99).max(figure.max.unwrap_or(p99)));
    }
}
