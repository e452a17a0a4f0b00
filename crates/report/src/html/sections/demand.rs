//! I/O demand of each role, with the limits of the recommended and the current volumes.

use std::borrow::Cow;

use maud::html;

use super::Section;
use crate::calls::Function;
use crate::html::Page;
use crate::html::figures::over_time::{Limit, Line, OverTime, Series};
use crate::html::figures::{Figure, histograms};
use crate::html::kit::theme::Hue;
use crate::reasons::declarations::describe_declaring_call;
use crate::reasons::{merging, saturation};
use ebs_advice::RoleAdvice;
use ebs_aws::catalogue::Ceiling;
use ebs_base::format::{brief, brief_iops, count};
use ebs_samples::evidence::Volume;
use ebs_workload::io_profile::{self, Metric, figures};
use ebs_workload::volume_group::VolumeGroup;

/// A role of the cluster: its volume and the demand on it. The group is that of the advice; on RDS, where all volumes are
/// advised as one, and without advice nothing has built it before.
struct Part<'a> {
    group: Cow<'a, VolumeGroup>,
    volume: &'a Volume,
    figures: Vec<io_profile::Figure>,
    advice: Option<&'a RoleAdvice>,
}

/// Builds the section: figures of each current volume, and latencies that EBS or fio counted.
pub fn section(page: &Page) -> Section {
    let parts = parts(page);
    let (counted, more) = histograms::counted_latencies(&page.histograms);
    let body = html! {
        @if parts.is_empty() { p { "Unknown: no block device was sampled." } }
        @for (number, part) in (1..).zip(&parts) {
            p { strong { (part.group.role) } " on " (part.volume.description()) }
            @if let Some(saturation) = part.advice.and_then(|advice| advice.state.saturation.as_ref()) {
                p { "Saturated: actual demand is at least this. " (saturation::describe(saturation).join(" · ")) "." }
            }
            @if let Some(counts) = part.advice.map(merging::describe).filter(|counts| !counts.is_empty()) {
                p { "Count in doubt: " (counts.join(" · ")) "." }
            }
            @if let Some(flat) = part.advice.and_then(|advice| advice.state.flat_rate.as_ref()) {
                p { "Flat rate: " (saturation::describe_flat_rate(flat)) "." }
            }
            @for figure in part.over_time(page, number) { (figure.markup()) }
            @for figure in part.histograms(number, counted.is_empty()) { (figure.markup()) }
        }
        @for figure in &counted { (figure.markup()) }
        @if more > 0 {
            p class="muted" { (count(more as f64)) " more: SELECT * FROM " (page.report.arguments.call(Function::LatencyHistogram).to_string()) "." }
        }
    };
    Section { id: "demand", name: "Demand", heading: "I/O demand".to_owned(), body }
}

fn parts<'a>(page: &Page<'a>) -> Vec<Part<'a>> {
    let (report, window) = (page.report, page.report.window);
    let part = |&index: &usize| {
        let volume = window.layout.volumes.get(index)?;
        let (role, alone) = (volume.role(), window.current.len() == 1);
        let advice = report.roles().find(|advice| advice.state.group.role == role || alone);
        let advised = advice.map(|advice| &advice.state.group).filter(|group| group.volumes == [index]);
        let group = advised.map_or_else(|| Cow::Owned(VolumeGroup::from_volume(window, index)), Cow::Borrowed);
        Some(Part { figures: figures(&group.demand), advice, group, volume })
    };
    window.current.iter().filter_map(part).collect()
}

impl Part<'_> {
    /// Draws requests, throughput and latency over time; `number` makes anchors unique.
    fn over_time(&self, page: &Page, number: usize) -> Vec<Figure> {
        let (window, utc_offset) = (page.report.window, &page.utc_offset);
        let series = Series { window, demand: &self.group.demand, figures: &self.figures, utc_offset };
        let line = |metric, name, hue| Line { metric, name, hue };
        let undeclared = self.advice.is_none_or(|advice| advice.current.is_none());
        let call = describe_declaring_call(page.report);
        let undeclared =
            undeclared.then(|| format!("The limits of the current volumes are unknown: declare them by {call}."));
        let role = &self.group.role;
        let requests = OverTime {
            id: format!("requests-{number}"),
            title: format!("Requests of {role}"),
            unit: "requests a second",
            lines: vec![line(Metric::Requests, "requests", Hue::Blue)],
            limits: self.limits(page, |ceiling| ceiling.iops),
            remarks: ["As EBS counts them, one per 256 KiB at least.".to_owned()]
                .into_iter()
                .chain(self.describe_demand(|mean| format!("{} IOPS", brief_iops(mean.iops))))
                .chain(undeclared.clone())
                .collect(),
        };
        let throughput = OverTime {
            id: format!("throughput-{number}"),
            title: format!("Throughput of {role}"),
            unit: "MiB a second",
            lines: vec![line(Metric::Throughput, "throughput", Hue::Blue)],
            limits: self.limits(page, |ceiling| ceiling.mibps),
            remarks: self
                .describe_demand(|mean| format!("{} MiB/s", brief(mean.mibps)))
                .into_iter()
                .chain(undeclared)
                .collect(),
        };
        let latency = OverTime {
            id: format!("latency-{number}"),
            title: format!("Latency of {role}"),
            unit: "ms, mean of the requests of a sample",
            lines: vec![
                line(Metric::ReadLatency, "reads", Hue::Blue),
                line(Metric::WriteLatency, "writes", Hue::Orange),
            ],
            limits: Vec::new(),
            remarks: Vec::new(),
        };
        [requests, throughput, latency].iter().filter_map(|over_time| over_time.figure(&series)).collect()
    }

    /// Draws histograms of request sizes and, where `latencies` is true, of the mean latencies of samples.
    fn histograms(&self, number: usize, latencies: bool) -> Vec<Figure> {
        let sizes = histograms::sizes(format!("sizes-{number}"), &self.group.role, &self.group.demand);
        let means = || histograms::mean_latencies(format!("means-{number}"), &self.group.role, &self.group.demand);
        sizes.into_iter().chain(latencies.then(means).flatten()).collect()
    }

    /// Returns the limits of the recommended volumes, with the mean demand that they were sized for where that is another than the drawn one,
    /// of the current ones as declared, and of the instance.
    fn limits(&self, page: &Page, limit: fn(Ceiling) -> f64) -> Vec<Limit> {
        let Some(advice) = self.advice else { return Vec::new() };
        let recommended = advice.best().map(|best| Limit {
            name: format!("limit of recommended {}", best.config.volume_type.name()),
            value: limit(best.config.ceiling(best.volumes)),
            hue: Hue::Orange,
            dashed: false,
        });
        let predicted = self.predicted_demand().map(|(name, mean)| Limit {
            name: format!("mean demand on recommended {name}, predicted"),
            value: limit(mean),
            hue: Hue::Orange,
            dashed: true,
        });
        let current = advice.current.as_ref().map(|current| {
            let types: Vec<&str> = current.volumes.iter().map(|(config, _)| config.volume_type.name()).collect();
            let value = current.volumes.iter().map(|(config, volumes)| limit(config.ceiling(*volumes))).sum();
            Limit { name: format!("limit of present {}", types.join(", ")), value, hue: Hue::Purple, dashed: true }
        });
        let instance = page.report.request.instance.map(|instance| Limit {
            name: format!("limit of instance {}", instance.instance_type),
            value: limit(instance.baseline()),
            hue: Hue::Rose,
            dashed: true,
        });
        [recommended, predicted, current, instance].into_iter().flatten().collect()
    }

    /// Type of the recommended volumes, and the mean demand on them, where they are sized for another than the observed one: sessions that wait
    /// for each answer send less to a slower volume.
    fn predicted_demand(&self) -> Option<(&'static str, Ceiling)> {
        let advice = self.advice?;
        let best = advice.best()?;
        let is_other = !advice.is_current(best) && (best.scale < 1.0 || best.kept_share().is_some());
        let expected = best.expected.filter(|_| is_other)?;
        Some((best.config.volume_type.name(), Ceiling { iops: expected.iops, mibps: expected.mibps }))
    }

    /// Describes of which demand a plot is, where the recommended volumes are sized for another.
    fn describe_demand(&self, describe: fn(Ceiling) -> String) -> Option<String> {
        let (name, mean) = self.predicted_demand()?;
        let mean = describe(mean);
        Some(format!(
            "The line is the demand on today's volume. The recommended {name} is sized for the demand there: sessions that wait for each answer \
             are predicted to send {mean} on average."
        ))
    }
}
