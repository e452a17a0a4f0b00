//! The mean latency of a request, reads and writes as they were mixed: what `latency_target_ms` is compared with.

use crate::evaluate::context::EvaluationContext;
use crate::replay::Outcome;
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::predict::{Expected, Source};
use ebs_workload::demand::Demand;

/// Of volumes that are expected to do so, or else as published, with what waiting for the limit adds to the recorded requests.
/// `None` where more and more waits, nothing was asked, or the type has no published latency.
pub fn mean_latency_ms(
    context: &EvaluationContext,
    volume_type: VolumeType,
    expected: Option<&Expected>,
    outcome: &Outcome,
) -> Option<f64> {
    match expected {
        Some(expected) => mixed(context.demand, expected),
        None => {
            let carried = outcome.within(context.request.rule.max_throttled_pct);
            Some(service_ms(context, volume_type)?.0 + outcome.added.filter(|_| carried)?.mean_ms)
        }
    }
}

/// Of what is expected.
pub fn mixed(demand: &Demand, expected: &Expected) -> Option<f64> {
    mix(demand, expected.read_ms, expected.write_ms)
}

/// While nothing waits for a limit, and where that comes from; `None` where nobody says.
pub fn service_ms(context: &EvaluationContext, volume_type: VolumeType) -> Option<(f64, Source)> {
    let characteristics = volume_type.characteristics();
    match context.predictor.and_then(|predictor| predictor.service(volume_type)) {
        Some(service) => {
            let (read, write) = (service.read.middle_s * 1e3, service.write.middle_s * 1e3);
            Some((mix(context.demand, read, write)?, service.source()))
        }
        None => Some((mix(context.demand, characteristics.read_ms?, characteristics.write_ms?)?, Source::Published)),
    }
}

fn mix(demand: &Demand, read_ms: f64, write_ms: f64) -> Option<f64> {
    let reads = demand.read_share()?;
    Some(reads * read_ms + (1.0 - reads) * write_ms)
}
