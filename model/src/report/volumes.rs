//! What to order, what to order instead, and what not.

use super::{Report, wrapped};
use crate::advice::{Candidate, RoleAdvice};
use crate::format::{count, ms, pct, usd};
use crate::units::Usd;

/// Rows shown of each kind; the rest is in `ebs_options`.
const SHOWN: usize = 3;

pub(super) fn lines(report: &Report, role: &RoleAdvice) -> Vec<String> {
    let (feasible, refused): (Vec<_>, Vec<_>) = role.candidates.iter().partition(|candidate| candidate.feasible);
    let of = if report.roles.len() > 1 { format!(" for {}", role.role) } else { String::new() };
    if role.instance_short.is_some() {
        return larger_instance(&of, role);
    }
    let mut lines = match feasible.split_first() {
        Some((best, others)) => recommended(&of, best, others),
        None => wrapped(&format!("Recommended{of}: nothing meets everything asked for"), "  "),
    };
    for (position, candidate) in refused.iter().take(SHOWN).enumerate() {
        let head = if position == 0 { "Not chosen" } else { "" };
        lines.extend(wrapped(&format!("{head:<13} {:<44} {}", order(candidate), candidate.reason), CONTINUED));
    }
    lines
}

/// What the recommended volumes cost in all, where there is more than one role.
pub(super) fn together(report: &Report) -> Option<String> {
    let best = |role: &RoleAdvice| role.candidates.first().filter(|candidate| candidate.feasible).cloned();
    let all: Vec<Candidate> = report.roles.iter().map(best).collect::<Option<_>>()?;
    let total: Usd = all.iter().map(|candidate| candidate.bill.total()).sum();
    (all.len() > 1).then(|| format!("{:<13} {:<44} {:>12} a month", "Together", "", usd(total)))
}

/// The instance binds: what it can use costs this much, and more buys nothing.
fn larger_instance(of: &str, role: &RoleAdvice) -> Vec<String> {
    let uses_it_up = |candidate: &&Candidate| {
        let ceiling = candidate.config.ceiling(candidate.volumes);
        ceiling.iops >= role.need.iops.floor() && ceiling.mibps >= role.need.mibps.floor()
    };
    let cheapest = role.candidates.iter().filter(uses_it_up).min_by_key(|candidate| candidate.bill.total());
    let mut lines = Vec::new();
    if let Some(candidate) = cheapest {
        lines.extend(wrapped(&format!("Recommended{of}: a larger instance. {}", candidate.reason), "  "));
        let price = usd(candidate.bill.total());
        lines.push(format!("{:<13} {:<44} {price:>12} a month", "Until then", order(candidate)));
    }
    lines
}

const CONTINUED: &str = "              ";

fn recommended(of: &str, best: &Candidate, others: &[&Candidate]) -> Vec<String> {
    let mut lines = if of.is_empty() { Vec::new() } else { vec![format!("Volumes{of}")] };
    lines.push(format!("{:<13} {:<44} {:>12} a month", "Recommended", order(best), usd(best.bill.total())));
    let because = format!(
        "  bound by {} · {} · throttled {} of seconds · risk {}",
        best.bound.name(),
        best.reason,
        pct(best.outcome.throttled_pct()),
        best.risk.name()
    );
    lines.extend(wrapped(&because, "    "));
    for (position, candidate) in others.iter().take(SHOWN).enumerate() {
        let head = if position == 0 { "Instead" } else { "" };
        let price = usd(candidate.bill.total());
        let line = format!("{head:<13} {:<44} {price:>12}   {}", order(candidate), aside(candidate));
        lines.extend(wrapped(&line, CONTINUED));
    }
    lines
}

/// What sets it apart: striping, and the latency published for its type.
fn aside(candidate: &Candidate) -> String {
    let spec = candidate.config.volume_type.spec();
    let raid = if candidate.volumes > 1 { "RAID 0, " } else { "" };
    format!("{raid}read {}, write {} ms (published)", ms(spec.read_ms), ms(spec.write_ms))
}

/// `gp3, 2 × 250 GiB, 8,400 IOPS, 125 MiB/s each`.
fn order(candidate: &Candidate) -> String {
    let config = &candidate.config;
    let each = if candidate.volumes > 1 { " each" } else { "" };
    format!(
        "{}, {} × {} GiB, {} IOPS, {} MiB/s{each}",
        config.volume_type.name(),
        candidate.volumes,
        count(config.size_gib as f64),
        count(config.iops as f64),
        count(config.throughput_mibps as f64)
    )
}
