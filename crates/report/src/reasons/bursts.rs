//! Bursts shorter than a second, which one-second samples cannot show.

use crate::Report;
use ebs_advice::RoleAdvice;
use ebs_base::format::{count, size};
use ebs_workload::io_sources::Source;

/// Pages that the background writer flushes at once: bgwriter_flush_after, 512 kB by default
/// (<https://www.postgresql.org/docs/18/runtime-config-resource.html#GUC-BGWRITER-FLUSH-AFTER>). The checkpointer flushes half
/// as many.
const GROUP: u64 = 64;

/// Delay that is worth a sentence, ms: several times the latency of a read on any SSD type.
const NOTABLE_MS: f64 = 5.0;

/// Describes the delay of reads behind such a burst, where it is notable. AWS does not publish how large a burst EBS passes at
/// once. Measured on an emulated volume of 1,535 IOPS, 900 of them used: the p99 of a transaction is 6 ms if the volume passes
/// bursts of one second's IOPS, and 82 ms if it passes those of 10 ms (`make validate`, docs/validation.md).
pub(super) fn describe_delay(report: &Report) -> Option<String> {
    let grouped = |kind: &str| ["background writer", "checkpointer"].contains(&kind);
    let bursts = |row: &&Source| grouped(&row.key.backend_type) && row.key.object == "relation";
    if !report.sources.rows.iter().filter(bursts).any(|row| row.counts.write_bytes > 0) {
        return None;
    }
    let best = report.roles().filter_map(RoleAdvice::best);
    let iops = best.map(|best| best.config.iops * best.volumes).min()?;
    let wait_ms = GROUP as f64 / iops as f64 * 1e3;
    (wait_ms >= NOTABLE_MS).then(|| {
        format!(
            "whether EBS lets a burst within a second pass: {GROUP} pages at once (bgwriter_flush_after) would otherwise hold up reads for {} ms at {} IOPS",
            size(wait_ms),
            count(iops as f64)
        )
    })
}
