//! A candidate in words: volumes as they are ordered, price, and the reason for it.

use crate::reasons::candidate;
use ebs_advice::Candidate;
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::{count, ms, pct, times, usd};
use ebs_base::units::Usd;

/// `gp3, 2 × 250 GiB, 8,400 IOPS, 125 MiB/s each`.
pub(crate) fn order(candidate: &Candidate) -> String {
    let config = &candidate.config;
    let each = if candidate.volumes > 1 { " each" } else { "" };
    let size = count(config.size_gib as f64);
    if config.volume_type == VolumeType::InstanceStore {
        return format!("{}, {size} GiB", config.volume_type.name());
    }
    format!(
        "{}, {} × {size} GiB, {} IOPS, {} MiB/s{each}",
        config.volume_type.name(),
        candidate.volumes,
        count(config.iops as f64),
        count(config.throughput_mibps as f64)
    )
}

/// `bound by volume IOPS · … · $40.00 storage + $70.50 IOPS · throttled 0.3 % of seconds · throughput 0.94 … · risk low`.
pub(crate) fn because(best: &Candidate) -> String {
    let mut parts = vec![format!("bound by {}", best.bound.name()), candidate::describe_reason(best)];
    parts.extend(price_parts(best));
    if let Some(outcome) = &best.outcome {
        parts.push(format!("throttled {} of seconds", pct(outcome.throttled_pct())));
    }
    if let Some(ratio) = best.ratio() {
        let (low, high) = (times(ratio.low), times(ratio.high));
        parts.push(format!("throughput some {} ({low}–{high}) of now", times(ratio.middle)));
    }
    parts.extend(best.risk.map(|risk| format!("risk {}", risk.name())));
    parts.join(" · ")
}

/// `, saves $12.00` against the present volumes; empty where their price is the same or not known.
pub(crate) fn saving(best: &Candidate) -> String {
    match best.saved {
        Some(saved) if saved > Usd::default() => format!(", saves {}", usd(saved)),
        Some(saved) if saved < Usd::default() => format!(", {} more than now", usd(Usd::default() - saved)),
        _ => String::new(),
    }
}

/// Volumes and price in columns, behind `head` and before `after`.
pub(super) fn priced(head: &str, candidate: &Candidate, after: &str) -> String {
    format!("{head:<13} {:<44} {:>12} {after}", order(candidate), usd(candidate.total()))
}

/// Striping, and latency as it is predicted, or else published for the type.
pub(super) fn aside(candidate: &Candidate) -> String {
    let raid = if candidate.volumes > 1 { "RAID 0, " } else { "" };
    let latency = |value: Option<f64>| value.map_or("–".to_owned(), ms);
    let source = if candidate.prediction.is_some() { "predicted" } else { "published" };
    format!("{raid}read {}, write {} ms ({source})", latency(candidate.read_ms()), latency(candidate.write_ms()))
}

/// The price in its parts, where there is more than one.
fn price_parts(candidate: &Candidate) -> Option<String> {
    let bill = candidate.bill?;
    let parts = [(bill.storage, "storage"), (bill.iops, "IOPS"), (bill.throughput, "throughput")];
    let paid: Vec<String> = parts
        .iter()
        .filter(|(amount, _)| *amount > Usd::default())
        .map(|(amount, part)| format!("{} {part}", usd(*amount)))
        .collect();
    (paid.len() > 1).then(|| paid.join(" + "))
}
