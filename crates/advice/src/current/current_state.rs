//! The current state of a volume group: its size, its saturation, and the prediction for other volumes.

use std::rc::Rc;

use crate::current::bottleneck::Bottleneck;
use crate::current::checked_limits::CheckedLimits;
use crate::current::demand_bounds::DemandBounds;
use crate::current::limits::{current_instance, declared_volumes, greatest_limits, limits_context, single_type};
use crate::current::load::Load;
use crate::current::refuted_limit::RefutedLimit;
use crate::current::saturation::Saturation;
use crate::current::size::RequiredSize;
use crate::prediction::credits::burst_ceiling;
use crate::prediction::predictor::{ObservedRun, Predictor};
use crate::prediction::run_bound::RunBound;
use crate::replay::{Measure, Series};
use ebs_aws::catalogue::{Ceiling, Instance, LimitKind, Platform, VolumeConfig, VolumeType};
use ebs_prediction::predict::{DriverPace, MissingInput};
use ebs_prediction::saturation::{FlatRate, SaturationDetector, detect_flat_rate};
use ebs_samples::evidence::Window;
use ebs_stats::averaging::COARSE_S;
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;
use ebs_workload::io_profile::{Figure, Metric, brief_figures};
use ebs_workload::load_kind::LoadKind;
use ebs_workload::merging::{CountDoubt, MergeEvidence, as_device};
use ebs_workload::volume_group::VolumeGroup;

/// The current state of a volume group. Built once for an answer, and handed on.
#[derive(Clone, Debug)]
pub struct CurrentState {
    /// The volumes and the demand on them, in requests as EBS likely counts them.
    pub group: VolumeGroup,
    /// Counts of its requests as the device and as EBS may count them; `None` where they hardly differ.
    pub count_doubt: Option<CountDoubt>,
    merge_evidence: MergeEvidence,
    /// Figures of the demand of the group: what volumes are limited in, in full, and of the others the mean.
    pub figures: Vec<Figure>,
    /// The same demand, for replay.
    pub series: Series,
    /// Observed and unmet demand, and its series; `None` where there is no unmet demand.
    unmet: Option<Rc<(Demand, Series)>>,
    /// Size of all its volumes together.
    pub size: RequiredSize,
    /// The limit that it was saturated at; `None` where it was at none.
    pub saturation: Option<Saturation>,
    /// Limits that the demand never exceeded, and the time above others, as a service checked them.
    pub checked: CheckedLimits,
    /// Limits of its volumes together, with burst credits; `None` where they are not declared.
    pub limits: Option<Ceiling>,
    /// Bounds on the demand within samples.
    pub bounds: DemandBounds,
    /// A flat rate, which without latencies may be the demand or a limit.
    pub flat_rate: Option<FlatRate>,
    /// A limit that the samples show below the declared one; `None` where they show none.
    pub refuted_limit: Option<RefutedLimit>,
    /// Kind of the load.
    pub load: Load,
    /// The bottleneck of the database, or the reason why it is not known.
    pub bottleneck: Result<Bottleneck, MissingInput>,
    /// Prediction of the database on other volumes, or the reason why there is none.
    pub predictor: Result<Predictor, MissingInput>,
    /// The same as of a closed loop, without the limits of an instance.
    closed_loop: Option<Predictor>,
    /// Prediction of the ratio of throughput from the device's counts, where waits were not sampled; `None` where they were, where the
    /// counts do not tell it, and for another number of sessions, which these do not show.
    pub device_predictor: Option<Predictor>,
}

/// The part of a request that the current state depends on.
#[derive(Clone, Copy)]
pub struct StateArguments {
    /// Platform of the new volumes.
    pub platform: Platform,
    /// Instance of the new volumes; `None` where it is not known.
    pub instance: Option<&'static Instance>,
    /// Kind of the load by its driver; `None` where the driver is not known.
    pub driver_load: Option<LoadKind>,
    /// Client sessions; `None`: as many as there were.
    pub sessions: Option<f64>,
    /// GiB of each role's volumes together; `None`: by use and growth.
    pub min_size_gib: Option<u64>,
}

impl StateArguments {
    /// Pace of the run's load driver; `None` where it is not known, and of a closed one whose clients are not.
    fn driver_pace(&self, window: &Window) -> Option<DriverPace> {
        match self.driver_load? {
            LoadKind::Closed => window.driver.map(|driver| DriverPace::Closed { clients: driver.clients }),
            LoadKind::Open => Some(DriverPace::Open),
            LoadKind::Unsure => None,
        }
    }
}

impl CurrentState {
    /// The state of a group of the window.
    pub fn new(
        window: &Window,
        group: VolumeGroup,
        declared: &Declarations,
        arguments: &StateArguments,
    ) -> CurrentState {
        let StateArguments { platform, instance, driver_load, sessions, min_size_gib } = *arguments;
        // Where the run's instance is not known, it is taken for the one that volumes are sought for.
        let current = current_instance(window, declared).or(instance);
        let max_iops = current.map(|instance| instance.maximum().iops);
        let counted = DemandSummary::new(&group.demand);
        let merge_evidence = MergeEvidence::new(window, &group.volumes, (&group.demand, &counted), max_iops);
        let count_doubt = merge_evidence.doubt(&group.demand, &counted);
        let (demand, summary) = merge_evidence.likely(group.demand, counted);
        let group = VolumeGroup { demand, ..group };
        let (volumes, demand) = (group.volumes.as_slice(), &group.demand);
        let series = Series::new(demand);
        let each = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
        let own_volumes = declared_volumes(each, declared);
        let volume_type = single_type(&own_volumes);
        let limits = limits_context(window, (volumes, &summary), declared, (platform, current));
        let detector = SaturationDetector::new(demand, &summary);
        let (limit, flat_rate) = (detector.detect(&limits), detect_flat_rate(demand, &summary, &limits));
        let refuted_limit = RefutedLimit::find(&detector, &limits, limit.as_ref(), platform);
        let baseline = instance.map(Instance::baseline);
        let (summary, driver) = (&summary, arguments.driver_pace(window));
        let run = ObservedRun { window, volumes, summary, series: &series, limit: limit.as_ref(), volume_type, driver };
        let predictor = Predictor::new(&run);
        let device_predictor = match predictor {
            Err(MissingInput::Waits) if sessions.is_none() => Predictor::without_waits(&run),
            _ => None,
        };
        let saturation = limit.map(|limit| {
            Saturation::new(window, volumes, (demand, summary), limit, (volume_type, baseline))
                .on_instance(current, instance)
        });
        let bottleneck = find_bottleneck(&predictor, saturation.as_ref());
        // On another instance the volumes may be bound otherwise.
        let known = bottleneck.ok().filter(|_| instance.is_none_or(|instance| current == Some(instance)));
        let run_bound = known.and_then(|known| run_bound(&own_volumes, &known));
        let sizing = sizing_predictor(&predictor, device_predictor.as_ref());
        let load = Load::new(driver_load, sizing.map(|predictor| &predictor.observed));
        let checked = CheckedLimits::new(window, &group.volumes, declared, current);
        let limits = greatest_limits(window, volumes, declared, current);
        let hiding = limits.filter(|_| demand.averaged_s > COARSE_S); // Other samples hide no peaks.
        let limited = limited_weight(refuted_limit.is_some() || checked.is_volume_exceeded(), saturation.as_ref());
        let bounds = DemandBounds::new(demand, &checked, (hiding, volume_type), limited);
        CurrentState {
            size: RequiredSize::from_window(window, volumes, platform, min_size_gib, declared),
            load,
            bottleneck,
            closed_loop: sizing.ok().map(|predictor| predictor.clone().with_load(sessions, None).as_closed_loop()),
            predictor: predictor
                .map(|predictor| load.predictor(predictor.with_load(sessions, baseline).with_run_bound(run_bound))),
            device_predictor: device_predictor.map(|predictor| predictor.with_load(None, baseline)),
            unmet: unmet_demand(saturation.as_ref(), demand),
            saturation,
            figures: figures_within(&group.demand, summary, &bounds),
            checked,
            limits,
            bounds,
            flat_rate,
            refuted_limit,
            series,
            group,
            count_doubt,
            merge_evidence,
        }
    }

    /// The best prediction that there is: by the waits of sessions, or else by the device's counts.
    pub fn any_predictor(&self) -> Result<&Predictor, MissingInput> {
        let by_waits = self.predictor.as_ref().map_err(|missing| *missing);
        by_waits.or_else(|missing| self.device_predictor.as_ref().ok_or(missing))
    }

    /// The prediction that volumes are sized and ranked by: by the waits of sessions, or else by the clients of a closed load driver.
    pub fn sizing_predictor(&self) -> Option<&Predictor> {
        sizing_predictor(&self.predictor, self.device_predictor.as_ref()).ok()
    }

    /// True where that is by the clients of a closed load driver.
    pub fn is_sized_without_waits(&self) -> bool {
        self.predictor.is_err() && self.closed_loop.is_some()
    }

    /// The demand that volumes are sized for: unmet demand beyond a limit included.
    pub fn sized_demand(&self) -> &Demand {
        self.unmet.as_ref().map_or(&self.group.demand, |unmet| &unmet.0)
    }

    /// Its series, for replay and prediction.
    pub fn sized_series(&self) -> &Series {
        self.unmet.as_ref().map_or(&self.series, |unmet| &unmet.1)
    }

    /// Requests of the demand that volumes are sized for over those observed; one where there is no unmet demand.
    pub fn sized_scale(&self) -> f64 {
        let observed = self.series.sum(Measure::Requests);
        self.sized_series().sum(Measure::Requests) / observed.max(f64::MIN_POSITIVE)
    }

    /// The demand that volumes are sized for, counted the other way: as the device counts it where most requests are taken as merged,
    /// else as if all that may be merged were. `None` where both counts hardly differ.
    pub fn other_count(&self) -> Option<Demand> {
        let doubt = self.count_doubt.as_ref()?;
        let demand = self.sized_demand();
        Some(if doubt.is_mostly_merged() { as_device(demand) } else { self.merge_evidence.merged(demand) })
    }

    /// True where there is unmet demand.
    pub fn has_unmet_demand(&self) -> bool {
        self.unmet.is_some()
    }

    /// Prediction of the database as of a closed loop, without the limits of an instance; `None` where nothing is predicted by waits or by a
    /// closed load driver.
    pub fn closed_loop(&self) -> Option<&Predictor> {
        self.closed_loop.as_ref()
    }

    /// Demand on an unlimited volume of a type over the one that an open loop is sized for, at most one, by a weight of the closed loop.
    pub fn loop_scale(&self, volume_type: VolumeType, closed_weight: f64) -> f64 {
        if closed_weight <= 0.0 {
            return 1.0;
        }
        self.closed_scale(volume_type).map_or(1.0, |scale| scale.clamp(MIN_SCALE, 1.0).powf(closed_weight))
    }

    /// True where the demand on volumes of a type is predicted below the least that predictions were tested with.
    pub fn is_scale_untested(&self, volume_type: VolumeType) -> bool {
        self.load.closed_weight > 0.0 && self.closed_scale(volume_type).is_some_and(|scale| scale < MIN_SCALE)
    }

    fn closed_scale(&self, volume_type: VolumeType) -> Option<f64> {
        Some(self.closed_loop()?.service(volume_type)?.unlimited?.ratio / self.sized_scale())
    }

    /// Demand on an unlimited volume of a type, for replay; `None` where it is that of [`Self::sized_series`].
    pub fn scaled_series(&self, volume_type: VolumeType) -> Option<Series> {
        let scale = self.loop_scale(volume_type, self.load.closed_weight);
        (scale < 1.0).then(|| self.sized_series().scaled(scale))
    }
}

/// Likelihood that a limit kept demand back, 0 to 1: sure where one is proven, else that requests queued at that of a plateau.
fn limited_weight(is_proven: bool, saturation: Option<&Saturation>) -> f64 {
    let queued = saturation.map_or(0.0, |found| found.limit.queue_weight().min(found.limit.weight));
    if is_proven { 1.0 } else { queued }
}

/// Observed and unmet demand, and its series; `None` where there is no unmet demand.
fn unmet_demand(saturation: Option<&Saturation>, demand: &Demand) -> Option<Rc<(Demand, Series)>> {
    let demand = saturation.filter(|saturation| saturation.has_unmet_demand())?.scale(demand);
    let series = Series::new(&demand);
    Some(Rc::new((demand, series)))
}

/// The bottleneck of a run: that of the instance where the run reached its limit.
fn find_bottleneck(
    predictor: &Result<Predictor, MissingInput>,
    saturation: Option<&Saturation>,
) -> Result<Bottleneck, MissingInput> {
    let owner = saturation.map(|saturation| saturation.limit.owner);
    let bottleneck = |predictor: &Predictor| Bottleneck::new(&predictor.observed).with_owner(owner);
    predictor.as_ref().map(bottleneck).map_err(|missing| *missing)
}

/// The bottleneck as the bound of the volumes of the run; `None` where they are of several kinds, or not known.
fn run_bound(volumes: &[(VolumeConfig, u64)], bottleneck: &Bottleneck) -> Option<RunBound> {
    let [(config, count)] = volumes else { return None };
    let ceilings = [config.ceiling(*count), burst_ceiling(config, *count)];
    let Bottleneck { cause, also, .. } = *bottleneck;
    Some(RunBound { volume_type: config.volume_type, volumes: *count, ceilings, cause, also })
}

fn sizing_predictor<'a>(
    by_waits: &'a Result<Predictor, MissingInput>,
    by_counts: Option<&'a Predictor>,
) -> Result<&'a Predictor, MissingInput> {
    let by_driver = by_counts.filter(|predictor| predictor.observed.closed_clients().is_some());
    by_waits.as_ref().or_else(|missing| by_driver.ok_or(*missing))
}

/// Least scale of the demand: below it the model is outside of what it was tested on. A choice.
const MIN_SCALE: f64 = 0.01;

/// Figures of a demand. The upper end of a p99 is bounded by a limit that the demand never exceeded. Averages may lie above a limit by the doubt
/// of the count: the end is never below the p99 itself.
fn figures_within(demand: &Demand, summary: &DemandSummary, bounds: &DemandBounds) -> Vec<Figure> {
    let mut figures = brief_figures(demand, summary);
    for figure in &mut figures {
        let limited = match figure.metric {
            Metric::Requests => LimitKind::Iops,
            Metric::Throughput => LimitKind::Throughput,
            _ => continue,
        };
        if let (Some(interval), Some(p99)) = (figure.p99_interval.as_mut(), figure.p99) {
            interval.high = bounds.bound(limited, interval.high, p99.max(figure.max.unwrap_or(p99)));
        }
    }
    figures
}
