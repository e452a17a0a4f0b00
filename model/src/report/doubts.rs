//! What would change the answer, and what it does not know.

use super::{Report, wrapped};
use crate::advice::{RoleAdvice, SHORT_SECONDS};
use crate::catalogue::VolumeType;
use crate::format::{count, fine_pct, ms, pct, share};
use crate::mix::find;
use crate::sources::Source;
use crate::units::MIB;

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

fn changes(report: &Report) -> Vec<String> {
    let mut changes: Vec<String> = report.roles.iter().filter_map(latency).collect();
    changes.push("a peak that this window did not contain".to_owned());
    if report.request.instance.is_none() {
        changes.push("the limits of the instance (name it: instance => 'r6i.4xlarge')".to_owned());
    }
    changes
}

/// A latency goal that the recommended type does not meet.
fn latency(role: &RoleAdvice) -> Option<String> {
    let best = role.candidates.first().filter(|candidate| candidate.feasible)?.config.volume_type;
    let (here, io2) = (best.spec(), VolumeType::Io2.spec());
    (best != VolumeType::Io2).then(|| {
        format!(
            "a latency goal below about {} ms a read ({}, {} ms on io2, published for one request at a time)",
            ms(here.read_ms),
            best.name(),
            ms(io2.read_ms)
        )
    })
}

fn doubts(report: &Report) -> Vec<String> {
    let coverage = &report.coverage;
    let mut doubts = Vec::new();
    if coverage.sampled_s < SHORT_SECONDS {
        let seconds = count(coverage.sampled_s);
        doubts.push(format!("{seconds} s are short: checkpoints come every checkpoint_timeout (5 min by default)"));
    }
    if coverage.window_s > 0.0 && coverage.sampled_s < 0.95 * coverage.window_s {
        doubts.push(format!(
            "{} of the window has no samples",
            pct(100.0 * (1.0 - coverage.sampled_s / coverage.window_s))
        ));
    }
    for part in &report.window.place.unplaced {
        doubts.push(format!("I/O of {} ({})", part.role.name(), part.reason));
    }
    if report.roles.iter().any(|role| role.need.size_gib.is_none()) {
        doubts.push("the size: the evidence does not say (min_size_gib => …)".to_owned());
    }
    if report.sources.rows.iter().any(|row| row.stall_ms.is_none()) {
        doubts.push(
            "how long PostgreSQL stood still for I/O (track_io_timing or track_wal_io_timing was off)".to_owned(),
        );
    }
    doubts.extend(others(report));
    if coverage.interval_s > 1.5 {
        let seconds = count(coverage.interval_s);
        doubts.push(format!("peaks shorter than {seconds} s: that is how long each sample is an average of"));
    }
    if report.request.prices.io2_tiers_derived() {
        doubts.push("io2 prices above 32,000 IOPS in this region (derived from the first tier)".to_owned());
    }
    doubts
}

/// How much of the device's bytes PostgreSQL accounts for.
fn others(report: &Report) -> Option<String> {
    let device = report.roles.iter().filter_map(|role| find(&role.figures, "throughput")?.mean).sum::<f64>();
    if report.sources.seconds == 0.0 || device == 0.0 {
        return Some("who else uses the same device: its demand is counted as PostgreSQL's".to_owned());
    }
    let ours = report.sources.rows.iter().map(Source::bytes).sum::<u64>() as f64 / MIB as f64 / report.sources.seconds;
    // Not all of ours is in pg_stat_io (temporary files, the journal, the log), so a little unexplained is no news. The
    // fifth is a choice, not a measurement.
    (ours < 0.8 * device).then(|| {
        let explained = share(ours / device);
        format!("who asked for the rest: PostgreSQL's own figures explain {explained} of the device's bytes, all of which is sized for")
    })
}

fn cost(report: &Report) -> String {
    let seconds = report.coverage.sampled_s;
    if seconds <= 0.0 || report.window.sampler_cpu_us == 0 {
        return "not known".to_owned();
    }
    let share = report.window.sampler_cpu_us as f64 / 1e6 / seconds;
    format!("{} of one core", fine_pct(share * 100.0))
}
