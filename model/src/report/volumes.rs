//! What to order, what to order instead, and what not.

use super::{Report, wrapped};
use crate::advice::{Candidate, RoleAdvice};
use crate::format::{count, pct, usd};

/// Rows shown of each kind; the rest is in `ebs_options`.
const SHOWN: usize = 3;

pub(super) fn lines(report: &Report, role: &RoleAdvice) -> Vec<String> {
    let (feasible, refused): (Vec<_>, Vec<_>) = role.candidates.iter().partition(|candidate| candidate.feasible);
    let of = if report.roles.len() > 1 { format!(" for {}", role.role) } else { String::new() };
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
        let line = format!("{head:<13} {:<44} {:>12}", order(candidate), usd(candidate.bill.total()));
        lines.push(line.trim_end().to_owned());
        lines.extend(wrapped(&format!("{CONTINUED}{}", candidate.reason), CONTINUED));
    }
    lines
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
