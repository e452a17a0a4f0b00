//! Volumes as they are measured: the replay of the demand on them, and the latencies that follow.

use crate::evaluate::case::Case;
use crate::evaluate::latency::{self, QueuedLatency, ServiceTimes};
use crate::prediction::credits::{CreditLoad, effective_ceiling};
use crate::replay::{InstanceLimit, Outcome, replay};
use crate::search::Priced;
use ebs_prediction::predict::{Expected, Source};

/// Volumes with the replay of a demand on them, and the latencies that follow.
pub struct Measured {
    /// The volumes.
    pub priced: Priced,
    /// The replay; where the instance is saturated, that on the instance alone if it throttles for longer.
    pub outcome: Outcome,
    /// Predicted means of the database; `None` where the evidence does not say.
    pub expected: Option<Expected>,
    /// Mean latency of a request, ms; `None` where the queue only grows, or it is not known.
    pub latency_ms: Option<f64>,
    /// Latency if as many requests stay in flight as at the run's limit; `None` where they do not queue, or the demand is known.
    pub queued_latency: Option<QueuedLatency>,
    /// Mean service time of a request, ms, and its source; `None` where it is not known.
    pub service: Option<(f64, Source)>,
    /// Latencies without a queue where nothing is predicted by waits.
    pub service_times: Option<ServiceTimes>,
}

impl Measured {
    /// Replays the demand of a case on volumes.
    pub fn new(case: &Case, priced: Priced) -> Measured {
        let Priced { config, volumes, .. } = priced;
        let (scenario, request) = (case.scenario, &case.scenario.request);
        let instance = InstanceLimit::from(request.instance_ceiling(&config, volumes));
        (scenario.part.inputs.pause)();
        let replayed = replay(case.sizing.series(), &config, volumes, instance, request.rule.followed_pct());
        let replayed = replayed.unwrap_or_default();
        let throttled = case.instance_saturation.map(|saturation| saturation.outcome);
        let outcome = throttled.filter(|outcome| outcome.throttled_s > replayed.throttled_s).unwrap_or(replayed);
        let predictor = scenario.predictor.map(|predictor| predictor.on_volumes(volumes));
        let predictor = predictor.as_deref();
        let load = CreditLoad { predictor, series: &scenario.series, scale: case.sizing.scale };
        let ceiling = || effective_ceiling(load, &config, volumes, request).ceiling;
        let expected =
            predictor.and_then(|predictor| predictor.expect(&scenario.series, config.volume_type, ceiling()));
        let latency_ms = latency::mean_latency_ms(case, config.volume_type, expected.as_ref(), &outcome);
        Measured {
            queued_latency: latency::queued_latency(case, latency_ms, ceiling),
            service: latency::service_ms(scenario, config.volume_type),
            service_times: latency::unqueued_service_times(case, config.volume_type),
            priced,
            outcome,
            expected,
            latency_ms,
        }
    }
}
