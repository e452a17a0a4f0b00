//! Durability that was requested of a volume.

use ebs_advice::Request;
use ebs_aws::catalogue::VolumeType;

/// True of a type that is as durable as was requested.
pub fn is_durable(volume_type: VolumeType, request: &Request) -> bool {
    request.durability_pct.is_none_or(|requested| volume_type.durability_pct() >= requested)
}
