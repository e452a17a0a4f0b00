//! Platforms: services that provide the volumes.

use std::str::FromStr;

use ebs_base::error::InputError;
use ebs_base::names;

ebs_base::named! {
    /// Service that provides the volumes, with limits and prices of its own, by its name in SQL.
    #[derive(Default, PartialOrd, Ord, Hash)]
    pub enum Platform {
        /// EBS volumes of an EC2 instance.
        #[default]
        Ec2 = "ec2",
        /// EBS volumes on an Outposts rack: the limits before September 2025.
        Outposts = "outposts",
        /// EBS volumes in a Local Zone, which has few of the region's types.
        LocalZone = "local-zone",
        /// EBS volumes in a Wavelength Zone: gp2 alone.
        Wavelength = "wavelength",
        /// Storage of an RDS for PostgreSQL instance in one availability zone.
        Rds = "rds",
        /// The same with a standby in a second zone.
        RdsMultiAz = "rds-multi-az",
        /// An RDS Multi-AZ cluster: one writer, two readers, three times the storage.
        RdsCluster = "rds-cluster",
    }
}

impl Platform {
    /// The platform whose rows of limits hold here.
    pub fn limits_of(self) -> Platform {
        match self {
            Platform::RdsMultiAz => Platform::Rds,
            other => other,
        }
    }

    /// True where RDS runs the database, and makes the volumes of one storage itself.
    pub fn is_rds(self) -> bool {
        matches!(self, Platform::Rds | Platform::RdsMultiAz | Platform::RdsCluster)
    }

    /// True where the catalogue has prices: storage on Outposts is bought with the rack, and a Local or Wavelength Zone has prices of its
    /// own, which are not the region's (<https://aws.amazon.com/ec2/pricing/on-demand/>).
    pub fn has_prices(self) -> bool {
        !matches!(self, Platform::Outposts | Platform::LocalZone | Platform::Wavelength)
    }

    /// Copies of the storage that are billed: RDS bills Multi-AZ at twice the price list's single-AZ rows, a Multi-AZ cluster
    /// at three times (<https://aws.amazon.com/rds/postgresql/pricing/>).
    pub fn copies(self) -> u64 {
        match self {
            Platform::Ec2 | Platform::Outposts | Platform::LocalZone | Platform::Wavelength | Platform::Rds => 1,
            Platform::RdsMultiAz => 2,
            Platform::RdsCluster => 3,
        }
    }
}

/// Beginning of Aurora's names: the engines `aurora-postgresql` and `aurora-mysql`, the storage types `aurora` and `aurora-iopt1`.
pub const AURORA: &str = "aurora";

impl FromStr for Platform {
    type Err = InputError;

    fn from_str(name: &str) -> Result<Platform, InputError> {
        if names::bounded(name).is_some_and(|name| name.to_ascii_lowercase().starts_with(AURORA)) {
            return Err(InputError::Illegal {
                reason: "volumes are not advised on Aurora, which has no EBS volumes to choose".to_owned(),
                remedy: "ebs_aurora compares I/O-Optimized with Standard storage (docs/aurora.md).",
            });
        }
        let named = |name: &str| Platform::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
        let known = names::bounded(name).and_then(named);
        known.ok_or_else(|| InputError::UnknownName {
            what: "platform",
            name: names::quoted(name),
            accepted: format!("Platforms are {}.", Platform::ALL.map(Platform::name).join(", ")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aurora_is_no_platform_and_has_an_answer_of_its_own() {
        for name in ["aurora", "Aurora-PostgreSQL", "aurora-iopt1"] {
            let refusal = name.parse::<Platform>().unwrap_err();
            assert!(refusal.to_string().starts_with("volumes are not advised on Aurora"), "{refusal}");
            assert!(refusal.hint().starts_with("ebs_aurora"));
        }
        assert_eq!("RDS".parse(), Ok(Platform::Rds));
        assert_eq!("azure".parse::<Platform>().unwrap_err().to_string(), "unknown platform \"azure\"");
    }
}
