//! Usage types: AWS's names for what is billed, and the items they are prices of.

use crate::catalogue::{Item, usage_types};

/// Meaning of a usage type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usage {
    /// A price the catalogue keeps.
    Of(Item),
    /// Storage in a Local Zone or Wavelength Zone: `USE1-BOS1-EBS:…`.
    Zone,
    /// RDS storage in several zones, which is billed as copies of that in one.
    Copies,
    /// Requests to magnetic volumes.
    Requests,
    /// Storage of a kind that this version does not know.
    Unknown,
    /// Something else than storage: an instance, a snapshot, a transfer.
    Unrelated,
}

/// Beginnings of the names of storage, without the prefix.
const STORAGE: [&str; 8] = [
    "EBS:VolumeUsage",
    "EBS:VolumeP-",
    "RDS:StorageUsage",
    "RDS:GP",
    "RDS:PIOPS",
    "RDS:IO",
    "RDS:Multi-AZ",
    "RDS:Mirror",
];

/// Reads a usage type.
pub(super) fn usage(text: &str) -> Usage {
    let Some(start) = ["EBS:Volume", "RDS:"].iter().find_map(|word| text.find(word)) else { return Usage::Unrelated };
    // us-east-1 has no prefix, other regions have one (EU-, EUC1-, UGW1-), zones another behind it.
    let (prefix, name) = text.split_at(start);
    if !(prefix.is_empty() || prefix.ends_with('-')) {
        return Usage::Unrelated;
    }
    if name == "EBS:VolumeIOUsage" || name == "RDS:StorageIOUsage" {
        return Usage::Requests;
    }
    if !STORAGE.iter().any(|beginning| name.starts_with(beginning)) {
        return Usage::Unrelated;
    }
    if prefix.matches('-').count() > 1 {
        return Usage::Zone;
    }
    if name.starts_with("RDS:Multi-AZ") || name.starts_with("RDS:Mirror") {
        return Usage::Copies;
    }
    usage_types().iter().find(|known| known.name == name).map_or(Usage::Unknown, |known| Usage::Of(known.item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Part, Platform, VolumeType};

    #[test]
    fn prefixes_tell_regions_from_zones() {
        let gp3 = Item { platform: Platform::Ec2, volume_type: VolumeType::Gp3, part: Part::Storage };
        for region in ["", "EU-", "EUC1-", "UGW1-", "APN1-", "MXC1-"] {
            assert_eq!(usage(&format!("{region}EBS:VolumeUsage.gp3")), Usage::Of(gp3), "{region}");
        }
        assert_eq!(usage("USE1-BOS1-EBS:VolumeUsage.gp3"), Usage::Zone);
        assert_eq!(usage("USE1-WL1-BOS1-EBS:VolumeP-IOPS.gp3"), Usage::Zone);
    }

    #[test]
    fn what_resembles_an_item_is_none() {
        assert_eq!(usage("EBS:VolumeUsage.gp2.outposts"), Usage::Unknown);
        assert_eq!(usage("EBS:VolumeUsage.gp9"), Usage::Unknown);
        assert_eq!(usage("RDS:GP9-Storage"), Usage::Unknown);
        assert_eq!(usage("EBS:VolumeIOUsage"), Usage::Requests);
        assert_eq!(usage("EUC1-RDS:Multi-AZ-GP3-Storage"), Usage::Copies);
        assert_eq!(usage("RDS:Multi-AZCluster-GP3-Storage"), Usage::Copies);
        for other in
            ["EBS:SnapshotUsage", "BoxUsage:m5.large", "RDS:ChargedBackupUsage", "XEBS:VolumeUsage.gp3", "", "é"]
        {
            assert_eq!(usage(other), Usage::Unrelated, "{other}");
        }
    }
}
