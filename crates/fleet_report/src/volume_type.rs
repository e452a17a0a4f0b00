//! Type of a row's volumes, which the row has by its name.

use ebs_aws::catalogue::VolumeType;
use ebs_fleet_row::Volumes;

/// Returns the type; `None` of one that the catalogue does not have.
pub(crate) fn volume_type(volumes: &Volumes) -> Option<VolumeType> {
    volumes.volume_type.parse().ok()
}

/// Returns true of volumes whose MiB/s are ordered.
pub(crate) fn has_chosen_throughput(volumes: &Volumes) -> bool {
    volume_type(volumes).is_some_and(VolumeType::has_chosen_throughput)
}
