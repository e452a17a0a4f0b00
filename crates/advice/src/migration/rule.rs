//! Rules of AWS and of tools for a change of volumes.

/// A rule for a change, with the figures that it applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationRule {
    /// The data directory is not on an identified EBS volume: the data is copied.
    NotOnEbs,
    /// Another number of volumes requires new ones and a copy of the data.
    NumberDiffers {
        /// Volumes now.
        from: u64,
        /// Volumes then.
        to: u64,
    },
    /// A volume cannot shrink: a smaller one is new, and the data is copied.
    CannotShrink {
        /// GiB now.
        from_gib: u64,
        /// GiB then.
        to_gib: u64,
    },
    /// md does not use larger members of a RAID 0: it is new, and the data is copied.
    StripeCannotGrow,
    /// A larger size cannot be undone.
    SizeOnlyGrows,
    /// The size alone changes: nothing can be taken back.
    GrowthWithoutRollback,
    /// The filesystem is extended after the volume.
    ExtendFilesystem,
    /// The size of the volume was not declared.
    SizeNotDeclared,
    /// A volume can be modified four times in any 24 hours.
    ModificationsPerDay,
    /// Performance during a modification.
    Optimization,
    /// An instance with several EBS cards gives each volume the limits of one.
    EbsCards {
        /// Cards.
        cards: u64,
    },
    /// A root volume cannot become st1 or sc1.
    RootVolume,
    /// A Multi-Attach volume keeps its type; of io2, size and IOPS can be modified.
    MultiAttachModified,
    /// A Multi-Attach volume cannot be modified so: it is new, and copied with the means of its cluster filesystem.
    MultiAttachCopied,
    /// Storage of RDS never shrinks.
    RdsCannotShrink {
        /// Current GiB, which remain.
        current_gib: u64,
        /// GiB that require a new instance.
        target_gib: u64,
    },
    /// Storage of RDS grows by at least a tenth.
    RdsGrowth,
    /// The same, where the size alone changes: nothing can be taken back.
    RdsGrowthWithoutRollback,
    /// A rule for an RDS instance as a whole.
    Rds(RdsRule),
    /// RDS copies the data to a stripe where storage grows across 400 GiB.
    RdsBecomesStripe,
    /// RDS may copy the data to a stripe, as the current size is not known.
    RdsMayBecomeStripe,
    /// The next change of RDS's storage waits.
    RdsNextChange,
    /// RDS copies WAL where its dedicated log volume is removed.
    RdsLogVolumeCopy,
    /// RDS's dedicated log volume is offered beside the storage, and is not part of the commands.
    RdsLogVolumeOffered,
    /// The data is copied into RDS.
    CopiedIntoRds,
}

/// A rule for an RDS instance, its autoscaling and its deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RdsRule {
    /// RDS's storage cannot grow: a tenth more than this size exceeds the largest.
    CannotGrow {
        /// Current GiB.
        current_gib: u64,
    },
    /// The limit of storage autoscaling is raised with the storage: it has to be a tenth above it.
    AutoscalingLimit {
        /// Limit then, GiB.
        max_gib: u64,
    },
    /// Storage autoscaling ends with a size that no limit can be a tenth above.
    AutoscalingEnds,
    /// A standby is added, or removed, with the change.
    Standby {
        /// True where it is added.
        is_added: bool,
    },
    /// A DB instance is not modified into a Multi-AZ DB cluster, nor back: the data is copied.
    OtherDeployment,
}

const MODIFY: &str = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-modify-volume.html";
const MULTI_ATTACH: &str = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volumes-multi.html";
const EXTEND: &str = "https://docs.aws.amazon.com/ebs/latest/userguide/recognize-expanded-volume-linux.html";
const ATTACH: &str = "https://docs.aws.amazon.com/cli/latest/reference/ec2/attach-volume.html";
const MD: &str = "https://man7.org/linux/man-pages/man8/mdadm.8.html";
const RDS_SCALING: &str = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_PIOPS.ModifyingExisting.html";
const RDS_AUTOSCALING: &str = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_PIOPS.Autoscaling.html";
const RDS_MULTI_AZ: &str = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Concepts.MultiAZ.html";
const RDS_STORAGE: &str = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Storage.html";
const RDS_LOG_VOLUME: &str = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_PIOPS.dlv.html";

impl MigrationRule {
    /// The page that publishes it.
    pub fn source(self) -> &'static str {
        match self {
            MigrationRule::StripeCannotGrow => MD,
            MigrationRule::EbsCards { .. } => ATTACH,
            MigrationRule::MultiAttachModified | MigrationRule::MultiAttachCopied => MULTI_ATTACH,
            MigrationRule::ExtendFilesystem => EXTEND,
            MigrationRule::Rds(RdsRule::AutoscalingLimit { .. } | RdsRule::AutoscalingEnds) => RDS_AUTOSCALING,
            MigrationRule::Rds(RdsRule::Standby { .. } | RdsRule::OtherDeployment) => RDS_MULTI_AZ,
            MigrationRule::RdsCannotShrink { .. }
            | MigrationRule::Rds(RdsRule::CannotGrow { .. })
            | MigrationRule::RdsGrowth
            | MigrationRule::RdsGrowthWithoutRollback
            | MigrationRule::RdsNextChange => RDS_SCALING,
            MigrationRule::RdsBecomesStripe | MigrationRule::RdsMayBecomeStripe | MigrationRule::CopiedIntoRds => {
                RDS_STORAGE
            }
            MigrationRule::RdsLogVolumeCopy | MigrationRule::RdsLogVolumeOffered => RDS_LOG_VOLUME,
            _ => MODIFY,
        }
    }
}
