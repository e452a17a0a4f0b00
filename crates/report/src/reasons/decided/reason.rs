//! The reason for the action on volumes.

use super::carried::{description_refuted, present_suffices};
use super::finding::describe_unsuitable;
use super::{Coded, Decided, coded, describe_days};
use crate::reasons::candidate;
use crate::reasons::instance_type::describe_type;
use crate::reasons::observed::Observed;
use crate::reasons::unit::describe_rate;
use ebs_advice::{Action, ActionReason, Candidate, Excess, Finding, PricedVolumes};
use ebs_aws::catalogue::{Ceiling, Instance, LimitKind, Platform, VolumeType};
use ebs_base::format::{brief, brief_ms, count, durability, plain, rate, usd};
use ebs_base::units::GIB;
use ebs_prediction::BindingLimit;

/// Describes the reason.
pub fn describe_reason(reason: &ActionReason, decided: &Decided) -> Coded {
    match reason {
        ActionReason::Sufficient(best) => sufficient(decided, best, "suffices"),
        ActionReason::PresentTooSmall(best) => sufficient(decided, best, "present_too_small"),
        ActionReason::PresentMissesTarget { missed, candidate } => {
            let missed: Vec<String> = missed.iter().map(|target| missed_target(decided, target)).collect();
            coded("present_misses_target", format!("{}; {}", missed.join("; "), describe_growing(decided, candidate)))
        }
        ActionReason::NegligibleSaving { candidate, saved } => {
            let text = format!("{} would save {} a month", volumes(candidate), usd(*saved));
            coded("negligible_saving", text)
        }
        ActionReason::PresentSuffices(carried) => coded("present_suffices", present_suffices(decided, carried)),
        ActionReason::DescriptionRefuted { refuted, candidate } => {
            coded("description_refuted", description_refuted(refuted, candidate))
        }
        ActionReason::InstanceBinds { instance, bound, required, sufficient } => {
            coded("instance_binds", instance_binds(decided.platform, (instance, *sufficient), *bound, *required))
        }
        ActionReason::NothingSuffices(None) => coded("nothing_suffices", "no volume meets everything requested"),
        ActionReason::NothingSuffices(Some(nearest)) => {
            let text = format!(
                "no volume meets everything requested; closest {}: {}",
                volumes(nearest),
                describe_candidate(decided, nearest)
            );
            coded("nothing_suffices", text)
        }
        ActionReason::ConfigurationUnknown(best) => {
            let size = if decided.volumes.is_some() { volumes(best) } else { limits(best) };
            let text =
                format!("{size} suffice: {}; {}", describe_candidate(decided, best), unknown_configuration(decided));
            coded("configuration_unknown", text)
        }
        ActionReason::Idle { requests, seconds } => coded("idle", idle(decided, *requests, *seconds)),
    }
}

/// Describes why the present configuration is not known.
fn unknown_configuration(decided: &Decided) -> String {
    let named = decided.unknown_type.map(plain);
    match (named, decided.observed) {
        (Some(name), _) => format!("the present type {name} is not in the catalogue"),
        (None, Observed::Run) => "no present configuration of one volume type is declared".to_owned(),
        (None, Observed::Volume) => {
            let source = if decided.platform.is_rds() { "describe-db-instances" } else { "describe-volumes" };
            format!("{source} does not show the present configuration")
        }
    }
}

/// Describes volumes that suffice, with the code of those that cost more than the present ones.
fn sufficient(decided: &Decided, best: &Candidate, dearer: &'static str) -> Coded {
    let text = describe_growing(decided, best);
    let unsuitable = decided.findings.iter().find_map(|finding| match finding {
        Finding::UnsuitableType { volume_type } => Some(volume_type),
        _ => None,
    });
    if let Some(volume_type) = unsuitable.filter(|_| decided.action != Action::Keep) {
        return coded("unsuitable_type", format!("{}; {text}", describe_unsuitable(volume_type)));
    }
    let is_slower = decided.findings.iter().any(|finding| matches!(finding, Finding::Slower(limit) if limit.is_closed));
    match decided.action {
        Action::Keep => coded("as_present", text),
        _ if is_slower && decided.saved.is_some_and(|saved| saved.cents() > 0) => coded("cheaper_and_slower", text),
        _ if decided.saved.is_some_and(|saved| saved.cents() < 0) => coded(dearer, text),
        _ if decided.saved.is_some_and(|saved| saved.cents() > 0) => coded("cheaper_suffices", text),
        _ => coded("suffices", text),
    }
}

/// Describes a target that the present volumes miss: `the present gp3 promises 99.8 % durability a year, 99.999 % requested`.
fn missed_target(decided: &Decided, (bound, Excess { required, limit }): &(BindingLimit, Excess)) -> String {
    let name = decided.present.map_or("volume", |present| present.config.volume_type.name());
    let missed = match bound {
        BindingLimit::Durability => {
            format!("promises {} % durability a year, {} % requested", durability(*limit), durability(*required))
        }
        BindingLimit::Latency => {
            format!("takes {} ms a request, at most {} ms requested", brief_ms(*required), brief_ms(*limit))
        }
        _ => format!("gives {} of current throughput, {} requested", brief(*limit), brief(*required)),
    };
    format!("the present {name} {missed}")
}

/// Describes the reason for volumes, with that for a larger size before it.
fn describe_growing(decided: &Decided, best: &Candidate) -> String {
    let text = describe_candidate(decided, best);
    match describe_growth(decided) {
        Some(growth) => format!("{growth}; {text}"),
        None => text,
    }
}

/// Describes why a larger size is recommended; `None` where the size stays.
fn describe_growth(decided: &Decided) -> Option<String> {
    let size = |priced: &PricedVolumes| count((priced.config.size_gib * priced.volumes) as f64);
    let gib = |bytes: f64| rate(bytes / GIB as f64);
    let (present, recommended) = (decided.present?, decided.volumes?);
    let is_larger = recommended.config.size_gib * recommended.volumes > present.config.size_gib * present.volumes;
    let space = decided.space.filter(|_| is_larger)?;
    Some(match (space.full_in_days, space.per_day) {
        (Some(days), Some(per_day)) => format!(
            "{} GiB are full in {} days at {} GiB a day: {} GiB hold its growth",
            size(&present),
            count(days),
            gib(per_day),
            size(&recommended)
        ),
        _ => {
            format!(
                "{} of {} GiB are used: {} GiB keep a part free",
                gib(space.used),
                size(&present),
                size(&recommended)
            )
        }
    })
}

/// Describes the reason for volumes by the counts of a volume: there is no run.
fn describe_candidate(decided: &Decided, candidate: &Candidate) -> String {
    candidate::describe_reason_with(decided.observed, candidate)
}

/// Describes type and limits of volumes whose size is not known: `gp3 with 3,000 IOPS and 125 MiB/s`.
fn limits(candidate: &Candidate) -> String {
    let config = &candidate.config;
    let [iops, mibps] = [config.iops, config.throughput_mibps].map(|limit| count(limit as f64));
    format!("{} with {iops} IOPS and {mibps} MiB/s", config.volume_type.name())
}

fn volumes(candidate: &Candidate) -> String {
    candidate::describe_volumes(candidate)
}

/// True of a volume that documents attach to no instance, and whose series have samples.
fn is_seen(finding: &Finding) -> bool {
    matches!(finding, Finding::Unattached { last_seen_us: Some(_), .. })
}

fn idle(decided: &Decided, requests: u64, seconds: f64) -> String {
    let begin = format!("{} requests in {}", count(requests as f64), describe_days(seconds));
    let is_filling = decided.findings.iter().any(|finding| matches!(finding, Finding::FillsUp { .. }));
    let further = match decided.findings.iter().any(is_seen) {
        _ if is_filling => "its data grow",
        true => "it was mounted",
        false => "delete it if its data are not needed",
    };
    match decided.action {
        Action::Modify => {
            let general_purpose = VolumeType::general_purpose().name();
            format!("{begin}: {general_purpose} with what its price includes suffices; {further}")
        }
        _ => format!("{begin}: {further}"),
    }
}

/// Describes the limit of an instance, and the type that suffices.
fn instance_binds(
    platform: Platform,
    (instance, sufficient): (&Instance, Option<&Instance>),
    bound: BindingLimit,
    required: Ceiling,
) -> String {
    let name = |instance: &Instance| describe_type(&instance.instance_type, platform);
    let baseline = instance.baseline();
    let limited = bound.kind().unwrap_or(LimitKind::Iops);
    let [sustained, needed] = [baseline, required].map(|limits| describe_rate(limited, limits.rate(limited)));
    let way = match sufficient {
        Some(larger) => format!("{} sustains it", name(larger)),
        None => "no type of its family sustains it".to_owned(),
    };
    format!("{} sustains {sustained}, all its volumes need {needed}: {way}", name(instance))
}
