//! The recommended volumes with their price, what to expect of them, and the reason for them.

use super::layout::{justify, labelled, labelled_list};
use crate::Report;
use crate::clip::clip;
use crate::reasons::{confidence, current_volume, expectation, order, rationale, required_size};
use ebs_advice::{Advice, Candidate, Recommendation, RoleAdvice};
use ebs_base::format::usd;

/// Most roles that the screen shows.
pub(super) const MAX_ROLES: usize = 2;

/// Renders the order of each role, and the total.
pub(super) fn render(report: &Report, advice: &Advice) -> Vec<String> {
    let several = advice.roles.len() > 1;
    let mut lines: Vec<String> = advice
        .roles
        .iter()
        .take(MAX_ROLES)
        .enumerate()
        .flat_map(|(position, role)| {
            let label = if position == 0 { "RECOMMENDED" } else { "" };
            let name = if several { format!("{}: ", clip(&role.state.group.role, 20)) } else { String::new() };
            render_order(report, advice, role, (label, &name))
        })
        .collect();
    if advice.roles.len() > MAX_ROLES {
        let more = advice.roles.len() - MAX_ROLES;
        lines.extend(labelled("", &format!("{more} more volumes: show => 'all'"), 1));
    }
    if let Some(total) = advice.separate_usd().filter(|_| several) {
        lines.push(justify("             total", &format!("{} / month", usd(total))));
    }
    lines.extend(render_consolidated(advice));
    lines
}

/// Renders the order of one role.
fn render_order(report: &Report, advice: &Advice, role: &RoleAdvice, (label, name): (&str, &str)) -> Vec<String> {
    let price = |left: String, candidate: &Candidate| justify(&left, &format!("{} / month", usd(candidate.total())));
    match role.recommendation(report.request) {
        Recommendation::Volumes(best) => {
            let keep = if role.is_current(best) { "keep " } else { "" };
            vec![price(format!("{label:<13}{name}{keep}{}", order::describe(best)), best)]
        }
        Recommendation::LargerInstance(interim) => {
            let need = rationale::describe_instance_need(advice);
            let mut lines = vec![format!("{label:<13}{name}a larger instance{need}")];
            lines.push(match interim {
                Some(volumes) => price(format!("  Until then {}", order::describe(volumes)), volumes),
                None => "  Until then no volumes that meet the request use all that the instance carries".to_owned(),
            });
            lines
        }
        Recommendation::Nothing(nearest) => {
            let mut lines = vec![format!("{label:<13}{name}none: no volume meets everything requested")];
            lines.extend(nearest.map(|nearest| price(format!("  Closest    {}", order::describe(nearest)), nearest)));
            lines
        }
    }
}

/// Renders one volume for all roles, where that is cheaper, and RDS's dedicated log volume.
fn render_consolidated(advice: &Advice) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(best) = advice.cheaper_consolidated().and_then(RoleAdvice::best) {
        let left = format!("  or on one  {}", order::describe(best));
        lines.push(justify(&left, &format!("{} / month", usd(best.total()))));
    }
    if let Some(log) = advice.log_volume.as_ref().filter(|log| log.feasible) {
        lines.push(justify(
            "  WAL apart  dedicated log volume, beside io1 or io2 storage",
            &format!("+ {} / month", usd(log.total())),
        ));
    }
    lines
}

/// Renders what to expect, today's volume, the size, the reason and the confidence.
pub(super) fn render_details(report: &Report, advice: &Advice) -> Vec<String> {
    let several = advice.roles.len() > 1;
    let mut expect = Vec::new();
    let mut today = Vec::new();
    let mut why = Vec::new();
    for role in advice.roles.iter().take(MAX_ROLES) {
        let name = if several { format!("{}: ", clip(&role.state.group.role, 20)) } else { String::new() };
        let label = |lines: &[String], label: &'static str| if lines.is_empty() { label } else { "" };
        let max_lines = if several { 1 } else { 2 };
        let volumes = role.recommendation(report.request).volumes();
        if let Some(candidate) = volumes {
            let text = match role.is_current(candidate) {
                true => format!("{name}{}", expectation::describe_current(role)),
                false => format!("{name}{}", expectation::describe(role, candidate)),
            };
            expect.extend(labelled(label(&expect, "  Expect"), &text, max_lines));
        }
        if let Some(text) = current_volume::describe(report, role, volumes) {
            today.extend(labelled(label(&today, "  Today"), &format!("{name}{text}"), max_lines));
        }
        if let Some(rationale) = role.rationale(report.request) {
            let text = format!("{name}{}", rationale::describe(&rationale));
            why.extend(labelled(label(&why, "  Why"), &text, max_lines));
        }
    }
    let size = advice.roles.first().filter(|_| !several).and_then(|role| describe_size(report, role));
    let mut lines = expect;
    lines.extend(today);
    lines.extend(why);
    lines.extend(size.map(|text| labelled("  Size", &text, 2)).unwrap_or_default());
    lines.extend(render_confidence(report));
    lines
}

fn describe_size(report: &Report, role: &RoleAdvice) -> Option<String> {
    let volumes = role.recommendation(report.request).volumes()?;
    Some(required_size::describe_order(&role.state.size, volumes))
}

/// Renders the confidence with its causes.
fn render_confidence(report: &Report) -> Vec<String> {
    let Some(confidence) = report.confidence() else { return Vec::new() };
    let level = confidence.level().name().to_uppercase();
    let causes: Vec<String> = confidence.causes.iter().map(confidence::describe_briefly).collect();
    let mut parts = causes.into_iter();
    let first = parts.next().map_or(level.clone(), |cause| format!("{level}: {cause}"));
    let parts: Vec<String> = std::iter::once(first).chain(parts).collect();
    labelled_list("  Confidence", &parts, ", ", 2)
}
