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

/// Part of a request that there are volumes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// Nothing of it.
    Nothing,
    /// A part of it, within the budget.
    PartWithinBudget,
    /// All of it.
    All,
}

/// Most volumes that are tried in turn where the request has no answer, so that the fewest are found. A choice.
const STRIPES: [u64; 5] = [2, 3, 4, 8, 16];

/// Most volumes that are tried where there are volumes for the request, of which the cheapest stripe up to it is found. A choice.
const STRIPE: [u64; 1] = [8];

/// The same where one volume within the budget meets a part of it: more, if no stripe up to 8 meets it within the budget.
const STRIPE_WITHIN_BUDGET: [u64; 2] = [8, 16];

/// Lists the arguments that are varied, with `latency_target_ms` where there is a target that a faster type meets; and stripes.
pub fn varied_arguments(request: &Request, met: Met, latency_target_ms: Option<f64>) -> Vec<VariedArgument> {
    let rule = request.rule;
    let busiest = (rule.percentile < 100.0).then_some(VariedArgument::Percentile(100.0));
    let bare = (rule.headroom > 0.0).then_some(VariedArgument::Headroom(0.0));
    let stripes = tried_stripes(request, met).map(VariedArgument::MaxVolumes);
    let faster = latency_target_ms.map(VariedArgument::LatencyTargetMs);
    let durable = request.durability_pct.is_none().then_some(VariedArgument::DurabilityPct(99.999));
    busiest.into_iter().chain(bare).chain(stripes).chain(faster).chain(durable).collect()
}

/// Numbers of volumes above the request's that are tried; none on RDS, which makes its stripes itself.
fn tried_stripes(request: &Request, met: Met) -> impl Iterator<Item = u64> {
    let max_stripe = request.max_stripe();
    let tried: &[u64] = match met {
        _ if request.platform.is_rds() => &[],
        Met::All => &STRIPE,
        Met::PartWithinBudget => &STRIPE_WITHIN_BUDGET,
        Met::Nothing => &STRIPES,
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
