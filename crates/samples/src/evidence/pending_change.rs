//! Changes of volumes that AWS has not completed, or allows no more of for the moment.

/// State of a volume that forbids the next change of it, or that the next change applies too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingChange {
    /// EBS volume ID, or identifier of the RDS instance.
    pub name: String,
    /// Name of the volume in declarations; `None` of all volumes of an instance.
    pub volume: Option<String>,
    /// Cause.
    pub cause: PendingCause,
    /// Configuration that the change sets, in words: `400 GiB, 12,000 IOPS, 500 MiB/s`; `None` where no document tells it.
    pub values: Option<String>,
    /// Time of the latest document that shows it, microseconds since 1970.
    pub seen_us: i64,
    /// Earliest time of the next change, microseconds since 1970; `None` where it is not known.
    pub earliest_us: Option<i64>,
}

impl PendingChange {
    /// True where AWS refuses the next change, or mixes it with this one.
    pub fn forbids_change(&self) -> bool {
        self.cause != PendingCause::Queued
    }
}

/// Cause for which AWS refuses the next change, or does more than it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingCause {
    /// Status of the RDS instance, other than available: `storage-optimization`; or state of the EBS volume, other than in use and available.
    Status(String),
    /// Values of RDS's storage that wait for the maintenance window.
    Maintenance,
    /// Values of an RDS instance other than its storage's, which `--apply-immediately` of any change applies too
    /// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_ModifyInstance.ApplyImmediately.html>).
    Queued,
    /// State of the modification of an EBS volume: `modifying` or `optimizing`.
    Modification(String),
    /// Four modifications of an EBS volume within 24 hours.
    FourInADay,
    /// Service that manages an EBS volume, whose settings no one else changes: `eks.amazonaws.com`
    /// (<https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volumes.html>).
    Managed(String),
}
