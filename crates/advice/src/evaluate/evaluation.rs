//! Evaluation of volumes against everything that was requested except the budget.

use crate::evaluate::candidate::Candidate;
use crate::evaluate::case::Case;
use crate::evaluate::measured::Measured;
use crate::evaluate::provisioning::{Basis, sufficient};
use crate::evaluate::queue_limit::queue_limit;
use crate::evaluate::risk::risk;
use crate::evaluate::verdict::{Violation, missed_targets};
use crate::search::Found;
use crate::sizing::sizings::Sizings;
use ebs_aws::price::uncertainties;

/// Evaluates volumes that a search found, or others that were chosen on this basis.
pub fn evaluate(sizings: &Sizings, found: Found, basis: Basis) -> Candidate {
    let case = &Case::new(sizings, &found);
    let measured = Measured::new(case, found.priced);
    let missed_targets = missed_targets(case, &measured);
    let violation = Violation::find(case, &measured, found.shortfall, &missed_targets);
    let is_carried = violation.is_none();
    let is_miss = is_carried && matches!(basis, Basis::Included);
    let violation = match basis {
        Basis::Kept(_) | Basis::Relaxed(_) => None,
        _ if is_miss => Violation::of_requirement(case, &measured),
        _ => violation,
    };
    let feasible = violation.is_none();
    let (bound, excess, reason) = match violation {
        Some(Violation { bound, excess, reason }) => (bound, excess, reason),
        None => {
            let (bound, reason) = sufficient(case, &measured, basis);
            (bound, None, reason)
        }
    };
    let queue_limit = queue_limit(case, &measured, bound);
    let delivered = queue_limit.filter(|_| is_carried).map(|limit| limit.likely_share());
    let (scenario, request) = (case.scenario, &case.scenario.request);
    let (config, bill) = (found.priced.config, found.priced.bill);
    let are_prices_known = request.prices.are_known(request.platform);
    Candidate {
        config,
        volumes: found.priced.volumes,
        bill: are_prices_known.then_some(bill),
        order_bill: bill,
        price_uncertainties: uncertainties(&config, &request.prices),
        saving: scenario.current.filter(|_| are_prices_known).and_then(|one| one.monthly_saving(&config, &bill)),
        scale: case.sizing.scale,
        required: case.sizing.task.required_without_instance().max(case.sizing.requirement().ceiling()),
        outcome: Some(measured.outcome),
        expected: measured.expected,
        prediction: None,
        device_prediction: None,
        is_wal_alone: false,
        service_times: measured.service_times,
        latency_ms: measured.latency_ms,
        queued_latency: measured.queued_latency,
        queue_limit,
        bound,
        feasible,
        excess,
        missed_targets,
        risk: Some(risk(case, &measured, delivered)),
        reason,
    }
}
