//! Demand on a volume that was saturated: at least what was observed, and as much more as prediction says that the
//! same sessions would ask for without the limit.

use crate::current::limits::as_limits;
use crate::prediction::predictor::parts;
use crate::prediction::service::{Service, published_read_ms, published_write_ms};
use ebs_aws::catalogue::{Ceiling, Instance, LimitKind, VolumeType};
use ebs_base::ramp::weighted_mean;
use ebs_base::range::Range;
use ebs_base::units::MIB;
use ebs_prediction::LimitOwner;
use ebs_prediction::predict::{Latency, Limits, MAX_CLOSED_SHARE, MissingInput, Observed, Source, Target, predict};
use ebs_prediction::saturation::{LimitMatch, MeasuredLatency, NAMED_WEIGHT, ReachedLimit, nearness};
use ebs_samples::evidence::{DeviceCounts, Window};
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::demand_summary::DemandSummary;

/// A run at its volume's limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturation {
    /// The limit that was reached.
    pub limit: ReachedLimit,
    /// Demand beyond it, or the reason why that is not known.
    pub unmet_demand: Result<UnmetDemand, MissingInput>,
    /// Limit of the instance that volumes are sought for, where the run may have been at it.
    pub instance_match: Option<LimitMatch>,
    /// Type of the instance that the run was on; `None` where it is not known.
    pub instance_type: Option<&'static str>,
    /// Mean rates in the seconds at the limit, as EBS counts requests.
    plateau: Ceiling,
    /// Sustained limits of the instance, which bound that demand.
    instance: Option<Ceiling>,
}

/// Demand beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnmetDemand {
    /// Demand without the limit over the observed demand, in the seconds at the limit; never below one.
    pub factor: Range,
    /// The type whose published latency requests then have: the volume's, or the general purpose one where that is not known; `None` where the
    /// run shows it.
    pub published: Option<VolumeType>,
    /// True in a closed loop, where sessions hardly wait for their clients: such a load uses up any volume that it is given.
    pub closed: bool,
}

impl Saturation {
    /// The saturation of volumes of `window` at a limit, by the type of the volumes and the instance's sustained limits.
    pub fn new(
        window: &Window,
        volumes: &[usize],
        (demand, summary): (&Demand, &DemandSummary),
        limit: ReachedLimit,
        (volume_type, instance): (Option<VolumeType>, Option<Ceiling>),
    ) -> Saturation {
        let instance = instance.filter(|instance| !is_instance_limit(&limit, instance));
        let observed = Observed::from_window(window, summary, parts(window, volumes), Some(limit.limited));
        let unmet_demand = observed.map(|observed| UnmetDemand::predict(&observed, &limit, volume_type, instance));
        let instance_match = limit.match_of(LimitOwner::Instance).copied();
        let plateau = plateau(demand, &limit);
        Saturation { limit, unmet_demand, instance_match, instance_type: None, plateau, instance }
    }

    /// The same of a run on this instance: its limits bind no more where volumes are sought for another.
    pub fn on_instance(self, run: Option<&'static Instance>, sought: Option<&'static Instance>) -> Saturation {
        let instance_type = run.map(|run| run.instance_type.as_str());
        let is_current = run.zip(sought).is_some_and(|(run, sought)| run.instance_type == sought.instance_type);
        Saturation { instance_match: self.instance_match.filter(|_| is_current), instance_type, ..self }
    }

    /// The limit of the instance that was reached; `None` where it is less likely than not.
    pub fn reached_instance(&self) -> Option<LimitMatch> {
        self.instance_match.filter(|one| one.weight >= NAMED_WEIGHT)
    }

    /// Rates that the instance delivers, by its sustained limits and by the greatest rates of the observed demand, the nearer to these the
    /// likelier the plateau is the instance's: more of either is not known to be had beside it.
    pub fn instance_ceiling(&self, baseline: Ceiling, observed: &Demand) -> Ceiling {
        let is_limited = |one: &LimitMatch| one.limited == self.limit.limited;
        let weight = self.instance_match.filter(is_limited).map_or(0.0, |one| one.weight);
        let greatest = |rate: fn(&DemandInterval) -> f64| observed.each().map(rate).fold(0.0, f64::max);
        let lower = |baseline: f64, rate: f64| baseline - weight * (baseline - rate).max(0.0);
        Ceiling {
            iops: lower(baseline.iops, greatest(DemandInterval::iops)),
            mibps: lower(baseline.mibps, greatest(DemandInterval::mibps)),
        }
    }

    /// Scales the demand of the seconds at the limit by [`UnmetDemand::factor`] on average, each by as much as its requests queued, no further
    /// than the instance carries.
    pub fn scale(&self, demand: &Demand) -> Demand {
        let factor = self.factor();
        let mean = self.mean_queue(demand);
        let scale = |interval: &DemandInterval| match self.limit.holds(interval) {
            true => {
                let share = if mean > 0.0 { self.queue(interval) / mean } else { 1.0 };
                let factor = 1.0 + (factor - 1.0) * share;
                let factor = factor.min(self.instance_headroom(interval)).max(1.0);
                DemandInterval { counts: scale_counts(interval.counts, factor), ..*interval }
            }
            false => *interval,
        };
        Demand { intervals: demand.each().map(scale).collect(), ..*demand }
    }

    /// Mean wait of the requests of an interval beyond the latency without a queue, as a multiple of that; zero where there is none.
    fn queue(&self, interval: &DemandInterval) -> f64 {
        interval.counts.mean_ms().map_or(0.0, |ms| (ms / self.limit.unqueued.ms - 1.0).max(0.0))
    }

    /// The same of all requests of the seconds at the limit.
    fn mean_queue(&self, demand: &Demand) -> f64 {
        let add = |(queued, all): (f64, f64), interval: &DemandInterval| {
            let requests = interval.counts.requests() as f64;
            (queued + requests * self.queue(interval), all + requests)
        };
        let (queued, all) = demand.each().filter(|interval| self.limit.holds(interval)).fold((0.0, 0.0), add);
        if all > 0.0 { queued / all } else { 0.0 }
    }

    /// Rates that volumes must give without credits, with this headroom, a share: a demand that was cut off is not met by a smaller limit.
    /// Of the rate that the volume limited its own limit counts; of the other the rate beside it, which grows along. Less the less likely
    /// there was a limit, and the shorter the time at it.
    pub fn floor(&self, headroom: f64) -> Ceiling {
        let weight = (self.limit.weight / NAMED_WEIGHT).min(1.0) * self.limit.unmet_weight;
        let level = |limited, rate: f64, unit: f64| {
            let is_own = |one: &&LimitMatch| one.owner == LimitOwner::Volume && one.limited == limited;
            let own = self.limit.matches.iter().find(is_own);
            let cut_off = own.map_or(0.0, |one| (rate + one.weight * (one.level / unit - rate)) * (1.0 + headroom));
            weight * cut_off.max(rate * (1.0 + headroom))
        };
        Ceiling {
            iops: level(LimitKind::Iops, self.plateau.iops, 1.0),
            mibps: level(LimitKind::Throughput, self.plateau.mibps, MIB as f64),
        }
    }

    /// True where demand beyond the limit is predicted.
    pub fn has_unmet_demand(&self) -> bool {
        self.factor() > 1.0
    }

    /// [`UnmetDemand::factor`]; one where it is not known.
    fn factor(&self) -> f64 {
        self.unmet_demand.map_or(1.0, |unmet| unmet.factor.middle)
    }

    /// The instance's limits over the demand of an interval.
    fn instance_headroom(&self, interval: &DemandInterval) -> f64 {
        self.instance
            .map_or(f64::INFINITY, |instance| (instance.iops / interval.iops()).min(instance.mibps / interval.mibps()))
    }
}

/// Mean rates of the demand in the seconds at a limit.
fn plateau(demand: &Demand, limit: &ReachedLimit) -> Ceiling {
    let add = |(sum, seconds): (Ceiling, f64), interval: &DemandInterval| {
        let add = |sum: f64, rate: f64| sum + rate * interval.seconds;
        (
            Ceiling { iops: add(sum.iops, interval.iops()), mibps: add(sum.mibps, interval.mibps()) },
            seconds + interval.seconds,
        )
    };
    let (sum, seconds) = demand.each().filter(|interval| limit.holds(interval)).fold((Ceiling::default(), 0.0), add);
    if seconds > 0.0 { Ceiling { iops: sum.iops / seconds, mibps: sum.mibps / seconds } } else { sum }
}

/// True where the instance's limit is the one that was reached: it then does not bound the demand, and the advice reports the
/// instance as saturated.
fn is_instance_limit(limit: &ReachedLimit, instance: &Ceiling) -> bool {
    nearness(limit.rate / instance.counted(limit.limited)) >= NAMED_WEIGHT
}

impl UnmetDemand {
    fn predict(
        observed: &Observed,
        limit: &ReachedLimit,
        volume_type: Option<VolumeType>,
        instance: Option<Ceiling>,
    ) -> UnmetDemand {
        let service = service_at_limit(limit, volume_type);
        let target = Target { instance: instance.map_or(Limits::default(), as_limits), ..service.target() };
        let run_ratio = predict(observed, &target).ratio;
        // The whole gain is made in the seconds at the limit: in the others nothing waited for it. Nor can more requests be
        // in flight than were.
        let factor_at_limit = |run_ratio: f64, service_s: f64| {
            let factor = 1.0 + (run_ratio - 1.0) / limit.requests_share;
            let max_factor = (limit.latency_ms / (service_s * 1e3)).max(1.0).min(limit.max_factor());
            factor.clamp(1.0, max_factor).powf(limit.unmet_exponent())
        };
        let shorter = |end: fn(&Latency) -> f64| end(&service.read).min(end(&service.write));
        let factor = Range {
            low: factor_at_limit(run_ratio.low, shorter(|latency| latency.high_s)),
            middle: factor_at_limit(run_ratio.middle, shorter(|latency| latency.middle_s)),
            high: factor_at_limit(run_ratio.high, shorter(|latency| latency.low_s)),
        };
        let published = (service.source() == Source::Published).then(|| published_type(volume_type));
        UnmetDemand { factor, published, closed: observed.client_share() <= MAX_CLOSED_SHARE }
    }
}

/// The type whose published latency counts: the volume's if it has one, or else the general purpose type.
fn published_type(volume_type: Option<VolumeType>) -> VolumeType {
    volume_type
        .filter(|volume_type| volume_type.characteristics().read_ms.is_some())
        .unwrap_or_else(VolumeType::general_purpose)
}

/// Service times in the seconds below the limit, by their weight; for the rest those published for the type, or, where that is not known,
/// the general purpose type's with an interval that spans all types.
fn service_at_limit(limit: &ReachedLimit, volume_type: Option<VolumeType>) -> Service {
    let latency = |published_ms: fn(VolumeType) -> [Option<f64>; 3], of: fn(MeasuredLatency) -> Option<f64>| {
        let published = published_latency(published_ms, volume_type);
        let Some(measured) = limit.unqueued.measured else { return published };
        let measured_s = of(measured).unwrap_or(measured.ms) / 1e3;
        let end = |published_s: f64| weighted_mean(published_s, measured_s, measured.weight);
        Latency { low_s: end(published.low_s), middle_s: end(published.middle_s), high_s: end(published.high_s) }
    };
    let source = if limit.unqueued.is_measured() { Source::Measured } else { Source::Published };
    let read = latency(published_read_ms, |measured| measured.read_ms);
    Service::new(read, latency(published_write_ms, |measured| measured.write_ms), source)
}

/// Latency published for the type, or, where that is not known, the general purpose type's with an interval that spans all types.
fn published_latency(published_ms: fn(VolumeType) -> [Option<f64>; 3], volume_type: Option<VolumeType>) -> Latency {
    let is_published = volume_type.is_some_and(|volume_type| volume_type.characteristics().read_ms.is_some());
    let [mut low_s, middle_s, mut high_s] = published_ms(published_type(volume_type)).map(|ms| ms.unwrap_or(1.0) / 1e3);
    for other in VolumeType::ALL.into_iter().filter(|_| !is_published) {
        let [other_low_ms, _, other_high_ms] = published_ms(other);
        low_s = low_s.min(other_low_ms.map_or(low_s, |ms| ms / 1e3));
        high_s = high_s.max(other_high_ms.map_or(high_s, |ms| ms / 1e3));
    }
    Latency { low_s, middle_s, high_s }
}

fn scale_counts(counts: DeviceCounts, factor: f64) -> DeviceCounts {
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
