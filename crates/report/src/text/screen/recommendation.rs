//! The recommended volumes with their price, what to expect of them, and the reason for them.

use super::detail::{Detail, Part};
use super::layout::{COLUMNS, TEXT_COLUMN, justify, labelled, labelled_list, without_last_clause, wrapped};
use crate::Report;
use crate::clip::{clip, display_width};
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{
    availability, candidate, confidence, current_volume, expectation, month, order, pending, rationale, required_size,
    workload,
};
use ebs_advice::{Advice, Candidate, PricedVolumes, Rationale, Recommendation, Risk, RoleAdvice, SmallerStorage};
use ebs_base::format::usd;

/// Most roles that the screen shows.
pub(super) const MAX_ROLES: usize = 2;

/// Renders the order of each role, the total, one volume for all of them, and what is pending.
pub(super) fn render(report: &Report, advice: &Advice, detail: Detail) -> Vec<String> {
    let several = advice.roles.len() > 1;
    let mut lines = render_larger_instance(report, advice, detail);
    for role in advice.roles.iter().take(MAX_ROLES) {
        let label = if lines.is_empty() { "RECOMMENDED" } else { "" };
        let name = if several { format!("{}: ", clip(&role.state.group.role, 20)) } else { String::new() };
        lines.extend(render_order(report, role, (label, &name)));
    }
    if advice.roles.len() > MAX_ROLES {
        let more = advice.roles.len() - MAX_ROLES;
        lines.extend(labelled("", &format!("{more} more volumes: show => 'all'"), 1));
    }
    if several {
        lines.extend(render_total(report, advice));
    }
    lines.extend(render_consolidated(advice, detail.has(Part::DearerConsolidated)));
    let place = availability::describe_place_briefly(report.request).map(|text| ("  Place", text));
    let shared = availability::describe_shared_briefly(report).map(|text| ("  Shared", text));
    let lines_of_place = detail.reason_lines().min(2);
    lines.extend(place.into_iter().chain(shared).flat_map(|(label, text)| labelled(label, &text, lines_of_place)));
    lines.extend(
        advice.roles.iter().filter_map(|role| role.smaller_storage.as_ref()?.as_ref().ok()).map(render_smaller),
    );
    lines.extend(render_pending(report, if detail.has(Part::SecondPendingLine) { 3 } else { 1 }));
    lines
}

/// Renders the price of the named volumes of all roles, marked where it exceeds the budget; `None` where a role has none.
fn render_total(report: &Report, advice: &Advice) -> Option<String> {
    let total = advice.named_usd(report.request)?;
    let exceeded = report.request.budget_usd.filter(|budget| total > *budget);
    let over = exceeded.map_or(String::new(), |budget| format!(", over the budget of {}", usd(budget)));
    Some(justify(&format!("             total{over}"), &format!("{} / month", usd(total))))
}

/// Renders the larger instance that all roles need, where one does; nothing elsewhere.
fn render_larger_instance(report: &Report, advice: &Advice, detail: Detail) -> Vec<String> {
    let is_needed =
        |role: &RoleAdvice| matches!(role.recommendation(report.request), Recommendation::LargerInstance(_));
    if !advice.roles.iter().any(is_needed) {
        return Vec::new();
    }
    let platform = report.request.platform;
    let describe = match detail.has(Part::SecondTextLine) {
        true => rationale::describe_instance_need,
        false => rationale::describe_need_of_family,
    };
    labelled("RECOMMENDED", &format!("a larger instance{}", describe(advice, platform)), 2)
}

/// Renders the order of one role.
fn render_order(report: &Report, role: &RoleAdvice, (label, name): (&str, &str)) -> Vec<String> {
    let price = |begin: &str, candidate: &Candidate| render_priced(role, begin, candidate);
    match role.recommendation(report.request) {
        Recommendation::Volumes(best) => {
            let keep = if role.is_current(best) { "keep " } else { "" };
            vec![price(&format!("{label:<13}{name}{keep}"), best)]
        }
        Recommendation::LargerInstance(interim) => {
            vec![match interim {
                Some(volumes) => price(&format!("{:<13}{name}", "  Until then"), volumes),
                None => format!("  Until then {name}no volumes meet the request on the present one"),
            }]
        }
        Recommendation::Nothing(nearest) => {
            let mut lines = vec![format!("{label:<13}{name}none: no volume meets everything requested")];
            lines.extend(nearest.map(|nearest| price("  Closest    ", nearest)));
            lines
        }
    }
}

/// Renders volumes of a role with their price, and that their size is unknown where it is.
fn render_priced(role: &RoleAdvice, begin: &str, volumes: &Candidate) -> String {
    let price = month::describe_briefly(volumes.usd_month());
    let room = COLUMNS.saturating_sub(display_width(begin) + 1 + display_width(&price));
    let order = match role.state.size.size_gib {
        Some(_) => order::describe(volumes),
        None => order::describe_unsized(volumes, room),
    };
    justify(&format!("{begin}{order}"), &price)
}

/// Renders the order of an idle volume, and the reason for it.
pub(super) fn render_idle(idle: &IdleAnswer) -> Vec<String> {
    let PricedVolumes { config, volumes, usd_month } = &idle.volumes;
    let keep = if idle.keeps { "keep " } else { "" };
    let order = format!("{:<13}{keep}{}", "RECOMMENDED", order::describe_volumes(config, *volumes));
    let order = justify(&order, &month::describe_briefly(*usd_month));
    let why = format!("{}{}", idle.reason, candidate::describe_saving(idle.saved));
    std::iter::once(order).chain(labelled("  Why", &why, 6)).collect()
}

/// Renders smaller storage of RDS with its price.
fn render_smaller(smaller: &SmallerStorage) -> String {
    let storage = order::describe_briefly(&smaller.storage.config, 1);
    justify(&format!("  or smaller {storage}, by Blue/Green"), &month::describe_briefly(smaller.storage.usd_month()))
}

/// Renders the first pending change in at most so many lines, and the number of the others.
fn render_pending(report: &Report, max_lines: usize) -> Vec<String> {
    let pending = pending::list(report);
    let Some(first) = pending.first() else { return Vec::new() };
    let others = pending.len() - 1;
    let more = if others > 0 { format!(" {others} more: show => 'all'") } else { String::new() };
    labelled("  Pending", &format!("{}{more}", pending::describe(report, first)), max_lines)
}

/// Renders one volume for all roles, where that is cheaper or is to be shown anyway.
fn render_consolidated(advice: &Advice, dearer_too: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let is_cheaper = advice.cheaper_consolidated().is_some();
    let consolidated = advice.consolidated.as_ref().filter(|_| is_cheaper || dearer_too);
    if let Some((role, best)) = consolidated.and_then(|role| Some((role, role.best()?))) {
        let label = if is_cheaper { "or on one" } else { "on one" };
        lines.push(render_priced(role, &format!("  {label:<11}"), best));
    }
    lines
}

/// Texts of one sort that follow the order, behind their label.
struct Details {
    label: &'static str,
    /// Lines of each text.
    max_lines: usize,
    /// Texts with the names of their roles; without one, those of all roles.
    texts: Vec<(Option<String>, String)>,
}

impl Details {
    fn new(label: &'static str, max_lines: usize) -> Details {
        Details { label, max_lines, texts: Vec::new() }
    }

    fn add(&mut self, role: Option<&String>, text: String) {
        self.texts.push((role.cloned(), text));
    }

    /// Each role's text behind its name, and one that two roles share once.
    fn named(&self) -> Vec<(String, String)> {
        if let [(Some(first), text), (Some(second), other)] = self.texts.as_slice()
            && text == other
        {
            return vec![(format!("{first} and {second} each: "), text.clone())];
        }
        let prefix = |role: &Option<String>| role.as_ref().map_or(String::new(), |role| format!("{role}: "));
        self.texts.iter().map(|(role, text)| (prefix(role), text.clone())).collect()
    }

    /// Renders the texts, each on its own lines.
    fn render(&self) -> Vec<String> {
        let labels = std::iter::once(self.label).chain(std::iter::repeat(""));
        let named = labels.zip(self.named());
        let begin = |label: &str, name: &str| format!("{label:<TEXT_COLUMN$}{name}");
        named.flat_map(|(label, (name, text))| labelled(&begin(label, &name), &text, self.max_lines)).collect()
    }

    /// Renders all texts in as many lines as one has; clauses of the longest are left out first.
    fn render_joined(&self) -> Vec<String> {
        let mut named = self.named();
        let join = |named: &[(String, String)]| {
            named.iter().map(|(name, text)| format!("{name}{text}")).collect::<Vec<_>>().join("; ")
        };
        while wrapped(self.label, &join(&named)).len() > self.max_lines {
            let shorter = named.iter_mut().filter_map(|(_, text)| Some((without_last_clause(text)?, text)));
            let Some((shorter, text)) = shorter.max_by_key(|(_, text)| text.len()) else { break };
            *text = shorter;
        }
        if named.is_empty() { Vec::new() } else { labelled(self.label, &join(&named), self.max_lines) }
    }
}

/// Renders what to expect, today's volume, the reason, the size and the confidence.
pub(super) fn render_details(report: &Report, advice: &Advice, detail: Detail) -> Vec<String> {
    let max_lines = detail.text_lines();
    let several = advice.roles.len() > 1;
    let [mut expect, mut today, mut size] =
        ["  Expect", "  Today", "  Size"].map(|label| Details::new(label, max_lines));
    let mut why = Details::new("  Why", detail.reason_lines());
    let shared = describe_shared_reason(report, advice);
    for role in advice.roles.iter().take(MAX_ROLES) {
        let name = several.then(|| clip(&role.state.group.role, 20));
        let volumes = role.recommendation(report.request).volumes();
        if let Some(candidate) = volumes {
            let need = &role.state.size;
            let [expected, sized] = match role.is_current(candidate) {
                true => [expectation::describe_current(role), required_size::describe_current(need, candidate)],
                false => {
                    [expectation::describe_briefly(role, candidate), required_size::describe_order(need, candidate)]
                }
            };
            expect.add(name.as_ref(), expected);
            size.add(name.as_ref(), sized);
        }
        if let Some(text) = current_volume::describe(report, role, volumes).filter(|_| detail.has(Part::Today)) {
            today.add(name.as_ref(), text);
        }
        if let Some(text) = rationale::describe_role(role, report.request).filter(|_| shared.is_none()) {
            why.add(name.as_ref(), text);
        }
    }
    if let Some(text) = shared {
        // As much as one line of each role.
        why.max_lines = why.max_lines.max(2);
        why.add(None, text);
    }
    let size = if detail.has(Part::Size) { size.render_joined() } else { Vec::new() };
    let details = [expect.render(), today.render(), why.render(), size].concat();
    details.into_iter().chain(render_confidence(report, advice, detail.reason_lines().min(2))).collect()
}

/// Describes the reason that all roles share: the instance's limit, which binds on all of their demand together; `None` where they do
/// not share one.
fn describe_shared_reason(report: &Report, advice: &Advice) -> Option<String> {
    let is_instance = |role: &RoleAdvice| matches!(role.rationale(report.request), Some(Rationale::Instance(_)));
    let shared = advice.roles.len() > 1 && advice.roles.iter().all(is_instance);
    let reason = rationale::describe_role(advice.roles.first()?, report.request).filter(|_| shared)?;
    Some(format!("{} together: {reason}", workload::describe_each_demand(advice)))
}

/// Renders the confidence with its causes, beside a high risk of the recommended volumes.
fn render_confidence(report: &Report, advice: &Advice, max_lines: usize) -> Vec<String> {
    let Some(confidence) = report.confidence() else { return Vec::new() };
    let recommended = |role: &RoleAdvice| match role.recommendation(report.request) {
        Recommendation::Volumes(best) => best.risk,
        _ => None,
    };
    let risk = advice.roles.iter().filter_map(recommended).max().filter(|risk| *risk >= Risk::High);
    let risk = risk.map_or(String::new(), |risk| format!(", risk {}", risk.name()));
    let level = format!("{}{risk}", confidence.level().name().to_uppercase());
    let causes: Vec<String> = confidence.causes.iter().map(confidence::describe_briefly).collect();
    let mut parts = causes.into_iter();
    let first = parts.next().map_or(level.clone(), |cause| format!("{level}: {cause}"));
    let parts: Vec<String> = std::iter::once(first).chain(parts).collect();
    labelled_list("  Confidence", &parts, ", ", max_lines)
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
