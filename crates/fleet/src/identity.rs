//! Names and places of a volume.

use std::collections::BTreeMap;

use ebs_aws::catalogue::Platform;

/// Names and places of a volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    /// EBS volume ID, or identifier of the RDS instance.
    pub id: String,
    /// Platform.
    pub platform: Platform,
    /// Kubernetes claim, as `namespace/name`.
    pub claim: Option<String>,
    /// AWS account.
    pub account: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Availability zone.
    pub zone: Option<String>,
    /// Instance: EC2 ID, or name of the exporter where no ID is known; of RDS the identifier.
    pub instance: Option<String>,
    /// Instance type or class.
    pub instance_type: Option<String>,
    /// Mount points.
    pub mountpoints: Vec<String>,
    /// State by EC2 or RDS.
    pub state: Option<String>,
    /// Tags.
    pub tags: BTreeMap<String, String>,
}
