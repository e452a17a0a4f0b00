//! The workload, the kind of the load, and the bottleneck.

use super::layout::{TEXT_COLUMN, labelled, with_aside};
use super::recommendation::MAX_ROLES;
use crate::Report;
use crate::clip::clip;
use crate::reasons::{bottleneck, io_shares, load, sessions, workload};
use ebs_advice::{Advice, RoleAdvice};
use ebs_base::format::{brief, brief_iops};
use ebs_prediction::predict::MissingInput;
use ebs_workload::io_profile::{Metric, find};

/// Renders mean, 95th percentile and maximum of the requests of each role, and then of the throughput.
pub(super) fn render(report: &Report, advice: &Advice) -> Vec<String> {
    let several = advice.roles.len() > 1;
    let row = |role: &RoleAdvice, metric, unit: &str, text: fn(f64) -> String, aside: &str| {
        let figure = find(&role.state.figures, metric)?;
        let cell = |value: Option<f64>| value.map_or("–".to_owned(), text);
        let name = if several { format!("{} ", clip(&role.state.group.role, 6)) } else { String::new() };
        let label = format!("  {name}{unit}");
        let [mean, p95, max] = [figure.mean, figure.p95, figure.max].map(cell);
        Some(with_aside(&format!("{label:<TEXT_COLUMN$}{mean:>8}{p95:>8}{max:>8}   "), aside))
    };
    let requests = |role| row(role, Metric::Requests, "IOPS", brief_iops, &workload::describe_mix(role));
    let throughput = |role| row(role, Metric::Throughput, "MiB/s", brief, &workload::describe_max(report, role));
    let roles = || advice.roles.iter().take(MAX_ROLES);
    let head = format!("{:<TEXT_COLUMN$}{:>8}{:>8}{:>8}", "WORKLOAD", "avg", "p95", "max");
    std::iter::once(head).chain(roles().filter_map(requests)).chain(roles().filter_map(throughput)).collect()
}

/// Renders the kind of the load of the first role that has one, and the I/O of other programs where that matters.
pub(super) fn render_load(report: &Report, advice: &Advice) -> Vec<String> {
    let is_known = |role: &&RoleAdvice| role.state.load.is_sure() || role.closed_option.is_some();
    let role = advice.roles.iter().find(is_known).or(advice.roles.first());
    let max_lines = if advice.roles.len() > 1 { 1 } else { 2 };
    let mut lines = role.map(|role| labelled("LOAD", &load::describe_briefly(role), max_lines)).unwrap_or_default();
    lines.extend(io_shares::describe_briefly(report).map(|others| labelled("OTHERS", &others, 1)).unwrap_or_default());
    lines
}

/// Renders the bottleneck and the stations of active sessions.
pub(super) fn render_bottleneck(report: &Report, max_lines: usize) -> Vec<String> {
    let bottleneck = bottleneck::describe_briefly(report).map(|cause| format!("today {cause}"));
    // The shares of hardly any sessions say nothing.
    let sessions =
        sessions::describe_briefly(report).filter(|_| report.missing_input() != Some(MissingInput::Sessions));
    let parts: Vec<String> = bottleneck.into_iter().chain(sessions).collect();
    if parts.is_empty() {
        return labelled("BOTTLENECK", &bottleneck::describe_unknown(report), 1);
    }
    labelled("BOTTLENECK", &parts.join("; "), max_lines)
}

#[cfg(test)]
#[path = "workload_tests.rs"]
mod tests;
