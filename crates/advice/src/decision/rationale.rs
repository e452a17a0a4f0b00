//! The rationale of a recommendation: the one fact that decided it.

use crate::current::saturation::Saturation;
use crate::decision::recommendation::Recommendation;
use crate::decision::role_advice::RoleAdvice;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::Provisioning;
use crate::request::settings::Request;
use crate::scenario::instance_saturation::InstanceSaturation;
use ebs_prediction::BindingLimit;
use ebs_workload::io_profile::{Metric, find};

/// The fact that decided a recommendation.
#[derive(Clone, Copy, Debug)]
pub enum Rationale<'a> {
    /// The instance's limits bind: no volume can change that.
    Instance(&'a InstanceSaturation),
    /// The instance sustains less than the limit of the volumes.
    LowerInstance {
        /// The instance.
        instance: &'a InstanceSaturation,
        /// The run at the limit of the volumes.
        saturation: &'a Saturation,
    },
    /// The current volume was at its limit: the volumes are sized for more than the observed demand.
    Saturated {
        /// The limit, and the demand beyond it.
        saturation: &'a Saturation,
        /// The recommended volumes.
        best: &'a Candidate,
    },
    /// Requests take longer on the recommended volumes than now, and sessions wait for them.
    SlowerRequests {
        /// Mean latency of a request on the recommended volumes, ms.
        latency_ms: f64,
        /// Mean latency of a request now, ms.
        current_ms: f64,
        /// True where the volumes are sized for less than the observed demand.
        smaller_demand: bool,
        /// The recommended volumes.
        best: &'a Candidate,
    },
    /// The basis of the recommended volumes' IOPS and throughput.
    Provisioned {
        /// The basis.
        provisioning: &'a Provisioning,
        /// The recommended volumes.
        best: &'a Candidate,
    },
    /// The nearest miss fails for its own reason.
    Missed(&'a Candidate),
}

/// Latency relative to the current one from which on requests are slower. A choice.
const SLOWER: f64 = 1.25;

impl RoleAdvice {
    /// The rationale of the recommendation; `None` where no volumes can be named.
    pub fn rationale(&self, request: &Request) -> Option<Rationale<'_>> {
        if let Some(saturation) = &self.instance_saturation {
            return Some(match self.limit_above_instance() {
                Some((instance, saturation)) => Rationale::LowerInstance { instance, saturation },
                None => Rationale::Instance(saturation),
            });
        }
        let best = match self.recommendation(request) {
            Recommendation::Volumes(best) => best,
            recommendation => return recommendation.volumes().map(Rationale::Missed),
        };
        if let Some(saturation) = &self.state.saturation {
            return Some(Rationale::Saturated { saturation, best });
        }
        let provisioning = best.provisioning();
        let is_of_a_part = provisioning.is_some_and(Provisioning::is_of_a_part);
        let slower = self.slower_requests(best).filter(|_| !is_of_a_part);
        slower.or(provisioning.map(|provisioning| Rationale::Provisioned { provisioning, best }))
    }

    fn slower_requests<'a>(&self, best: &'a Candidate) -> Option<Rationale<'a>> {
        let is_bound = best.expected?.bound_by == BindingLimit::Latency;
        let (latency_ms, current_ms) = (best.latency_ms?, self.current_latency_ms()?);
        let slower = Rationale::SlowerRequests { latency_ms, current_ms, smaller_demand: best.scale < 1.0, best };
        (is_bound && latency_ms > SLOWER * current_ms).then_some(slower)
    }

    /// Mean latency of a request now, ms; `None` where it was not measured.
    pub fn current_latency_ms(&self) -> Option<f64> {
        let mean = |metric| find(&self.state.figures, metric).and_then(|figure| figure.mean);
        let reads = self.state.group.demand.read_share()?;
        let part = |share: f64, ms: Option<f64>| if share > 0.0 { Some(share * ms?) } else { Some(0.0) };
        Some(part(reads, mean(Metric::ReadLatency))? + part(1.0 - reads, mean(Metric::WriteLatency))?)
    }
}
