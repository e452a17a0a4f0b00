//! Findings on a volume.

use ebs_advice::{ExceededDeclaration, QueueLimit, RefutedLimit};
use ebs_aws::bucket::Burst;
use ebs_base::format::{count, pct, plain, rate};
use ebs_base::units::{GIB, MIB};
use ebs_fleet::{Action, Finding, PendingCause, PendingChange, Reason, Unseen, VolumeAnswer};
use ebs_prediction::predict::LimitKind;
use jiff::Timestamp;

use super::coded;
use ebs_fleet_row::Coded;

/// Describes a type that is unsuitable for a database.
pub(super) fn unsuitable(volume_type: &str) -> String {
    format!(
        "{volume_type} is unsuitable for a database: its requests take milliseconds, and small ones are its slowest"
    )
}

/// Describes volumes that deliver less than the demand.
fn slower(limit: &QueueLimit) -> String {
    format!(
        "at the observed queue depth the recommended volume delivers about {} of {} requests a second in busy times: sessions would wait",
        count(limit.requests_per_s),
        count(limit.demanded_per_s)
    )
}

/// Describes a volume that documents attach to no instance.
fn unattached(last_io_us: Option<i64>, last_seen_us: Option<i64>, answer: &VolumeAnswer) -> String {
    let time = |us: i64| Timestamp::from_second(us.div_euclid(1_000_000)).ok();
    let by = "attached to no instance by describe-volumes";
    let has_counts = answer.evidence.interval_s.is_some();
    match (last_io_us.and_then(time), last_seen_us.and_then(time)) {
        (Some(last), _) => format!("{by}; last I/O at {last}"),
        (None, Some(last)) => {
            format!("{by}; {} at {last}{}", seen(answer), if has_counts { ", without I/O" } else { "" })
        }
        (None, None) if answer.action == Action::Delete => "attached to no instance".to_owned(),
        (None, None) if matches!(answer.reason, Reason::Unseen(Unseen::Mounted)) => {
            format!("{by}; mounted by a kubelet in the requested period")
        }
        (None, None) => by.to_owned(),
    }
}

/// Describes the place where an exporter last saw a volume: `mounted at /data on i-0a1, last seen`.
fn seen(answer: &VolumeAnswer) -> String {
    let host = answer.identity.instance.as_deref().map_or(String::new(), |host| format!(" on {}", plain(host)));
    let mountpoints: Vec<String> = answer.identity.mountpoints.iter().map(|path| plain(path)).collect();
    match mountpoints.is_empty() {
        true => format!("last seen{host}"),
        false => format!("mounted at {}{host}, last seen", mountpoints.join(", ")),
    }
}

/// Describes a time in days: `1 day`, `14 days`.
pub fn days(seconds: f64) -> String {
    let days = count(seconds / 86_400.0);
    format!("{days} {}", if days == "1" { "day" } else { "days" })
}

/// Describes a finding.
pub fn describe_finding(finding: &Finding, answer: &VolumeAnswer) -> Coded {
    match finding {
        Finding::Idle { requests, seconds } => {
            coded("idle", format!("{} requests in {}", count(*requests as f64), days(*seconds)))
        }
        Finding::Unattached { last_io_us, last_seen_us } => {
            coded("unattached", unattached(*last_io_us, *last_seen_us, answer))
        }
        Finding::UnsuitableType { volume_type } => coded("unsuitable_type", unsuitable(volume_type)),
        Finding::Slower(limit) => coded("slower", slower(limit)),
        Finding::LowerDurability { now_pct, then_pct } => {
            coded("lower_durability", format!("durability falls from {now_pct} % to {then_pct} % a year"))
        }
        Finding::PreviousGeneration { volume_type } => {
            coded("previous_generation", format!("{volume_type} is a previous generation"))
        }
        Finding::InstanceBinds { instance_type, bound, throttled, sufficient } => {
            let way = sufficient.map_or("no type of its family suffices".to_owned(), |name| format!("{name} suffices"));
            let share = pct(100.0 * throttled);
            let text = format!("{} of {instance_type} throttles {share} of the time: {way}", bound.name());
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
        Finding::DescriptionExceeded(exceeded) => coded("description_exceeded", describe_exceeded(exceeded, answer)),
        Finding::DescriptionRefuted(refuted) => coded("description_refuted", describe_refuted(refuted)),
        Finding::Moved { instances } => {
            let last = answer.identity.instance.as_deref().unwrap_or("an unknown instance");
            coded("moved", format!("moved: attached to {} in this period, last to {last}", instances.join(", ")))
        }
        Finding::Modified { started_us, change } => {
            let day = Timestamp::from_microsecond(*started_us).map_or(String::new(), |time| time.to_string());
            coded("modified", format!("modified at {day}: {change}; earlier demand was under other limits"))
        }
        Finding::MultiAttach => coded(
            "multi_attach",
            "it has Multi-Attach: only io2 stays modifiable, in size and IOPS; a change of type takes a new volume"
                .to_owned(),
        ),
        Finding::ModificationRuns(pending) => coded("modification_runs", describe_pending(pending)),
    }
}

/// Describes a state that forbids the next change: `modification to gp3 500 GiB is optimizing: no other can be started`.
fn describe_pending(pending: &PendingChange) -> String {
    let values = pending.values.as_deref();
    let to = values.map_or(String::new(), |values| format!(" to {values}"));
    let state = match &pending.cause {
        PendingCause::Status(status) if matches!(status.as_str(), "deleting" | "deleted" | "error") => {
            format!("state {status}: AWS refuses its modification")
        }
        PendingCause::Status(status) => {
            let values = values.map_or(String::new(), |values| format!(", pending {values}"));
            format!("status {status}{values}: its storage cannot be changed before it is available")
        }
        PendingCause::Maintenance => {
            format!("a change{to} is pending for the maintenance window: apply or withdraw it first")
        }
        PendingCause::Queued => format!("a change{to} is pending: --apply-immediately applies it too"),
        PendingCause::Modification(state) => format!("a modification{to} is {state}: no other can be started"),
        PendingCause::FourInADay => "modified four times within 24 hours: AWS refuses a fifth".to_owned(),
        PendingCause::Managed(service) => format!("managed by {}: only that changes or deletes it", plain(service)),
    };
    let earliest = pending.earliest_us.and_then(|earliest_us| Timestamp::from_microsecond(earliest_us).ok());
    earliest.map_or(state.clone(), |earliest| format!("{state}, not before {earliest}"))
}

fn describe_exceeded(exceeded: &ExceededDeclaration, answer: &VolumeAnswer) -> String {
    // A limit below the burst is the baseline, which is exceeded for longer than credits last.
    let config = answer.present.as_ref().map(|present| &present.config);
    let burst = config.and_then(|config| Some(Burst::ceiling(config.class()?, config, 1)));
    let is_baseline = exceeded.limited == LimitKind::Iops && burst.is_some_and(|burst| exceeded.declared < burst.iops);
    format!(
        "demand of {} exceeds the {} of the described configuration{}: the description is of another time or volume",
        with_unit(exceeded.limited, exceeded.observed),
        with_unit(exceeded.limited, exceeded.declared),
        if is_baseline { " for longer than its burst credits last" } else { "" }
    )
}

fn describe_refuted(refuted: &RefutedLimit) -> String {
    let in_unit = |value: f64| match refuted.limited {
        LimitKind::Iops => value,
        LimitKind::Throughput => value / MIB as f64,
    };
    format!(
        "the counts show a limit of {}, below the described {}",
        with_unit(refuted.limited, in_unit(refuted.level)),
        with_unit(refuted.limited, in_unit(refuted.declared))
    )
}

fn with_unit(limited: LimitKind, value: f64) -> String {
    match limited {
        LimitKind::Iops => format!("{} IOPS", count(value)),
        LimitKind::Throughput => format!("{} MiB/s", count(value)),
    }
}
