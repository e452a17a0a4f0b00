//! The workload, the kind of the load, and the bottleneck.

use super::detail::{Detail, Part};
use super::layout::{TEXT_COLUMN, labelled, with_aside};
use super::recommendation::MAX_ROLES;
use crate::Report;
use crate::clip::{clip, display_width};
use crate::reasons::{bottleneck, io_shares, load, sessions, workload};
use ebs_advice::{Advice, RoleAdvice};
use ebs_base::format::{brief, brief_iops};
use ebs_prediction::predict::MissingInput;
use ebs_workload::io_profile::{Metric, find};

/// Least columns of a figure of the workload.
const LEAST_WIDTH: usize = 6;

/// Renders the demand of each role in figures, and the kind of the load.
pub(super) fn render(report: &Report, advice: &Advice, detail: Detail) -> Vec<String> {
    let mut lines = Vec::new();
    if detail.has(Part::Workload) {
        lines.extend(render_figures(report, advice, detail.has(Part::Throughput)));
    }
    if detail.has(Part::Load) {
        lines.extend(render_load(report, advice, detail));
    }
    lines
}

/// A line of figures: its label, mean, 95th and 99th percentile and maximum, and what stands behind them.
type Figures = (String, [String; 4], String);

/// Renders mean, percentiles and maximum of the requests of each role, and then of the throughput.
fn render_figures(report: &Report, advice: &Advice, with_throughput: bool) -> Vec<String> {
    let several = advice.roles.len() > 1;
    let row = |role: &RoleAdvice, metric, unit: &str, text: fn(f64) -> String, aside: String| -> Option<Figures> {
        let figure = find(&role.state.figures, metric)?;
        let cell = |value: Option<f64>| value.map_or("–".to_owned(), text);
        let name = if several { format!("{} ", clip(&role.state.group.role, 6)) } else { String::new() };
        let cells = [figure.mean, figure.p95, figure.p99, figure.max].map(cell);
        Some((format!("  {name}{unit}"), cells, aside))
    };
    let requests = |role| row(role, Metric::Requests, "IOPS", brief_iops, workload::describe_mix(role));
    let throughput = |role| row(role, Metric::Throughput, "MiB/s", brief, workload::describe_max(report, role));
    let roles = || advice.roles.iter().take(MAX_ROLES);
    let throughputs = roles().filter(|_| with_throughput).filter_map(throughput);
    let head = ("WORKLOAD".to_owned(), ["avg", "p95", "p99", "max"].map(str::to_owned), String::new());
    let lines: Vec<Figures> = std::iter::once(head).chain(roles().filter_map(requests)).chain(throughputs).collect();
    let widest = lines.iter().flat_map(|(_, cells, _)| cells).map(|cell| display_width(cell)).max().unwrap_or(0);
    let width = widest.max(LEAST_WIDTH) + 1;
    let render = |(label, cells, aside): &Figures| {
        let cells = cells.iter().map(|cell| format!("{cell:>width$}")).collect::<String>();
        with_aside(&format!("{label:<TEXT_COLUMN$}{cells}  "), aside)
    };
    lines.iter().map(render).collect()
}

/// Renders the kind of the load of the first role that has one, and the I/O of other programs where that matters.
fn render_load(report: &Report, advice: &Advice, detail: Detail) -> Vec<String> {
    let is_known = |role: &&RoleAdvice| role.state.load.is_sure() || role.closed_option.is_some();
    let role = advice.roles.iter().find(is_known).or(advice.roles.first());
    let max_lines = if advice.roles.len() > 1 { 1 } else { detail.text_lines().min(2) };
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
