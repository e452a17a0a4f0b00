//! Rules for a change of volumes, a sentence each; values that it has to be given.

use std::borrow::Cow;

use super::instance_type::describe_type;
use ebs_advice::{
    APPLY_IMMEDIATELY, Argument, AwsCommand, AwsResource, InstanceSaturation, MigrationRule, RdsRule, Request, Unknown,
};
use ebs_aws::catalogue::{Instance, Platform, VolumeType};
use ebs_base::format::count;

/// Describes a Multi-Attach volume that AWS does not modify.
fn describe_multi_attach_copied() -> String {
    let fixed = |one: VolumeType| one.can_multi_attach() && !one.is_modifiable_with_multi_attach();
    let fixed = VolumeType::list(fixed, "and");
    format!(
        "AWS changes no type of a Multi-Attach volume, and neither size nor IOPS of {fixed}: create a volume with --multi-attach-enabled \
         in its zone, and move the data with the cluster filesystem on it."
    )
}

/// Describes the types of which no root volume is.
fn describe_root_volume() -> String {
    let others = VolumeType::list(|one| one.is_ebs() && !one.characteristics().boot, "or");
    format!("A root volume cannot become {others}.")
}

/// Describes the end of a dedicated log volume.
fn describe_log_volume_removed() -> String {
    format!(
        "The dedicated log volume, which {} storage alone can have, is removed: RDS copies WAL to the storage, \
         and the database is down meanwhile.",
        VolumeType::list(VolumeType::can_have_log_volume, "and")
    )
}

/// Sentence on autoscaling that no limit is left for.
const AUTOSCALING_ENDS: &str = "The limit of storage autoscaling has to be 10 % above the storage, which exceeds the largest: the command turns autoscaling off.";

/// Sentence on a Multi-AZ DB cluster in place of an instance, or the reverse.
const OTHER_DEPLOYMENT: &str = "A DB instance cannot be modified into a Multi-AZ DB cluster, nor back: create the other, and copy the data; the current one remains until \
             then.";

/// Describes a rule.
pub fn describe_rule(rule: &MigrationRule) -> Cow<'static, str> {
    let gib = |gib: u64| count(gib as f64);
    match *rule {
        MigrationRule::NumberDiffers { from, to } => {
            Cow::from(format!("From {from} to {to} volumes: this requires new volumes and a copy of the data."))
        }
        MigrationRule::CannotShrink { from_gib, to_gib } => {
            let sizes = format!("From {} to {} GiB", gib(from_gib), gib(to_gib));
            format!("{sizes}: a volume cannot shrink; create a new one and copy the data.").into()
        }
        MigrationRule::RdsCannotShrink { current_gib, target_gib } => {
            let (current, target) = (gib(current_gib), gib(target_gib));
            format!("A modification cannot shrink storage: it stays at {current} GiB; {target} GiB take a Blue/Green deployment.").into()
        }
        MigrationRule::NotOnEbs => "The data directory is not on an identified EBS volume: create a new volume and copy the data.".into(),
        MigrationRule::StripeCannotGrow => {
            "md cannot use larger members of a RAID 0: create a new array and copy the data.".into()
        }
        MigrationRule::SizeOnlyGrows => "A volume can only grow: the size cannot be reduced.".into(),
        MigrationRule::GrowthWithoutRollback => {
            "There is no rollback: a volume can only grow; smaller ones are new, and the data is copied.".into()
        }
        MigrationRule::ExtendFilesystem => "The filesystem is extended once the volume is optimizing or completed.".into(),
        MigrationRule::SizeNotDeclared => "The size of the volume was not declared; --size must not be below it.".into(),
        MigrationRule::ModificationsPerDay => {
            "A volume can be modified four times in any 24 hours, and again only after the last modification has completed.".into()
        }
        MigrationRule::Optimization => {
            "While it optimizes, about 6 hours for a full 1 TiB, performance is between that of before and after.".into()
        }
        MigrationRule::EbsCards { cards } => {
            format!("The instance has {cards} EBS cards that share its limits equally: the volumes alternate between them.")
                .into()
        }
        MigrationRule::MultiAttachModified => {
            "A Multi-Attach volume keeps its type; every instance that has it attached sees the change.".into()
        }
        MigrationRule::MultiAttachCopied => describe_multi_attach_copied().into(),
        MigrationRule::RootVolume => describe_root_volume().into(),
        MigrationRule::RdsGrowth => {
            "Storage grows by at least 10 %; no modification shrinks it, nor does the rollback: that takes a Blue/Green deployment.".into()
        }
        MigrationRule::RdsGrowthWithoutRollback => {
            "Storage grows by at least 10 %, and there is no rollback: no modification shrinks it; that takes a Blue/Green deployment.".into()
        }
        MigrationRule::Rds(rule) => describe_rds_rule(rule),
        MigrationRule::RdsBecomesStripe => {
            "Crossing 400 GiB, the data is copied to four volumes: hours of higher latency.".into()
        }
        MigrationRule::RdsMayBecomeStripe => {
            "From below 400 GiB, the data is copied to four volumes: hours of higher latency.".into()
        }
        MigrationRule::RdsNextChange => {
            "Storage can be modified four times in any 24 hours, and again only after storage optimization has ended, which can take hours."
                .into()
        }
        MigrationRule::RdsLogVolumeCopy => describe_log_volume_removed().into(),
        MigrationRule::RdsLogVolumeOffered => "WAL apart: the same command with --dedicated-log-volume.".into(),
        MigrationRule::CopiedIntoRds => "The cluster is on a server of its own: the data is copied into RDS.".into(),
    }
}

/// Describes a rule for an RDS instance as a whole.
fn describe_rds_rule(rule: RdsRule) -> Cow<'static, str> {
    let gib = |gib: u64| count(gib as f64);
    match rule {
        RdsRule::CannotGrow { current_gib } => {
            let current = gib(current_gib);
            format!("Storage of {current} GiB cannot grow: 10 % more exceeds the largest that RDS has. A new instance can be larger: create it, and copy the data.").into()
        }
        RdsRule::AutoscalingLimit { max_gib } => format!(
            "The limit of storage autoscaling has to be 10 % above the storage: the command raises it to {} GiB.",
            gib(max_gib)
        )
        .into(),
        RdsRule::AutoscalingEnds => AUTOSCALING_ENDS.into(),
        RdsRule::Standby { is_added: true } => {
            "The same command adds a standby in another zone: latency is higher while it is copied.".into()
        }
        RdsRule::Standby { is_added: false } => "The same command removes the standby.".into(),
        RdsRule::OtherDeployment => OTHER_DEPLOYMENT.into(),
    }
}

/// Describes the change to a larger instance, which ends the server that it is for, so that its commands run elsewhere.
pub fn describe_larger_instance(saturation: &InstanceSaturation, need: &str, platform: Platform) -> String {
    let name = &saturation.instance.instance_type;
    if platform.is_rds() {
        return format!(
            "Recommended is a larger instance class{need}; no volume replaces it. The database is down for minutes while it changes. \
             Rollback: the same command with db.{name}."
        );
    }
    format!(
        "Recommended is a larger instance{need}; no volume replaces it. It is changed from another machine, while it is stopped. \
         Rollback: the same commands with Value={name}."
    )
}

/// Commands that change an instance to another type; an ellipsis for what is not known.
pub fn instance_commands(request: &Request, sufficient: Option<&Instance>) -> Vec<String> {
    let (platform, resource) = (request.platform, AwsResource::new(request.platform));
    let unknown = || Argument::Shell("…".into());
    let name = sufficient.map(|instance| describe_type(&instance.instance_type, platform));
    let name = name.map_or_else(unknown, Argument::from);
    if platform.is_rds() {
        let database = request.database.on_platform(platform).map_or_else(unknown, Argument::from);
        let modify = resource.command("modify").flags([APPLY_IMMEDIATELY]).unbroken();
        let modify = modify.option(resource.identifier(), [database]).option(resource.class_option(), [name]);
        return modify.words().join(" \\\n    ").lines().map(str::to_owned).collect();
    }
    let command = |operation, option| AwsCommand::new(operation).option(option, [Argument::Shell("i-…".into())]);
    let modify = command("ec2 modify-instance-attribute", "--instance-id");
    let commands = [
        command("ec2 stop-instances", "--instance-ids"),
        command("ec2 wait instance-stopped", "--instance-ids"),
        modify.option("--instance-type", [Argument::Shell(format!("Value={name}"))]),
        command("ec2 start-instances", "--instance-ids"),
    ];
    commands.iter().map(AwsCommand::to_string).collect()
}

/// Describes a value that a change has to be given, and how to find it.
pub fn describe_unknown(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::VolumeId(_) => "id of the volume, vol-…: lsblk -o NAME,SERIAL",
        Unknown::CurrentType => "type of the volume before the change, as printed",
        Unknown::CurrentIops => "its IOPS, as printed; empty where they are not chosen",
        Unknown::CurrentThroughput => "its MiB/s, as printed; empty where they are not chosen",
        Unknown::SizeGib => "GiB of each volume",
        Unknown::AvailabilityZone => "zone of the instance: ec2-metadata --availability-zone",
        Unknown::OutpostArn => "ARN of the Outpost: aws outposts list-outposts",
        Unknown::InstanceId => "id of the instance, i-…: ec2-metadata --instance-id",
        Unknown::Directory => "mount point of the volume, or the directory that moves to it",
        Unknown::Service => "PostgreSQL's service: systemctl list-units 'postgresql*'",
        Unknown::DbInstance => "identifier of the RDS instance",
        Unknown::DbCluster => "identifier of the RDS Multi-AZ cluster",
        Unknown::DbInstanceClass => "class of the RDS instance, db.…",
        Unknown::Deployment => "id of the Blue/Green deployment, bgd-…, as printed",
        Unknown::MasterUser => "user who will own the RDS instance",
    }
}

#[cfg(test)]
#[path = "migration_tests.rs"]
mod tests;
