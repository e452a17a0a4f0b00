//! The mean latency of a request over the observed mix of reads and writes, which `latency_target_ms` is compared with.

use crate::evaluate::context::EvaluationContext;
use crate::replay::Outcome;
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::predict::{Expected, Source};
use ebs_workload::demand::{Demand, ratio};

/// Mean latency of a request, ms: predicted, or else published plus the replay's queueing at the limit. `None` where the queue
/// only grows, there were no requests, the type has no published latency, or the run queued at the instance's limit, whose queue
/// the replay does not have.
pub fn mean_latency_ms(
    context: &EvaluationContext,
    volume_type: VolumeType,
    expected: Option<&Expected>,
    outcome: &Outcome,
) -> Option<f64> {
    match expected {
        Some(expected) => expected_ms(context.demand, expected),
        None if !holds_published(context) => None,
        None => {
            let carried = outcome.is_within(context.request.rule.max_throttled_pct);
            Some(service_ms(context, volume_type)?.0 + outcome.added.filter(|_| carried)?.mean_ms)
        }
    }
}

/// Predicted mean latency of a request, ms.
pub fn expected_ms(demand: &Demand, expected: &Expected) -> Option<f64> {
    weigh(demand, expected.read_ms, expected.write_ms)
}

/// Mean service time of a request on a type, ms, and its source; `None` where it is not known, as of larger requests than
/// latencies are published for.
pub fn service_ms(context: &EvaluationContext, volume_type: VolumeType) -> Option<(f64, Source)> {
    let characteristics = volume_type.characteristics();
    match context.predictor.and_then(|predictor| predictor.service(volume_type)) {
        Some(service) => {
            let (read, write) = (service.read.middle_s * 1e3, service.write.middle_s * 1e3);
            Some((weigh(context.demand, read, write)?, service.source()))
        }
        None if has_large_requests(context.demand) => None,
        None => Some((weigh(context.demand, characteristics.read_ms?, characteristics.write_ms?)?, Source::Published)),
    }
}

/// Averages latencies by the demand's share of reads.
fn weigh(demand: &Demand, read_ms: f64, write_ms: f64) -> Option<f64> {
    let reads = demand.read_share()?;
    Some(reads * read_ms + (1.0 - reads) * write_ms)
}

/// Mean size of a request, bytes; `None` without requests.
pub fn mean_request_bytes(demand: &Demand) -> Option<f64> {
    let total = demand.total();
    ratio(total.read_bytes.saturating_add(total.write_bytes), total.reads.saturating_add(total.writes))
}

/// Mean size above which requests are larger than those that latencies are published for, which are of 16 KiB. A choice.
pub const LARGE_REQUEST_BYTES: f64 = 65_536.0;

/// True where latencies published for volumes hold: of requests no larger than those that they are published for, which did not
/// queue at the instance's limit.
pub fn holds_published(context: &EvaluationContext) -> bool {
    let is_queued = context.instance_saturation.is_some_and(|instance| instance.reached.is_some());
    !is_queued && !has_large_requests(context.demand)
}

/// True where the mean request is larger than those that latencies are published for.
pub fn has_large_requests(demand: &Demand) -> bool {
    mean_request_bytes(demand).is_some_and(|bytes| bytes > LARGE_REQUEST_BYTES)
}
