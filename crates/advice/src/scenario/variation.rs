//! Variations of the request: one argument changed.

use super::Scenario;
use crate::request::settings::Request;
use crate::requirement::SizingRule;

/// An argument of the request with another value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VariedArgument {
    /// percentile: sized for the busiest sample.
    Percentile(f64),
    /// headroom, as a share.
    Headroom(f64),
    /// max_volumes.
    MaxVolumes(u64),
    /// latency_target_ms.
    LatencyTargetMs(f64),
    /// durability_pct.
    DurabilityPct(f64),
}

/// Most volumes that are tried in turn where the request has no answer, so that the fewest are found. A choice.
const STRIPES: [u64; 5] = [2, 3, 4, 8, 16];

/// Most volumes that are tried where the request has an answer: the cheapest of all stripes up to it is found. A choice.
const STRIPE: [u64; 1] = [8];

/// Lists the arguments that are varied, with `latency_target_ms` where there is a target that a faster type meets; stripes where volumes of
/// one number or none meet the request.
pub fn varied_arguments(
    request: &Request,
    volumes: Option<u64>,
    latency_target_ms: Option<f64>,
) -> Vec<VariedArgument> {
    let rule = request.rule;
    let busiest = (rule.percentile < 100.0).then_some(VariedArgument::Percentile(100.0));
    let bare = (rule.headroom > 0.0).then_some(VariedArgument::Headroom(0.0));
    let stripes = tried_stripes(request, volumes.is_some()).map(VariedArgument::MaxVolumes);
    let faster = latency_target_ms.map(VariedArgument::LatencyTargetMs);
    let durable = request.durability_pct.is_none().then_some(VariedArgument::DurabilityPct(99.999));
    busiest.into_iter().chain(bare).chain(stripes).chain(faster).chain(durable).collect()
}

/// Numbers of volumes above the request's that are tried: [`STRIPE`] where it has an answer of one volume, else [`STRIPES`]; none on RDS,
/// which makes its stripes itself.
fn tried_stripes(request: &Request, has_answer: bool) -> impl Iterator<Item = u64> {
    let max_stripe = request.max_stripe();
    let tried: &[u64] = match has_answer {
        _ if request.platform.is_rds() => &[],
        true if max_stripe > 1 => &[],
        true => &STRIPE,
        false => &STRIPES,
    };
    tried.iter().copied().filter(move |volumes| *volumes > max_stripe)
}

impl VariedArgument {
    /// The scenario with the request that it changes.
    pub fn apply<'a>(self, scenario: &'a Scenario<'a>) -> Scenario<'a> {
        let request = Request::clone(&scenario.request);
        let rule = request.rule;
        scenario.with_request(match self {
            VariedArgument::Percentile(percentile) => Request { rule: SizingRule { percentile, ..rule }, ..request },
            VariedArgument::Headroom(headroom) => Request { rule: rule.with_headroom(headroom), ..request },
            VariedArgument::MaxVolumes(volumes) => Request { max_volumes: Some(volumes), ..request },
            VariedArgument::LatencyTargetMs(target_ms) => Request { latency_target_ms: Some(target_ms), ..request },
            VariedArgument::DurabilityPct(pct) => Request { durability_pct: Some(pct), ..request },
        })
    }
}
