//! The requested text; the sections of the whole report, in their order.

use super::layout::wrap;
use super::show::Show;
use super::{commands, confidence, decision, demand, findings, limitations, procedure, screen, volumes};
use crate::Report;
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{bottleneck, evidence, heading, io_shares, io_sources, sessions};
use ebs_advice::{Advice, insufficient};

/// Renders the requested text, line by line.
pub fn render(report: &Report, show: Show) -> Vec<String> {
    match show {
        Show::Screen => screen::render(report),
        Show::All => render_all(report),
        Show::Commands => commands::render(report),
    }
}

/// Renders the whole report.
fn render_all(report: &Report) -> Vec<String> {
    let mut lines = wrap(&heading::describe_title(report), "  ");
    lines.extend(wrap(&evidence::describe(report), "  "));
    if let Some(missing) = insufficient(report.window, &report.coverage).as_ref().map(evidence::describe_reason) {
        let idle = IdleAnswer::from_report(report);
        let text = idle.as_ref().map_or_else(|| format!("Insufficient data: {missing}."), IdleAnswer::describe);
        lines.extend(wrap(&text, ""));
        lines.extend(limitations::render_remedies(report, idle.as_ref()));
        return lines;
    }
    for role in report.roles() {
        lines.push(String::new());
        lines.extend(demand::render(report, role));
    }
    lines.push(String::new());
    lines.extend(wrap(&io_sources::describe(&report.sources), "  "));
    lines.extend(wrap(&io_shares::describe(report), "  "));
    lines.extend(wrap(&sessions::describe(report), "  "));
    if let Some(bottleneck) = bottleneck::describe(report) {
        lines.extend(wrap(&bottleneck, "  "));
    }
    lines.extend(report.advice.iter().flat_map(|advice| render_advice(report, advice)));
    lines.push(String::new());
    lines.extend(limitations::render(report));
    lines
}

/// Renders volumes, decisions, findings and commands.
fn render_advice(report: &Report, advice: &Advice) -> Vec<String> {
    let mut lines = Vec::new();
    for role in &advice.roles {
        lines.push(String::new());
        lines.extend(volumes::render(report, advice, role));
    }
    lines.extend(volumes::render_together(report, advice));
    lines.push(String::new());
    lines.extend(confidence::render(report));
    for role in &advice.roles {
        lines.push(String::new());
        lines.extend(decision::render(report, advice, role));
    }
    let findings = findings::render(report);
    lines.extend((!findings.is_empty()).then(String::new));
    // The commands of a single volume follow under the same heading.
    let mut headed = !findings.is_empty() && advice.roles.len() == 1;
    lines.extend(findings);
    for role in &advice.roles {
        let mut procedure = procedure::render(report, advice, role);
        if std::mem::take(&mut headed) {
            let heading = procedure.len().min(1);
            procedure.splice(..heading, (heading > 0).then(|| "  The change itself:".to_owned()));
        } else {
            lines.extend((!procedure.is_empty()).then(String::new));
        }
        lines.extend(procedure);
    }
    lines
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
