//! Remarks on the rows of a short list.

use super::candidate::notable_waits;
use super::unit::describe_unit;
use ebs_advice::{Candidate, OutOfReach, Place, Reason, Request, ShortlistRow, Throttling, Unavailable};
use ebs_aws::catalogue::LimitKind;
use ebs_base::format::{at_least, brief_iops_at_least, count, distinct, durability, size, usd, whole_pct};
use ebs_base::range::Range;
use ebs_base::units::Usd;
use ebs_prediction::{BindingLimit, LimitOwner};

/// Describes what is special of a row in remarks of a few words, the most important first: `at IOPS limit`, `peak + 20 %`,
/// `knee` from which on more IOPS of the type add no throughput; the volumes of a recommendation that nothing meets are the `closest`.
pub fn describe(row: &ShortlistRow, is_miss: bool, request: &Request) -> Vec<String> {
    let mut words = match row.place {
        Place::Named if is_miss => vec!["closest".to_owned()],
        Place::Peak => vec![format!("peak + {}", whole_pct(request.rule.headroom))],
        Place::Kept => row.candidate.ratio().map(describe_kept_of_today).into_iter().collect(),
        Place::Stripe => vec![format!("{} % durable", durability(row.candidate.durability_pct()))],
        Place::Closed => vec!["if closed loop".to_owned()],
        Place::OtherCount { merged: true } => vec!["if EBS merges".to_owned()],
        Place::OtherCount { merged: false } => vec!["if none merge".to_owned()],
        _ => Vec::new(),
    };
    words.extend(row.is_knee.then(|| "knee".to_owned()));
    let is_closest = row.place == Place::Named && is_miss;
    if !is_closest {
        words.extend(describe_kept_share(row).or_else(|| describe_limit(row.candidate, request)));
        let over = OVER_BUDGET.to_owned();
        if exceeds_budget(row.candidate, request) && !words.contains(&over) {
            words.insert(0, over);
        }
    }
    words.extend(describe_share_of_waits(row.candidate));
    words
}

/// Describes the throughput that volumes keep: `96 % of today`.
fn describe_kept_of_today(ratio: Range) -> String {
    format!("{} of today", whole_pct(ratio.middle))
}

const OVER_BUDGET: &str = "over budget";

/// True of volumes that cost more than the budget, whatever else they lack.
fn exceeds_budget(candidate: &Candidate, request: &Request) -> bool {
    let is_dearer = request.budget_usd.is_some_and(|budget| candidate.total() > budget);
    is_dearer || matches!(candidate.reason, Reason::OverBudget { .. })
}

/// Describes the share of its throughput that a closed loop keeps, where another is recommended; `None` elsewhere.
fn describe_kept_share(row: &ShortlistRow) -> Option<String> {
    let is_other = row.place == Place::Knee || matches!(row.candidate.reason, Reason::KeepsLess { .. });
    row.candidate.kept_share().filter(|_| is_other).map(|kept| format!("keeps {}", whole_pct(kept.share())))
}

/// Describes the limit that binds; `None` where none of the volume does.
fn describe_limit(candidate: &Candidate, request: &Request) -> Option<String> {
    let at_limit = match candidate.bound_by() {
        BindingLimit::VOLUME_IOPS => Some("at IOPS limit"),
        BindingLimit::VOLUME_THROUGHPUT => Some("at MiB/s limit"),
        BindingLimit::Rate(LimitOwner::Instance, _) => Some("instance limit"),
        _ => None,
    };
    let is_predicted = candidate.expected.is_some();
    match (candidate.feasible, at_limit) {
        (true, Some(at_limit)) if is_predicted => Some(at_limit.to_owned()),
        (true, _) => None,
        (false, Some(at_limit)) if is_predicted => Some(at_limit.to_owned()),
        (false, _) => Some(describe_violation(candidate, request)),
    }
}

/// Describes the share of the requests that wait, where it is worth it, or beside the share of time that is throttled where it is
/// larger: a short burst may be most of them. `43 % of I/O waits`, `throttled 2 %, 44 % of I/O`.
fn describe_share_of_waits(candidate: &Candidate) -> Option<String> {
    let outcome = candidate.outcome?;
    if candidate.feasible {
        return notable_waits(&outcome).map(|waits| format!("{} of I/O waits", whole_pct(waits.waiting_share)));
    }
    let share = outcome.throttled_pct() / 100.0;
    let is_remarked = matches!(&candidate.reason, Reason::Throttling(throttling) if throttling.is_of_time());
    let waiting =
        outcome.added.map(|waits| waits.waiting_share).filter(|waiting| is_remarked && *waiting >= 2.0 * share);
    waiting.map(|waiting| format!("{} of I/O", whole_pct(waiting)))
}

/// Describes the share of time that is throttled, up to the end of its interval where that alone exceeds the limit: `5–10 %`.
fn describe_throttled_share(throttling: &Throttling) -> String {
    let [low, high] = [throttling.throttled_pct, throttling.throttled_high_pct].map(|pct| whole_pct(pct / 100.0));
    if throttling.throttled_pct > throttling.max_throttled_pct || low == high {
        low
    } else {
        format!("{}–{high}", low.trim_end_matches(" %"))
    }
}

/// Describes the violated limit in two or three words.
fn describe_violation(candidate: &Candidate, request: &Request) -> String {
    let headroom = |limit: f64, required: f64| describe_headroom(limit / required, request.rule.headroom);
    match &candidate.reason {
        Reason::OutOfReach(OutOfReach { resource, required, max_per_volume, .. }) => {
            let max = max_per_volume * candidate.volumes as f64;
            headroom(max, *required)
                .filter(|_| *resource != BindingLimit::Size)
                .unwrap_or_else(|| format!("too few {}", describe_unit(*resource)))
        }
        Reason::Durability { promised_pct, .. } => format!("{} % durable", durability(*promised_pct)),
        Reason::Latency(_) => "latency too high".to_owned(),
        Reason::Throughput(_) => "throughput too low".to_owned(),
        Reason::OverBudget { .. } => OVER_BUDGET.to_owned(),
        Reason::Unavailable(Unavailable::Zone { .. } | Unavailable::RdsZone { .. }) => "not in each zone".to_owned(),
        Reason::Unavailable(Unavailable::MultiAttach) => "no Multi-Attach".to_owned(),
        Reason::InstanceSaturated(_) => "instance limit".to_owned(),
        Reason::Throttling(throttling) if !throttling.is_of_time() => {
            format!("{} of I/O waits", whole_pct(throttling.waiting_pct / 100.0))
        }
        Reason::Throttling(throttling) if candidate.is_throttling_bound() => {
            let share = describe_throttled_share(throttling);
            format!("throttled ≤ {}", share.rsplit('–').next().unwrap_or_default())
        }
        Reason::Throttling(throttling) => format!("throttled {}", describe_throttled_share(throttling)),
        Reason::Shortage(shortage) if shortage.of_mean || shortage.of_plateau => "on burst credits".to_owned(),
        Reason::Shortage(shortage) => {
            headroom(shortage.limit, shortage.required).unwrap_or_else(|| "no headroom".to_owned())
        }
        Reason::Unsuitable | Reason::LogVolumeSuffices | Reason::Sufficient(_) | Reason::KeepsLess { .. } => {
            String::new()
        }
    }
}

/// Describes the headroom of limits that have so large a share of the requirement, of which the requested headroom is a part, rounded
/// down: `19 % headroom`; `None` where that is nothing.
fn describe_headroom(share: f64, requested: f64) -> Option<String> {
    let left_pct = (100.0 * (share * (1.0 + requested) - 1.0)).floor();
    (left_pct > 0.0).then(|| format!("{} % headroom", count(left_pct)))
}

/// A requirement beyond a type's maximum, rounded up as one would order it: IOPS to hundreds.
fn describe_required(reason: &OutOfReach) -> String {
    match reason.resource.kind() {
        Some(LimitKind::Iops) => brief_iops_at_least(reason.required),
        _ => at_least(reason.required),
    }
}

/// Describes by how much the nearest miss falls short: `300,000 IOPS required, io2 has at most 256,000`.
pub fn describe_miss(candidate: &Candidate) -> String {
    let name = candidate.config.volume_type.name();
    let many = if candidate.volumes > 1 { format!("{} × {name}", candidate.volumes) } else { name.to_owned() };
    match &candidate.reason {
        Reason::OutOfReach(reason) => {
            let (required, unit) = (describe_required(reason), describe_unit(reason.resource));
            let each = if candidate.volumes > 1 { " each" } else { "" };
            format!("{required} {unit} required, {name} has at most {}{each}", count(reason.max_per_volume))
        }
        Reason::Durability { promised_pct, requested_pct } => {
            let (requested, promised) = distinct(durability, *requested_pct, *promised_pct);
            format!("{requested} % durability requested, {many} has {promised} %")
        }
        Reason::Latency(latency) => {
            let ms = candidate.latency_ms.unwrap_or(latency.service_ms);
            let (target, ms) = distinct(size, latency.target_ms, ms);
            format!("{target} ms a request requested, {many} takes {ms}")
        }
        Reason::Throughput(throughput) => {
            let requested = 100.0 * throughput.min_ratio;
            let (requested, ratio) = match throughput.ratio {
                Some(ratio) => distinct(count, requested, 100.0 * ratio),
                None => (count(requested), "unknown".to_owned()),
            };
            format!("{requested} % of today's throughput requested, {many} gives {ratio} %")
        }
        Reason::OverBudget { excess, others } if *others == Usd::default() => {
            format!("{} a month exceeds the budget by {}", usd(candidate.total()), usd(*excess))
        }
        Reason::Throttling(throttling) => {
            let max = whole_pct(throttling.max_throttled_pct / 100.0);
            match throttling.is_of_time() {
                true => {
                    let throttled = describe_throttled_share(throttling);
                    format!("{name} throttles {throttled} of seconds, {max} are accepted")
                }
                false => {
                    let waiting = whole_pct(throttling.waiting_pct / 100.0);
                    format!("{name} queues {waiting} of requests, {max} are accepted")
                }
            }
        }
        _ => super::candidate::describe_reason(candidate),
    }
}
