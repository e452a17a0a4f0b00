//! The reason for the action on a volume in few words, for the table.

use ebs_base::format::count;
use ebs_fleet::{Reason, Unseen, VolumeAnswer};
use ebs_report::reasons::decided;

use super::decided_of;

/// Describes the reason in few words: the limit or the cause, and by how much.
pub fn describe_reason_briefly(answer: &VolumeAnswer) -> String {
    match &answer.reason {
        Reason::Decided(reason) => decided::describe_reason_briefly(reason, &decided_of(answer)),
        Reason::Unseen(unseen) => describe_unseen(*unseen).to_owned(),
        Reason::TooFewCounts { seconds } if *seconds <= 0.0 => "no samples for a rate in this period".to_owned(),
        Reason::TooFewCounts { seconds } => format!("{} s of samples are too few", count(*seconds)),
        Reason::BytesMissing => "exporter counts no bytes".to_owned(),
        Reason::MultiAttach => "attached to several instances".to_owned(),
        Reason::PeriodUnknown => "period of CloudWatch's sums unknown".to_owned(),
        Reason::NotFetched => "its series were not fetched".to_owned(),
    }
}

fn describe_unseen(unseen: Unseen) -> &'static str {
    match unseen {
        Unseen::Unattached => "attached to no instance",
        Unseen::UnattachedManaged => "not attached, managed by a service",
        Unseen::Mounted => "not attached, but mounted by a kubelet",
        Unseen::NotScraped => "no exporter has series of it",
        Unseen::NotCumulative => "node_disk_* of RDS are no counters",
        Unseen::AverageOfCounts => "YACE exports Average, not Sum",
        Unseen::OtherEngine => "storage of this engine is unknown",
        Unseen::RdsOnOutpost => "RDS on Outposts: limits unknown",
        Unseen::Aurora => "Aurora has no EBS volumes",
    }
}
