//! I/O demand on a volume, and the space on it.

use super::layout::wrap;
use crate::Report;
use crate::reasons::{declarations, load, merging, required_size, saturation};
use ebs_advice::{RoleAdvice, Saturation, SizeBasis};
use ebs_base::format::{count, ms, rate, share, size};
use ebs_base::units::gib;
use ebs_samples::evidence::{Layout, Volume};
use ebs_workload::io_profile::{Figure, Metric, find};

/// Renders the demand, a row for each metric.
pub(super) fn render(report: &Report, role: &RoleAdvice) -> Vec<String> {
    let volume = report.volume(role);
    let mut lines = wrap(&format!("I/O demand: {} ({})", role.state.group.role, device(role, volume)), "  ");
    let declared = volume.and_then(|volume| declarations::describe(report.declared, volume));
    lines.extend(declared.map(|text| wrap(&format!("  {text}"), "    ")).unwrap_or_default());
    lines.push(format!("{:<22}{:>10}{:>10}{:>10}{:>10}   95 % CI of p99", "", "mean", "p95", "p99", "max"));
    let reads = role.state.group.demand.read_share().map_or(String::new(), |reads| format!("{} reads", share(reads)));
    let request_size =
        mean(role, Metric::RequestSize).map_or(String::new(), |kib| format!("{} KiB a request", size(kib)));
    lines.extend(row(role, Metric::Requests, "requests/s", rate, &reads));
    lines.extend(row(role, Metric::Throughput, "MiB/s", size, &request_size));
    let doubt = merging::describe(role);
    if !doubt.is_empty() {
        lines.extend(wrap(&format!("  {:<20}{}", "count in doubt", doubt.join(" · ")), "                      "));
    }
    let latency = |metric| mean(role, metric).map_or("–".to_owned(), ms);
    let in_flight = mean(role, Metric::Concurrency).map_or("–".to_owned(), size);
    lines.push(format!(
        "  read / write ms     {:>10}   average queue depth {in_flight}",
        format!("{} / {}", latency(Metric::ReadLatency), latency(Metric::WriteLatency))
    ));
    lines.extend(role.state.saturation.as_ref().map(render_saturation).unwrap_or_default());
    let flat = role.state.flat_rate.as_ref().map(saturation::describe_flat_rate);
    let flat = flat.map(|words| wrap(&format!("  {:<20}{words}", "flat rate"), "                      "));
    lines.extend(flat.unwrap_or_default());
    lines.extend(wrap(&format!("  {:<20}{}", "load", load::describe(role).join(". ")), "                      "));
    lines.extend(render_space(role));
    lines
}

fn render_saturation(saturation: &Saturation) -> Vec<String> {
    let words = saturation::describe(saturation).join(" · ");
    wrap(&format!("  {:<20}actual demand is at least this: {words}", "saturated"), "                      ")
}

/// Renders used space, its growth and the size needed; empty where the evidence has none of them.
fn render_space(role: &RoleAdvice) -> Vec<String> {
    let need = &role.state.size;
    let Some(size_gib) = need.size_gib.filter(|_| need.used_bytes.is_some() || need.basis != SizeBasis::Requested)
    else {
        return Vec::new();
    };
    let full = role.state.size.filesystem_bytes.zip(need.used_bytes).filter(|(all, _)| *all > 0);
    let full = full.map(|(all, used)| format!("{} full", share(used as f64 / all as f64)));
    let mut words: Vec<String> =
        full.into_iter().chain(need.growth.as_ref().map(required_size::describe_growth)).collect();
    words.push(format!("size needed {} GiB, {}", count(size_gib as f64), required_size::describe_basis(need)));
    words.extend(required_size::describe_remarks(&need.remarks));
    wrap(&format!("  {:<20}{}", "space", words.join(" · ")), "                      ")
}

/// Describes a device and its space: `nvme1n1, vol-0123456789abcdef0, 28 of 252 GiB used`.
fn device(role: &RoleAdvice, volume: Option<&Volume>) -> String {
    let mut words = role.state.group.device.clone();
    let composition = volume.and_then(Volume::composition);
    words.extend(composition.map(|composition| format!(", {composition}")));
    if let (Some(all), Some(used)) = (role.state.size.filesystem_bytes, role.state.size.used_bytes) {
        // After a list of disks, a comma would make the size look like another disk.
        let mark = if volume.is_none_or(|volume| volume.layout == Layout::Single) { "," } else { ";" };
        words.push_str(&format!("{mark} {} of {} GiB used", count(gib(used) as f64), count(gib(all) as f64)));
    }
    words
}

fn mean(role: &RoleAdvice, metric: Metric) -> Option<f64> {
    find(&role.state.figures, metric).and_then(|figure| figure.mean)
}

fn row(role: &RoleAdvice, metric: Metric, label: &str, text: fn(f64) -> String, aside: &str) -> Option<String> {
    let figure: &Figure = find(&role.state.figures, metric)?;
    let cell = |value: Option<f64>| value.map_or("–".to_owned(), text);
    let between = figure.p99_interval.map_or(String::new(), |i| format!("{} to {}", text(i.low), text(i.high)));
    let line = format!(
        "  {label:<20}{:>10}{:>10}{:>10}{:>10}   {between:<22} {aside}",
        cell(figure.mean),
        cell(figure.p95),
        cell(figure.p99),
        cell(figure.max)
    );
    Some(line.trim_end().to_owned())
}
