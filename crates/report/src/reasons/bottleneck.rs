//! The bottleneck of the database, and the throughput that ideal storage could add.

use super::prediction::describe_missing_input;
use super::saturation;
use crate::Report;
use ebs_advice::{Bottleneck, CheckedLimits, RoleAdvice};
use ebs_aws::catalogue::LimitKind;
use ebs_base::format::{range, share, whole_pct};
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::MissingInput;
use ebs_prediction::saturation::{LimitMatch, ReachedLimit};

/// Describes it: `Bottleneck: CPU; more IOPS will not increase throughput · upper bound with ideal storage 1.13 (1.00 to 1.34) times
/// current throughput · CPUs 90 % busy`. Where it is not known, the limit of a plateau: `Bottleneck: r6i.4xlarge's limit of 20,000 IOPS`,
/// or that sessions were hardly at work; `None` where there is neither.
pub fn describe(report: &Report) -> Option<String> {
    let Some(bottleneck) = report.bottleneck() else {
        let idle = report.missing_input().filter(|missing| *missing == MissingInput::Sessions);
        let cause = describe_limit(report).or_else(|| idle.map(|_| describe_unknown(report)));
        return cause.map(|cause| format!("Bottleneck: {cause}"));
    };
    let busy = match bottleneck.utilization {
        Some(busy) => format!("CPUs {} busy", share(busy)),
        None => "CPU utilization unknown".to_owned(),
    };
    let nothing = if bottleneck.is_outside_storage() { "; more IOPS will not increase throughput" } else { "" };
    Some(format!(
        "Bottleneck: {}{nothing} · upper bound with ideal storage {} times current throughput · {busy}",
        describe_with_doubt(report, bottleneck),
        range(&bottleneck.ideal_ratio)
    ))
}

/// Describes cause and utilization in a few words: `CPU, 89 % busy`; where it is not known, the limit of a plateau, or one that a service
/// recorded.
pub fn describe_briefly(report: &Report) -> Option<String> {
    let Some(bottleneck) = report.bottleneck() else { return describe_limit(report) };
    let cause = describe_with_doubt(report, bottleneck);
    Some(match bottleneck.utilization {
        Some(busy) if cause == "CPU" => format!("CPU ({} busy)", whole_pct(busy)),
        Some(busy) => format!("{cause} (CPU {} busy)", whole_pct(busy)),
        None => cause,
    })
}

/// Describes why it is not known: `unknown: wait events were not sampled`. A demand above the limits of the instance meets those first:
/// `demand above the 3,600 IOPS that m5.large sustains; today's is unknown`.
pub fn describe_unknown(report: &Report) -> String {
    match (describe_exceeded_instance(report), report.missing_input()) {
        (Some(exceeded), _) => format!("{exceeded}; today's is unknown"),
        (None, Some(missing @ MissingInput::Sessions)) => format!("unknown: {}", describe_missing_input(missing)),
        (None, _) => "unknown: wait events were not sampled".to_owned(),
    }
}

/// Describes a demand above what the instance sustains; `None` where it is not.
fn describe_exceeded_instance(report: &Report) -> Option<String> {
    let instance = report.whole()?.instance_saturation.as_ref().filter(|instance| instance.reached.is_none())?;
    Some(format!(
        "demand{}",
        saturation::describe_lower_instance(instance.bound.kind()?, instance).trim_start_matches(',')
    ))
}

/// Describes the instance that sustains less than the limit of the volumes; empty where there is none.
fn describe_lower_instance(report: &Report) -> String {
    let both = report.whole().and_then(RoleAdvice::limit_above_instance);
    both.map_or(String::new(), |(instance, saturation)| {
        saturation::describe_lower_instance(saturation.limit.limited, instance)
    })
}

/// Describes the limit of a plateau, or else one that a service recorded; `None` where there is neither.
fn describe_limit(report: &Report) -> Option<String> {
    describe_plateau(report).or_else(|| describe_proven(&report.whole()?.state.checked))
}

/// Describes the limit that checks found exceeded, or at which burst credits were spent: `instance IOPS (limit exceeded in 100 % of the
/// time)`, `volume baseline (burst credits spent in 80 % of the time)`.
fn describe_proven(checked: &CheckedLimits) -> Option<String> {
    let exceeded = checked.exceeded_limit().map(|limit| (limit, "", "limit exceeded"));
    let (limit, baseline, state) =
        exceeded.or(checked.spent.map(|limit| (limit, " baseline", "burst credits spent")))?;
    let owner = limit.owner.name();
    let limited = match limit.limited {
        Some(LimitKind::Iops) => " IOPS",
        Some(LimitKind::Throughput) => " throughput",
        None => "",
    };
    Some(format!("{owner}{baseline}{limited} ({state} in {} of the time)", whole_pct(limit.share)))
}

/// Describes the limit of a plateau with its doubt: `likely the volume's limit of 3,000 IOPS`; `None` where none is named.
fn describe_plateau(report: &Report) -> Option<String> {
    let saturation = report.saturation()?;
    let limit = &saturation.limit;
    let name = |one: &LimitMatch| {
        let is_conditional = limit.requires_spent_credits() && one.requires_spent_credits;
        let condition = if is_conditional { SPENT_CREDITS } else { "" };
        format!("{}{condition}", saturation::describe_named(saturation, one))
    };
    let named: Vec<String> = limit.named().map(name).collect();
    let likely = describe_likelihood(limit);
    (!named.is_empty()).then(|| format!("{likely}{}{}", named.join(", or "), describe_lower_instance(report)))
}

/// Describes the cause, with another that is as likely, or the doubt of the plateau where that is the cause: `CPU or volume latency`,
/// `likely instance IOPS`.
fn describe_with_doubt(report: &Report, bottleneck: &Bottleneck) -> String {
    let cause = describe_cause(bottleneck.cause);
    let other = bottleneck.also.map_or(String::new(), |other| format!(" or {}", describe_cause(other)));
    let is_limit = bottleneck.cause.is_rate();
    let limit = report.saturation().map(|saturation| &saturation.limit).filter(|_| is_limit);
    let likely = limit.map_or("", describe_likelihood);
    let condition = if limit.is_some_and(ReachedLimit::requires_spent_credits) { SPENT_CREDITS } else { "" };
    let lower = if is_limit { describe_lower_instance(report) } else { String::new() };
    format!("{likely}{cause}{other}{condition}{lower}")
}

/// The condition under which a plateau at what an instance sustains is at its limit.
const SPENT_CREDITS: &str = " if its credits were spent";

/// Describes the likelihood of a plateau, before its limit.
fn describe_likelihood(limit: &ReachedLimit) -> &'static str {
    if limit.is_saturation_sure() && limit.is_match_sure() { "" } else { "likely " }
}

fn describe_cause(cause: BindingLimit) -> &'static str {
    match cause {
        BindingLimit::Latency => "volume latency",
        BindingLimit::WAL_VOLUME_IOPS => "IOPS of the WAL volume",
        BindingLimit::WAL_VOLUME_THROUGHPUT => "throughput of the WAL volume",
        BindingLimit::Clients => "client think time",
        named => named.name(),
    }
}
