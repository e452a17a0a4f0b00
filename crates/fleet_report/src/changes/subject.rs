//! The thing that is modified: a volume, an RDS instance, a Multi-AZ cluster.

use ebs_aws::catalogue::Platform;

/// Kind of thing that a change modifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// An EBS volume.
    Volume,
    /// An RDS instance.
    Instance,
    /// An RDS Multi-AZ cluster.
    Cluster,
}

impl Subject {
    /// Returns the subject on a platform.
    pub(super) fn new(platform: Platform) -> Subject {
        match platform {
            Platform::Rds | Platform::RdsMultiAz => Subject::Instance,
            Platform::RdsCluster => Subject::Cluster,
            Platform::Ec2 | Platform::Outposts | Platform::LocalZone | Platform::Wavelength => Subject::Volume,
        }
    }

    /// True for an identifier that AWS gives, or takes for, such a thing.
    pub(super) fn accepts(self, id: &str) -> bool {
        let name =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        match self {
            Subject::Volume => id.strip_prefix("vol-").is_some_and(|id| name(id) && !id.contains('-')),
            _ => name(id) && id.starts_with(|first: char| first.is_ascii_alphabetic()),
        }
    }
}
