//! Volumes that did more than what was declared can do: then something else is there, or something is before it.

use super::Report;
use ebs_advice::advice::{Present, RoleAdvice};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::Ceiling;
use ebs_base::format::{count, size};
use ebs_workload::mix::find;

/// How far above its limit a volume is measured at times: buckets let through what was saved up. A choice.
const TOLERANCE: f64 = 1.05;

/// The doubts about what was declared, one a part of the cluster.
pub(super) fn doubts(report: &Report) -> Vec<String> {
    report.roles().filter_map(doubt).collect()
}

fn doubt(role: &RoleAdvice) -> Option<String> {
    let able = able(role.present.as_ref()?)?;
    let beyond = |metric: &str, limit: f64| {
        find(&role.figures, metric).and_then(|figure| figure.mean).filter(|mean| *mean > TOLERANCE * limit)
    };
    if let Some(mean) = beyond("throughput", able.mibps) {
        return Some(format!(
            "whether {} is on the volume that was declared: it moved {} MiB/s on average, and that volume has at most {}",
            role.role,
            size(mean),
            count(able.mibps)
        ));
    }
    beyond("requests", able.iops).map(|mean| {
        format!(
            "whether {} is on the volume that was declared: it served {} requests/s on average, and that volume has at \
             most {} IOPS (small sequential requests, which EBS counts together, would explain it too)",
            role.role,
            count(mean),
            count(able.iops)
        )
    })
}

/// What the present volumes do together, with credits; `None` of what is not sold.
fn able(present: &Present) -> Option<Ceiling> {
    let each = present.volumes.iter().map(|(config, volumes)| Some(Burst::ceiling(config.class()?, config, *volumes)));
    let all = each.collect::<Option<Vec<Ceiling>>>()?;
    Some(Ceiling { iops: all.iter().map(|one| one.iops).sum(), mibps: all.iter().map(|one| one.mibps).sum() })
}
