//! Commands of the AWS CLI.

use ebs_advice::{APPLY_IMMEDIATELY, Argument, AwsCommand, AwsResource, StorageAttributes, quote};
use ebs_base::format::plain;

use super::change::Change;

/// Returns the command that gives a volume attributes.
pub(super) fn modify(change: &Change, attributes: &StorageAttributes, grows: bool) -> AwsCommand {
    let resource = change.resource;
    let values = attributes.values(resource, attributes.size_gib.into(), grows);
    let now = (resource != AwsResource::Volume).then_some(APPLY_IMMEDIATELY);
    in_region(change, resource.modify(change.row.volume.as_str(), values).flags(now))
}

/// Returns the arguments of the script's function `has` that a volume has attributes.
pub(super) fn has(change: &Change, attributes: &StorageAttributes) -> String {
    let StorageAttributes { volume_type, size_gib, iops, throughput_mibps } = *attributes;
    let query = change.resource.query([iops.is_some(), throughput_mibps.is_some()]);
    let figures = [Some(size_gib), iops, throughput_mibps].into_iter().flatten();
    let values = std::iter::once(volume_type.name().to_owned()).chain(figures.map(|figure| figure.to_string()));
    format!("{} {} {}", quote(&query), quote(&values.collect::<Vec<_>>().join(" ")), describe(change))
}

/// Returns the arguments of `has` that RDS has finished with its storage.
pub(super) fn is_available(change: &Change) -> Option<String> {
    let status = match change.resource {
        AwsResource::Volume => return None,
        AwsResource::Instance => "DBInstances[0].DBInstanceStatus",
        AwsResource::Cluster => "DBClusters[0].Status",
    };
    Some(format!("{} available {}", quote(status), describe(change)))
}

/// Returns the arguments of `has` that no modification of these volumes is under way; `None` without volumes.
pub(super) fn are_completed(changes: &[&Change]) -> Option<String> {
    let volumes = changes.iter().filter(|change| change.resource == AwsResource::Volume);
    let volumes: Vec<&str> = volumes.map(|change| change.row.volume.as_str()).collect();
    let first = changes.first().filter(|_| !volumes.is_empty())?;
    let filters = [
        Argument::from(format!("Name=volume-id,Values={}", volumes.join(","))),
        Argument::Shell("Name=modification-state,Values=modifying,optimizing".into()),
    ];
    let describe = AwsCommand::new("ec2 describe-volumes-modifications").option("--filters", filters);
    Some(format!("'length(VolumesModifications)' 0 {}", in_region(first, describe)))
}

fn describe(change: &Change) -> AwsCommand {
    in_region(change, change.resource.describe([change.row.volume.as_str()]))
}

fn in_region(change: &Change, command: AwsCommand) -> AwsCommand {
    command.in_region(change.row.region.as_deref().map(plain).as_deref())
}
