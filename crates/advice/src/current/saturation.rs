//! Demand on a volume that was saturated: at least what was observed, and as much more as prediction says that the
//! same sessions would ask for without the limit.

use crate::current::limits::as_limits;
use crate::prediction::predictor::parts;
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_base::range::Range;
use ebs_base::units::MIB;
use ebs_prediction::predict::{Latency, LimitKind, Limits, MissingInput, Observed, Source, Target, predict};
use ebs_prediction::saturation::{MeasuredLatency, ReachedLimit};
use ebs_samples::evidence::{DeviceCounts, Window};
use ebs_workload::demand::{Demand, DemandInterval};

/// A run at its volume's limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturation {
    /// The limit that was reached.
    pub limit: ReachedLimit,
    /// Demand beyond it, or the reason why that is not known.
    pub unmet_demand: Result<UnmetDemand, MissingInput>,
    /// Sustained limits of the instance, which bound that demand.
    instance: Option<Ceiling>,
}

/// Demand beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnmetDemand {
    /// Demand without the limit over the observed demand, in the seconds at the limit; never below one.
    pub factor: Range,
    /// The type whose published latency requests then have: the volume's, or gp3 where that is not known; `None` where the
    /// run shows it.
    pub published: Option<VolumeType>,
    /// True where sessions hardly waited for their clients: such a load uses up any volume that it is given.
    pub closed: bool,
}

/// Sessions that wait for their clients for less than this share of their time ask again at once, as a benchmark's do: below,
/// no prediction takes them to ask at the clients' pace.
const MAX_CLOSED_CLIENT_SHARE: f64 = 0.2;

impl Saturation {
    /// The saturation of volumes of `window` at a limit, by the type of the volumes and the instance's sustained limits.
    pub fn new(
        window: &Window,
        volumes: &[usize],
        demand: &Demand,
        limit: ReachedLimit,
        (volume_type, instance): (Option<VolumeType>, Option<Ceiling>),
    ) -> Saturation {
        let instance = instance.filter(|instance| !is_limit(&limit, instance));
        let observed = Observed::from_window(window, demand, parts(window, volumes), Some(limit.limited));
        let unmet_demand = observed.map(|observed| UnmetDemand::predict(&observed, &limit, volume_type, instance));
        Saturation { limit, unmet_demand, instance }
    }

    /// Scales the demand of the seconds at the limit by [`UnmetDemand::factor`], no further than the instance carries.
    pub fn scale(&self, demand: &Demand) -> Demand {
        let factor = self.factor();
        let scaled = |interval: &DemandInterval| match self.limit.holds(interval) {
            true => {
                DemandInterval { counts: times(interval.counts, factor.min(self.room(interval)).max(1.0)), ..*interval }
            }
            false => *interval,
        };
        Demand { intervals: demand.each().map(scaled).collect(), ..*demand }
    }

    /// True where demand beyond the limit is predicted.
    pub fn is_more(&self) -> bool {
        self.factor() > 1.0
    }

    /// One where it is not known.
    fn factor(&self) -> f64 {
        self.unmet_demand.map_or(1.0, |unmet| unmet.factor.middle)
    }

    /// The instance's limits over the demand of an interval.
    fn room(&self, interval: &DemandInterval) -> f64 {
        self.instance
            .map_or(f64::INFINITY, |instance| (instance.iops / interval.iops()).min(instance.mibps / interval.mibps()))
    }
}

/// True where the instance's limit is the one that was reached: what is short then is the instance, and it is to be said so.
fn is_limit(plateau: &ReachedLimit, instance: &Ceiling) -> bool {
    let limit = match plateau.limited {
        LimitKind::Iops => instance.iops,
        LimitKind::Throughput => instance.mibps * MIB as f64,
    };
    plateau.level > AT_LIMIT_SHARE * limit
}

/// So near to a limit is at it.
const AT_LIMIT_SHARE: f64 = 0.95;

impl UnmetDemand {
    fn predict(
        observed: &Observed,
        plateau: &ReachedLimit,
        volume_type: Option<VolumeType>,
        instance: Option<Ceiling>,
    ) -> UnmetDemand {
        let service = Service::from_limit(plateau, volume_type);
        let target = Target {
            read: service.read,
            write: service.write,
            source: service.source,
            volume: Limits::default(),
            instance: instance.map_or(Limits::default(), as_limits),
            sessions: None,
            added_s: 0.0,
        };
        let whole = predict(observed, &target).ratio;
        // What is gained by the whole is gained at the limit: elsewhere nothing waited for it. And no more of the requests
        // can be in flight than were.
        let most = |service_ms: f64| (plateau.latency_ms / service_ms).max(1.0);
        let at = |ratio: f64, service_s: f64| {
            let gained = 1.0 + (ratio - 1.0) / plateau.requests_share;
            gained.clamp(1.0, most(service_s * 1e3))
        };
        let mixed = |of: fn(&Latency) -> f64| of(&service.read).min(of(&service.write));
        let factor = Range {
            low: at(whole.low, mixed(|latency| latency.high_s)),
            middle: at(whole.middle, mixed(|latency| latency.middle_s)),
            high: at(whole.high, mixed(|latency| latency.low_s)),
        };
        let published = (service.source == Source::Published).then(|| own_or_gp3(volume_type));
        UnmetDemand { factor, published, closed: observed.client_share() < MAX_CLOSED_CLIENT_SHARE }
    }
}

/// A type with a published latency.
fn own_or_gp3(volume_type: Option<VolumeType>) -> VolumeType {
    volume_type.filter(|own| own.characteristics().read_ms.is_some()).unwrap_or(VolumeType::Gp3)
}

/// Service times of requests.
struct Service {
    read: Latency,
    write: Latency,
    source: Source,
}

impl Service {
    /// As the seconds below the limit show it; else published for the type, or, where that is not known, gp3's with doubts as
    /// wide as all SSD types.
    fn from_limit(plateau: &ReachedLimit, volume_type: Option<VolumeType>) -> Service {
        if let Some(MeasuredLatency { read_ms, write_ms }) = plateau.unqueued.measured {
            let known = |ms: Option<f64>| Latency::known(ms.unwrap_or(plateau.unqueued.ms) / 1e3);
            return Service { read: known(read_ms), write: known(write_ms), source: Source::Measured };
        }
        let own = volume_type.filter(|own| own.characteristics().read_ms.is_some());
        let of = |figure: fn(VolumeType) -> [Option<f64>; 3]| {
            let [mut low, middle, mut high] = figure(own_or_gp3(own)).map(|ms| ms.unwrap_or(1.0) / 1e3);
            for other in VolumeType::ALL.into_iter().filter(|_| own.is_none()) {
                let [least, _, most] = figure(other);
                low = low.min(least.map_or(low, |ms| ms / 1e3));
                high = high.max(most.map_or(high, |ms| ms / 1e3));
            }
            Latency { low_s: low, middle_s: middle, high_s: high }
        };
        Service {
            read: of(|of| {
                [of.characteristics().read_low_ms, of.characteristics().read_ms, of.characteristics().read_high_ms]
            }),
            write: of(|of| {
                [of.characteristics().write_low_ms, of.characteristics().write_ms, of.characteristics().write_high_ms]
            }),
            source: Source::Published,
        }
    }
}

fn times(counts: DeviceCounts, factor: f64) -> DeviceCounts {
    let scaled = |count: u64| (count as f64 * factor).round() as u64;
    DeviceCounts {
        reads: scaled(counts.reads),
        writes: scaled(counts.writes),
        read_bytes: scaled(counts.read_bytes),
        write_bytes: scaled(counts.write_bytes),
        ..counts
    }
}

#[cfg(test)]
#[path = "saturation_tests.rs"]
mod tests;
