//! Commands of the AWS CLI.

use ebs_advice::quote;
use ebs_base::format::plain;

use super::change::Change;
use super::settings::Settings;
use super::subject::Subject;

/// Returns the command that gives a volume a configuration; with its size where it grows, and on RDS wherever limits are set, which it
/// refuses without the size.
pub(super) fn modify(change: &Change, settings: &Settings, size_gib: Option<u64>) -> String {
    let volume_type = settings.volume_type.name();
    let iops = settings.iops.map(|iops| format!(" --iops {iops}")).unwrap_or_default();
    let option = |name: &str, value: Option<u64>| value.map(|value| format!(" {name} {value}")).unwrap_or_default();
    let (id, region) = (id(change), region(change));
    let sets_limits = settings.iops.is_some() || settings.throughput_mibps.is_some();
    let on_rds = size_gib.or_else(|| sets_limits.then_some(settings.size_gib));
    match change.subject {
        Subject::Volume => format!(
            "aws ec2 modify-volume{region} {id} --volume-type {volume_type}{}{iops}{}",
            option("--size", size_gib),
            option("--throughput", settings.throughput_mibps)
        ),
        Subject::Instance | Subject::Cluster => format!(
            "aws rds modify-{}{region} {id} --storage-type {volume_type}{}{iops}{} --apply-immediately",
            kind(change.subject),
            option("--allocated-storage", on_rds),
            option("--storage-throughput", settings.throughput_mibps)
        ),
    }
}

/// Returns the arguments of the script's function `has` that a volume has a configuration.
pub(super) fn has(change: &Change, settings: &Settings) -> String {
    let size = if change.subject == Subject::Volume { "Size" } else { "AllocatedStorage" };
    let mut names = vec![if change.subject == Subject::Volume { "VolumeType" } else { "StorageType" }, size];
    names.extend(settings.iops.map(|_| "Iops"));
    let throughput = if change.subject == Subject::Volume { "Throughput" } else { "StorageThroughput" };
    names.extend(settings.throughput_mibps.map(|_| throughput));
    let query = format!("{}[0].[{}]", list(change.subject), names.join(","));
    format!("{} {} {}", quote(&query), quote(&settings.values()), read(change))
}

/// Returns the arguments of `has` that RDS has finished with its storage.
pub(super) fn is_available(change: &Change) -> Option<String> {
    let status = match change.subject {
        Subject::Volume => return None,
        Subject::Instance => "DBInstances[0].DBInstanceStatus",
        Subject::Cluster => "DBClusters[0].Status",
    };
    Some(format!("{} available {}", quote(status), read(change)))
}

/// Returns the arguments of `has` that no modification of these volumes is under way; `None` without volumes.
pub(super) fn are_completed(changes: &[&Change]) -> Option<String> {
    let volumes: Vec<&str> = changes
        .iter()
        .filter(|change| change.subject == Subject::Volume)
        .map(|change| change.row.volume.as_str())
        .collect();
    let region = changes.first().map(|change| region(change))?;
    (!volumes.is_empty()).then(|| {
        format!(
            "'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications{region} --filters {} \
             Name=modification-state,Values=modifying,optimizing",
            quote(&format!("Name=volume-id,Values={}", volumes.join(",")))
        )
    })
}

fn read(change: &Change) -> String {
    let (id, region) = (id(change), region(change));
    match change.subject {
        Subject::Volume => {
            format!("aws ec2 describe-volumes{region} {}", id.replacen("--volume-id ", "--volume-ids ", 1))
        }
        subject => format!("aws rds describe-{}s{region} {id}", kind(subject)),
    }
}

fn list(subject: Subject) -> &'static str {
    match subject {
        Subject::Volume => "Volumes",
        Subject::Instance => "DBInstances",
        Subject::Cluster => "DBClusters",
    }
}

fn kind(subject: Subject) -> &'static str {
    if subject == Subject::Cluster { "db-cluster" } else { "db-instance" }
}

fn id(change: &Change) -> String {
    let option = match change.subject {
        Subject::Volume => "--volume-id",
        Subject::Instance => "--db-instance-identifier",
        Subject::Cluster => "--db-cluster-identifier",
    };
    format!("{option} {}", quote(&change.row.volume))
}

fn region(change: &Change) -> String {
    change.row.region.as_deref().map(|region| format!(" --region {}", quote(&plain(region)))).unwrap_or_default()
}
