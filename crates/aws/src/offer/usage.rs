//! Usage types: AWS's names for what is billed, and the items they are prices of.

use crate::catalogue::{Item, Part, Platform, VolumeType};

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

/// Usage types without the region's prefix. Their meaning:
/// <https://docs.aws.amazon.com/ebs/latest/userguide/ebs-billing-usage-reports.html>
pub(super) const ITEMS: [(&str, Platform, VolumeType, Part); 22] = {
    use Part::{Iops, IopsAbove32000, IopsAbove64000, Storage, Throughput};
    use Platform::{Ec2, Rds};
    use VolumeType::{Gp2, Gp3, Io1, Io2, Sc1, St1, Standard};
    [
        ("EBS:VolumeUsage", Ec2, Standard, Storage),
        ("EBS:VolumeUsage.gp2", Ec2, Gp2, Storage),
        ("EBS:VolumeUsage.gp3", Ec2, Gp3, Storage),
        ("EBS:VolumeUsage.piops", Ec2, Io1, Storage),
        ("EBS:VolumeUsage.io2", Ec2, Io2, Storage),
        ("EBS:VolumeUsage.st1", Ec2, St1, Storage),
        ("EBS:VolumeUsage.sc1", Ec2, Sc1, Storage),
        ("EBS:VolumeP-IOPS.gp3", Ec2, Gp3, Iops),
        ("EBS:VolumeP-IOPS.piops", Ec2, Io1, Iops),
        ("EBS:VolumeP-IOPS.io2", Ec2, Io2, Iops),
        ("EBS:VolumeP-IOPS.io2.tier2", Ec2, Io2, IopsAbove32000),
        ("EBS:VolumeP-IOPS.io2.tier3", Ec2, Io2, IopsAbove64000),
        ("EBS:VolumeP-Throughput.gp3", Ec2, Gp3, Throughput),
        ("RDS:StorageUsage", Rds, Standard, Storage),
        ("RDS:GP2-Storage", Rds, Gp2, Storage),
        ("RDS:GP3-Storage", Rds, Gp3, Storage),
        ("RDS:PIOPS-Storage", Rds, Io1, Storage),
        ("RDS:PIOPS-Storage-IO2", Rds, Io2, Storage),
        ("RDS:GP3-PIOPS", Rds, Gp3, Iops),
        ("RDS:PIOPS", Rds, Io1, Iops),
        ("RDS:IO2-PIOPS", Rds, Io2, Iops),
        ("RDS:GP3-Throughput", Rds, Gp3, Throughput),
    ]
};

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
    let known = ITEMS.iter().find(|(known, ..)| *known == name);
    known.map_or(Usage::Unknown, |&(_, platform, volume_type, part)| Usage::Of(Item { platform, volume_type, part }))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(usage("EBS:VolumeUsage.gp4"), Usage::Unknown);
        assert_eq!(usage("RDS:GP4-Storage"), Usage::Unknown);
        assert_eq!(usage("EBS:VolumeIOUsage"), Usage::Requests);
        assert_eq!(usage("EUC1-RDS:Multi-AZ-GP3-Storage"), Usage::Copies);
        assert_eq!(usage("RDS:Multi-AZCluster-GP3-Storage"), Usage::Copies);
        for other in
            ["EBS:SnapshotUsage", "BoxUsage:m5.large", "RDS:ChargedBackupUsage", "XEBS:VolumeUsage.gp3", "", "é"]
        {
            assert_eq!(usage(other), Usage::Unrelated, "{other}");
        }
    }

    #[test]
    fn every_item_that_is_sold_has_one_usage_type() {
        let mut items: Vec<Item> =
            ITEMS.iter().map(|&(_, platform, volume_type, part)| Item { platform, volume_type, part }).collect();
        items.sort();
        items.dedup();
        assert_eq!(items.len(), ITEMS.len());
        assert!(items.iter().all(|item| item.is_sold()));
    }
}
