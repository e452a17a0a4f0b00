//! The head of the page: what it is about, the answer, and the figures that it rests on.

use maud::{Markup, html};

use super::Page;
use super::table::{UNKNOWN, cell};
use crate::report::{doubts, heading, held, volumes};
use ebs_advice::advice::{Candidate, RoleAdvice};
use ebs_base::format::{count, ms, pct, size, times, usd};
use ebs_base::units::Usd;
use ebs_workload::mix::find;

/// Title, where and when, and the answer of each part of the cluster.
pub fn markup(page: &Page) -> Markup {
    let report = page.report;
    html! {
        header class="top" {
            h1 { "EBS advice for " (report.subject) }
            p class="muted" { (heading::place(report)) br; (heading::evidence(report)) }
            @match &page.insufficient {
                Some(missing) => div class="answer notice" {
                    p class="what" { "Insufficient data: " (missing) }
                    @for part in &report.window.place.unplaced { p { (part.role.name()) ": " (part.reason) } }
                    p { "Look at " code { "SELECT * FROM ebs_status();" } " then let the workload run for some minutes and ask again." }
                },
                None => @for role in report.roles() { (answer(page, role)) },
            }
            @if let Some(total) = together(page) { p { "All of them together: " strong { (usd(total)) } " a month." } }
            @if let Some(held) = held::of(report) { p { (held::text(&held)) } }
            (contents(page))
        }
    }
}

/// Of several parts.
fn together(page: &Page) -> Option<Usd> {
    page.report.advice.as_ref().filter(|advice| advice.roles.len() > 1)?.apart_usd()
}

fn answer(page: &Page, role: &RoleAdvice) -> Markup {
    let of = if page.report.roles().count() > 1 { format!(" for {}", role.role) } else { String::new() };
    html! {
        @match (role.best(), &role.instance_short) {
            (_, Some(_)) => div class="answer notice" {
                p class="what" { "Recommended" (of) ": a larger instance" }
                p { (role.candidates.first().map_or("", |candidate| candidate.reason.as_str())) }
            },
            (Some(best), None) => div class="answer" {
                p class="what" { "Recommended" (of) ": " (volumes::order(best)) }
                p class="price" { strong { (usd(best.total())) } " a month" (saves(best)) }
                p class="muted" { (volumes::because(best)) }
            },
            (None, None) => div class="answer notice" {
                p class="what" { "Recommended" (of) ": nothing, no volume meets everything asked for" }
            },
        }
        @if let Some(present) = &role.present {
            p { "Now: " (present.words) ", " (cell(present.bill, |bill| format!("{} a month", usd(bill.total())))) "." }
        }
        (tiles(role))
    }
}

fn saves(best: &Candidate) -> String {
    match best.saved {
        Some(saved) if saved > Usd::default() => format!(", saves {}", usd(saved)),
        Some(saved) if saved < Usd::default() => format!(", {} more than now", usd(Usd::default() - saved)),
        _ => String::new(),
    }
}

fn tiles(role: &RoleAdvice) -> Markup {
    let of = |metric: &str| find(&role.figures, metric);
    let p99 = |metric: &str, shown: fn(f64) -> String| cell(of(metric).and_then(|figure| figure.p99), shown);
    let between = |metric: &str, shown: fn(f64) -> String| {
        let interval = of(metric).and_then(|figure| figure.p99_interval);
        cell(interval, |both| {
            format!(
                "{} to {}, mean {}",
                shown(both.low),
                shown(both.high),
                cell(of(metric).and_then(|f| f.mean), shown)
            )
        })
    };
    let latency = |metric: &str| cell(of(metric).and_then(|figure| figure.mean), ms);
    let best = role.best();
    let throttled = best.and_then(|best| best.outcome).map(|outcome| pct(outcome.throttled_pct()));
    let ratio = best.and_then(Candidate::ratio);
    let expected = match ratio {
        Some(ratio) => format!("{} to {} of now, predicted", times(ratio.low), times(ratio.high)),
        None => "not predicted: the evidence does not say".to_owned(),
    };
    html! {
        dl class="tiles" {
            div { dt { "Requests/s, p99" } dd { (p99("requests", count)) small { (between("requests", count)) } } }
            div { dt { "MiB/s, p99" } dd { (p99("throughput", size)) small { (between("throughput", size)) } } }
            div { dt { "Read / write, mean ms" } dd { (latency("read latency")) " / " (latency("write latency"))
                small { "in flight " (cell(of("concurrency").and_then(|figure| figure.mean), size)) } } }
            div { dt { "Throttled seconds" } dd { (throttled.as_deref().unwrap_or(UNKNOWN)) small { "on what is recommended" } } }
            div { dt { "Throughput" } dd { (cell(ratio, |ratio| times(ratio.middle))) small { (expected) } } }
        }
    }
}

fn contents(page: &Page) -> Markup {
    html! {
        nav aria-label="Contents" { ul {
            @for (anchor, name) in page.sections() { li { a href=(format!("#{anchor}")) { (name) } } }
        } }
    }
}

/// The last section: what the answer does not know, and what the evidence cost.
pub fn doubts(page: &Page) -> Markup {
    let report = page.report;
    let not_known = doubts::doubts(report);
    html! {
        section id="doubts" {
            h2 { "Evidence and doubts" }
            p { (heading::evidence(report)) "." }
            @if page.insufficient.is_none() {
                h3 { "What would change this" }
                ul class="plain" { @for change in doubts::changes(report) { li { (change) } } }
            }
            @if !not_known.is_empty() {
                h3 { "Not known" }
                ul class="plain" { @for doubt in &not_known { li { (doubt) } } }
            }
            p class="muted" { "Sampling cost: " (crate::report::cost::cost(report)) "." }
            p class="muted" { "The rows behind this: " code { (report.details) } }
        }
    }
}
