//! The workload of a role in a few words.

use crate::Report;
use crate::clip::clip;
use ebs_advice::{Advice, RoleAdvice};
use ebs_base::format::{brief, brief_duration, brief_iops, whole_pct};
use ebs_base::units::{KIB, MIB};
use ebs_workload::demand::DemandInterval;
use ebs_workload::io_profile::{Metric, find};

/// Seconds above which the times of a window are shown with their date.
const DAY_S: f64 = 86_400.0;

/// Ratio of two sizes of a request from which on both are named. A choice.
const NOTABLE_RATIO: f64 = 1.1;

/// Describes mix, size of a counted request and queue depth: `33 % reads, 8.4 KiB, queue depth 0.9`; where EBS counts other requests
/// than the device, `256 KiB (4 on the device)`.
pub fn describe_mix(role: &RoleAdvice) -> String {
    let mean = |metric| find(&role.state.figures, metric).and_then(|figure| figure.mean);
    let reads = role.state.group.demand.read_share().map(|reads| format!("{} reads", whole_pct(reads)));
    let counted = mean(Metric::Throughput).zip(mean(Metric::Requests)).filter(|(_, requests)| *requests > 0.0);
    let counted = counted.map(|(mibps, requests)| mibps * MIB as f64 / KIB as f64 / requests);
    let kib = counted.map(|kib| match mean(Metric::RequestSize) {
        Some(device) if kib.max(device) > NOTABLE_RATIO * kib.min(device) => {
            format!("{} KiB ({} on the device)", brief(kib), brief(device))
        }
        _ => format!("{} KiB", brief(kib)),
    });
    let depth = mean(Metric::Concurrency).map(|depth| format!("queue depth {}", brief(depth)));
    reads.into_iter().chain(kib).chain(depth).collect::<Vec<_>>().join(", ")
}

/// Describes the sample of the maximum: `max is one second, 02:02:35`; empty without samples.
pub fn describe_max(report: &Report, role: &RoleAdvice) -> String {
    let by_rate = |a: &&DemandInterval, b: &&DemandInterval| {
        let rate = |interval: &DemandInterval| Metric::Requests.value(interval).unwrap_or(0.0);
        // The first of equal ones.
        rate(a).total_cmp(&rate(b)).then(b.ended_us.cmp(&a.ended_us))
    };
    let demand = &role.state.group.demand;
    let Some(max) = demand.each().max_by(by_rate) else { return String::new() };
    let at = report.utc_offset.label(max.ended_us, report.coverage.window_s > DAY_S);
    match max.seconds {
        seconds if seconds < 1.5 => format!("max is one second, {at}"),
        seconds => format!("max is one sample of {}, ended {at}", brief_duration(seconds)),
    }
}

/// Describes the mean demand of each role: `data 3,900 IOPS + wal 700 IOPS`.
pub fn describe_each_demand(advice: &Advice) -> String {
    let describe = |role: &RoleAdvice| {
        let mean = find(&role.state.figures, Metric::Requests).and_then(|figure| figure.mean);
        let rate = mean.map_or(String::new(), |mean| format!(" {} IOPS", brief_iops(mean)));
        format!("{}{rate}", clip(&role.state.group.role, 20))
    };
    let names: Vec<String> = advice.roles.iter().take(3).map(describe).collect();
    let more = if advice.roles.len() > 3 { format!(" and {} more", advice.roles.len() - 3) } else { String::new() };
    format!("{}{more}", names.join(" + "))
}
