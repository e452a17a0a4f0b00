//! Volumes with the limits of the declared ones, where these carried the demand: themselves, where a dearer order promises no more, and
//! the successor of a type whose IOPS follow its size, which has the same performance for less. More headroom than today's volumes have
//! is an option, and no reason to stay with dearer ones or to buy them. And the successor of a type in place of the previous generation,
//! where that is not much cheaper.

use crate::evaluate::candidate::Candidate;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::provisioning::{Basis, burst_limits};
use crate::replay::{Measure, Step};
use crate::requirement::SizingRule;
use crate::scenario::Scenario;
use crate::search::{Found, Priced};
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::{Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::order_bill;
use ebs_prediction::BindingLimit;

/// Ratio of throughput, or of latency, within which volumes are as good as others. A choice.
const NO_GAIN: f64 = 1.02;

/// Share of seconds without the requested headroom below which declared volumes are kept: where they are more, sessions may have been
/// held back. A choice, as in the detection of saturation.
const MAX_NEAR_SHARE: f64 = 0.01;

/// Price of the successor over that of the previous generation up to which this is not advised. A choice: for a few per cent nobody buys what
/// AWS has replaced.
const MAX_SUCCESSOR_FACTOR: f64 = 1.15;

/// True where volumes of the previous generation are not advised beside these of its successor, which meet the request, too: unless they are
/// much cheaper, with IOPS by size only where credits carry the demand, and never where that was cut off at a limit.
pub fn is_replaced(previous: &Candidate, successor: &Candidate, scenario: &Scenario) -> bool {
    let is_right = successor.feasible && previous.config.volume_type.successor() == Some(successor.config.volume_type);
    let factor = successor.total().ratio(previous.total()).unwrap_or(f64::INFINITY);
    let is_carried = !previous.config.volume_type.has_iops_by_size() || previous.bound == BindingLimit::Credits;
    let is_much_cheaper = factor > MAX_SUCCESSOR_FACTOR && is_carried && scenario.part.state.saturation.is_none();
    is_right && !is_much_cheaper
}

/// Finds volumes with the limits of the declared ones. `None` where these are of several kinds, more than allowed, throttled more than
/// accepted or were saturated, and where more headroom than the default was requested.
pub fn with_current_limits(sizings: &Sizings, searched: &[Candidate]) -> Option<Candidate> {
    let scenario = sizings.scenario;
    let (request, current) = (&scenario.request, scenario.current?);
    let [(config, volumes)] = current.volumes.as_slice() else { return None };
    let carried = current.outcome?.is_within(request.rule.max_throttled_pct);
    let is_allowed = *volumes <= request.max_stripe() && request.rule.headroom <= SizingRule::default().headroom;
    let usable = carried && current.exceeded.is_none() && is_allowed && !request.platform.is_rds();
    if !usable || scenario.part.state.saturation.is_some() || scenario.instance_saturation.is_some() {
        return None;
    }
    let today = Priced { config: *config, volumes: *volumes, bill: current.order_bill? };
    match config.volume_type.successor().filter(|_| config.volume_type.has_iops_by_size()) {
        Some(successor) => succeeding(sizings, searched, today, successor),
        None => kept(sizings, searched, today),
    }
}

/// Volumes of the successor with the limits of the declared ones. `None` where one of the searched candidates suffices with no more, or
/// where it does not save money.
fn succeeding(sizings: &Sizings, searched: &[Candidate], today: Priced, successor: VolumeType) -> Option<Candidate> {
    let volumes = today.volumes;
    let config = with_limits(sizings, &today, successor)?;
    let limits = config.ceiling(volumes);
    let is_as_good = |candidate: &Candidate| {
        let found = candidate.config.ceiling(candidate.volumes);
        candidate.feasible && found.iops <= limits.iops && found.mibps <= limits.mibps
    };
    if searched.iter().any(is_as_good) {
        return None;
    }
    let priced = Priced { config, volumes, bill: order_bill(&config, volumes, &sizings.scenario.request.prices)? };
    let candidate = evaluate(sizings, Found::from(priced), Basis::Current(today.config));
    let saves = candidate.total() < today.bill.total();
    (candidate.feasible && saves).then_some(candidate)
}

/// The declared volumes, where the cheapest searched ones cost more and promise no more throughput and no lower latency. `None` without
/// a prediction that shows it.
fn kept(sizings: &Sizings, searched: &[Candidate], today: Priced) -> Option<Candidate> {
    let config = today.config;
    let dearer = searched.iter().filter(|candidate| candidate.feasible).min_by_key(|candidate| candidate.order())?;
    let size_gib = config.size_gib * today.volumes;
    let is_large = sizings.observed.requirement().size_gib.is_none_or(|required| size_gib >= required);
    let limits = burst_limits(&config, today.volumes);
    let with_headroom = 1.0 + sizings.scenario.request.rule.headroom;
    let is_near = |step: &&Step| {
        let rate = |measure| with_headroom * step.rate(measure);
        rate(Measure::Requests) > limits.iops || rate(Measure::Mib) > limits.mibps
    };
    let near_s: f64 = sizings.scenario.series.steps().iter().filter(is_near).map(|step| step.seconds).sum();
    let is_burst = near_s < MAX_NEAR_SHARE * sizings.scenario.series.seconds();
    if !is_large || !is_burst || dearer.total() <= today.bill.total() {
        return None;
    }
    let kept = evaluate(sizings, Found::from(today), Basis::Current(config));
    // What is uncertain of both is the same, and cancels out.
    let is_as_much = dearer.expected?.ratio <= kept.expected?.ratio * NO_GAIN;
    let is_as_fast = kept.latency_ms? <= dearer.latency_ms? * NO_GAIN;
    let is_enough = kept.feasible && is_as_much && is_as_fast;
    is_enough.then_some(kept)
}

/// A volume of the successor with the IOPS of a volume, and with its throughput as far as the requirement needs that.
fn with_limits(sizings: &Sizings, today: &Priced, successor: VolumeType) -> Option<VolumeConfig> {
    let Priced { config, volumes, .. } = *today;
    let limits = burst_limits(&config, 1);
    let mibps = limits.mibps.min(sizings.observed.requirement().mibps / volumes as f64);
    let size_gib = sizings.observed.requirement().size_gib.unwrap_or(1).div_ceil(volumes).max(config.size_gib);
    let mut classes = classes_of(config.platform, successor, Purpose::Any);
    let found =
        classes.find_map(|class| class.least_order(size_gib, limits.iops.ceil() as u64, mibps.ceil() as u64))?;
    Some(VolumeConfig { platform: config.platform, ..found })
}
