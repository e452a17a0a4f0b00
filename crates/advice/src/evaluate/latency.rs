//! The mean latency of a request over the observed mix of reads and writes, which `latency_target_ms` is compared with.

use crate::evaluate::case::Case;
use crate::prediction::service::Service;
use crate::replay::{Measure, Outcome};
use crate::scenario::Scenario;
use crate::scenario::evaluated_demand::EvaluatedDemand;
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_base::units::MIB;
use ebs_prediction::predict::{Expected, Latency, Prediction, Source};
use ebs_workload::demand::Demand;

/// Mean latency of a request, ms: predicted, or else without a queue plus the replay's queueing at the limit. `None` where the queue
/// only grows, there were no requests, no latency of the type is known, or the run queued at the instance's limit, whose queue
/// the replay does not have.
pub fn mean_latency_ms(
    case: &Case,
    volume_type: VolumeType,
    expected: Option<&Expected>,
    outcome: &Outcome,
) -> Option<f64> {
    match expected {
        Some(expected) => expected_ms(&case.scenario.demand, expected),
        None if is_queued_at_instance(case) => None,
        None => {
            let carried = outcome.is_within(case.scenario.request.rule.max_throttled_pct);
            Some(service_ms(case.scenario, volume_type)?.0 + outcome.added.filter(|_| carried)?.mean_ms)
        }
    }
}

/// The queue of a saturated run on other volumes, if as many requests stay in flight as there were at its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueuedLatency {
    /// Requests in flight at the run's limit, on average.
    pub in_flight: f64,
    /// Requests a second that the limits of the volumes allow.
    pub requests_per_s: f64,
}

impl QueuedLatency {
    /// Mean latency of a request, ms: those in flight over their rate, by Little's law (Little 1961,
    /// <https://doi.org/10.1287/opre.9.3.383>).
    pub fn ms(&self) -> f64 {
        1_000.0 * self.in_flight / self.requests_per_s
    }
}

/// The queue at this ceiling of volumes of which nothing is predicted, beside their latency without it. The demand beyond the limit of the
/// run then is unknown: up to as many requests as were in flight, if these find the volumes at their limit. `None` where the run was at no
/// limit, or so many in flight do not reach that of the volumes.
pub fn queued_latency(
    case: &Case,
    latency_ms: Option<f64>,
    ceiling: impl FnOnce() -> Ceiling,
) -> Option<QueuedLatency> {
    let limit = case.scenario.part.state.saturation.filter(|_| case.scenario.predictor.is_none())?.limit;
    let ceiling = ceiling();
    let total = case.scenario.demand.total;
    let counted = case.scenario.series.sum(Measure::Requests) / total.requests() as f64;
    let by_bytes = limit.iops * ceiling.mibps * MIB as f64 / limit.bytes_per_s;
    let requests_per_s = (ceiling.iops / counted).min(by_bytes);
    let queued = QueuedLatency { in_flight: limit.in_flight, requests_per_s };
    (queued.ms() > latency_ms?).then_some(queued)
}

/// Predicted mean latency of a request, ms.
pub fn expected_ms(demand: &EvaluatedDemand, expected: &Expected) -> Option<f64> {
    weigh(demand.read_share(), expected.read_ms, expected.write_ms)
}

/// Mean latency of a request by a prediction with its intervals, ms.
pub fn predicted_ms(demand: &Demand, prediction: &Prediction) -> Option<f64> {
    weigh(demand.read_share(), prediction.read_ms.middle, prediction.write_ms.middle)
}

/// Mean service time of a request on a type, ms, and its source; `None` where it is not known, as of larger requests than
/// latencies are published for.
pub fn service_ms(scenario: &Scenario, volume_type: VolumeType) -> Option<(f64, Source)> {
    match scenario.predictor.and_then(|predictor| predictor.service(volume_type)) {
        Some(service) => {
            let (read, write) = (service.read.middle_s * 1e3, service.write.middle_s * 1e3);
            Some((weigh(scenario.demand.read_share(), read, write)?, service.source()))
        }
        None => {
            let ServiceTimes { read_ms, write_ms, source } = service_times(scenario, volume_type)?;
            Some((weigh(scenario.demand.read_share(), read_ms?, write_ms?)?, source))
        }
    }
}

/// Mean latencies without a queue where nothing is predicted by waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceTimes {
    /// Latency of a read, ms.
    pub read_ms: Option<f64>,
    /// Latency of a write, ms.
    pub write_ms: Option<f64>,
    /// Source of both, of the directions that the demand has.
    pub source: Source,
}

impl ServiceTimes {
    /// Those published for a type.
    pub fn published(volume_type: VolumeType) -> ServiceTimes {
        let characteristics = volume_type.characteristics();
        ServiceTimes { read_ms: characteristics.read_ms, write_ms: characteristics.write_ms, source: Source::Published }
    }

    fn from_service(service: &Service, demand: &EvaluatedDemand) -> ServiceTimes {
        let source = match demand.read_share() {
            Some(reads) if reads >= 1.0 => service.read_source,
            Some(reads) if reads <= 0.0 => service.write_source,
            _ => service.source(),
        };
        let ms = |latency: Latency| Some(latency.middle_s * 1e3);
        ServiceTimes { read_ms: ms(service.read), write_ms: ms(service.write), source }
    }
}

/// The latencies of a type without a queue: by those of the run, as ebs_whatif has them, or else those that are published. `None` where
/// requests are larger than those that latencies are published for.
fn service_times(scenario: &Scenario, volume_type: VolumeType) -> Option<ServiceTimes> {
    let in_run = scenario.part.state.device_predictor.as_ref().and_then(|predictor| predictor.service(volume_type));
    let in_run = in_run.map(|service| ServiceTimes::from_service(service, &scenario.demand));
    match in_run.filter(|times| times.source != Source::Published) {
        Some(times) => Some(times),
        None if has_large_requests(&scenario.demand) => None,
        None => Some(ServiceTimes::published(volume_type)),
    }
}

/// The same; `None` where requests queued at the instance's limit, too.
pub fn unqueued_service_times(case: &Case, volume_type: VolumeType) -> Option<ServiceTimes> {
    service_times(case.scenario, volume_type).filter(|_| !is_queued_at_instance(case))
}

/// Mean latency of a request of 16 KiB published for a type, ms; `None` where none is.
pub fn published_ms(scenario: &Scenario, volume_type: VolumeType) -> Option<f64> {
    let ServiceTimes { read_ms, write_ms, .. } = ServiceTimes::published(volume_type);
    weigh(scenario.demand.read_share(), read_ms?, write_ms?)
}

/// Averages latencies by the share of reads.
fn weigh(read_share: Option<f64>, read_ms: f64, write_ms: f64) -> Option<f64> {
    let reads = read_share?;
    Some(reads * read_ms + (1.0 - reads) * write_ms)
}

/// Mean size above which requests are larger than those that latencies are published for, which are of 16 KiB. A choice.
pub const LARGE_REQUEST_BYTES: f64 = 65_536.0;

/// True where requests queued at the instance's limit, on whatever volumes.
fn is_queued_at_instance(case: &Case) -> bool {
    case.instance_saturation.is_some_and(|instance| instance.reached.is_some())
}

/// True where the mean request is larger than those that latencies are published for.
pub fn has_large_requests(demand: &EvaluatedDemand) -> bool {
    demand.mean_request_bytes().is_some_and(|bytes| bytes > LARGE_REQUEST_BYTES)
}
