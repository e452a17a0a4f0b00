//! What was asked of each part of the cluster, with the limits of what is recommended and of what there is.

use maud::{Markup, html};

use super::Page;
use super::figure::Figure;
use super::histograms;
use super::over_time::{Limit, OverTime};
use super::price::{Chosen, Marked};
use super::theme::Hue;
use crate::report::{at_limit, volumes};
use ebs_advice::advice::RoleAdvice;
use ebs_aws::catalogue::Ceiling;
use ebs_base::format::count;
use ebs_samples::evidence::Volume;
use ebs_workload::demand::Demand;
use ebs_workload::mix::{Figure as Mixed, Recipe, figures, recipe};

/// A part: what it is called, its volume and what was asked of it.
struct Part<'a> {
    role: String,
    volume: &'a Volume,
    demand: Demand,
    figures: Vec<Mixed>,
    advice: Option<&'a RoleAdvice>,
}

/// The section: of each volume that the cluster is on now.
pub fn demand(page: &Page) -> Markup {
    let parts = parts(page);
    let (counted, more) = histograms::of_counts(&page.histograms);
    html! {
        section id="demand" {
            h2 { "What was asked of the volumes" }
            @if parts.is_empty() { p { "Not known: no block device was sampled." } }
            @for (at, part) in parts.iter().enumerate() {
                p { strong { (part.role) } " on " (part.volume.description()) }
                @if let Some(truncated) = part.advice.and_then(|advice| advice.truncated.as_ref()) {
                    p { "At its limit: at least this was asked for. " (at_limit::words(truncated).join(" · ")) "." }
                }
                @for figure in figures_of(page, part, at + 1, counted.is_empty()) { (figure.markup()) }
            }
            @for figure in &counted { (figure.markup()) }
            @if more > 0 {
                p class="muted" { (count(more as f64)) " more: SELECT * FROM ebs_latency_histogram(…)." }
            }
        }
    }
}

/// What a part of the cluster is on now, and what is recommended for it.
pub fn marked(page: &Page, role: &str) -> Marked {
    let together = page.report.advice.iter().filter_map(|advice| advice.together.as_ref());
    let Some(advice) = page.report.roles().chain(together).find(|advice| advice.role == role) else {
        return Marked::default();
    };
    let now = advice.present.as_ref().and_then(|present| present.bill).map(|bill| bill.total());
    let chosen = advice.best().filter(|_| advice.instance_short.is_none()).and_then(|best| {
        let (words, kind) = (volumes::order(best), best.config.volume_type);
        Some(Chosen { words, kind, price: best.total(), ratio: best.ratio()? })
    });
    Marked { now, chosen }
}

fn parts<'a>(page: &Page<'a>) -> Vec<Part<'a>> {
    let (report, window) = (page.report, page.report.window);
    let of = |&index: &usize| {
        let volume = window.place.volumes.get(index)?;
        let demand = Demand::of(window, index);
        let role = volume.role();
        let alone = || report.roles().next().filter(|_| window.current.len() == 1);
        let advice = report.roles().find(|advice| advice.role == role).or_else(alone);
        Some(Part { figures: figures(&demand), advice, role, volume, demand })
    };
    window.current.iter().filter_map(of).collect()
}

fn figures_of(page: &Page, part: &Part, at: usize, means: bool) -> Vec<Figure> {
    let line = |metric: &str, name: &'static str, hue: Hue| recipe(metric).map(|recipe| (recipe, name, hue));
    let draw =
        |id: String, title: String, unit, lines: [Option<(&'static Recipe, &'static str, Hue)>; 2], limits, remark| {
            let lines = lines.into_iter().flatten().collect();
            let window = page.report.window;
            OverTime {
                id,
                title,
                unit,
                window,
                demand: &part.demand,
                figures: &part.figures,
                lines,
                limits,
                clock: &page.clock,
                remark,
            }
            .figure()
        };
    let undeclared = part.advice.is_none_or(|advice| advice.present.is_none());
    let remark = undeclared
        .then(|| "The limits of the present volumes are not known: ebs_volume_declare keeps them.".to_owned());
    let requests = "As EBS counts them, one per 256 KiB at least.".to_owned();
    let both = |remark: &Option<String>, first: Option<String>| -> Option<String> {
        let words: Vec<String> = first.into_iter().chain(remark.clone()).collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    let role = &part.role;
    let iops = draw(
        format!("requests-{at}"),
        format!("Requests of {role}"),
        "requests a second",
        [line("requests", "requests", Hue::Blue), None],
        limits(page, part, |ceiling| ceiling.iops),
        both(&remark, Some(requests)),
    );
    let mibps = draw(
        format!("throughput-{at}"),
        format!("Throughput of {role}"),
        "MiB a second",
        [line("throughput", "throughput", Hue::Blue), None],
        limits(page, part, |ceiling| ceiling.mibps),
        both(&remark, None),
    );
    let latency = draw(
        format!("latency-{at}"),
        format!("Latency of {role}"),
        "ms, mean of the requests of a sample",
        [line("read latency", "reads", Hue::Blue), line("write latency", "writes", Hue::Orange)],
        Vec::new(),
        None,
    );
    let sizes = histograms::of_sizes(format!("sizes-{at}"), role, &part.demand);
    let means = means.then(|| histograms::of_means(format!("means-{at}"), role, &part.demand)).flatten();
    [iops, mibps, latency, sizes, means].into_iter().flatten().collect()
}

/// Of what is recommended, of what there is as declared, and of the instance.
fn limits(page: &Page, part: &Part, of: fn(Ceiling) -> f64) -> Vec<Limit> {
    let Some(advice) = part.advice else { return Vec::new() };
    let mut limits = Vec::new();
    if let Some(best) = advice.best() {
        let name = format!("recommended {}", best.config.volume_type.name());
        limits.push(Limit { of: name, value: of(best.config.ceiling(best.volumes)), hue: Hue::Orange, dashed: false });
    }
    if let Some(present) = &advice.present {
        let value = present.volumes.iter().map(|(config, volumes)| of(config.ceiling(*volumes))).sum();
        let kinds: Vec<&str> = present.volumes.iter().map(|(config, _)| config.volume_type.name()).collect();
        limits.push(Limit { of: format!("present {}", kinds.join(", ")), value, hue: Hue::Purple, dashed: true });
    }
    if let Some(instance) = page.report.request.instance {
        let of_it = format!("instance {}", instance.instance_type);
        limits.push(Limit { of: of_it, value: of(instance.baseline()), hue: Hue::Rose, dashed: true });
    }
    limits
}
