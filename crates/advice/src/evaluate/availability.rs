//! Types that are not to be had where the volumes are, or are not known to be.

use crate::current::current_volume::CurrentVolume;
use crate::request::settings::Request;
use ebs_aws::catalogue::{VolumeConfig, VolumeType};
use ebs_workload::declarations::Declared;

/// Reason for which volumes of a type cannot be ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The catalogue does not have the types of this Local Zone.
    Zone {
        /// `us-west-2-lax-1a`, or the region.
        zone: String,
    },
    /// The catalogue does not have the storage types of RDS in this zone.
    RdsZone {
        /// `us-west-2-lax-1a`.
        zone: String,
    },
    /// The present volumes can be attached to several instances, which io1 and io2 alone can
    /// (<https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volumes-multi.html>).
    MultiAttach,
}

impl Unavailable {
    /// The reason; `None` of a type that is to be had. A zone has the types of its present volumes, and RDS there those of its storage.
    pub fn find(request: &Request, current: Option<&CurrentVolume>, volume_type: VolumeType) -> Option<Unavailable> {
        let present = current.iter().flat_map(|current| &current.volumes).map(|(config, _)| *config);
        let is_multi_attach = current.is_some_and(|current| current.is_multi_attach);
        Unavailable::find_beside(request, present, is_multi_attach, volume_type)
    }

    /// The same by what is declared of the present volumes.
    pub fn find_declared(request: &Request, declared: &[&Declared], volume_type: VolumeType) -> Option<Unavailable> {
        let present = declared.iter().map(|one| one.config);
        let is_multi_attach = declared.iter().any(|one| one.is_multi_attach);
        Unavailable::find_beside(request, present, is_multi_attach, volume_type)
    }

    fn find_beside(
        request: &Request,
        mut present: impl Iterator<Item = VolumeConfig>,
        is_multi_attach: bool,
        volume_type: VolumeType,
    ) -> Option<Unavailable> {
        if is_multi_attach && !volume_type.can_multi_attach() {
            return Some(Unavailable::MultiAttach);
        }
        let is_rds = request.platform.is_rds();
        let is_present = |one: VolumeConfig| one.volume_type == volume_type && one.platform.is_rds() == is_rds;
        if request.surely_has(volume_type) || present.any(is_present) {
            return None;
        }
        let zone = request.prices.region.clone();
        Some(if is_rds { Unavailable::RdsZone { zone } } else { Unavailable::Zone { zone } })
    }
}
