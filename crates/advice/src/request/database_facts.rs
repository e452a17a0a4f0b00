//! Facts of the RDS instance whose samples are answered, by its imported configuration.

use crate::migration::blue_green::BlueGreenObstacle;
use ebs_aws::catalogue::Platform;

/// Identifiers in AWS, and values that its commands depend on; `None` where they are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseFacts {
    /// DBInstanceIdentifier.
    pub instance: Option<String>,
    /// DBClusterIdentifier of a member of a Multi-AZ cluster.
    pub cluster: Option<String>,
    /// Single-AZ, Multi-AZ, or Multi-AZ cluster.
    pub deployment: Option<Platform>,
    /// Limit of storage autoscaling (MaxAllocatedStorage), GiB.
    pub max_allocated_gib: Option<u64>,
    /// Settings with which AWS refuses a Blue/Green deployment.
    pub blue_green_obstacles: Vec<BlueGreenObstacle>,
}

impl DatabaseFacts {
    /// Identifier that a modification of the storage names on this platform.
    pub fn on_platform(&self, platform: Platform) -> Option<&str> {
        let identifier = if platform == Platform::RdsCluster { &self.cluster } else { &self.instance };
        identifier.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_of_a_cluster_is_modified_by_its_own_identifier() {
        let known = DatabaseFacts {
            instance: Some("pg-1".to_owned()),
            cluster: Some("pg".to_owned()),
            ..DatabaseFacts::default()
        };
        let found = [Platform::Rds, Platform::RdsMultiAz, Platform::RdsCluster].map(|one| known.on_platform(one));
        assert_eq!(found, [Some("pg-1"), Some("pg-1"), Some("pg")]);
        assert_eq!(DatabaseFacts::default().on_platform(Platform::Rds), None);
    }
}
