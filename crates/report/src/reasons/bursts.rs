//! Bursts within a second, of which samples of one second show nothing.

use crate::Report;
use ebs_advice::RoleAdvice;
use ebs_base::format::{count, size};
use ebs_workload::io_sources::Source;

/// Pages that the background writer hands to the kernel at once: bgwriter_flush_after, 512 kB by default
/// (<https://www.postgresql.org/docs/18/runtime-config-resource.html#GUC-BGWRITER-FLUSH-AFTER>). The checkpointer's are half of that.
const GROUP: u64 = 64;

/// A wait that is worth a line, ms: several times what a read takes on any SSD type.
const NOTABLE_MS: f64 = 5.0;

/// Delay of reads behind such a burst, where it is notable. What EBS lets pass at once is not published. Measured on an emulated volume at 1,535
/// IOPS, of which 900 were used: p99 of a transaction is 6 ms where a second of it may be saved up, and 82 ms where 10 ms may
/// (`make validate`, docs/validation.md).
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
