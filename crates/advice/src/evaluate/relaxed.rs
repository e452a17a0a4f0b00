//! Volumes for a part of the request, where the whole of it costs too much: less headroom than requested, less of a closed loop's throughput,
//! or the best within a budget.

use crate::evaluate::candidate::Candidate;
use crate::evaluate::cheapest::cheapest_of_all;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::provisioning::Basis;
use crate::evaluate::reason::Reason;
use crate::evaluate::relaxation::{Relaxation, RelaxationCause};
use crate::request::settings::Request;
use crate::requirement::SizingRule;
use crate::search::Found;
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::VolumeType;
use ebs_base::units::Usd;

/// Price of volumes with all of the requested headroom, or of a closed loop's throughput, over that of others with less, above which these are
/// recommended. A choice: headroom is a wish for demand that was not seen, and the last per cent of a throughput is less than runs differ by.
pub const MAX_PRICE_FACTOR: f64 = 1.5;

/// Least share of the throughput without a limit that a closed loop is given for its price: that of the row beside the recommended volumes.
const LEAST_KEPT: f64 = 0.9;

/// Steps of a bisection over a part of the request: to a thousandth of it, less than the hundred IOPS that are ordered; of eight per cent of
/// a throughput, whose loop is predicted anew in each step, to an eighth of one.
const STEPS: u32 = 10;
const THROUGHPUT_STEPS: u32 = 6;

/// Parts of a request that are relaxed in turn.
#[derive(Clone, Copy)]
enum Part {
    /// The headroom, from all of it to none.
    Headroom,
    /// The throughput that a closed loop keeps, from the requested share to [`LEAST_KEPT`].
    Throughput,
    /// The demand itself, without headroom, from all of it to nothing.
    Demand,
}

impl Part {
    /// The rule with this share of the part, from 0 to 1, which is the whole.
    fn relax(self, rule: SizingRule, share: f64) -> SizingRule {
        match self {
            Part::Headroom => {
                let (headroom, closed_headroom) = (share * rule.headroom, share * rule.closed_headroom);
                SizingRule { headroom, closed_headroom, ..rule }
            }
            Part::Throughput => {
                let least = rule.keep_throughput.min(LEAST_KEPT);
                SizingRule { keep_throughput: least + share * (rule.keep_throughput - least), ..rule }
            }
            Part::Demand => rule.with_headroom(share - 1.0),
        }
    }

    /// The cheapest volumes for this share of the part.
    fn cheapest(self, sizings: &Sizings, share: f64) -> Option<Candidate> {
        let request = &sizings.scenario.request;
        let relaxed = Request { rule: self.relax(request.rule, share), ..Request::clone(request) };
        cheapest_of_all(&Sizings::new(&sizings.scenario.with_request(relaxed)))
    }

    /// The largest share whose cheapest volumes are accepted, with these, provided that those of every smaller one are.
    fn largest(self, sizings: &Sizings, is_accepted: impl Fn(&Candidate) -> bool) -> Option<(f64, Candidate)> {
        let mut found = Some((0.0, self.cheapest(sizings, 0.0).filter(&is_accepted)?));
        let (mut low, mut high) = (0.0, 1.0);
        let steps = if matches!(self, Part::Throughput) { THROUGHPUT_STEPS } else { STEPS };
        for _ in 0..steps {
            let middle = f64::midpoint(low, high);
            match self.cheapest(sizings, middle).filter(&is_accepted) {
                Some(candidate) => (low, found) = (middle, Some((middle, candidate))),
                None => high = middle,
            }
        }
        found
    }
}

/// Finds the cheapest volumes of all types that meet everything that was requested except the budget, or those for less, where the rest of it
/// costs too much.
pub fn cheapest(sizings: &Sizings) -> Option<Candidate> {
    let best = cheapest_of_all(sizings);
    for_less(sizings, best.as_ref()).or(best)
}

/// Volumes with less headroom, or less of a closed loop's throughput, where the last part of it changes the type, the number of volumes or RDS's
/// size class of the cheapest ones, and costs more than [`MAX_PRICE_FACTOR`] times as much, or where none have the whole headroom. `None` where
/// it does not, or none meet the request without it.
pub fn for_less(sizings: &Sizings, best: Option<&Candidate>) -> Option<Candidate> {
    let scenario = sizings.scenario;
    if scenario.instance_saturation.is_some() || best.is_some_and(|best| !may_be_of_another_kind(best)) {
        return None;
    }
    let (request, rule) = (&scenario.request, scenario.request.rule);
    let has_headroom = rule.headroom > 0.0 || rule.closed_headroom > 0.0;
    // A target chooses the type whatever it costs, and stripes are chosen by price.
    let has_target = request.durability_pct.or(request.latency_target_ms).or(request.min_throughput_ratio).is_some();
    let is_by_price = !has_target && request.max_stripe() == 1;
    let is_closed = best.is_some() && is_by_price && !scenario.loop_demands.is_empty();
    let headroom = has_headroom.then_some((Part::Headroom, RelaxationCause::PriceOfHeadroom));
    let throughput = is_closed.then_some((Part::Throughput, RelaxationCause::PriceOfThroughput));
    let is_other = |less: &Candidate| best.is_none_or(|best| kind(less) != kind(best));
    let ratio = |less: &Candidate| best.and_then(|best| best.total().ratio(less.total()));
    let is_dear = |less: &Candidate| best.is_none() || ratio(less).is_some_and(|ratio| ratio > MAX_PRICE_FACTOR);
    let found = |(part, cause): (Part, RelaxationCause)| {
        let (share, less) = part.largest(sizings, is_other).filter(|(_, less)| is_dear(less))?;
        let headroom = Some(if matches!(part, Part::Headroom) { share * rule.headroom } else { rule.closed_headroom });
        Some(relaxed(sizings, &less, Relaxation { cause, headroom, whole: best.and_then(whole) }))
    };
    headroom.into_iter().chain(throughput).find_map(found)
}

/// The best volumes within so much of a budget, where none of these ranked ones meet the request within it: those with the most headroom, or
/// else for the largest part of the demand; or else the first that cost no more and miss no target. `None` where nothing is within it.
pub fn best_within_budget(sizings: &Sizings, candidates: &[Candidate], budget: Usd) -> Option<Candidate> {
    if sizings.scenario.instance_saturation.is_some() {
        return None;
    }
    let is_affordable = |candidate: &Candidate| candidate.total() <= budget;
    let rule = sizings.scenario.request.rule;
    let parts = [Part::Headroom, Part::Demand];
    let found = parts.into_iter().find_map(|part| Some((part, part.largest(sizings, is_affordable)?)));
    let (headroom, best) = match found {
        Some((Part::Headroom, (share, best))) => (Some(share * rule.headroom), best),
        Some((_, (_, best))) => (None, best),
        None => {
            let is_right =
                |one: &&Candidate| one.can_be_ordered() && one.missed_targets.is_empty() && is_affordable(one);
            (None, candidates.iter().find(is_right)?.clone())
        }
    };
    let dear = candidates.iter().filter(|one| matches!(one.reason, Reason::OverBudget { .. }));
    let cheapest = dear.min_by_key(|candidate| candidate.order());
    let cause = RelaxationCause::Budget(budget);
    Some(relaxed(sizings, &best, Relaxation { cause, headroom, whole: cheapest.and_then(whole) }))
}

/// The volumes as the whole request evaluates them.
fn relaxed(sizings: &Sizings, less: &Candidate, relaxation: Relaxation) -> Candidate {
    evaluate(sizings, Found::from(less.priced()), Basis::Relaxed(relaxation))
}

fn whole(best: &Candidate) -> Option<(VolumeType, u64, Usd)> {
    Some((best.config.volume_type, best.volumes, best.usd_month()?))
}

/// Type, number and size class of volumes.
fn kind(candidate: &Candidate) -> (VolumeType, u64, u64) {
    let stripes = candidate.config.class().map_or(1, |class| class.stripes.max(1));
    (candidate.config.volume_type, candidate.volumes, stripes)
}

/// True where the cheapest volumes for less may be of another kind: one general purpose volume outside of RDS is the cheapest already.
fn may_be_of_another_kind(best: &Candidate) -> bool {
    best.config.platform.is_rds() || kind(best) != (VolumeType::general_purpose(), 1, 1)
}

#[cfg(test)]
#[path = "relaxed_tests.rs"]
mod tests;
