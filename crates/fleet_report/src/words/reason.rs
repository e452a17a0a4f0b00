//! The reason for the action on a volume.

use ebs_advice::{Bound, Candidate};
use ebs_aws::catalogue::{Ceiling, Instance};
use ebs_base::format::{count, plain, rate, usd};
use ebs_base::units::GIB;
use ebs_fleet::{Action, Finding, Priced, Reason, UnknownFact, Unseen, VolumeAnswer};
use ebs_report::reasons::candidate;
use ebs_report::reasons::observed::Observed;

use super::carried::{description_refuted, present_suffices};
use super::{coded, finding};
use ebs_fleet_row::Coded;

/// Describes the reason.
pub fn describe_reason(answer: &VolumeAnswer) -> Coded {
    match &answer.reason {
        Reason::Sufficient(best) => sufficient(answer, best),
        Reason::NegligibleSaving { candidate, saved } => {
            let text = format!("{} would save {} a month", volumes(candidate), usd(*saved));
            coded("negligible_saving", text)
        }
        Reason::PresentSuffices(carried) => coded("present_suffices", present_suffices(answer, carried)),
        Reason::DescriptionRefuted { refuted, candidate } => {
            coded("description_refuted", description_refuted(refuted, candidate))
        }
        Reason::InstanceBinds { instance, bound, required, sufficient } => {
            coded("instance_binds", instance_binds(instance, *bound, *required, *sufficient))
        }
        Reason::NothingSuffices(None) => coded("nothing_suffices", "no volume meets everything requested".to_owned()),
        Reason::NothingSuffices(Some(nearest)) => {
            let text = format!(
                "no volume meets everything requested; closest {}: {}",
                volumes(nearest),
                describe_candidate(nearest)
            );
            coded("nothing_suffices", text)
        }
        Reason::ConfigurationUnknown(best) => {
            let size = if answer.recommended.is_some() { volumes(best) } else { limits(best) };
            let text = format!("{size} suffice: {}; {}", describe_candidate(best), unknown_configuration(answer));
            coded("configuration_unknown", text)
        }
        Reason::Idle { requests, seconds } => coded("idle", idle(answer, *requests, *seconds)),
        Reason::Unseen(unseen) => describe_unseen(*unseen),
        Reason::TooFewCounts { seconds } if *seconds <= 0.0 && answer.findings.iter().any(is_seen) => {
            coded("too_few_samples", "its samples in the requested period are too few for a rate".to_owned())
        }
        Reason::TooFewCounts { seconds } if *seconds <= 0.0 => {
            coded("no_samples", "the exporter has no samples of this volume in the requested period".to_owned())
        }
        Reason::TooFewCounts { seconds } => {
            coded("too_few_samples", format!("{} s of samples are too few for advice", count(*seconds)))
        }
        Reason::BytesMissing => {
            coded("bytes_missing", "the exporter counts requests without bytes: throughput is unknown".to_owned())
        }
        Reason::MultiAttach => {
            let text =
                "attached to several instances at once: total demand is unknown, as their scrapes have different times";
            coded("multi_attach", text.to_owned())
        }
        Reason::PeriodUnknown => {
            let text =
                "the period of CloudWatch's sums is unknown, as they do not change: export VolumeIdleTime as well";
            coded("period_unknown", text.to_owned())
        }
        Reason::NotFetched => coded("not_fetched", "its series were not fetched".to_owned()),
    }
}

/// Describes why the present configuration is not known.
fn unknown_configuration(answer: &VolumeAnswer) -> String {
    let named = answer.unknown.iter().find_map(|fact| match fact {
        UnknownFact::VolumeType(name) => Some(plain(name)),
        _ => None,
    });
    let source = if answer.identity.platform.is_rds() { "describe-db-instances" } else { "describe-volumes" };
    match named {
        Some(name) => format!("the present type {name} is not in the catalogue"),
        None => format!("{source} does not show the present configuration"),
    }
}

fn sufficient(answer: &VolumeAnswer, best: &Candidate) -> Coded {
    let text = describe_candidate(best);
    let text = match describe_growth(answer) {
        Some(growth) => format!("{growth}; {text}"),
        None => text,
    };
    let unsuitable = answer.findings.iter().find_map(|finding| match finding {
        Finding::UnsuitableType { volume_type } => Some(volume_type),
        _ => None,
    });
    if let Some(volume_type) = unsuitable {
        return coded("unsuitable_type", format!("{}; {text}", finding::unsuitable(volume_type)));
    }
    let is_slower = answer.findings.iter().any(|finding| matches!(finding, Finding::Slower(_)));
    match answer.action {
        Action::Keep => coded("as_present", text),
        _ if is_slower && answer.saved.is_some_and(|saved| saved.cents() > 0) => coded("cheaper_and_slower", text),
        _ if answer.saved.is_some_and(|saved| saved.cents() < 0) => coded("present_too_small", text),
        _ if answer.saved.is_some_and(|saved| saved.cents() > 0) => coded("cheaper_suffices", text),
        _ => coded("suffices", text),
    }
}

/// Describes why a larger size is recommended; `None` where the size stays.
fn describe_growth(answer: &VolumeAnswer) -> Option<String> {
    let size = |priced: &Priced| count((priced.config.size_gib * priced.volumes) as f64);
    let gib = |bytes: f64| rate(bytes / GIB as f64);
    let (present, recommended) = (answer.present.as_ref()?, answer.recommended.as_ref()?);
    let is_larger = recommended.config.size_gib * recommended.volumes > present.config.size_gib * present.volumes;
    let space = answer.space.filter(|_| is_larger)?;
    Some(match (space.full_in_days, space.per_day) {
        (Some(days), Some(per_day)) => format!(
            "{} GiB are full in {} days at {} GiB a day: {} GiB hold its growth",
            size(present),
            count(days),
            gib(per_day),
            size(recommended)
        ),
        _ => {
            format!("{} of {} GiB are used: {} GiB keep a part free", gib(space.used), size(present), size(recommended))
        }
    })
}

/// Describes the reason for volumes by the counts of a volume: there is no run.
fn describe_candidate(candidate: &Candidate) -> String {
    candidate::describe_reason_with(Observed::Volume, candidate)
}

/// Describes type and limits of volumes whose size is not known: `gp3 with 3,000 IOPS and 125 MiB/s`.
fn limits(candidate: &Candidate) -> String {
    let config = &candidate.config;
    let [iops, mibps] = [config.iops, config.throughput_mibps].map(|limit| count(limit as f64));
    format!("{} with {iops} IOPS and {mibps} MiB/s", config.volume_type.name())
}

fn volumes(candidate: &Candidate) -> String {
    candidate::describe_volumes(candidate)
}

/// True of a volume that documents attach to no instance, and whose series have samples.
fn is_seen(finding: &Finding) -> bool {
    matches!(finding, Finding::Unattached { last_seen_us: Some(_), .. })
}

fn idle(answer: &VolumeAnswer, requests: u64, seconds: f64) -> String {
    let begin = format!("{} requests in {}", count(requests as f64), finding::days(seconds));
    let is_filling = answer.findings.iter().any(|finding| matches!(finding, Finding::FillsUp { .. }));
    let further = match answer.findings.iter().any(is_seen) {
        _ if is_filling => "its data grow",
        true => "it was mounted",
        false => "delete it if its data are not needed",
    };
    match answer.action {
        Action::Modify => format!("{begin}: gp3 with what its price includes suffices; {further}"),
        _ => format!("{begin}: {further}"),
    }
}

/// Describes the limit of an instance, and the type that suffices.
fn instance_binds(instance: &Instance, bound: Bound, required: Ceiling, sufficient: Option<&Instance>) -> String {
    let baseline = instance.baseline();
    let (sustained, needed) = match bound {
        Bound::InstanceThroughput => {
            (format!("{} MiB/s", count(baseline.mibps)), format!("{} MiB/s", count(required.mibps)))
        }
        _ => (format!("{} IOPS", count(baseline.iops)), format!("{} IOPS", count(required.iops))),
    };
    let way = match sufficient {
        Some(larger) => format!("{} sustains it", larger.instance_type),
        None => "no type of its family sustains it".to_owned(),
    };
    format!("{} sustains {sustained}, all its volumes need {needed}: {way}", instance.instance_type)
}

fn describe_unseen(unseen: Unseen) -> Coded {
    match unseen {
        Unseen::Unattached => coded(
            "unattached",
            "attached to no instance: delete it after a snapshot if its data are not needed".to_owned(),
        ),
        Unseen::UnattachedManaged => {
            coded("unattached", "attached to no instance, and managed by a service: only that deletes it".to_owned())
        }
        Unseen::Mounted => {
            let text = "attached to no instance by describe-volumes, but mounted by a kubelet in the requested period: its I/O is unknown, as no exporter counts it";
            coded("not_scraped", text.to_owned())
        }
        Unseen::NotScraped => {
            coded("not_scraped", "no exporter has series of this volume in the requested period".to_owned())
        }
        Unseen::NotCumulative => {
            let text = "node_disk_* of rds_exporter (percona) are amounts of one interval, not counters: \
                        use its aws_rds_* or rdsosmetrics_* metrics";
            coded("not_cumulative", text.to_owned())
        }
        Unseen::AverageOfCounts => {
            let text = "YACE exports the Average of VolumeReadOps, from which IOPS cannot be computed: export the statistic Sum";
            coded("average_of_counts", text.to_owned())
        }
        Unseen::OtherEngine => {
            let text = "the storage of this engine of RDS is not known: it differs from PostgreSQL's (docs/rds.md)";
            coded("other_engine", text.to_owned())
        }
        Unseen::RdsOnOutpost => {
            let text = "RDS on Outposts has storage of the Outpost: its limits and prices are not known (docs/rds.md)";
            coded("rds_on_outpost", text.to_owned())
        }
        Unseen::Aurora => {
            coded("aurora", "Aurora has no EBS volumes to choose: see ebs_aurora (docs/aurora.md)".to_owned())
        }
    }
}
