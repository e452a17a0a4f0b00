//! Reasons why a bill is not exact.

use std::collections::BTreeSet;

use ebs_aws::catalogue::{Part, VolumeType};
use ebs_aws::price::PriceUncertainty;

/// Describes all reasons as one text; `None` where the bill is exact.
pub fn describe(all: &[PriceUncertainty]) -> Option<String> {
    (!all.is_empty()).then(|| describe_each(all).join("; "))
}

/// Describes the reasons, each once, in alphabetical order.
pub fn describe_each<'a>(all: impl IntoIterator<Item = &'a PriceUncertainty>) -> Vec<String> {
    all.into_iter().map(describe_one).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Describes a reason: `io2 IOPS above 32,000: derived (io2 iops x 0.70)`.
fn describe_one(uncertainty: &PriceUncertainty) -> String {
    match uncertainty {
        PriceUncertainty::Unlisted { item, status, basis } => {
            let part = match item.part {
                Part::Storage => "storage",
                Part::Iops => "IOPS",
                Part::IopsAbove32000 => "IOPS above 32,000",
                Part::IopsAbove64000 => "IOPS above 64,000",
                Part::Throughput => "throughput",
            };
            format!("{} {part}: {} ({basis})", item.volume_type.name(), status.name())
        }
        PriceUncertainty::ClusterRates => {
            let general_purpose = VolumeType::general_purpose().name();
            format!(
                "RDS bills a Multi-AZ cluster at three times the storage; its IOPS are assumed alike, and of its {general_purpose}'s throughput, which AWS sets, the least"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_aws::catalogue::{Item, Platform, Status};

    #[test]
    fn reasons_are_named_once_and_in_order() {
        let item = Item { platform: Platform::Ec2, volume_type: VolumeType::Io2, part: Part::IopsAbove32000 };
        let derived = PriceUncertainty::Unlisted { item, status: Status::Derived, basis: "io2 iops x 0.70".to_owned() };
        assert_eq!(describe_each(&[derived.clone(), derived]), ["io2 IOPS above 32,000: derived (io2 iops x 0.70)"]);
        assert_eq!(describe(&[]), None);
    }
}
