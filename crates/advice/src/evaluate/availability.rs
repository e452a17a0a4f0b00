//! Types that are not to be had where the volumes are, or are not known to be.

use crate::current::current_volume::CurrentVolume;
use crate::request::settings::Request;
use ebs_aws::catalogue::VolumeType;
use ebs_workload::declarations::Declared;

/// Reason for which volumes of a type cannot be ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The catalogue does not have the types of this Local Zone.
    Zone {
        /// `us-west-2-lax-1a`, or the region.
        zone: String,
    },
    /// The present volumes can be attached to several instances, which io1 and io2 alone can
    /// (<https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volumes-multi.html>).
    MultiAttach,
}

impl Unavailable {
    /// The reason; `None` of a type that is to be had. A zone has the types of its present volumes.
    pub fn find(request: &Request, current: Option<&CurrentVolume>, volume_type: VolumeType) -> Option<Unavailable> {
        let present = current.iter().flat_map(|current| &current.volumes).map(|(config, _)| config.volume_type);
        let is_multi_attach = current.is_some_and(|current| current.is_multi_attach);
        Unavailable::find_beside(request, present, is_multi_attach, volume_type)
    }

    /// The same by what is declared of the present volumes.
    pub fn find_declared(request: &Request, declared: &[&Declared], volume_type: VolumeType) -> Option<Unavailable> {
        let present = declared.iter().map(|one| one.config.volume_type);
        let is_multi_attach = declared.iter().any(|one| one.is_multi_attach);
        Unavailable::find_beside(request, present, is_multi_attach, volume_type)
    }

    fn find_beside(
        request: &Request,
        mut present: impl Iterator<Item = VolumeType>,
        is_multi_attach: bool,
        volume_type: VolumeType,
    ) -> Option<Unavailable> {
        if is_multi_attach && !volume_type.can_multi_attach() {
            return Some(Unavailable::MultiAttach);
        }
        let is_known = request.platform.surely_has(volume_type) || present.any(|one| one == volume_type);
        (!is_known).then(|| Unavailable::Zone { zone: request.prices.region.clone() })
    }
}
