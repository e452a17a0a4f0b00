//! Prediction of the database on volumes of a type: [`predict`](ebs_prediction::predict), fed from a part of the cluster.
//!
//! The prediction computes means. Bursts cost more: a second whose demand exceeds the limit loses the excess, as sessions that
//! wait send less. Therefore the recorded seconds are scaled to the level that the type would reach without a limit and cut
//! off at the limit, and the mean of the rest is the limit of the mean. Where clients keep their own pace, no request is lost
//! but time is: all sessions wait in a burst, and no more than all. With a lower limit neither prediction gets better.

use ebs_prediction::BindingLimit;
use std::borrow::Cow;
use std::cell::OnceCell;

use crate::prediction::limiting::limiting_factor;
use crate::prediction::run_bound::RunBound;
use crate::prediction::service::{Latencies, Service};
use crate::replay::{Measure, Series, excess_demand};
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_base::units::MIB;
use ebs_prediction::predict::{
    DriverPace, Expected, Limits, MissingInput, Observed, Parts, Prediction, Target, expect, predict,
};
use ebs_prediction::saturation::ReachedLimit;
use ebs_samples::evidence::{DeviceCounts, Role, Volume, Window};
use ebs_workload::demand_summary::DemandSummary;

/// Share of a limit from which on mean use is bound by it: the rest is lost between requests.
const AT_LIMIT_SHARE: f64 = 0.95;

/// A limit below that of any volume.
const MIN_LIMIT: f64 = 1e-3;

/// Share of a volume in the requests and the bytes of all that the prediction is of, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Share of the requests.
    pub iops: f64,
    /// Share of the bytes.
    pub mibps: f64,
}

/// Everything on one volume.
pub(super) const WHOLE: Share = Share { iops: 1.0, mibps: 1.0 };

/// Predictor of a part of the cluster on other volumes.
#[derive(Clone, Debug)]
pub struct Predictor {
    /// The run on the current volumes.
    pub observed: Observed,
    /// Latencies that were measured or given.
    pub(super) latencies: Latencies,
    /// Client sessions; `None`: as many as there were.
    pub(super) sessions: Option<f64>,
    /// True where the loop is taken for a closed one, whatever the think time.
    is_closed: bool,
    /// Sustained limits of the instance.
    pub(super) instance: Option<Ceiling>,
    /// I/Os that EBS counts for each request: more than one where requests are large.
    pub(super) ios_per_request: f64,
    /// Volumes of the stripe that the run was on.
    run_volumes: u64,
    /// Volumes of the stripe to predict for over those of the run.
    more_volumes: f64,
    /// Bound of the run on its own volumes, which a prediction for the same ones has; `None` where it is not known.
    run_bound: Option<RunBound>,
    /// Throughput with ideal storage, computed when it is first used.
    ideal_ratio: OnceCell<f64>,
    /// Service of each type, computed when it is first used.
    services: [OnceCell<Option<Service>>; VolumeType::ALL.len()],
}

/// A run on some volumes together, as predictors take it.
pub struct ObservedRun<'a> {
    /// The samples.
    pub window: &'a Window,
    /// Indexes of the volumes.
    pub volumes: &'a [usize],
    /// The demand on them.
    pub summary: &'a DemandSummary,
    /// The same, for replay.
    pub series: &'a Series,
    /// The limit that it was at.
    pub limit: Option<&'a ReachedLimit>,
    /// Type of the volumes.
    pub volume_type: Option<VolumeType>,
    /// Pace of its load driver; `None` where it is not known.
    pub driver: Option<DriverPace>,
}

impl Predictor {
    /// The predictor of a run; or the reason for which there is none.
    pub fn new(run: &ObservedRun) -> Result<Predictor, MissingInput> {
        let limited = run.limit.map(|limit| limit.limited);
        let observed = Observed::from_window(run.window, run.summary, parts(run.window, run.volumes), limited)?;
        Ok(Predictor::from_observed(observed, run))
    }

    /// The predictor of a run without waits, which knows the ratio of throughput alone; `None` where its requests and latencies do not
    /// tell that either.
    pub fn without_waits(run: &ObservedRun) -> Option<Predictor> {
        let observed = Observed::from_device_counts(run.summary, run.limit.map(|limit| limit.limited)).ok()?;
        Some(Predictor::from_observed(observed, run))
    }

    fn from_observed(observed: Observed, run: &ObservedRun) -> Predictor {
        let ObservedRun { window, volumes, summary, series, limit, volume_type, driver } = *run;
        let observed = Observed { driver, limit_weight: limit.map_or(0.0, |limit| limit.weight), ..observed };
        Predictor {
            observed,
            sessions: None,
            is_closed: false,
            latencies: Latencies::from_run(&observed, volume_type, limit),
            instance: None,
            ios_per_request: ios_per_request(series, &summary.total),
            run_volumes: stripe_volumes(window, volumes),
            more_volumes: 1.0,
            run_bound: None,
            ideal_ratio: OnceCell::new(),
            services: Default::default(),
        }
    }

    /// Sets the number of sessions and the sustained limits of the instance.
    pub fn with_load(self, sessions: Option<f64>, instance: Option<Ceiling>) -> Predictor {
        Predictor { sessions, instance, ideal_ratio: OnceCell::new(), services: Default::default(), ..self }
    }

    /// The predictor of the same database as if its loop was closed: each session keeps its think time.
    pub fn as_closed_loop(&self) -> Predictor {
        Predictor { is_closed: true, ideal_ratio: OnceCell::new(), services: Default::default(), ..self.clone() }
    }

    /// Sets the bound of the run on its own volumes.
    pub fn with_run_bound(self, run_bound: Option<RunBound>) -> Predictor {
        Predictor { run_bound, ..self }
    }

    /// Sets other limits of the instance than those of the run.
    pub fn with_instance(self, instance: Option<Ceiling>) -> Predictor {
        Predictor { instance, run_bound: None, services: Default::default(), ..self }
    }

    /// The predictor for a stripe of so many volumes.
    pub fn on_volumes(&self, volumes: u64) -> Cow<'_, Predictor> {
        let more_volumes = volumes as f64 / self.run_volumes as f64;
        match more_volumes == self.more_volumes {
            true => Cow::Borrowed(self),
            false => Cow::Owned(Predictor { more_volumes, services: Default::default(), ..self.clone() }),
        }
    }

    /// Volumes of the stripe to predict for over those of the run.
    pub fn more_volumes(&self) -> f64 {
        self.more_volumes
    }

    /// Sets the latencies of a read and of a write that the user measured, seconds.
    pub fn with_latencies(self, read_s: Option<f64>, write_s: Option<f64>) -> Predictor {
        let run_bound = self.run_bound.filter(|_| read_s.is_none() && write_s.is_none());
        Predictor {
            latencies: self.latencies.with_given(read_s, write_s),
            run_bound,
            services: Default::default(),
            ..self
        }
    }

    /// Service of volumes of a type without a limit; `None` where no latency is known.
    pub fn service(&self, volume_type: VolumeType) -> Option<&Service> {
        let service = self.services[volume_type as usize].get_or_init(|| {
            let service = self.latencies.service(volume_type)?;
            let unlimited = expect(&self.observed, &self.target(&service, Limits::default(), Limits::default()));
            Some(Service { unlimited: Some(self.with_counted_ios(unlimited)), ..service })
        });
        service.as_ref()
    }

    /// The lowest limits of volumes of a type whose prediction is `enough`, accurate to one part in `1 / precision`: requests
    /// and throughput each without a limit of the other. `enough` must not hold below a limit at which it does not. `None`
    /// where it does not even hold without limits, or no latency of the type is known.
    pub fn min_ceiling(
        &self,
        series: &Series,
        volume_type: VolumeType,
        precision: f64,
        enough: impl Fn(&Expected) -> bool,
    ) -> Option<Ceiling> {
        let service = self.service(volume_type)?;
        let unlimited = Ceiling::UNLIMITED;
        let enough_at = |iops: f64, mibps: f64| enough(&self.expect_with(series, service, Ceiling { iops, mibps }));
        enough_at(unlimited.iops, unlimited.mibps).then(|| Ceiling {
            iops: bisect(precision, |iops| enough_at(iops, unlimited.mibps)),
            mibps: bisect(precision, |mibps| enough_at(unlimited.iops, mibps)),
        })
    }

    /// Predicts means on volumes of a type with such limits together; `None` where no latency of the type is known.
    pub fn expect(&self, series: &Series, volume_type: VolumeType, ceiling: Ceiling) -> Option<Expected> {
        let expected = self.expect_with(series, self.service(volume_type)?, ceiling);
        let bound_by = self.run_bound(volume_type, ceiling).map_or(expected.bound_by, |run| run.cause);
        Some(Expected { bound_by, ..expected })
    }

    /// The bound of the run, where these are its own volumes, with as many sessions.
    fn run_bound(&self, volume_type: VolumeType, ceiling: Ceiling) -> Option<RunBound> {
        let volumes = (self.more_volumes * self.run_volumes as f64).round() as u64;
        let is_own =
            |run: &RunBound| run.is_of((volume_type, volumes), ceiling, |ceiling| self.within_instance(ceiling));
        self.run_bound.filter(|run| self.sessions.is_none() && is_own(run))
    }

    fn expect_with(&self, series: &Series, service: &Service, ceiling: Ceiling) -> Expected {
        let expected = self.with_counted_ios(expect(&self.observed, &self.limited_target(series, service, ceiling)));
        let load = Ceiling { iops: expected.iops, mibps: expected.mibps };
        let loads = [(load, self.within_instance(ceiling))];
        let bound_by = self.bound_by(service, (expected.bound_by, expected.ratio), &loads);
        Expected { bound_by, ..expected }
    }

    /// Predicts means and their intervals on volumes of a type with such limits together; `None` where no latency of the type
    /// is known.
    pub fn predict(&self, series: &Series, volume_type: VolumeType, ceiling: Ceiling) -> Option<Prediction> {
        let service = self.service(volume_type)?;
        let prediction = predict(&self.observed, &self.limited_target(series, service, ceiling));
        let iops = prediction.iops * self.ios_per_request;
        let (bound_by, also_bound_by) = match self.run_bound(volume_type, ceiling) {
            Some(run) => (run.cause, run.also),
            None => (self.expect_with(series, service, ceiling).bound_by, prediction.also_bound_by),
        };
        Some(Prediction { iops, bound_by, also_bound_by, ..prediction })
    }

    pub(super) fn with_counted_ios(&self, expected: Expected) -> Expected {
        Expected { iops: expected.iops * self.ios_per_request, ..expected }
    }

    pub(super) fn target(&self, service: &Service, volume: Limits, instance: Limits) -> Target {
        let Predictor { sessions, more_volumes, is_closed, .. } = *self;
        Target { volume, instance, sessions, more_volumes, is_closed, ..service.target() }
    }

    fn limited_target(&self, series: &Series, service: &Service, ceiling: Ceiling) -> Target {
        let limits = |ceiling: Ceiling| self.limits((series, WHOLE), self.ios_per_request, service, ceiling);
        let open = service.open_weight();
        let added_s = if open > 0.0 { open * self.added_s(series, self.within_instance(ceiling)) } else { 0.0 };
        Target { added_s, ..self.target(service, limits(ceiling), self.instance.map_or(Limits::default(), limits)) }
    }

    pub(super) fn within_instance(&self, ceiling: Ceiling) -> Ceiling {
        self.instance.map_or(ceiling, |instance| instance.min(ceiling))
    }

    /// Limits of mean demand under a ceiling, for a series that has this share of the database's requests and bytes, and of which EBS
    /// counts so many I/Os for each request.
    pub(super) fn limits(
        &self,
        (series, share): (&Series, Share),
        ios_per_request: f64,
        service: &Service,
        ceiling: Ceiling,
    ) -> Limits {
        let (unlimited, closed_weight) = (service.unlimited, 1.0 - service.open_weight());
        let mean_limit = |measure, level: Option<f64>, limit: f64| {
            let mean = series.mean(measure);
            let Some(level) = level.filter(|level| mean > 0.0 && *level > 0.0) else { return limit };
            let excess = excess_demand(series, measure, limit * mean / level);
            let reduced = if excess.share > 0.0 { limit.min(level * (1.0 - excess.share)) } else { limit };
            // Where clients keep their pace, no request is lost.
            limit * (reduced / limit).powf(closed_weight)
        };
        let iops = mean_limit(Measure::Requests, unlimited.map(|unlimited| share.iops * unlimited.iops), ceiling.iops);
        let mibps = mean_limit(Measure::Mib, unlimited.map(|unlimited| share.mibps * unlimited.mibps), ceiling.mibps);
        Limits { iops: Some(iops / ios_per_request), bytes: Some(mibps * MIB as f64) }
    }

    /// Latency that bursts add to each request where clients keep their pace, seconds: at a demand of twice the limit, half of
    /// the sessions wait.
    pub(super) fn added_s(&self, series: &Series, ceiling: Ceiling) -> f64 {
        let requests = series.sum(Measure::Requests) / self.ios_per_request;
        let by_iops = excess_demand(series, Measure::Requests, ceiling.iops).seconds;
        let waiting_s = by_iops.max(excess_demand(series, Measure::Mib, ceiling.mibps).seconds);
        let sessions = self.sessions.unwrap_or(self.observed.sessions);
        if requests > 0.0 { sessions * waiting_s / requests } else { 0.0 }
    }

    /// The limiting factor of a mean with this one by the model and this ratio of throughput, at these loads with the limit of each: a limit
    /// that only cuts off bursts does not limit the rest.
    pub(super) fn bound_by(
        &self,
        service: &Service,
        (factor, ratio): (BindingLimit, f64),
        loads: &[(Ceiling, Ceiling)],
    ) -> BindingLimit {
        let is_below = |(load, limit): &(Ceiling, Ceiling)| {
            load.iops < AT_LIMIT_SHARE * limit.iops && load.mibps < AT_LIMIT_SHARE * limit.mibps
        };
        let factor = match service.unlimited {
            Some(unlimited) if factor.is_rate() && loads.iter().all(is_below) => unlimited.bound_by,
            _ => factor,
        };
        match self.observed.without_waits {
            true => factor,
            false => limiting_factor(&self.observed, factor, self.ideal_ratio() / ratio),
        }
    }

    /// Throughput with ideal storage, without latency or limit, relative to the run.
    fn ideal_ratio(&self) -> f64 {
        *self.ideal_ratio.get_or_init(|| {
            let Predictor { sessions, is_closed, .. } = *self;
            let target = Target { sessions, is_closed, ..Service::unlimited_target(0.0, 0.0) };
            expect(&self.observed, &target).ratio
        })
    }
}

/// Finds the lowest limit that holds, provided that every limit above one that holds does too.
pub(super) fn bisect(precision: f64, holds: impl Fn(f64) -> bool) -> f64 {
    bisect_within([MIN_LIMIT, Ceiling::UNLIMITED.iops], precision, holds)
}

/// The same of any figure within these bounds.
pub(super) fn bisect_within(bounds: [f64; 2], precision: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let [mut low, mut high] = bounds.map(f64::ln);
    while high - low > precision {
        let middle = f64::midpoint(low, high);
        if holds(middle.exp()) { high = middle } else { low = middle }
    }
    high.exp()
}

/// Parts of PostgreSQL on these volumes of `window`.
pub fn parts(window: &Window, volumes: &[usize]) -> Parts {
    let volumes = || volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
    Parts { data: volumes().any(holds_data), wal: volumes().any(holds_wal) }
}

/// I/Os that EBS counts in a series for each request of its demand.
pub fn ios_per_request(series: &Series, total: &DeviceCounts) -> f64 {
    let requests = total.requests() as f64;
    if requests > 0.0 { series.sum(Measure::Requests) / requests } else { 1.0 }
}

/// Volumes of the largest stripe among these.
fn stripe_volumes(window: &Window, volumes: &[usize]) -> u64 {
    let each = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
    each.map(|volume| volume.members.len() as u64).max().unwrap_or(1).max(1)
}

fn holds_wal(volume: &Volume) -> bool {
    volume.roles.contains(&Role::Wal)
}

fn holds_data(volume: &Volume) -> bool {
    volume.roles.iter().any(|role| *role != Role::Wal)
}
