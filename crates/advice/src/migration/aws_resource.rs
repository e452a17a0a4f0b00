//! Storage in commands of the AWS CLI: the resources that have it, and the attributes of it that can be ordered.

use super::aws_command::{Argument, AwsCommand};
use super::procedure::Script;
use super::unknown::Unknown;
use ebs_aws::catalogue::{IopsRule, MibpsRule, Platform, VolumeConfig, VolumeType};

/// Option by which RDS modifies at once, and not in the next maintenance window.
pub const APPLY_IMMEDIATELY: &str = "--apply-immediately";

/// Resource of AWS that has storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwsResource {
    /// An EBS volume.
    Volume,
    /// An RDS instance.
    Instance,
    /// An RDS Multi-AZ cluster, whose throughput RDS sets itself.
    Cluster,
}

impl AwsResource {
    /// Returns the resource on a platform.
    pub fn new(platform: Platform) -> AwsResource {
        match platform {
            Platform::Rds | Platform::RdsMultiAz => AwsResource::Instance,
            Platform::RdsCluster => AwsResource::Cluster,
            Platform::Ec2 | Platform::Outposts | Platform::LocalZone | Platform::Wavelength => AwsResource::Volume,
        }
    }

    /// True for an identifier that AWS gives, or takes for, such a resource.
    pub fn accepts(self, id: &str) -> bool {
        let name =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        match self {
            AwsResource::Volume => id.strip_prefix("vol-").is_some_and(|id| name(id) && !id.contains('-')),
            _ => name(id) && id.starts_with(|first: char| first.is_ascii_alphabetic()),
        }
    }

    /// Returns service, noun and option for an identifier.
    fn names(self) -> [&'static str; 3] {
        match self {
            AwsResource::Volume => ["ec2", "volume", "--volume-id"],
            AwsResource::Instance => ["rds", "db-instance", "--db-instance-identifier"],
            AwsResource::Cluster => ["rds", "db-cluster", "--db-cluster-identifier"],
        }
    }

    /// Returns the command that does this, as `modify`, to one resource.
    pub fn command(self, verb: &str) -> AwsCommand {
        let [service, noun, _] = self.names();
        AwsCommand::new(&format!("{service} {verb}-{noun}"))
    }

    /// Returns the option that names one resource.
    pub fn identifier(self) -> &'static str {
        self.names()[2]
    }

    /// Returns the option for the class of RDS's instances.
    pub fn class_option(self) -> &'static str {
        if self == AwsResource::Cluster { "--db-cluster-instance-class" } else { "--db-instance-class" }
    }

    /// Returns the options for type, size, IOPS and throughput.
    pub(super) fn storage_options(self) -> [&'static str; 4] {
        match self {
            AwsResource::Volume => ["--volume-type", "--size", "--iops", "--throughput"],
            _ => ["--storage-type", "--allocated-storage", "--iops", "--storage-throughput"],
        }
    }

    /// Returns the command that sets attributes of storage.
    pub fn modify(self, id: impl Into<Argument>, storage: StorageValues) -> AwsCommand {
        self.command("modify").option(self.identifier(), [id]).options(self.storage_options(), storage)
    }

    /// Returns the command that describes resources.
    pub fn describe<I: Into<Argument>>(self, ids: impl IntoIterator<Item = I>) -> AwsCommand {
        let [service, noun, identifier] = self.names();
        let option = if self == AwsResource::Volume { "--volume-ids" } else { identifier };
        AwsCommand::new(&format!("{service} describe-{noun}s")).option(option, ids)
    }

    /// Returns the query of type and size in a description, and of IOPS and of throughput where these are true.
    pub fn query(self, [iops, throughput]: [bool; 2]) -> String {
        const RDS: [&str; 4] = ["StorageType", "AllocatedStorage", "Iops", "StorageThroughput"];
        let (list, keys) = match self {
            AwsResource::Volume => ("Volumes", ["VolumeType", "Size", "Iops", "Throughput"]),
            AwsResource::Instance => ("DBInstances", RDS),
            AwsResource::Cluster => ("DBClusters", RDS),
        };
        let keys = keys.into_iter().zip([true, true, iops, throughput]);
        let keys: Vec<&str> = keys.filter_map(|(key, is_named)| is_named.then_some(key)).collect();
        format!("{list}[0].[{}]", keys.join(","))
    }
}

/// Attributes of storage; `None` for one that the type has no choice of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StorageAttributes {
    /// Type.
    pub volume_type: VolumeType,
    /// Size, GiB.
    pub size_gib: u64,
    /// IOPS.
    pub iops: Option<u64>,
    /// Throughput, MiB/s.
    pub throughput_mibps: Option<u64>,
}

/// Values of the options for type, size, IOPS and throughput.
pub type StorageValues = [Option<Argument>; 4];

impl StorageAttributes {
    /// Returns the attributes of a resource's storage, by the rules of its class.
    pub fn new(resource: AwsResource, config: &VolumeConfig) -> StorageAttributes {
        let VolumeConfig { volume_type, size_gib, iops, throughput_mibps, .. } = *config;
        let class = config.class();
        let takes_iops = class.is_some_and(|class| class.iops_rule == IopsRule::Provisioned);
        let takes_mibps = class.is_some_and(|class| class.mibps_rule == MibpsRule::Provisioned);
        StorageAttributes {
            volume_type,
            size_gib,
            iops: takes_iops.then_some(iops),
            throughput_mibps: (takes_mibps && resource != AwsResource::Cluster).then_some(throughput_mibps),
        }
    }

    /// Returns the values that order them. A size that stays is named for RDS alone, wherever limits are: it refuses IOPS without the size,
    /// and throughput without both (InvalidParameterCombination), and accepts the present size.
    pub fn values(&self, resource: AwsResource, size: Argument, grows: bool) -> StorageValues {
        let names_size = grows || (resource != AwsResource::Volume && self.iops.or(self.throughput_mibps).is_some());
        let [iops, throughput] = [self.iops, self.throughput_mibps].map(|limit| limit.map(Argument::from));
        [Some(self.volume_type.name().into()), names_size.then_some(size), iops, throughput]
    }
}

/// Asks for the values of attributes that are not known, but for the size.
pub(super) fn ask_values(
    script: &mut Script,
    resource: AwsResource,
    size: impl FnOnce(&mut Script) -> Option<Argument>,
) -> StorageValues {
    let (volume_type, size) = (script.ask(Unknown::CurrentType), size(script));
    let iops = script.ask(Unknown::CurrentIops);
    let throughput = (resource != AwsResource::Cluster).then(|| script.ask(Unknown::CurrentThroughput));
    [Some(volume_type), size, Some(iops), throughput]
}
