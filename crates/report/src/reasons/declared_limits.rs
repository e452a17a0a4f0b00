//! Check of the declared volumes: a demand above a volume's limits means another volume, or a cache in front of it.

use crate::Report;
use ebs_advice::{CurrentVolume, RoleAdvice};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::Ceiling;
use ebs_base::format::{count, size};
use ebs_workload::io_profile::{Metric, find};

/// Ratio to the limit up to which a mean is plausible: burst buckets let saved credits through. Chosen, not measured.
const TOLERANCE: f64 = 1.05;

/// Describes volumes whose declaration is in doubt, a sentence each.
pub(super) fn describe_doubts(report: &Report) -> Vec<String> {
    report.roles().filter_map(describe_doubt).collect()
}

fn describe_doubt(role: &RoleAdvice) -> Option<String> {
    let limit = declared_limit(role.current.as_ref()?)?;
    let mean_above = |metric: Metric, limit: f64| {
        find(&role.figures, metric).and_then(|figure| figure.mean).filter(|mean| *mean > TOLERANCE * limit)
    };
    if let Some(mean) = mean_above(Metric::Throughput, limit.mibps) {
        return Some(format!(
            "whether {} is on the volume that was declared: it moved {} MiB/s on average, and that volume has at most {}",
            role.state.group.role,
            size(mean),
            count(limit.mibps)
        ));
    }
    mean_above(Metric::Requests, limit.iops).map(|mean| {
        format!(
            "whether {} is on the volume that was declared: it served {} requests/s on average, and that volume has at \
             most {} IOPS (small sequential requests, which EBS counts together, would explain it too)",
            role.state.group.role,
            count(mean),
            count(limit.iops)
        )
    })
}

/// Returns the limit of the current volumes together, with burst credits; `None` for types without published limits.
fn declared_limit(current: &CurrentVolume) -> Option<Ceiling> {
    let each = current.volumes.iter().map(|(config, volumes)| Some(Burst::ceiling(config.class()?, config, *volumes)));
    let all = each.collect::<Option<Vec<Ceiling>>>()?;
    Some(Ceiling { iops: all.iter().map(|one| one.iops).sum(), mibps: all.iter().map(|one| one.mibps).sum() })
}
