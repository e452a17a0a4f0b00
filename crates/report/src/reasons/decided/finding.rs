//! Findings beside a decision.

use super::pending_state::describe_pending_state;
use super::{Coded, Decided, coded, describe_days};
use crate::reasons::instance_type::describe_type;
use crate::reasons::unit::{describe_counted, describe_rate};
use ebs_advice::{Action, ExceededDeclaration, Finding, QueueLimit, RefutedLimit};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{LimitKind, VolumeType};
use ebs_base::format::{count, pct, rate};
use ebs_base::units::GIB;
use jiff::Timestamp;

/// Describes a type that is unsuitable for a database.
pub(super) fn describe_unsuitable(volume_type: &str) -> String {
    format!(
        "{volume_type} is unsuitable for a database: its requests take milliseconds, and small ones are its slowest"
    )
}

/// Describes volumes that deliver less than the demand, or may, where the load is not known to be a closed loop.
fn slower(limit: &QueueLimit) -> Coded {
    let delivered = format!(
        "at the observed queue depth the recommended volume delivers about {} of {} requests a second in busy times",
        count(limit.requests_per_s),
        count(limit.demanded_per_s)
    );
    match limit.is_closed {
        true => coded("slower", format!("{delivered}: sessions would wait")),
        false => coded("may_be_slower", format!("if its sessions wait for each answer, {delivered}")),
    }
}

/// Describes a finding.
pub fn describe_finding(finding: &Finding, decided: &Decided) -> Coded {
    match finding {
        Finding::Idle { requests, seconds } => {
            coded("idle", format!("{} requests in {}", count(*requests as f64), describe_days(*seconds)))
        }
        Finding::Unattached { .. } => coded("unattached", "attached to no instance"),
        Finding::UnsuitableType { volume_type } => {
            let text = describe_unsuitable(volume_type);
            let is_kept = decided.action == Action::Keep;
            coded("unsuitable_type", if is_kept { format!("if it holds a database: {text}") } else { text })
        }
        Finding::Slower(limit) => slower(limit),
        Finding::LowerDurability { now_pct, then_pct } => {
            coded("lower_durability", format!("durability falls from {now_pct} % to {then_pct} % a year"))
        }
        Finding::PreviousGeneration { volume_type } => {
            coded("previous_generation", format!("{volume_type} is a previous generation"))
        }
        Finding::InstanceBinds { instance_type, bound, throttled, sufficient } => {
            let name = |name: &str| describe_type(name, decided.platform);
            let way = sufficient
                .map_or("no type of its family suffices".to_owned(), |larger| format!("{} suffices", name(larger)));
            let share = pct(100.0 * throttled);
            let text = format!("{} of {} throttles {share} of the time: {way}", bound.name(), name(instance_type));
            coded("instance_binds", text)
        }
        Finding::FillsUp { days, per_day } => {
            let text = format!("full in {} days at {} GiB a day", count(*days), rate(per_day / GIB as f64));
            coded("fills_up", text)
        }
        Finding::NearlyFull { used } => coded("nearly_full", format!("{} of its space is used", pct(100.0 * used))),
        Finding::CreditsExhausted { after_s, for_good } => {
            let end = if *for_good { " and do not recover" } else { "" };
            let text = after_s.map_or(
                "the volume's burst credits (BurstBalance) were exhausted: limited to its baseline".to_owned(),
                |after_s| {
                    format!("the volume's burst credits (BurstBalance) last {} s at this demand{end}", count(after_s))
                },
            );
            coded("credits_exhausted", text)
        }
        Finding::Saturated { bound, share } => {
            let time = pct(100.0 * share);
            let text = format!("at the limit of {} for {time} of the time: actual demand may be higher", bound.name());
            coded("saturated", text)
        }
        Finding::DescriptionExceeded(exceeded) => coded("description_exceeded", describe_exceeded(exceeded, decided)),
        Finding::DescriptionRefuted(refuted) => coded("description_refuted", describe_refuted(refuted)),
        Finding::Moved { instances } => coded("moved", format!("attached to {} in this period", instances.join(", "))),
        Finding::Modified { started_us, change } => {
            let day = Timestamp::from_microsecond(*started_us).map_or(String::new(), |time| time.to_string());
            coded("modified", format!("modified at {day}: {change}; earlier demand was under other limits"))
        }
        Finding::MultiAttach => coded("multi_attach", describe_multi_attach()),
        Finding::ModificationRuns(pending) => coded("modification_runs", describe_pending_state(pending)),
    }
}

fn describe_multi_attach() -> String {
    let modifiable = VolumeType::list(VolumeType::is_modifiable_with_multi_attach, "and");
    format!(
        "it has Multi-Attach: only {modifiable} stays modifiable, in size and IOPS; a change of type takes a new volume"
    )
}

fn describe_exceeded(exceeded: &ExceededDeclaration, decided: &Decided) -> String {
    // A limit below the burst is the baseline, which is exceeded for longer than credits last.
    let config = decided.present.as_ref().map(|present| &present.config);
    let burst = config.and_then(|config| Some(Burst::ceiling(config.class()?, config, 1)));
    let is_baseline = exceeded.limited == LimitKind::Iops && burst.is_some_and(|burst| exceeded.declared < burst.iops);
    format!(
        "demand of {} exceeds the {} of the described configuration{}: the description is of another time or volume",
        describe_rate(exceeded.limited, exceeded.observed),
        describe_rate(exceeded.limited, exceeded.declared),
        if is_baseline { " for longer than its burst credits last" } else { "" }
    )
}

fn describe_refuted(refuted: &RefutedLimit) -> String {
    format!(
        "the counts show a limit of {}, below the described {}",
        describe_counted(refuted.limited, refuted.level),
        describe_counted(refuted.limited, refuted.declared)
    )
}
