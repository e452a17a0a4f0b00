//! The head of the page: its subject, the answer, and the figures that it rests on.

use maud::{Markup, html};

use crate::Report;
use crate::html::Page;
use crate::html::kit::{Tile, cell, tiles};
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{
    bottleneck, candidate, confidence, current_volume, evidence, expectation, heading, month, next_steps, rationale,
    remedies, required_size,
};
use ebs_advice::{Candidate, Recommendation, RoleAdvice};
use ebs_base::format::{count, ms, pct, size, times, usd};
use ebs_base::range::{Change, Range};
use ebs_base::units::Usd;
use ebs_workload::io_profile::{Metric, find};

/// Renders title, server and evidence, and the answer for each role.
pub fn markup(page: &Page) -> Markup {
    let report = page.report;
    let remedies = remedies::describe(report);
    html! {
        h1 { "EBS advice for " (report.subject) }
        p class="muted" { (heading::describe_server(report)) br; (evidence::describe(report)) }
        @match &page.insufficient {
            Some(missing) => (without_advice(report, missing)),
            None => @for role in report.roles() { (answer(page, role)) },
        }
        @if let Some(text) = confidence::describe_all(report) { p { "Confidence: " (text) "." } }
        @if !remedies.is_empty() { p { "To be surer: " (remedies.join(" · ")) "." } }
        @if let Some(total) = price_together(page) { p { "All of them together: " strong { (usd(total)) } " a month." } }
        @if let Some(bottleneck) = bottleneck::describe(report) { p { (bottleneck) } }
    }
}

/// Renders the answer for an idle volume, or what is missing for one.
fn without_advice(report: &Report, missing: &str) -> Markup {
    let idle = IdleAnswer::from_report(report);
    let answer = idle.as_ref().map_or_else(|| format!("Insufficient data: {missing}"), IdleAnswer::describe);
    html! {
        div class=(if idle.is_some() { "answer" } else { "answer notice" }) {
            p class="what" { (answer) }
            @for part in &report.window.layout.unresolved { p { (part.role.name()) ": " (part.reason) } }
            p { (next_steps::describe_without_advice(report, idle.as_ref())) }
        }
    }
}

/// Returns the price of all roles, where there are several.
fn price_together(page: &Page) -> Option<Usd> {
    page.report.advice.as_ref().filter(|advice| advice.roles.len() > 1)?.named_usd(page.report.request)
}

fn answer(page: &Page, role: &RoleAdvice) -> Markup {
    let suffix =
        if page.report.roles().count() > 1 { format!(" for {}", role.state.group.role) } else { String::new() };
    let recommendation = role.recommendation(page.report.request);
    let platform = page.report.request.platform;
    let need = |advice| rationale::describe_instance_need(advice, platform);
    let need = page.report.advice.as_ref().map(need).unwrap_or_default();
    let price = |volumes: &Candidate| {
        html! {
            p class="price" {
                @match volumes.usd_month() {
                    Some(price) => { strong { (usd(price)) } " a month" (candidate::describe_saving(volumes.saving)) },
                    None => strong { (month::describe(None)) },
                }
            }
            @if role.state.size.size_gib.is_none() { p class="muted" { (required_size::UNKNOWN) } }
        }
    };
    html! {
        @match recommendation {
            Recommendation::LargerInstance(interim) => div class="answer notice" {
                p class="what" { "Recommended" (suffix) ": a larger instance" (need) }
                @if let Some(interim) = interim {
                    p { "Until then: " strong { (candidate::describe_volumes(interim)) } }
                    (price(interim))
                } @else {
                    p { "Until then: no volumes that meet the request use all that the instance carries" }
                }
                p class="muted" { (role.candidates.first().map(candidate::describe_reason).unwrap_or_default()) }
            },
            Recommendation::Volumes(best) => div class="answer" {
                p class="what" { "Recommended" (suffix) ": " (candidate::describe_volumes(best)) }
                (price(best))
                p class="muted" { (candidate::describe_recommendation(best)) }
            },
            Recommendation::Nothing(nearest) => div class="answer notice" {
                p class="what" { "Recommended" (suffix) ": none, no volume meets everything requested" }
                @if let Some(nearest) = nearest {
                    p { "Closest: " strong { (candidate::describe_volumes(nearest)) } }
                    (price(nearest))
                }
            },
        }
        // Of an instance, the reason stands above already.
        @if let Some(why) = rationale::describe_role(role, page.report.request).filter(|_| role.instance_saturation.is_none()) {
            p { "Why: " (why) "." }
        }
        @if let Some(text) = current_volume::describe(page.report, role, recommendation.volumes()) {
            p { "Today: " (text) "." }
        }
        (figures(role, recommendation))
    }
}

fn figures(role: &RoleAdvice, recommendation: Recommendation) -> Markup {
    let (volumes, when) = match recommendation {
        Recommendation::Volumes(best) => (Some(best), "on what is recommended"),
        Recommendation::LargerInstance(interim) => (interim, "until the instance is larger"),
        Recommendation::Nothing(_) => (None, ""),
    };
    let mean =
        |metric: Metric, text: fn(f64) -> String| cell(find(&role.state.figures, metric).and_then(|it| it.mean), text);
    let p99 =
        |metric: Metric, text: fn(f64) -> String| cell(find(&role.state.figures, metric).and_then(|it| it.p99), text);
    let between = |metric: Metric, text: fn(f64) -> String| {
        let interval = find(&role.state.figures, metric).and_then(|figure| figure.p99_interval);
        cell(interval, |both| format!("{} to {}, mean {}", text(both.low), text(both.high), mean(metric, text)))
    };
    let throttled = volumes.and_then(|volumes| volumes.outcome).map(|outcome| pct(outcome.throttled_pct()));
    let ratio = volumes.and_then(Candidate::ratio);
    let expected = match ratio {
        Some(ratio) => {
            let change = expectation::describe_change(&ratio);
            format!("{change}: {} to {} of current throughput, predicted", times(ratio.low), times(ratio.high))
        }
        None => "not predicted: the evidence does not say".to_owned(),
    };
    let latencies = format!("{} / {}", mean(Metric::ReadLatency, ms), mean(Metric::WriteLatency, ms));
    let queue_depth = format!("queue depth {}", mean(Metric::Concurrency, size));
    let class = ratio.as_ref().and_then(change_class);
    tiles(&[
        Tile::new("Requests/s, p99", p99(Metric::Requests, count), between(Metric::Requests, count)),
        Tile::new("MiB/s, p99", p99(Metric::Throughput, size), between(Metric::Throughput, size)),
        Tile::new("Read / write, mean ms", latencies, queue_depth),
        Tile::new("Throttled seconds", cell(throttled, |throttled| throttled), when),
        Tile { class, ..Tile::new("Throughput", cell(ratio, |ratio| times(ratio.middle)), expected) },
    ])
}

/// Returns the class that colours a ratio by what it means: a loss, a gain, or neither.
fn change_class(ratio: &Range) -> Option<&'static str> {
    match ratio.change() {
        Change::Decrease => Some("hued rose"),
        Change::Increase => Some("hued green"),
        Change::Unclear => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::kit::theme::style_sheet;

    #[test]
    fn a_ratio_is_coloured_where_its_interval_excludes_one() {
        let class = |low, high| change_class(&Range { low, middle: 1.0, high });
        assert_eq!([class(0.5, 0.9), class(1.1, 1.3)], [Some("hued rose"), Some("hued green")]);
        assert_eq!([class(0.9, 1.0), class(1.0, 1.1), class(0.9, 1.1)], [None; 3]);
        assert!(style_sheet().contains(".tiles dd.hued{color:var(--hue)}"));
    }
}
