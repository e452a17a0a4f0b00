//! Size of one volume for several roles.

use super::inputs::Inputs;
use crate::current::size::{RequiredSize, SizeBasis, SizeRemark};
use ebs_workload::attached::Attached;

/// The size of one volume for these volumes of the window: at least the sizes that they have for themselves, where some are EBS volumes, which
/// cannot shrink, and none is requested. RDS has one storage.
pub fn joint_size(inputs: Inputs, volumes: &[usize], size: RequiredSize) -> RequiredSize {
    let Inputs { window, request, declared, .. } = inputs;
    let platform = request.platform;
    let is_ebs = |&index: &usize| {
        window.layout.volumes.get(index).is_some_and(|volume| Attached::find(volume, declared).is_some())
    };
    if volumes.len() < 2 || platform.is_rds() || request.min_size_gib.is_some() || !volumes.iter().any(is_ebs) {
        return size;
    }
    let alone = |&index: &usize| RequiredSize::from_window(window, &[index], platform, None, declared).size_gib;
    let together: Option<u64> = volumes.iter().map(alone).sum();
    if together <= size.size_gib {
        return size;
    }
    let cannot_shrink = size.by_use_gib.map(|required_gib| SizeRemark::CannotShrink { required_gib });
    let remarks = cannot_shrink.into_iter().chain(size.remarks).collect();
    RequiredSize { size_gib: together, basis: SizeBasis::CurrentVolumes, remarks, ..size }
}
