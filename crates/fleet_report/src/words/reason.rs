//! The reason for the action on a volume.

use ebs_advice::Finding;
use ebs_base::format::count;
use ebs_fleet::{Reason, Unseen, VolumeAnswer};
use ebs_report::reasons::decided;

use super::{coded, decided_of, from_coded};
use ebs_fleet_row::Coded;

/// Describes the reason.
pub fn describe_reason(answer: &VolumeAnswer) -> Coded {
    match &answer.reason {
        Reason::Decided(reason) => from_coded(decided::describe_reason(reason, &decided_of(answer))),
        Reason::Unseen(unseen) => describe_unseen(*unseen),
        Reason::TooFewCounts { seconds } if *seconds <= 0.0 && answer.findings.iter().any(is_seen) => {
            coded("too_few_samples", "its samples in the requested period are too few for a rate")
        }
        Reason::TooFewCounts { seconds } if *seconds <= 0.0 => {
            coded("no_samples", "the exporter has no samples of this volume in the requested period")
        }
        Reason::TooFewCounts { seconds } => {
            coded("too_few_samples", format!("{} s of samples are too few for advice", count(*seconds)))
        }
        Reason::BytesMissing => {
            coded("bytes_missing", "the exporter counts requests without bytes: throughput is unknown")
        }
        Reason::MultiAttach => coded(
            "multi_attach",
            "attached to several instances at once: total demand is unknown, as their scrapes have different times",
        ),
        Reason::PeriodUnknown => coded(
            "period_unknown",
            "the period of CloudWatch's sums is unknown, as they do not change: export VolumeIdleTime as well",
        ),
        Reason::NotFetched => coded("not_fetched", "its series were not fetched"),
    }
}

/// True of a volume that documents attach to no instance, and whose series have samples.
fn is_seen(finding: &Finding) -> bool {
    matches!(finding, Finding::Unattached { last_seen_us: Some(_), .. })
}

fn describe_unseen(unseen: Unseen) -> Coded {
    match unseen {
        Unseen::Unattached => {
            coded("unattached", "attached to no instance: delete it after a snapshot if its data are not needed")
        }
        Unseen::UnattachedManaged => {
            coded("unattached", "attached to no instance, and managed by a service: only that deletes it")
        }
        Unseen::Mounted => coded(
            "not_scraped",
            "attached to no instance by describe-volumes, but mounted by a kubelet in the requested period: its I/O is unknown, as no exporter counts it",
        ),
        Unseen::NotScraped => coded("not_scraped", "no exporter has series of this volume in the requested period"),
        Unseen::NotCumulative => coded(
            "not_cumulative",
            "node_disk_* of rds_exporter (percona) are amounts of one interval, not counters: \
             use its aws_rds_* or rdsosmetrics_* metrics",
        ),
        Unseen::AverageOfCounts => coded(
            "average_of_counts",
            "YACE exports the Average of VolumeReadOps, from which IOPS cannot be computed: export the statistic Sum",
        ),
        Unseen::OtherEngine => coded(
            "other_engine",
            "the storage of this engine of RDS is not known: it differs from PostgreSQL's (docs/rds.md)",
        ),
        Unseen::RdsOnOutpost => coded(
            "rds_on_outpost",
            "RDS on Outposts has storage of the Outpost: its limits and prices are not known (docs/rds.md)",
        ),
        Unseen::Aurora => coded("aurora", "Aurora has no EBS volumes to choose: see ebs_aurora (docs/aurora.md)"),
    }
}
