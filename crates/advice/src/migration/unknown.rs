//! Values of a change that the evidence does not have.

/// A value that whoever makes the change has to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Id of a current volume; its number where there are several.
    VolumeId(Option<usize>),
    /// Type of the current volumes, for the way back.
    CurrentType,
    /// IOPS of the current volumes, for the way back; empty for a type that takes none.
    CurrentIops,
    /// Throughput of the current volumes, MiB/s, for the way back; empty for a type that takes none.
    CurrentThroughput,
    /// Size of each new volume, GiB.
    SizeGib,
    /// Availability zone of the instance.
    AvailabilityZone,
    /// Outpost of the instance.
    OutpostArn,
    /// Id of the EC2 instance.
    InstanceId,
    /// Directory that the volumes are mounted at, or that moves to them.
    Directory,
    /// Service of PostgreSQL that systemd runs.
    Service,
    /// RDS instance.
    DbInstance,
    /// RDS Multi-AZ cluster.
    DbCluster,
    /// Class of the new RDS instance.
    DbInstanceClass,
    /// Blue/Green deployment.
    Deployment,
    /// User who is to own the new RDS instance.
    MasterUser,
}

impl Unknown {
    /// The variable of the shell: `VOLUME_ID`, `VOLUME_ID_2`.
    pub fn variable(self) -> String {
        let name = match self {
            Unknown::VolumeId(Some(number)) => return format!("VOLUME_ID_{number}"),
            Unknown::VolumeId(None) => "VOLUME_ID",
            Unknown::CurrentType => "CURRENT_TYPE",
            Unknown::CurrentIops => "CURRENT_IOPS",
            Unknown::CurrentThroughput => "CURRENT_THROUGHPUT",
            Unknown::SizeGib => "SIZE_GIB",
            Unknown::AvailabilityZone => "AVAILABILITY_ZONE",
            Unknown::OutpostArn => "OUTPOST_ARN",
            Unknown::InstanceId => "INSTANCE_ID",
            Unknown::Directory => "DIRECTORY",
            Unknown::Service => "SERVICE",
            Unknown::DbInstance => "DB_INSTANCE",
            Unknown::DbCluster => "DB_CLUSTER",
            Unknown::DbInstanceClass => "DB_INSTANCE_CLASS",
            Unknown::Deployment => "DEPLOYMENT",
            Unknown::MasterUser => "MASTER_USER",
        };
        name.to_owned()
    }

    /// True where the variable may stay empty.
    pub fn is_optional(self) -> bool {
        matches!(self, Unknown::CurrentIops | Unknown::CurrentThroughput)
    }
}
