//! What to order, what to order instead, and what not.

use super::{Report, wrapped};
use ebs_advice::advice::{Advice, Bound, Candidate, RoleAdvice};
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::{count, ms, pct, times, usd};
use ebs_base::units::Usd;

/// Rows shown of each kind; the rest is in `ebs_options`.
const SHOWN: usize = 3;
const CONTINUED: &str = "              ";

pub(super) fn lines(report: &Report, advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let (feasible, refused): (Vec<_>, Vec<_>) = role.candidates.iter().partition(|candidate| candidate.feasible);
    let of = if advice.roles.len() > 1 { format!(" for {}", role.role) } else { String::new() };
    let mut lines = if of.is_empty() { Vec::new() } else { vec![format!("Volumes{of}")] };
    lines.extend(now(role));
    if role.instance_short.is_some() {
        lines.extend(larger_instance(report, role));
        return lines;
    }
    lines.extend(match feasible.split_first() {
        Some((best, others)) => recommended(role, best, others),
        None => wrapped("Recommended   nothing: no volume meets everything asked for", "  "),
    });
    let near = refused.iter().filter(|candidate| candidate.bound != Bound::Unfit);
    for (position, candidate) in near.take(SHOWN).enumerate() {
        let head = if position == 0 { "Not chosen" } else { "" };
        lines.extend(wrapped(&format!("{head:<13} {:<44} {}", order(candidate), candidate.reason), CONTINUED));
    }
    lines.extend(never(&refused));
    lines
}

/// What the recommended volumes cost in all, where there is more than one role, and whether one for all is cheaper.
pub(super) fn together(advice: &Advice) -> Vec<String> {
    let mut lines: Vec<String> = advice.log_volume.iter().flat_map(log_volume).collect();
    let Some(one) = &advice.together else { return lines };
    if let Some(total) = advice.apart_usd() {
        lines.push(format!("{:<13} {:<44} {:>12} a month", "Together", "", usd(total)));
    }
    match (one.best(), advice.cheaper_together(), advice.apart_usd()) {
        (Some(best), Some(_), Some(apart)) => {
            let saved = usd(apart - best.total());
            lines.extend(wrapped(
                &priced("Or all on one", best, &format!("a month, {saved} less; they share its limits")),
                CONTINUED,
            ));
        }
        (Some(best), Some(_), None) => lines.push(priced("All on one", best, "a month")),
        (Some(best), None, _) => lines.push(priced("All on one", best, "a month: not cheaper")),
        (None, ..) => lines.push("All on one    nothing meets everything asked for".to_owned()),
    }
    lines
}

/// RDS's dedicated log volume, and whether it carries the WAL.
fn log_volume(candidate: &Candidate) -> Vec<String> {
    let text = priced("WAL apart", candidate, "a month on top (dedicated log volume, beside io1 or io2 storage)");
    wrapped(&format!("{text}: {}", candidate.reason), CONTINUED)
}

fn priced(head: &str, candidate: &Candidate, after: &str) -> String {
    format!("{head:<13} {:<44} {:>12} {after}", order(candidate), usd(candidate.total()))
}

/// What there is now, as declared: its price, and whether it carries the demand.
fn now(role: &RoleAdvice) -> Vec<String> {
    let Some(present) = &role.present else { return Vec::new() };
    let price = present.bill.map_or("price not known".to_owned(), |bill| format!("{} a month", usd(bill.total())));
    let fares = present
        .outcome
        .map_or(String::new(), |outcome| format!(", throttled {} of seconds", pct(outcome.throttled_pct())));
    wrapped(&format!("{:<13} {}: {price}{fares}", "Now", present.words), CONTINUED)
}

/// The instance binds: what it can use costs this much, and more buys nothing.
fn larger_instance(report: &Report, role: &RoleAdvice) -> Vec<String> {
    let fit = || role.candidates.iter().filter(|candidate| candidate.bound != Bound::Unfit);
    let why = fit().map(|candidate| candidate.reason.as_str()).next().unwrap_or_default();
    let mut lines = wrapped(&format!("Recommended   a larger instance. {why}"), CONTINUED);
    let request = report.request;
    let uses_it_up = |candidate: &&Candidate| {
        let ceiling = candidate.config.ceiling(candidate.volumes);
        let durable = request.durability_pct.unwrap_or(0.0) <= candidate.config.volume_type.durability_pct();
        let affordable = request.budget_usd.is_none_or(|budget| candidate.total() <= budget);
        let enough = ceiling.iops >= role.need.iops.floor() && ceiling.mibps >= role.need.mibps.floor();
        candidate.bill.is_some() && durable && affordable && enough
    };
    match fit().filter(uses_it_up).min_by_key(|candidate| candidate.total()) {
        Some(candidate) => lines.push(priced("Until then", candidate, "a month")),
        None => {
            lines.push("Until then    nothing that meets the rest of what was asked for uses all it carries".to_owned())
        }
    }
    lines
}

fn recommended(role: &RoleAdvice, best: &Candidate, others: &[&Candidate]) -> Vec<String> {
    let saves = match best.saved {
        Some(saved) if saved > Usd::default() => format!(", saves {}", usd(saved)),
        Some(saved) if saved < Usd::default() => format!(", {} more than now", usd(Usd::default() - saved)),
        _ => String::new(),
    };
    let mut lines = vec![priced("Recommended", best, &format!("a month{saves}"))];
    if role.size.size_gib.is_none() {
        let text = "  the size is not known: this is the smallest that its IOPS allow (say min_size_gib => …)";
        lines.push(text.to_owned());
    }
    lines.extend(wrapped(&format!("  {}", because(best)), "    "));
    for (position, candidate) in others.iter().take(SHOWN).enumerate() {
        let head = if position == 0 { "Instead" } else { "" };
        lines.extend(wrapped(&priced(head, candidate, &format!("  {}", aside(candidate))), CONTINUED));
    }
    lines
}

/// `bound by volume IOPS · … · $40.00 storage + $70.50 IOPS · throttled 0.3 % of seconds · throughput 0.94 … · risk low`.
pub(crate) fn because(best: &Candidate) -> String {
    let mut parts = vec![format!("bound by {}", best.bound.name()), best.reason.clone()];
    parts.extend(split(best));
    if let Some(outcome) = &best.outcome {
        parts.push(format!("throttled {} of seconds", pct(outcome.throttled_pct())));
    }
    if let Some(ratio) = best.ratio() {
        let (low, high) = (times(ratio.low), times(ratio.high));
        parts.push(format!("throughput some {} ({low}–{high}) of now", times(ratio.middle)));
    }
    parts.extend(best.risk.map(|risk| format!("risk {}", risk.name())));
    parts.join(" · ")
}

/// The price in its parts, where there is more than one.
fn split(candidate: &Candidate) -> Option<String> {
    let bill = candidate.bill?;
    let parts = [(bill.storage, "storage"), (bill.iops, "IOPS"), (bill.throughput, "throughput")];
    let paid: Vec<String> = parts
        .iter()
        .filter(|(amount, _)| *amount > Usd::default())
        .map(|(amount, part)| format!("{} {part}", usd(*amount)))
        .collect();
    (paid.len() > 1).then(|| paid.join(" + "))
}

/// What sets it apart: striping, and its latency, predicted or else published for its type.
fn aside(candidate: &Candidate) -> String {
    let raid = if candidate.volumes > 1 { "RAID 0, " } else { "" };
    let latency = |value: Option<f64>| value.map_or("–".to_owned(), ms);
    let source = if candidate.prediction.is_some() { "predicted" } else { "published" };
    format!("{raid}read {}, write {} ms ({source})", latency(candidate.read_ms()), latency(candidate.write_ms()))
}

/// Types that are never for a database, in one sentence each.
fn never(refused: &[&Candidate]) -> Vec<String> {
    let unfit = refused.iter().filter(|candidate| candidate.bound == Bound::Unfit);
    let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
    for candidate in unfit {
        let name = candidate.config.volume_type.name();
        match by_reason.iter_mut().find(|(reason, _)| *reason == candidate.reason) {
            Some((_, names)) => names.push(name),
            None => by_reason.push((candidate.reason.clone(), vec![name])),
        }
    }
    let sentences: Vec<String> =
        by_reason.into_iter().map(|(reason, names)| format!("{}: {reason}", names.join(", "))).collect();
    if sentences.is_empty() {
        Vec::new()
    } else {
        wrapped(&format!("Never         {}", sentences.join("; ")), CONTINUED)
    }
}

/// `gp3, 2 × 250 GiB, 8,400 IOPS, 125 MiB/s each`.
pub(crate) fn order(candidate: &Candidate) -> String {
    let config = &candidate.config;
    let each = if candidate.volumes > 1 { " each" } else { "" };
    let size = count(config.size_gib as f64);
    if config.volume_type == VolumeType::InstanceStore {
        return format!("{}, {size} GiB", config.volume_type.name());
    }
    format!(
        "{}, {} × {size} GiB, {} IOPS, {} MiB/s{each}",
        config.volume_type.name(),
        candidate.volumes,
        count(config.iops as f64),
        count(config.throughput_mibps as f64)
    )
}

/// What would change the answer: each argument with what it would recommend, and at what price.
pub(super) fn changes(report: &Report) -> Vec<String> {
    let roles = report.advice.iter().flat_map(|advice| &advice.roles);
    let several = report.advice.as_ref().is_some_and(|advice| advice.roles.len() > 1);
    let of = |role: &RoleAdvice| if several { format!(" for {}", role.role) } else { String::new() };
    roles
        .flat_map(|role| {
            role.variations.iter().map(move |change| match &change.best {
                Some(best) => {
                    let what = order(best);
                    format!("{}{} ({}): {what}, {}", change.argument, of(role), change.meaning, usd(best.total()))
                }
                None => format!("{}{} ({}): nothing", change.argument, of(role), change.meaning),
            })
        })
        .collect()
}
