//! The rationale of a recommendation, in one sentence without full stop.

use super::instance_type::describe_type;
use super::provisioning::{
    describe_assumed_peak, describe_kept, describe_loop_headroom, describe_relaxed, describe_sequential,
};
use super::saturation;
use super::shortlist::describe_miss;
use super::unit::{describe_briefly, describe_counted, describe_rate, describe_unit};
use super::variation::describe_argument;
use ebs_advice::{
    Addition, Advice, Candidate, InstanceNeed, InstanceSaturation, MeanLatency, PredictedThroughput, Provisioning,
    Rationale, Reason, Recommendation, Request, RoleAdvice, Saturation, Variation, VariedArgument,
};
use ebs_aws::catalogue::{Instance, LimitKind, Platform};
use ebs_base::format::{
    at_least, brief, brief_duration, brief_iops, brief_iops_at_least, brief_ms, count, distinct, durability, pct,
    share, usd, whole_pct,
};
use ebs_prediction::{BindingLimit, LimitOwner};

/// Describes it: `a request takes 0.8 ms on gp3 and 0.1 ms now, and sessions wait for it: more IOPS will not help`.
fn describe(rationale: &Rationale, platform: Platform) -> String {
    match rationale {
        Rationale::Instance(saturation) => describe_instance(saturation, platform),
        Rationale::LowerInstance { instance, saturation } => describe_lower_instance(instance, saturation),
        Rationale::Saturated { saturation, best } => {
            let kept = describe_kept_at(best).map_or(String::new(), |kept| format!("; {kept}"));
            format!("{}{kept}", describe_saturated(saturation, best))
        }
        Rationale::SlowerRequests { latency_ms, current_ms, smaller_demand, best } => {
            let name = best.config.volume_type.name();
            let demand = if *smaller_demand { ", so they send fewer requests" } else { "" };
            format!(
                "a request takes {} ms on {name} and {} ms now, and sessions wait for it{demand}: more IOPS will not help",
                brief_ms(*latency_ms),
                brief_ms(*current_ms)
            )
        }
        Rationale::Provisioned { provisioning, best } => {
            let words = describe_provisioning(provisioning, best);
            let is_included = matches!(provisioning, Provisioning::Included { .. });
            format!("{words}{}", if is_included { "" } else { describe_gain(best) })
        }
        Rationale::Missed(candidate) => describe_miss(candidate),
    }
}

/// Describes what a closed loop keeps on volumes, or the part of the request that they are for; `None` of other ones.
fn describe_kept_at(best: &Candidate) -> Option<String> {
    best.provisioning().filter(|one| one.is_of_a_part()).map(|provisioning| describe_provisioning(provisioning, best))
}

/// Describes a nearest miss that exceeds the budget, too, beside what it lacks.
fn describe_budget(role: &RoleAdvice, request: &Request) -> Option<String> {
    let Recommendation::Nothing(Some(nearest)) = role.recommendation(request) else { return None };
    let is_named = matches!(nearest.reason, Reason::OverBudget { .. });
    let budget = request.budget_usd.filter(|budget| !is_named && nearest.total() > *budget)?;
    Some(format!("nothing is within the budget of {}", usd(budget)))
}

/// Describes why a role's volumes are recommended: the target that cheaper ones miss, the rationale, and what they lack. `None` where no
/// volumes can be named.
pub fn describe_role(role: &RoleAdvice, request: &Request) -> Option<String> {
    let target = role.best().and_then(|best| describe_deciding_target(role, best));
    let rationale = role.rationale(request).map(|rationale| describe(&rationale, request.platform));
    let budget = describe_budget(role, request);
    let volumes = role.recommendation(request).volumes();
    let shortcomings = volumes.map(|volumes| describe_shortcomings(role, volumes)).unwrap_or_default();
    let unchecked = request.min_throughput_ratio.filter(|_| role.state.predictor.is_err());
    let unchecked = unchecked.map(|_| "min_throughput_ratio has no effect: throughput is not predicted".to_owned());
    let parts: Vec<String> =
        target.into_iter().chain(rationale).chain(budget).chain(shortcomings).chain(unchecked).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Volumes beside the recommended ones, each with a label and what it has: those that keep the current throughput, where these lose a part of
/// it, and a stripe that costs much less.
pub fn describe_beside<'a>(role: &'a RoleAdvice, request: &Request) -> Vec<(&'static str, &'a Candidate, String)> {
    let kept = role.that_keep_throughput(request).map(|other| {
        let share = other.ratio().map_or(String::new(), |ratio| whole_pct(ratio.middle));
        ("Or keep", other, format!("{share} of today's throughput"))
    });
    let stripe = role.cheaper_stripe(request);
    let stripe = stripe
        .map(|stripe| ("Or a stripe", stripe, format!("{} % durable a year", durability(stripe.durability_pct()))));
    kept.into_iter().chain(stripe).collect()
}

/// Describes the requested durability, latency or throughput that the nearest volumes of the cheapest other type miss, which cost less: `99.9
/// % durability requested, gp3 has 99.8 %`; `None` where none costs less that lacks nothing but that.
fn describe_deciding_target(role: &RoleAdvice, best: &Candidate) -> Option<String> {
    let is_other =
        |other: &Candidate| (other.config.volume_type, other.volumes) != (best.config.volume_type, best.volumes);
    let misses_target = |other: &&Candidate| {
        let by_target = matches!(other.reason, Reason::Durability { .. } | Reason::Latency(_) | Reason::Throughput(_));
        by_target && other.can_be_ordered() && other.total() < best.total() && is_other(other)
    };
    let others = || role.candidates.iter().filter(misses_target);
    let cheapest = others().min_by_key(|other| other.order())?;
    let of_type = others().filter(|other| other.config.volume_type == cheapest.config.volume_type);
    let missed = |other: &Candidate| other.excess.and_then(|excess| excess.by_pct()).unwrap_or(f64::INFINITY);
    of_type.min_by(|a, b| missed(a).total_cmp(&missed(b)).then_with(|| a.order().cmp(&b.order()))).map(describe_miss)
}

/// Describes what recommended volumes lack, beside the rationale: the durability of a stripe, the cheapest volumes that deliver the
/// observed rate where these do not, and a stripe that meets the request where these do not, or for less.
fn describe_shortcomings(role: &RoleAdvice, volumes: &Candidate) -> Vec<String> {
    let mut parts = Vec::new();
    if volumes.volumes > 1 {
        parts.push(format!("the stripe's durability is {} % a year", durability(volumes.durability_pct())));
    }
    let slow = volumes.queue_limit.is_some();
    let delivers = |other: &&Candidate| {
        other.feasible && other.service_times.is_some() && other.can_be_ordered() && other.queue_limit.is_none()
    };
    let delivering = role.candidates.iter().filter(|_| slow).filter(delivers).min_by_key(|other| other.order());
    parts.extend(delivering.map(|other| {
        let price = other.usd_month().map_or(String::new(), |price| format!(" ({})", usd(price)));
        format!("{} is the cheapest that delivers the observed rate{price}", other.config.volume_type.name())
    }));
    parts.extend(describe_stripe(role, volumes));
    parts
}

/// Describes the stripe that another max_volumes gives: where nothing meets the request, or, for less, where one volume of its type
/// exceeds the type's maximum. `gp3 has at most 80,000 IOPS, 34 too few; max_volumes => 2 gives 2 × gp3 for $426.00`.
fn describe_stripe(role: &RoleAdvice, volumes: &Candidate) -> Option<String> {
    let varies_stripe = |variation: &&Variation| matches!(variation.argument, VariedArgument::MaxVolumes(_));
    let variation = role.variations.iter().find(varies_stripe)?;
    let stripe = variation.best.as_ref()?;
    let (name, number) = (stripe.config.volume_type.name(), stripe.volumes);
    let argument = describe_argument(&variation.argument);
    let price = stripe.usd_month().map_or(String::new(), |price| format!(" for {}", usd(price)));
    let gives = format!("{argument} gives {number} × {name}{price}");
    if role.best().is_none() || volumes.is_within_budget_alone() {
        return Some(gives);
    }
    let is_single = |other: &&Candidate| other.config.volume_type == stripe.config.volume_type && other.volumes == 1;
    let Reason::OutOfReach(missed) = &role.candidates.iter().find(is_single)?.reason else { return None };
    let (max, few) = (count(missed.max_per_volume), brief_iops(missed.required - missed.max_per_volume));
    let is_cheaper = stripe.total() < volumes.total();
    is_cheaper.then(|| format!("{name} has at most {max} {}, {few} too few; {gives}", describe_unit(missed.resource)))
}

fn describe_instance(saturation: &InstanceSaturation, platform: Platform) -> String {
    let (name, baseline) = (describe_type(&saturation.instance.instance_type, platform), &saturation.baseline);
    let limited = saturation.bound.kind().unwrap_or(LimitKind::Iops);
    let limit = describe_rate(limited, baseline.rate(limited));
    match &saturation.reached {
        Some(plateau) => format!(
            "the run was at {} of the {limit} that {name} sustains, {} requests in flight: a larger volume will not help{}",
            share(plateau.limit.share),
            brief(plateau.in_flight),
            saturation::describe_condition(plateau)
        ),
        None => format!(
            "{name} sustains {limit}, and the demand exceeds that: a larger volume will not help{}",
            describe_burst(saturation, limited)
        ),
    }
}

/// Describes how far the maximum that the instance holds for 30 minutes a day carries the demand: `; its 18,750 IOPS for 30 minutes a day carried
/// these 20 min, 34 % of the burst credits left`; empty where it has none, or the demand exceeds that, too.
fn describe_burst(saturation: &InstanceSaturation, limited: LimitKind) -> String {
    let Some(burst) = saturation.burst else { return String::new() };
    let levels = burst.lowest_levels;
    let left = match limited {
        LimitKind::Iops => levels.instance_iops,
        LimitKind::Throughput => levels.instance_throughput,
    };
    let run = brief_duration(burst.seconds);
    let carried = match (burst.credits, left) {
        (None, Some(left)) if burst.peak <= 1.0 => {
            format!("carried these {run}, {} of the burst credits left", share(left))
        }
        (Some(credits), _) => format!("last {} of these {run}", brief_duration(credits.after_s)),
        _ => return String::new(),
    };
    let maximum = describe_rate(limited, saturation.instance.maximum().rate(limited));
    format!("; its {maximum} for 30 minutes a day {carried}")
}

/// Describes a volume at its limit on an instance that sustains less.
fn describe_lower_instance(instance: &InstanceSaturation, saturation: &Saturation) -> String {
    let likely = if saturation.limit.is_saturation_sure() { "" } else { "likely " };
    let lower = saturation::describe_lower_instance(saturation.limit.limited, instance);
    let limit = saturation::describe_limit(saturation);
    format!("the volume was {likely}at its limit of {limit}{lower}: a larger volume alone will not help")
}

/// Describes the limits that an instance must sustain, with headroom, the smallest type of its family that does, and a smaller one of another:
/// ` for 17,700 IOPS and 138 MiB/s: m5.4xlarge or m8ib.2xlarge`; empty where none is saturated.
pub fn describe_instance_need(advice: &Advice, platform: Platform) -> String {
    advice.instance_need.map_or(String::new(), |need| describe_need(&need, need.other_family, platform))
}

/// Describes the same without the other family.
pub fn describe_need_of_family(advice: &Advice, platform: Platform) -> String {
    advice.instance_need.map_or(String::new(), |need| describe_need(&need, None, platform))
}

fn describe_need(need: &InstanceNeed, other: Option<&Instance>, platform: Platform) -> String {
    let (iops, mibps) = (brief_iops_at_least(need.required.iops), at_least(need.required.mibps));
    let name = |instance: &Instance| describe_type(&instance.instance_type, platform);
    let family = describe_type(need.saturated.family(), platform);
    let named = match (need.sufficient.map(name), other.map(name)) {
        (Some(own), Some(other)) => format!("{own} or {other}"),
        (Some(own), None) => own,
        (None, Some(other)) => format!("{other} (no {family})"),
        (None, None) => format!("no {family} does"),
    };
    format!(" for {iops} IOPS and {mibps} MiB/s: {named}")
}

fn describe_saturated(saturation: &Saturation, best: &Candidate) -> String {
    let limit = saturation::describe_limit(saturation);
    let unmet = match saturation.unmet_demand {
        Ok(unmet) => format!("without it the demand would be about {}x", brief(unmet.factor.middle)),
        Err(_) => "the demand beyond it is unknown".to_owned(),
    };
    let more = match best.expected.map(|expected| expected.bound_by) {
        Some(BindingLimit::Latency) => "; beyond that, latency limits",
        _ => "",
    };
    let named = saturation.limit.named().next().map(|one| one.owner);
    let at = match named {
        Some(LimitOwner::Instance) => {
            format!("the run was at {} of", saturation::describe_owner(saturation, LimitOwner::Instance))
        }
        Some(_) => "the volume was at its limit of".to_owned(),
        None => "requests queued at".to_owned(),
    };
    let others = saturation::describe_possible(saturation);
    format!("{at} {limit}{others}; {unmet}{more}")
}

fn describe_provisioning(provisioning: &Provisioning, best: &Candidate) -> String {
    let ceiling = best.config.ceiling(best.volumes);
    match provisioning {
        Provisioning::Included { required } => format!(
            "{} IOPS and {} MiB/s included, {} IOPS and {} MiB/s needed",
            count(ceiling.iops),
            count(ceiling.mibps),
            brief_iops_at_least(required.iops),
            at_least(required.mibps)
        ),
        Provisioning::OtherBottleneck { bound, ideal_ratio } => {
            let cause = if *bound == BindingLimit::Locks { "locks are" } else { "the CPU is" };
            let most = ideal_ratio.map_or(String::new(), |ratio| {
                format!(": no volume gives more than {} of today's throughput", whole_pct(ratio.high))
            });
            format!("{cause} the bottleneck{most}")
        }
        Provisioning::InstanceBaseline { instance_type, limited, baseline, .. } => {
            let name = describe_type(instance_type, best.config.platform);
            format!("{} is all that {name} sustains", describe_rate(*limited, *baseline))
        }
        Provisioning::AsCurrent { current, limits, .. } if *current == best.config.volume_type => {
            format!("today's {} IOPS carried the demand", count(limits.iops))
        }
        Provisioning::AsCurrent { current, limits, .. } => {
            let (iops, name) = (count(limits.iops), current.name());
            format!("it has the {iops} IOPS of today's {name}, which carried the demand, for less")
        }
        Provisioning::SavesTooLittle { saved } => format!("a change would save {} a month", usd(*saved)),
        Provisioning::DescriptionRefuted(refuted) => format!(
            "demand stops at {}: check the described {}",
            describe_counted(refuted.limited, refuted.level),
            describe_counted(refuted.limited, refuted.declared)
        ),
        Provisioning::KeepsThroughput { kept, headroom_pct } => {
            format!("{}{}", describe_kept(best, kept), describe_loop_headroom(*headroom_pct))
        }
        Provisioning::Relaxed { relaxation, kept } => describe_relaxed(best, relaxation, kept.as_ref()),
        Provisioning::Sequential { request_kib } => describe_sequential(*request_kib),
        Provisioning::Credits { mean_iops } => format!(
            "burst credits carry the peaks: {} IOPS on average, {} without credits",
            brief_iops(*mean_iops),
            count(ceiling.iops)
        ),
        Provisioning::ForLatency(latency) => describe_latency(latency),
        Provisioning::ForThroughput(throughput) => describe_throughput(throughput),
        Provisioning::Demand { limited, percentile, percentile_high, addition, required } => {
            describe_demand(best, *limited, (*percentile, *percentile_high, *required), addition)
        }
    }
}

fn describe_demand(
    best: &Candidate,
    limited: LimitKind,
    (percentile, percentile_high, required): (f64, f64, f64),
    addition: &Addition,
) -> String {
    if let Some(assumed) = describe_assumed_peak(addition) {
        return assumed;
    }
    let of = if best.scale < 1.0 { " on it" } else { "" };
    let demand = format!("p{percentile} demand{of} ≤ {}", describe_briefly(limited, percentile_high));
    let required = required_amount(limited, required);
    match addition {
        Addition::HeadroomPct(headroom) if *headroom > 0.0 => {
            format!("{demand} + {} headroom = {required}", pct(*headroom))
        }
        Addition::HeadroomPct(_) | Addition::AssumedPeak { .. } => demand,
        Addition::CutOff => format!("{demand}, and was cut off at a limit: {required}"),
        Addition::MaxThrottledPct(limit) => {
            format!("{demand}, and only {required} keep waiting requests within {}", pct(*limit))
        }
    }
}

fn required_amount(limited: LimitKind, value: f64) -> String {
    match limited {
        LimitKind::Iops => format!("{} IOPS", brief_iops_at_least(value)),
        LimitKind::Throughput => format!("{} MiB/s", at_least(value)),
    }
}

fn describe_latency(latency: &MeanLatency) -> String {
    let (service, target) = distinct(brief_ms, latency.service_ms, latency.target_ms);
    format!("IOPS beyond the demand shorten the queue: {service} ms without one, target {target} ms")
}

fn describe_throughput(throughput: &PredictedThroughput) -> String {
    format!("IOPS beyond the demand keep {} of today's throughput", whole_pct(throughput.min_ratio))
}

/// Describes the effect of more IOPS, where the prediction shows that there is none.
fn describe_gain(best: &Candidate) -> &'static str {
    let is_predicted = best.expected.is_some();
    if is_predicted && !best.bound_by().is_rate() { "; more IOPS will not help" } else { "" }
}
