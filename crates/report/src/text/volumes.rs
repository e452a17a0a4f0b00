//! Recommended volumes, alternatives, and those that were rejected.

use super::layout::wrap;
use super::smaller_storage;
use crate::Report;
use crate::reasons::{candidate, declarations, rationale, required_size};
use ebs_advice::{Advice, Candidate, LogVolumeOffer, RoleAdvice, SeparateWal};
use ebs_base::format::{pct, times, usd};
use ebs_prediction::BindingLimit;

/// Maximum number of rows of each kind; `ebs_options` returns all of them.
const MAX_SHOWN: usize = 3;
const CONTINUED: &str = "              ";

/// Renders the candidates of a role.
pub(super) fn render(report: &Report, advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let (feasible, refused): (Vec<_>, Vec<_>) = role.candidates.iter().partition(|candidate| candidate.feasible);
    let several = advice.roles.len() > 1;
    let mut lines: Vec<String> =
        several.then(|| format!("Volumes for {}", role.state.group.role)).into_iter().collect();
    lines.extend(render_current(report, role));
    if role.instance_saturation.is_some() {
        lines.extend(render_larger_instance(report, advice, role));
        return lines;
    }
    lines.extend(match feasible.split_first() {
        Some((best, others)) => render_recommended(role, best, others),
        None => render_nothing(role.recommendation(report.request).volumes()),
    });
    let beside = rationale::describe_beside(role, report.request);
    lines.extend(beside.iter().map(|(label, volumes, text)| render_price(label, volumes, &format!("a month, {text}"))));
    if let Some(why) = rationale::describe_role(role, report.request) {
        lines.extend(wrap(&format!("{:<13} {why}", "Why"), CONTINUED));
    }
    let near = refused.iter().filter(|candidate| candidate.bound != BindingLimit::Unfit);
    for (position, candidate) in near.take(MAX_SHOWN).enumerate() {
        let head = if position == 0 { "Rejected" } else { "" };
        lines.extend(wrap(
            &format!(
                "{head:<13} {:<44} {}",
                candidate::describe_volumes(candidate),
                candidate::describe_reason(candidate)
            ),
            CONTINUED,
        ));
    }
    lines.extend(render_unsuitable(&refused));
    lines.extend(smaller_storage::render(role));
    lines
}

/// Renders the total price of the recommended volumes, and that of one volume for all roles.
pub(super) fn render_together(report: &Report, advice: &Advice) -> Vec<String> {
    let offer = advice.log_volume_offer(report.request);
    let mut lines: Vec<String> = offer.iter().flat_map(render_log_volume).collect();
    lines.extend(advice.separate_wal.iter().flat_map(render_separate_wal));
    let Some(one) = &advice.consolidated else { return lines };
    if let Some(total) = advice.named_usd(report.request) {
        lines.push(format!("{:<13} {:<44} {:>12} a month", "Together", "", usd(total)));
    }
    match (one.best(), advice.cheaper_consolidated(), advice.separate_usd()) {
        (Some(best), Some(_), Some(apart)) => {
            let saved = best.usd_month().map_or(String::new(), |_| format!("{} ", usd(apart - best.total())));
            lines.extend(wrap(
                &render_price("Or all on one", best, &format!("a month, {saved}less; they share its limits")),
                CONTINUED,
            ));
        }
        (Some(best), Some(_), None) => lines.push(render_price("All on one", best, "a month")),
        (Some(best), None, _) => lines.push(render_price("All on one", best, "a month: not cheaper")),
        (None, ..) => lines.push("All on one    none meets everything requested".to_owned()),
    }
    lines
}

/// Renders RDS's dedicated log volume with the reason for it, where it is offered beside the recommended storage.
fn render_log_volume(offer: &LogVolumeOffer) -> Vec<String> {
    let name = offer.storage.config.volume_type.name();
    let on_top = format!("a month on top (dedicated log volume, beside the {name} storage)");
    let text = render_price("WAL apart", offer.log, &on_top);
    wrap(&format!("{text}: {}", candidate::describe_reason(offer.log)), CONTINUED)
}

/// Renders the data and WAL on volumes of their own, with the price of both.
fn render_separate_wal(separate: &SeparateWal) -> Vec<String> {
    let throughput = separate.ratio().map_or(String::new(), |ratio| {
        format!(": throughput {} ({} to {})", times(ratio.middle), times(ratio.low), times(ratio.high))
    });
    let total = separate.usd_month().map_or("unknown".to_owned(), usd);
    let total = format!("a month, {total} with WAL's{throughput}");
    let mut lines = wrap(&render_price("Or WAL apart", &separate.data, &total), CONTINUED);
    lines.push(render_price("", &separate.wal, "a month"));
    lines
}

/// Renders the current volumes as declared, with their price and their throttling under the demand.
fn render_current(report: &Report, role: &RoleAdvice) -> Vec<String> {
    let Some(current) = &role.current else { return Vec::new() };
    let price = current.bill.map_or("price unknown".to_owned(), |bill| format!("{} a month", usd(bill.total())));
    let throttled = current
        .outcome
        .map_or(String::new(), |outcome| format!(", throttled {} of seconds", pct(outcome.throttled_pct())));
    wrap(&format!("{:<13} {}: {price}{throttled}", "Today", declarations::describe_role(report, role)), CONTINUED)
}

/// Renders that the instance binds, with the cheapest volumes that reach its limit: more would be of no use.
fn render_larger_instance(report: &Report, advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let fit = || role.candidates.iter().filter(|candidate| candidate.bound != BindingLimit::Unfit);
    let why = fit().next().map(candidate::describe_reason).unwrap_or_default();
    let need = rationale::describe_instance_need(advice, report.request.platform);
    let mut lines = wrap(&format!("Recommended   a larger instance{need}. {why}"), CONTINUED);
    match role.recommendation(report.request).volumes() {
        Some(candidate) => lines.push(render_price("Until then", candidate, "a month")),
        None => lines
            .push("Until then    no volume that meets the other requirements reaches the instance's limit".to_owned()),
    }
    lines
}

/// Renders that no volume meets the request, with the nearest miss.
fn render_nothing(nearest: Option<&Candidate>) -> Vec<String> {
    let mut lines = wrap("Recommended   none: no volume meets everything requested", "  ");
    lines.extend(nearest.map(|nearest| render_price("Closest", nearest, "a month")));
    lines
}

fn render_recommended(role: &RoleAdvice, best: &Candidate, others: &[&Candidate]) -> Vec<String> {
    let mut lines =
        vec![render_price("Recommended", best, &format!("a month{}", candidate::describe_saving(best.saving)))];
    if role.state.size.size_gib.is_none() {
        lines.push(format!("  {}", required_size::UNKNOWN));
    }
    lines.extend(wrap(&format!("  {}", candidate::describe_recommendation(best)), "    "));
    for (position, candidate) in others.iter().take(MAX_SHOWN).enumerate() {
        let head = if position == 0 { "Alternatives" } else { "" };
        lines.extend(wrap(
            &render_price(head, candidate, &format!("  {}", candidate::describe_latency(candidate))),
            CONTINUED,
        ));
    }
    lines
}

/// Renders the types that are unsuitable for a database, a sentence for each reason.
fn render_unsuitable(refused: &[&Candidate]) -> Vec<String> {
    let unfit = refused.iter().filter(|candidate| candidate.bound == BindingLimit::Unfit);
    let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
    for candidate in unfit {
        let (name, reason) = (candidate.config.volume_type.name(), candidate::describe_reason(candidate));
        match by_reason.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => by_reason.push((reason, vec![name])),
        }
    }
    let sentences: Vec<String> =
        by_reason.into_iter().map(|(reason, names)| format!("{}: {reason}", names.join(", "))).collect();
    if sentences.is_empty() { Vec::new() } else { wrap(&format!("Unsuitable    {}", sentences.join("; ")), CONTINUED) }
}

/// Renders volumes and price in columns, between `head` and `after`.
fn render_price(head: &str, candidate: &Candidate, after: &str) -> String {
    let price = candidate.usd_month().map_or("unknown".to_owned(), usd);
    format!("{head:<13} {:<44} {price:>12} {after}", candidate::describe_volumes(candidate))
}
