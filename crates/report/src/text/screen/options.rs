//! The table of options: today, the recommended volumes, and what stands beside them.

use super::layout::COLUMNS;
use super::recommendation::MAX_ROLES;
use crate::Report;
use crate::clip::{clip, display_width};
use crate::reasons::{expectation, order, shortlist};
use ebs_advice::{Advice, Place, Recommendation, RoleAdvice, ShortlistRow};
use ebs_aws::catalogue::{IopsRule, VolumeConfig};
use ebs_base::format::{brief_iops, brief_iops_within, brief_ms, count, estimate, usd, whole_pct};
use ebs_prediction::LimitOwner;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Metric, find, mean_iops};

/// Most rows of volumes beside today's, where there is one role.
const MAX_ROWS: usize = 5;

/// Least and most columns of an order.
const ORDER_COLUMNS: (usize, usize) = (23, 30);

/// Columns of the mark, the price, the latencies and the requests, and those of the throughput.
const OTHER_COLUMNS: usize = 2 + 11 + 13 + 16;
const RATIO_COLUMNS: usize = 15;

/// Columns that the evidence has.
#[derive(Clone, Copy)]
struct Columns {
    /// Width of the orders.
    order: usize,
    tps: bool,
    ratio: bool,
}

/// A row of the table.
#[derive(Default)]
struct Row {
    mark: &'static str,
    order: String,
    usd_month: Option<String>,
    tps: Option<f64>,
    ratio: Option<f64>,
    read_ms: Option<f64>,
    write_ms: Option<f64>,
    used_iops: Option<f64>,
    limit_iops: Option<f64>,
    /// The most important first.
    remarks: Vec<String>,
}

/// Renders the tables of the roles, those of several with so many rows and alternatives; empty where no volumes can be named.
pub(super) fn render(report: &Report, advice: &Advice, (rows_of_each, alternatives): (usize, usize)) -> Vec<String> {
    let several = advice.roles.len() > 1;
    let mut lines = Vec::new();
    for role in advice.roles.iter().take(MAX_ROLES) {
        let max_rows = if several { rows_of_each } else { MAX_ROWS };
        let mut shortlist = role.shortlist(report.request, max_rows);
        if several {
            let mut others = 0;
            shortlist.retain(|row| {
                others += usize::from(row.place == Place::Alternative);
                row.place != Place::Alternative || others <= alternatives
            });
        }
        if shortlist.is_empty() {
            continue;
        }
        let rows = rows(report, role, &shortlist);
        let tps = role.state.predictor.as_ref().is_ok_and(|predictor| predictor.observed.counted);
        let ratio = shortlist.iter().any(|row| row.candidate.ratio().is_some());
        let columns = Columns { order: order_columns(&rows, ratio), tps, ratio };
        let title =
            if several { format!("OPTIONS {}", clip(&role.state.group.role, 20)) } else { "OPTIONS".to_owned() };
        lines.push(render_head(&title, columns));
        lines.extend(rows.iter().map(|row| render_row(row, columns)));
    }
    lines
}

/// Columns of the orders, as many as leave room for the first remark of each row.
fn order_columns(rows: &[Row], ratio: bool) -> usize {
    let widest = |width: &dyn Fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
    let remark = widest(&|row| row.remarks.first().map_or(0, |remark| display_width(remark) + 2));
    let room = COLUMNS - OTHER_COLUMNS - if ratio { RATIO_COLUMNS } else { 0 } - remark;
    widest(&|row| display_width(&row.order)).clamp(ORDER_COLUMNS.0, ORDER_COLUMNS.1.min(room).max(ORDER_COLUMNS.0))
}

/// The rows of a role, today's first.
fn rows(report: &Report, role: &RoleAdvice, shortlist: &[ShortlistRow]) -> Vec<Row> {
    let is_kept = |row: &ShortlistRow| row.place == Place::Named && role.is_current(row.candidate);
    let has_order = !matches!(role.recommendation(report.request), Recommendation::Nothing(_));
    let keeps = has_order && shortlist.iter().any(is_kept);
    let others = || shortlist.iter().filter(|row| !role.is_current(row.candidate));
    let current = role.current.iter().flat_map(|current| &current.volumes);
    let orders: Vec<(VolumeConfig, u64)> =
        current.copied().chain(others().map(|row| (row.candidate.config, row.candidate.volumes))).collect();
    let candidates = others().map(|row| candidate_row(report, role, row, &orders));
    std::iter::once(current_row(report, role, keeps, &orders)).chain(candidates).collect()
}

fn render_head(title: &str, columns: Columns) -> String {
    let width = columns.order + 2;
    let mut line = format!("{title:<width$}{:>11}", "$/month");
    if columns.ratio {
        let throughput = if columns.tps { "TPS (of today)" } else { "of today" };
        line.push_str(&format!("{throughput:>15}"));
    }
    format!("{line}{:>13}{:>16}", "read/write", "IOPS used/limit")
}

fn render_row(row: &Row, columns: Columns) -> String {
    let number = |value: Option<f64>, text: fn(f64) -> String| value.map_or("–".to_owned(), text);
    let order = clip(&row.order, columns.order);
    let padding = " ".repeat(columns.order - display_width(&order).min(columns.order));
    let usd_month = row.usd_month.as_deref().unwrap_or("–");
    let mut line = format!("{:<2}{order}{padding}{}", row.mark, cell(usd_month.to_owned(), 11));
    if columns.ratio {
        let tps = if columns.tps { number(row.tps, estimate) } else { String::new() };
        line.push_str(&cell(tps, 8));
        line.push_str(&cell(number(row.ratio, whole_pct), 7));
    }
    let latency = match (row.read_ms, row.write_ms) {
        (None, None) => "–".to_owned(),
        (read_ms, write_ms) => format!("{}/{} ms", number(read_ms, brief_ms), number(write_ms, brief_ms)),
    };
    let used = match (row.used_iops, row.limit_iops) {
        (Some(used), Some(limit)) => brief_iops_within(used, limit),
        (used, _) => number(used, brief_iops),
    };
    let used = format!("{used}/{}", number(row.limit_iops, count));
    line.push_str(&cell(latency, 13));
    line.push_str(&cell(used, 16));
    let mut separator = "  ";
    for remark in &row.remarks {
        let part = format!("{separator}{remark}");
        // The less important remarks go where they have no room.
        if separator == "  " || display_width(&line) + display_width(&part) <= COLUMNS {
            line.push_str(&part);
        }
        separator = ", ";
    }
    clip(&line, COLUMNS)
}

/// Aligns a text to the right of its column, behind a space; an ellipsis where it is longer.
fn cell(text: String, width: usize) -> String {
    let text = if display_width(&text) < width { text } else { "…".to_owned() };
    format!("{text:>width$}")
}

/// The row of the current volumes, marked where they are the recommended ones.
fn current_row(report: &Report, role: &RoleAdvice, keeps: bool, orders: &[(VolumeConfig, u64)]) -> Row {
    let mean = |metric| find(&role.state.figures, metric).and_then(|figure| figure.mean);
    let observed = role.state.predictor.as_ref().ok().map(|predictor| predictor.observed);
    let current = role.current.as_ref();
    let limit = current.map(|current| current.volumes.iter().map(|(config, count)| config.ceiling(*count).iops).sum());
    // Several volumes do not share their limits.
    let busiest = busiest_volume(report, role);
    let (used_iops, limit_iops) = match &busiest {
        Some(busiest) => (Some(busiest.used_iops), Some(busiest.limit_iops)),
        None => (mean(Metric::Requests), limit),
    };
    let remarks = describe_reached(role).map(str::to_owned).into_iter();
    let price = current.and_then(|current| current.bill).map(|bill| usd(bill.total()));
    let reads = role.state.group.demand.read_share().unwrap_or(0.5);
    Row {
        mark: if keeps { ">" } else { "" },
        order: match current.map(|current| current.volumes.as_slice()) {
            Some([(config, volumes)]) => format!("today {}", describe_order((*config, *volumes), orders)),
            Some(several) => {
                let types: Vec<&str> = several.iter().map(|(config, _)| config.volume_type.name()).collect();
                format!("today {}", types.join(" + "))
            }
            None => format!("today {}", role.state.group.device),
        },
        usd_month: price,
        tps: observed.filter(|observed| observed.counted).map(|observed| observed.tps),
        ratio: Some(1.0),
        read_ms: mean(Metric::ReadLatency).filter(|_| reads > 0.0),
        write_ms: mean(Metric::WriteLatency).filter(|_| reads < 1.0),
        used_iops,
        limit_iops,
        remarks: remarks.chain(busiest.map(|busiest| format!("IOPS of {}", clip(&busiest.role, 20)))).collect(),
    }
}

/// Requests a second on one of several current volumes, and its limit.
struct VolumeLoad {
    role: String,
    used_iops: f64,
    limit_iops: f64,
}

/// Finds the volume that is nearest to its limit, of several that are sized together; `None` where one was not declared.
fn busiest_volume(report: &Report, role: &RoleAdvice) -> Option<VolumeLoad> {
    let volumes = Some(&role.state.group.volumes).filter(|volumes| volumes.len() > 1)?;
    let load = |&index: &usize| {
        let volume = report.window.layout.volumes.get(index)?;
        let limits = report.declared.find(volume).into_iter().map(|one| one.config.ceiling(one.volumes).iops);
        let limit_iops: f64 = limits.sum();
        let used_iops = mean_iops(&Demand::from_window(report.window, index));
        (limit_iops > 0.0).then(|| VolumeLoad { role: volume.role(), used_iops, limit_iops })
    };
    let loads = volumes.iter().map(load).collect::<Option<Vec<_>>>()?;
    let share = |load: &VolumeLoad| load.used_iops / load.limit_iops;
    // Of equal ones the first, which has the data.
    loads.into_iter().rev().max_by(|a, b| share(a).total_cmp(&share(b)))
}

/// Describes the limit at which the current volumes were, or the instance's sustained limit, which bounds the other rows, where they were
/// above it; `None` where none is at least as likely as not.
fn describe_reached(role: &RoleAdvice) -> Option<&'static str> {
    let mut named = role.state.saturation.iter().flat_map(|saturation| saturation.limit.named());
    let reached = named.next().map(|one| match one.owner {
        LimitOwner::Instance => "instance limit",
        LimitOwner::Volume | LimitOwner::WalVolume => "at its limit",
    });
    let is_above = role.instance_saturation.is_some_and(|instance| instance.reached.is_none());
    reached.or(is_above.then_some("over instance"))
}

/// The row of a candidate.
fn candidate_row(report: &Report, role: &RoleAdvice, row: &ShortlistRow, orders: &[(VolumeConfig, u64)]) -> Row {
    let candidate = row.candidate;
    // Nothing is predicted for another count, and a published latency is not shown beside predicted ones.
    let is_comparable = candidate.prediction.is_some() || role.state.predictor.is_err();
    let latencies_ms = is_comparable.then(|| expectation::latencies_ms(role, candidate));
    let (read_ms, write_ms) = latencies_ms.unwrap_or_default();
    let ceiling = candidate.config.ceiling(candidate.volumes);
    let is_named = row.place == Place::Named;
    let is_recommended = is_named && !matches!(role.recommendation(report.request), Recommendation::Nothing(_));
    Row {
        mark: if is_recommended { ">" } else { "" },
        order: describe_order((candidate.config, candidate.volumes), orders),
        usd_month: candidate.bill.map(|bill| usd(bill.total())),
        tps: candidate.prediction.map(|prediction| prediction.tps.middle),
        ratio: candidate.ratio().map(|ratio| ratio.middle),
        read_ms,
        write_ms,
        used_iops: used_iops(role, row),
        limit_iops: Some(ceiling.iops),
        remarks: shortlist::describe(row, !is_recommended, report.request),
    }
}

/// Requests a second on these volumes: those of the prediction that the row shows, or else the observed mean up to the limits of requests
/// and of bytes.
fn used_iops(role: &RoleAdvice, row: &ShortlistRow) -> Option<f64> {
    let candidate = row.candidate;
    let mean = |metric| find(&role.state.figures, metric).and_then(|figure| figure.mean);
    let ceiling = candidate.config.ceiling(candidate.volumes);
    let observed = mean(Metric::Requests).map(|iops| iops * count_factor(role, row.place));
    let by_counts = observed.zip(candidate.ratio_without_waits());
    let by_counts = by_counts.map(|(iops, ratio)| (iops * ratio.middle).min(ceiling.iops));
    let limited = observed.map(|iops| {
        let iops = iops * candidate.scale;
        let mibps = mean(Metric::Throughput).unwrap_or(0.0) * candidate.scale;
        iops * (ceiling.iops / iops).min(ceiling.mibps / mibps).min(1.0)
    });
    // At the observed queue depth.
    let delivered = candidate.queue_limit.map_or(f64::INFINITY, |limit| limit.likely_share() * limit.demanded_per_s);
    let predicted = candidate.prediction.map(|prediction| prediction.iops).or(by_counts);
    predicted.or(limited.map(|iops| iops.min(delivered)))
}

/// The count of the requests that a row is for, over the one that is sized for.
fn count_factor(role: &RoleAdvice, place: Place) -> f64 {
    match (place, &role.state.count_doubt) {
        (Place::OtherCount { merged: true }, Some(doubt)) => doubt.merged_iops / doubt.sized_iops,
        (Place::OtherCount { merged: false }, Some(doubt)) => doubt.device_iops / doubt.sized_iops,
        _ => 1.0,
    }
}

/// Describes what distinguishes an order from others: IOPS, or the size where it decides them; MiB/s where they were added, or
/// are all that differs.
fn describe_order((config, volumes): (VolumeConfig, u64), others: &[(VolumeConfig, u64)]) -> String {
    let kind = order::describe_type(&config, volumes);
    if config.class().is_some_and(|class| class.iops_rule == IopsRule::Size) {
        return format!("{kind} {} GiB", count(config.size_gib as f64));
    }
    let is_like = |other: &(VolumeConfig, u64)| {
        let (volume_type, iops) = (other.0.volume_type, other.0.iops);
        (volume_type, iops, other.1) == (config.volume_type, config.iops, volumes)
    };
    let differs = others.iter().any(|other| is_like(other) && other.0.throughput_mibps != config.throughput_mibps);
    let mibps = match differs || order::has_added_throughput(&config) {
        true => format!(" {} MiB/s", count(config.throughput_mibps as f64)),
        false => String::new(),
    };
    format!("{kind} {} IOPS{mibps}", count(config.iops as f64))
}

#[cfg(test)]
#[path = "log_volume_tests.rs"]
mod tests;
