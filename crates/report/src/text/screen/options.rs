//! The table of options: today, the recommended volumes, and what stands beside them.

use super::detail::{Detail, Part};
use super::recommendation::MAX_ROLES;
use super::table::{self, Column};
use crate::Report;
use crate::clip::clip;
use crate::reasons::{expectation, order, shortlist};
use ebs_advice::{Advice, Candidate, CurrentVolume, Place, Recommendation, RoleAdvice, ShortlistRow};
use ebs_aws::catalogue::{IopsRule, VolumeConfig};
use ebs_base::format::{brief_iops, brief_iops_within, brief_ms, count, estimate, usd, whole_pct};
use ebs_base::units::Usd;
use ebs_prediction::LimitOwner;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Metric, find, mean_iops};

/// Most rows of volumes beside today's, where there is one role, and those of them that stay where the screen is full.
const MAX_ROWS: usize = 6;
const KEPT_ROWS: usize = 5;

/// Rows of each of several roles, those of them that stay, and those that are neither cheaper nor faster.
const MAX_ROWS_OF_EACH: usize = 3;
const KEPT_ROWS_OF_EACH: usize = 2;
const ALTERNATIVES: usize = 2;

/// A row of the table.
#[derive(Default)]
struct Row {
    mark: &'static str,
    is_today: bool,
    order: String,
    total: Option<Usd>,
    tps: Option<f64>,
    ratio: Option<f64>,
    read_ms: Option<f64>,
    write_ms: Option<f64>,
    /// IOPS that are used on average; of several volumes with the limit of the busiest.
    used: String,
    /// The most important first.
    remarks: Vec<String>,
}

/// Renders the tables of the roles; empty where no volumes can be named.
pub(super) fn render(report: &Report, advice: &Advice, detail: Detail) -> Vec<String> {
    let several = advice.roles.len() > 1;
    let render = |role: &RoleAdvice| {
        let rows = rows(report, advice, role, detail);
        let is_counted = role.state.predictor.as_ref().is_ok_and(|predictor| predictor.observed.counted);
        let title =
            if several { format!("OPTIONS {}", clip(&role.state.group.role, 20)) } else { "OPTIONS".to_owned() };
        if rows.is_empty() { Vec::new() } else { render_table(&title, &rows, is_counted) }
    };
    advice.roles.iter().take(MAX_ROLES).flat_map(render).collect()
}

/// The rows of a role by price, an unknown one first; empty where no volumes can be named.
fn rows(report: &Report, advice: &Advice, role: &RoleAdvice, detail: Detail) -> Vec<Row> {
    let apart = if advice.roles.len() > 1 { None } else { wal_apart_row(report, advice, role) };
    let shortlist = shortlist(report, advice, role, detail, usize::from(apart.is_some()));
    if shortlist.is_empty() {
        return Vec::new();
    }
    let is_kept = |row: &ShortlistRow| row.place == Place::Named && role.is_current(row.candidate);
    let has_order = !matches!(role.recommendation(report.request), Recommendation::Nothing(_));
    let keeps = has_order && shortlist.iter().any(is_kept);
    let others = || shortlist.iter().filter(|row| !role.is_current(row.candidate));
    let current = role.current.iter().flat_map(|current| &current.volumes);
    let orders: Vec<(VolumeConfig, u64)> =
        current.copied().chain(others().map(|row| (row.candidate.config, row.candidate.volumes))).collect();
    let candidates = others().map(|row| candidate_row(report, role, row, &orders));
    let mut rows: Vec<Row> =
        std::iter::once(current_row(report, role, keeps, &orders)).chain(candidates).chain(apart).collect();
    rows.sort_by_key(|row| row.total);
    rows
}

/// The volumes of a role, so many fewer as have rows anyway.
fn shortlist<'a>(
    report: &Report,
    advice: &Advice,
    role: &'a RoleAdvice,
    detail: Detail,
    fewer: usize,
) -> Vec<ShortlistRow<'a>> {
    let choose = |part, all, kept| if detail.has(part) { all } else { kept };
    if advice.roles.len() == 1 {
        return role.shortlist(report.request, choose(Part::SixthOption, MAX_ROWS, KEPT_ROWS) - fewer);
    }
    let max_rows = choose(Part::ThirdOption, MAX_ROWS_OF_EACH, KEPT_ROWS_OF_EACH);
    let alternatives = choose(Part::Alternative, ALTERNATIVES, 0);
    let mut shortlist = role.shortlist(report.request, max_rows);
    let mut others = 0;
    shortlist.retain(|row| {
        others += usize::from(row.place == Place::Alternative);
        row.place != Place::Alternative || others <= alternatives
    });
    shortlist
}

/// Describes used IOPS, which rounding does not bring above a limit.
fn describe_used(used: Option<f64>, limit: Option<f64>) -> String {
    match (used, limit) {
        (Some(used), Some(limit)) => brief_iops_within(used, limit),
        (used, _) => number(used, brief_iops),
    }
}

fn number(value: Option<f64>, text: fn(f64) -> String) -> String {
    value.map_or("–".to_owned(), text)
}

/// Renders rows in the columns that the evidence has. The throughput in per cent yields beside the TPS, and then the IOPS.
fn render_table(title: &str, rows: &[Row], is_counted: bool) -> Vec<String> {
    let column = |head, text: fn(&Row) -> String| Column::new(head, rows.iter().map(text).collect());
    let ratio = || column("of today", |row| number(row.ratio, whole_pct));
    let is_known = rows.iter().any(|row| !row.is_today && row.ratio.is_some());
    let throughput = match (is_counted, is_known) {
        (true, _) => vec![column("TPS", |row| number(row.tps, estimate)), ratio().yielding(0)],
        (false, true) => vec![ratio()],
        (false, false) => Vec::new(),
    };
    let mut columns = vec![column("$/month", |row| row.total.map_or("–".to_owned(), usd))];
    columns.extend(throughput);
    columns.push(column("r/w ms", describe_latency));
    columns.push(column("used", |row| row.used.clone()).yielding(1));
    let names: Vec<String> = rows.iter().map(|row| format!("{:<2}{}", row.mark, row.order)).collect();
    let remarks: Vec<Vec<String>> = rows.iter().map(|row| row.remarks.clone()).collect();
    table::render(title, &names, columns, &remarks)
}

fn describe_latency(row: &Row) -> String {
    match (row.read_ms, row.write_ms) {
        (None, None) => "–".to_owned(),
        (read_ms, write_ms) => format!("{}/{}", number(read_ms, brief_ms), number(write_ms, brief_ms)),
    }
}

/// The row of data and WAL on volumes of their own, which are predicted together; that of RDS's dedicated log volume, where it can be had
/// beside the recommended storage. `None` where neither is offered.
fn wal_apart_row(report: &Report, advice: &Advice, role: &RoleAdvice) -> Option<Row> {
    let remarks = vec!["WAL apart".to_owned()];
    if let Some(offer) = advice.log_volume_offer(report.request) {
        let order = format!("{} + log volume", offer.storage.config.volume_type.name());
        let total = Some(offer.storage.total() + offer.log.total());
        return Some(Row { order, total, used: describe_used(None, None), remarks, ..Row::default() });
    }
    let separate = advice.separate_wal.as_ref()?;
    let name = |part: &Candidate| {
        format!("{} {}", order::describe_type(&part.config, part.volumes), count(part.config.iops as f64))
    };
    let (read_ms, write_ms) = expectation::latencies_ms(role, &separate.data);
    Some(Row {
        order: format!("{} + {} IOPS", name(&separate.data), name(&separate.wal)),
        total: separate.usd_month(),
        tps: separate.data.prediction.map(|prediction| prediction.tps.middle),
        ratio: separate.ratio().map(|ratio| ratio.middle),
        read_ms,
        write_ms,
        used: describe_used(separate.data.prediction.map(|prediction| prediction.iops), None),
        remarks,
        ..Row::default()
    })
}

/// The row of the current volumes, marked where they are the recommended ones.
fn current_row(report: &Report, role: &RoleAdvice, keeps: bool, orders: &[(VolumeConfig, u64)]) -> Row {
    let mean = |metric| find(&role.state.figures, metric).and_then(|figure| figure.mean);
    let observed = role.state.predictor.as_ref().ok().map(|predictor| predictor.observed);
    let current = role.current.as_ref();
    // Several volumes do not share their limits.
    let busiest = busiest_volume(report, role);
    let used = match &busiest {
        Some(VolumeLoad { used_iops, limit_iops, .. }) => {
            format!("{}/{}", brief_iops_within(*used_iops, *limit_iops), count(*limit_iops))
        }
        None => {
            let limit = |current: &CurrentVolume| {
                current.volumes.iter().map(|(config, count)| config.ceiling(*count).iops).sum()
            };
            describe_used(mean(Metric::Requests), current.map(limit))
        }
    };
    let remarks = describe_reached(role).map(str::to_owned).into_iter();
    let reads = role.state.group.demand.read_share().unwrap_or(0.5);
    Row {
        mark: if keeps { ">" } else { "" },
        is_today: true,
        order: match current.map(|current| current.volumes.as_slice()) {
            Some([(config, volumes)]) => format!("today {}", describe_order((*config, *volumes), orders)),
            Some(several) => {
                let types: Vec<&str> = several.iter().map(|(config, _)| config.volume_type.name()).collect();
                format!("today {}", types.join(" + "))
            }
            None => format!("today {}", role.state.group.device),
        },
        total: current.and_then(|current| current.bill).map(|bill| bill.total()),
        tps: observed.filter(|observed| observed.counted).map(|observed| observed.tps),
        ratio: Some(1.0),
        read_ms: mean(Metric::ReadLatency).filter(|_| reads > 0.0),
        write_ms: mean(Metric::WriteLatency).filter(|_| reads < 1.0),
        used,
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
    let is_named = row.place == Place::Named;
    let is_recommended = is_named && !matches!(role.recommendation(report.request), Recommendation::Nothing(_));
    Row {
        mark: if is_recommended { ">" } else { "" },
        is_today: false,
        order: describe_order((candidate.config, candidate.volumes), orders),
        total: candidate.bill.map(|bill| bill.total()),
        tps: candidate.prediction.map(|prediction| prediction.tps.middle),
        ratio: candidate.ratio().map(|ratio| ratio.middle),
        read_ms,
        write_ms,
        used: describe_used(used_iops(role, row), Some(candidate.config.ceiling(candidate.volumes).iops)),
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
