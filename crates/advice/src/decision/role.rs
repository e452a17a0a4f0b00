//! Advice for a role, from its evaluated candidates and the other scenarios of its demand.

use std::rc::Rc;

use super::find_smaller::SmallerSearch;
use super::grounds::Grounds;
use super::instance_need::InstanceNeed;
use super::plan::plan;
use super::recommendation::Recommendation;
use super::role_advice::{RoleAdvice, Variation};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::latency::service_ms;
use crate::evaluate::reason::{MIN_DELIVERED, closed_likelihood};
use crate::evaluate::relaxed::{best_within_budget, cheapest};
use crate::prediction::credits::{CreditLoad, effective_ceiling};
use crate::prediction::predictor::Predictor;
use crate::scenario::Scenario;
use crate::scenario::alternatives::{Alternative, Answer, alternatives};
use crate::scenario::inputs::Extent;
use crate::scenario::instance_saturation::InstanceSaturation;
use crate::scenario::variation::{Met, VariedArgument};
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::VolumeType;
use ebs_base::units::Usd;
use ebs_workload::load_kind::LoadKind;

/// Candidates of a role, ranked.
pub struct Ranked {
    /// Feasible ones first, cheapest first.
    pub candidates: Vec<Candidate>,
    /// Price of the other roles' cheapest volumes.
    pub others: Usd,
}

impl Ranked {
    /// The volumes that meet everything that was requested.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|candidate| candidate.feasible)
    }
}

/// Volumes for the other scenarios, by the places that show them.
#[derive(Default)]
struct Options {
    variations: Vec<Variation>,
    peak: Option<Candidate>,
    closed: Option<Candidate>,
    count: Option<Candidate>,
    kept: Option<Candidate>,
    smaller: Option<Candidate>,
}

/// Advises on a role by its ranked candidates. `has_log_offer` is true where RDS's dedicated log volume carries the WAL, which has none now.
pub fn advise_on_role(
    sizings: &Sizings,
    ranked: Ranked,
    other_count_saturation: Option<InstanceSaturation>,
    need: Option<InstanceNeed>,
    has_log_offer: bool,
) -> RoleAdvice {
    let scenario = sizings.scenario;
    let part = scenario.part;
    let Ranked { candidates, others } = ranked;
    let candidates = shown(scenario, candidates);
    let request = &scenario.request;
    let budget = request.budget_usd.map(|budget| budget - others);
    let candidates = with_budget(sizings, candidates, budget);
    let best = candidates.first().filter(|candidate| candidate.feasible);
    let sizing = sizings.get(best.map_or_else(VolumeType::general_purpose, |best| best.config.volume_type));
    let requirement = sizing.requirement();
    let required = sizing.task.required_without_instance();
    let instance_saturation = scenario.instance_saturation.as_ref();
    let recommendation = Recommendation::new(&candidates, instance_saturation, &requirement, request);
    let (decision, kept) = Grounds { sizings, recommendation, required, need, budget }.decide();
    let kept = kept.map(|kept| predicted(scenario, kept));
    let smaller = SmallerSearch { scenario, best, others };
    let sought_gib = smaller.sought_gib().filter(|_| part.inputs.extent == Extent::Report);
    let best = kept.as_ref().or(best);
    let answer = Answer {
        met: best.map_or(Met::Nothing, |best| match best.is_within_budget_alone() {
            true => Met::PartWithinBudget,
            false => Met::All,
        }),
        is_closed: !scenario.loop_demands.is_empty(),
        is_slower: scenario.predictor.is_some() && best.is_some_and(is_slower),
        latency_target_ms: best.and_then(|best| io2_latency_target(scenario, best)),
        smaller_gib: sought_gib.and_then(Result::ok),
    };
    let options = Options::find(scenario, best, &answer, other_count_saturation, others);
    let smaller_storage = sought_gib.map(|sought| sought.and_then(|gib| smaller.conclude(gib, options.smaller)));
    let candidates = with_first(candidates, kept);
    let recommendation = Recommendation::new(&candidates, instance_saturation, &requirement, request);
    let interim = match recommendation {
        Recommendation::LargerInstance(interim) => interim.cloned(),
        _ => None,
    };
    let candidates = with_first(candidates, interim);
    let recommendation = Recommendation::new(&candidates, instance_saturation, &requirement, request);
    let procedure = plan(part, &recommendation, has_log_offer);
    let has_doubt = part.state.count_doubt.is_some();
    RoleAdvice {
        procedure,
        smaller_storage,
        requirement,
        required_without_instance: required,
        current: part.current.clone(),
        instance_saturation: scenario.instance_saturation,
        peak_option: options.peak,
        closed_option: options.closed,
        count_option: options.count,
        kept_option: options.kept,
        count_bound: other_count_saturation.filter(|_| has_doubt).map(|saturation| saturation.bound),
        variations: options.variations,
        state: Rc::clone(&part.state),
        decision,
        candidates,
    }
}

/// Ranked candidates, behind the best ones within a budget, of which the other roles leave so much, where none of them are.
fn with_budget(sizings: &Sizings, candidates: Vec<Candidate>, budget: Option<Usd>) -> Vec<Candidate> {
    let is_met = candidates.first().is_some_and(|candidate| candidate.feasible);
    let best = budget.filter(|_| !is_met).and_then(|budget| best_within_budget(sizings, &candidates, budget));
    with_first(candidates, best.map(|best| predicted(sizings.scenario, best)))
}

/// Ranked candidates with their predictions; for a decision alone, whose other candidates are not shown, of the best one.
fn shown(scenario: &Scenario, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let has_best = candidates.first().is_some_and(|candidate| candidate.feasible);
    let is_best_alone = has_best && scenario.part.inputs.extent == Extent::Decision;
    let show = |(rank, candidate)| if is_best_alone && rank > 0 { candidate } else { predicted(scenario, candidate) };
    candidates.into_iter().enumerate().map(show).collect()
}

/// Ranked candidates behind these volumes: the present ones that are kept, those until the instance is larger, or the best within a budget.
fn with_first(candidates: Vec<Candidate>, first: Option<Candidate>) -> Vec<Candidate> {
    let Some(first) = first else { return candidates };
    let volumes = (first.config, first.volumes);
    let others = candidates.into_iter().filter(|candidate| (candidate.config, candidate.volumes) != volumes);
    std::iter::once(first).chain(others).collect()
}

impl Options {
    /// Finds the cheapest volumes for each of the other scenarios.
    fn find(
        scenario: &Scenario,
        best: Option<&Candidate>,
        answer: &Answer,
        other_count_saturation: Option<InstanceSaturation>,
        others: Usd,
    ) -> Options {
        let mut options = Options::default();
        for (alternative, other) in alternatives(scenario, answer, other_count_saturation) {
            let sizings = &Sizings::new(&other);
            let found = cheapest(sizings);
            let shown = |found: Option<Candidate>| found.map(|candidate| predicted(&other, candidate));
            match alternative {
                Alternative::Varied(argument) => {
                    let budget = other.request.budget_usd.map(|budget| budget - others);
                    options.vary(argument, best, decided(sizings, found, budget));
                }
                Alternative::Peak => options.peak = shown(found),
                Alternative::ClosedLoop => options.closed = shown(found),
                Alternative::OtherCount => options.count = found,
                Alternative::KeptThroughput => options.kept = shown(found),
                Alternative::Smaller(_) => options.smaller = shown(found),
            }
        }
        options
    }

    /// Adds a variation that changes the recommendation, or that has one where the request has none; of numbers of volumes the first with
    /// the number that it recommends, which gives the same volumes.
    fn vary(&mut self, argument: VariedArgument, best: Option<&Candidate>, found: Option<Candidate>) {
        let volumes = |candidate: &Candidate| (candidate.config, candidate.volumes);
        if found.as_ref().map(volumes) == best.map(volumes) {
            return;
        }
        let is_stripe = |argument: &VariedArgument| matches!(argument, VariedArgument::MaxVolumes(_));
        // More volumes never rule out fewer, and of a budget that is too small the best is named already.
        let is_partial = best.is_some_and(Candidate::is_within_budget_alone);
        let has_no_answer = found.is_none() && (is_stripe(&argument) || is_partial);
        if has_no_answer || is_stripe(&argument) && self.variations.iter().any(|known| is_stripe(&known.argument)) {
            return;
        }
        let number =
            found.as_ref().filter(|_| is_stripe(&argument)).map(|best| VariedArgument::MaxVolumes(best.volumes));
        self.variations.push(Variation { argument: number.unwrap_or(argument), best: found });
    }
}

/// The volumes that a scenario leads to, of the cheapest ones for it: these, within the part of the budget that the other roles leave, or the
/// present ones, where they stay.
fn decided(sizings: &Sizings, found: Option<Candidate>, budget: Option<Usd>) -> Option<Candidate> {
    let found = found.filter(|found| budget.is_none_or(|budget| found.total() <= budget))?;
    let required = sizings.get(found.config.volume_type).task.required_without_instance();
    let recommendation = Recommendation::Volumes(&found);
    Some(Grounds { sizings, recommendation, required, need: None, budget }.stay().unwrap_or(found))
}

/// A candidate with its predictions and their intervals, which take ten times as long as the means: only where it is shown.
pub fn predicted(scenario: &Scenario, candidate: Candidate) -> Candidate {
    let part = scenario.part;
    (part.inputs.pause)();
    let (series, config) = (part.series(), candidate.config);
    let predict = |predictor: Option<&Predictor>| {
        let predictor = predictor?.on_volumes(candidate.volumes);
        let load = CreditLoad { predictor: Some(&predictor), series, scale: candidate.scale };
        let ceiling = effective_ceiling(load, &config, candidate.volumes, part.inputs.request).ceiling;
        predictor.predict(series, config.volume_type, ceiling)
    };
    let by_waits = part.state.predictor.as_ref().ok().filter(|_| candidate.expected.is_some());
    let by_counts = part.state.device_predictor.as_ref().filter(|_| candidate.outcome.is_some());
    let device_prediction = predict(by_counts);
    let loss = device_prediction.map(|prediction| likely_ratio(scenario, prediction.ratio.middle));
    let risk = candidate.risk.map(|risk| loss.map_or(risk, |ratio| risk.with_predicted_loss(ratio)));
    Candidate { prediction: predict(by_waits), device_prediction, risk, ..candidate }
}

/// A ratio of throughput that is predicted without waits, of which a loss counts by the likelihood that sessions wait for the volume.
fn likely_ratio(scenario: &Scenario, ratio: f64) -> f64 {
    let depth = scenario.demand.busy.map_or(0.0, |busy| busy.queue_depth);
    let is_closed = scenario.request.driver_load.map(|kind| kind == LoadKind::Closed);
    1.0 - closed_likelihood(depth, is_closed) * (1.0 - ratio)
}

/// True where volumes are predicted to lose a part of the current throughput that is a risk.
fn is_slower(best: &Candidate) -> bool {
    best.ratio().is_some_and(|ratio| ratio.middle < MIN_DELIVERED)
}

/// A latency target that provisioned IOPS meet and these volumes do not, ms, rounded up to a hundredth; `None` where there is none.
fn io2_latency_target(scenario: &Scenario, best: &Candidate) -> Option<f64> {
    let (provisioned_ms, _) = service_ms(scenario, VolumeType::provisioned())?;
    let target = (100.0 * provisioned_ms).ceil() / 100.0;
    (target < best.latency_ms?).then_some(target)
}
