//! Prediction of the database on volumes of a type: [`predict`](ebs_prediction::predict), fed from a part of the cluster.
//!
//! The prediction knows means. Bursts cost more: a second in which more is asked for than the volume carries loses what is
//! above, as sessions that wait ask for less. So the seconds as they were recorded, brought to the level that the type would
//! reach without a limit, are cut off at the limit, and the mean of what is left is the limit of the mean. Where clients ask
//! at their own pace nothing is lost but time: all sessions wait in a burst, and no more than all. Neither is ever better
//! with a lower limit.

use std::cell::OnceCell;

use crate::prediction::service::{Latencies, Service};
use crate::replay::{Measure, Outcome, Series, excess_demand};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, VolumeConfig, VolumeType};
use ebs_base::units::MIB;
use ebs_prediction::predict::{
    Expected, LimitKind, LimitingFactor, Limits, MissingInput, Observed, Parts, Prediction, Target, expect, predict,
};
use ebs_samples::evidence::{Role, Volume, Window};
use ebs_workload::demand::Demand;

/// Of a limit, so much used in the mean is being held back by it: the rest is lost between requests.
const AT_LIMIT_SHARE: f64 = 0.95;

/// Less than any volume carries.
const MIN_LIMIT: f64 = 1e-3;

/// A part of the cluster, seen from where it might be.
#[derive(Clone, Debug)]
pub struct Predictor {
    /// One run on the volumes of now.
    pub observed: Observed,
    /// Latencies that were measured or given.
    latencies: Latencies,
    /// Sessions there would be; `None`: as many as there were.
    sessions: Option<f64>,
    /// Sustained limits of the instance.
    instance: Option<Ceiling>,
    /// I/Os that EBS counts for each request: more than one where requests are large.
    counted: f64,
    /// Of each type, once it was asked for.
    services: [OnceCell<Option<Service>>; VolumeType::ALL.len()],
}

impl Predictor {
    /// For these volumes of `window` together, whose demand is given, or why there is none.
    pub fn new(
        window: &Window,
        volumes: &[usize],
        (demand, series): (&Demand, &Series),
        limited: Option<LimitKind>,
        own: Option<VolumeType>,
    ) -> Result<Predictor, MissingInput> {
        let observed = Observed::from_window(window, demand, parts(window, volumes), limited)?;
        let total = demand.total();
        let requests = total.reads.saturating_add(total.writes) as f64;
        Ok(Predictor {
            observed,
            sessions: None,
            latencies: Latencies::measured(&observed, own),
            instance: None,
            counted: if requests > 0.0 { series.sum(Measure::Requests) / requests } else { 1.0 },
            services: Default::default(),
        })
    }

    /// The same with so many sessions, on an instance that carries so much.
    pub fn with_load(self, sessions: Option<f64>, instance: Option<Ceiling>) -> Predictor {
        Predictor { sessions, instance, services: Default::default(), ..self }
    }

    /// The same where the user measured a read and a write, seconds.
    pub fn with_latencies(self, read_s: Option<f64>, write_s: Option<f64>) -> Predictor {
        Predictor { latencies: self.latencies.with(read_s, write_s), services: Default::default(), ..self }
    }

    /// Service of volumes of a type without a limit; `None` where nobody published a latency.
    pub fn service(&self, volume_type: VolumeType) -> Option<&Service> {
        let found = self.services[volume_type as usize].get_or_init(|| {
            let service = self.latencies.service(volume_type)?;
            let free = expect(&self.observed, &self.plain(&service, Limits::default(), Limits::default()));
            Some(Service { free: Some(self.as_counted(free)), ..service })
        });
        found.as_ref()
    }

    /// The least that volumes must carry together for what is expected of them to be enough, of which less never is, to one
    /// part in `1 / narrow`: requests and throughput each with as much of the other as there may be. `None` where even no
    /// limit is not enough.
    pub fn least(
        &self,
        series: &Series,
        service: &Service,
        narrow: f64,
        enough: impl Fn(&Expected) -> bool,
    ) -> Option<Ceiling> {
        let endless = Ceiling::UNLIMITED;
        let at = |iops: f64, mibps: f64| enough(&self.expect(series, service, Ceiling { iops, mibps }));
        at(endless.iops, endless.mibps).then(|| Ceiling {
            iops: lowest(narrow, |iops| at(iops, endless.mibps)),
            mibps: lowest(narrow, |mibps| at(endless.iops, mibps)),
        })
    }

    /// Predicts means on volumes with such limits together.
    pub fn expect(&self, series: &Series, service: &Service, ceiling: Ceiling) -> Expected {
        let found = self.as_counted(expect(&self.observed, &self.target(series, service, ceiling)));
        let bound_by = self.bound_by(service, found.bound_by, (found.iops, found.mibps), ceiling);
        Expected { bound_by, ..found }
    }

    /// The same with its interval.
    pub fn predict(&self, series: &Series, service: &Service, ceiling: Ceiling) -> Prediction {
        let found = predict(&self.observed, &self.target(series, service, ceiling));
        let found = Prediction { iops: found.iops * self.counted, ..found };
        let bound_by = self.bound_by(service, found.bound_by, (found.iops, found.mibps), ceiling);
        Prediction { bound_by, ..found }
    }

    fn as_counted(&self, found: Expected) -> Expected {
        Expected { iops: found.iops * self.counted, ..found }
    }

    fn plain(&self, service: &Service, volume: Limits, instance: Limits) -> Target {
        let (read, write, source) = (service.read, service.write, service.source());
        Target { read, write, source, volume, instance, sessions: self.sessions, added_s: 0.0 }
    }

    fn target(&self, series: &Series, service: &Service, ceiling: Ceiling) -> Target {
        let cut = |of: Ceiling| self.limits(series, service, of);
        let paced = service.free.is_some_and(|free| free.paced);
        let added_s = if paced { self.added_s(series, self.within_instance(ceiling)) } else { 0.0 };
        Target { added_s, ..self.plain(service, cut(ceiling), self.instance.map_or(Limits::default(), cut)) }
    }

    fn within_instance(&self, ceiling: Ceiling) -> Ceiling {
        self.instance.map_or(ceiling, |instance| instance.min(ceiling))
    }

    /// A ceiling as the limits of a mean.
    fn limits(&self, series: &Series, service: &Service, ceiling: Ceiling) -> Limits {
        let level = service.free.filter(|free| !free.paced);
        let of = |measure, level: Option<f64>, limit: f64| {
            let mean = series.mean(measure);
            let Some(level) = level.filter(|level| mean > 0.0 && *level > 0.0) else { return limit };
            let above = excess_demand(series, measure, limit * mean / level);
            if above.share > 0.0 { limit.min(level * (1.0 - above.share)) } else { limit }
        };
        Limits {
            iops: Some(of(Measure::Requests, level.map(|free| free.iops), ceiling.iops) / self.counted),
            bytes: Some(of(Measure::Mib, level.map(|free| free.mibps), ceiling.mibps) * MIB as f64),
        }
    }

    /// Latency that bursts add to each request where clients keep their pace, seconds: of a limit that twice as much is asked
    /// of half of the sessions wait.
    fn added_s(&self, series: &Series, ceiling: Ceiling) -> f64 {
        let requests = series.sum(Measure::Requests) / self.counted;
        let waiting = excess_demand(series, Measure::Requests, ceiling.iops).seconds;
        let waiting = waiting.max(excess_demand(series, Measure::Mib, ceiling.mibps).seconds);
        let sessions = self.sessions.unwrap_or(self.observed.sessions);
        if requests > 0.0 { sessions * waiting / requests } else { 0.0 }
    }

    /// Bursts that are cut off are no limit to the rest.
    fn bound_by(
        &self,
        service: &Service,
        found: LimitingFactor,
        (iops, mibps): (f64, f64),
        ceiling: Ceiling,
    ) -> LimitingFactor {
        let most = self.within_instance(ceiling);
        match service.free {
            Some(free)
                if found.is_limit() && iops < AT_LIMIT_SHARE * most.iops && mibps < AT_LIMIT_SHARE * most.mibps =>
            {
                free.bound_by
            }
            _ => found,
        }
    }
}

/// The lowest limit that holds, where all above one that holds do.
fn lowest(narrow: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (MIN_LIMIT.ln(), Ceiling::UNLIMITED.iops.ln());
    while high - low > narrow {
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

fn holds_wal(volume: &Volume) -> bool {
    volume.roles.contains(&Role::Wal)
}

fn holds_data(volume: &Volume) -> bool {
    volume.roles.iter().any(|role| *role != Role::Wal)
}

/// Limits of volumes: with their credits, where these carried the recording but for what may be throttled, per cent, and its
/// mean could go on without them.
pub fn carried(
    series: &Series,
    config: &VolumeConfig,
    volumes: u64,
    max_throttled_pct: f64,
    outcome: Option<&Outcome>,
) -> Ceiling {
    let steady = config.ceiling(volumes);
    let for_ever = series.mean(Measure::Requests) <= steady.iops && series.mean(Measure::Mib) <= steady.mibps;
    match config.class() {
        Some(class) if for_ever && outcome.is_some_and(|outcome| outcome.within(max_throttled_pct)) => {
            Burst::ceiling(class, config, volumes)
        }
        _ => steady,
    }
}
