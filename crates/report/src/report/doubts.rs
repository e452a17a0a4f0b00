//! What would change the answer, and what it does not know.

use std::collections::BTreeSet;

use super::cost::cost;
use super::{Report, bursts, outdone, volumes, wrapped};
use ebs_advice::advice::{RoleAdvice, SHORT_SECONDS};
use ebs_aws::price::unpriced;
use ebs_base::format::{count, pct, share, size};
use ebs_base::units::MIB;
use ebs_stats::coarse::{self, COARSE_S, HURST};
use ebs_workload::balance::Balance;
use ebs_workload::mix::find;
use ebs_workload::sources::Source;

pub(super) fn lines(report: &Report) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(wrapped(&format!("What would change this: {}", changes(report).join("; ")), "  "));
    let doubts = doubts(report);
    if !doubts.is_empty() {
        lines.extend(wrapped(&format!("Not known: {}", doubts.join("; ")), "  "));
    }
    lines.extend(wrapped(&format!("Sampling cost: {} · details: {}", cost(report), report.details), "  "));
    lines
}

/// What to do about too little evidence.
pub(super) fn remedies(report: &Report) -> Vec<String> {
    let mut lines: Vec<String> = report
        .window
        .place
        .unplaced
        .iter()
        .flat_map(|part| wrapped(&format!("  {}: {}", part.role.name(), part.reason), "    "))
        .collect();
    lines.push(
        "Look at SELECT * FROM ebs_status(); then let the workload run for some minutes and ask again.".to_owned(),
    );
    lines
}

/// What would change the answer.
pub(crate) fn changes(report: &Report) -> Vec<String> {
    let mut changes = volumes::changes(report);
    changes.push("a peak that this window did not contain".to_owned());
    if report.request.instance.is_none() {
        let instance = report.instance().unwrap_or("r6i.4xlarge");
        changes.push(format!("the limits of the instance (name it: instance => '{instance}')"));
    }
    changes
}

/// What the evidence does not say.
pub(crate) fn doubts(report: &Report) -> Vec<String> {
    let coverage = &report.coverage;
    let mut doubts = Vec::new();
    let cycles = report.steadiness.as_ref().and_then(|steadiness| steadiness.checkpoint_cycles);
    if coverage.sampled_s < SHORT_SECONDS && cycles.unwrap_or(0) == 0 {
        let seconds = count(coverage.sampled_s);
        doubts.push(format!("{seconds} s are short: checkpoints come every checkpoint_timeout (5 min by default)"));
    }
    if coverage.window_s > 0.0 && coverage.sampled_s < 0.95 * coverage.window_s {
        doubts.push(format!(
            "{} of the window has no samples",
            pct(100.0 * (1.0 - coverage.sampled_s / coverage.window_s))
        ));
    }
    if coverage.without_device_s > 0.0 {
        doubts.push(format!("{} s in which no device could be read", count(coverage.without_device_s)));
    }
    for part in &report.window.place.unplaced {
        doubts.push(format!("I/O of {} ({})", part.role.name(), part.reason));
    }
    if report.roles().any(|role| role.need.size_gib.is_none()) {
        doubts.push("the size: the evidence does not say (min_size_gib => …)".to_owned());
    }
    if report.sources.rows.iter().any(|row| row.stall_ms.is_none()) {
        doubts.push(
            "how long PostgreSQL stood still for I/O (track_io_timing or track_wal_io_timing was off)".to_owned(),
        );
    }
    doubts.extend(outdone::doubts(report));
    doubts.extend(others(report));
    if report.request.min_throughput_ratio.is_some() && report.roles().any(|role| role.outlook.is_none()) {
        doubts.push("whether min_throughput_ratio is kept: the evidence has no waits of sessions".to_owned());
    }
    doubts.extend(hidden_peaks(coverage.interval_s));
    doubts.extend(bursts::doubt(report));
    doubts.extend(report.window.caveats.iter().cloned());
    doubts.extend(prices(report));
    let unpriced = unpriced(report.request.platform, &report.request.prices);
    if !unpriced.is_empty() {
        doubts.push(format!("what {} costs in this region (ebs_prices): left out", unpriced.join(", ")));
    }
    doubts
}

/// Prices of what is shown that are not straight from a price list.
fn prices(report: &Report) -> Option<String> {
    let shown = report.roles().filter_map(RoleAdvice::best).flat_map(|best| best.price_doubts.iter().cloned());
    let all: Vec<String> = shown.collect::<BTreeSet<_>>().into_iter().collect();
    (!all.is_empty()).then(|| format!("the exact price: {}", all.join(", ")))
}

/// Peaks that averages hide, and what is done about it.
fn hidden_peaks(averaged_s: f64) -> Option<String> {
    let factor = size(coarse::factor(averaged_s));
    (averaged_s > COARSE_S).then(|| {
        format!(
            "peaks shorter than {} s: that is how long each sample is an average of. Upper ends of p99 are {factor} \
             times as far above the mean as the averages', because disk traffic is self-similar (Hurst exponent \
             {HURST})",
            count(averaged_s)
        )
    })
}

/// The least share of the device's bytes that is worth asking about. Not all of PostgreSQL's are known to be its own (the
/// journal, the log), so a little unexplained is no news. A choice, not a measurement.
const UNEXPLAINED: f64 = 0.2;

/// How much of the device's bytes PostgreSQL did not cause, as far as anybody counts.
fn others(report: &Report) -> Option<String> {
    if let Some(others) = Balance::of(report.window).others_share() {
        let part = share(others);
        return (others > UNEXPLAINED).then(|| {
            format!("who asked for {part} of the device's bytes: not PostgreSQL's processes (ebs_balance), but all is sized for")
        });
    }
    let device = report.roles().filter_map(|role| find(&role.figures, "throughput")?.mean).sum::<f64>();
    if report.sources.seconds == 0.0 || device == 0.0 {
        return Some("who else uses the same device: its demand is counted as PostgreSQL's".to_owned());
    }
    let ours = report.sources.rows.iter().map(Source::bytes).sum::<u64>() as f64 / MIB as f64 / report.sources.seconds;
    (ours < (1.0 - UNEXPLAINED) * device).then(|| {
        let explained = share(ours / device);
        format!("who asked for the rest: PostgreSQL's own figures explain {explained} of the device's bytes, all of which is sized for")
    })
}
