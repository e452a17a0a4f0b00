//! RDS's dedicated log volume as an offer beside the recommended storage.

use super::advice::Advice;
use crate::evaluate::candidate::Candidate;
use crate::recommend::recommendation::Recommendation;
use crate::request::settings::Request;
use ebs_aws::catalogue::VolumeConfig;

/// The dedicated log volume, which RDS has beside io1 and io2 storage alone, in addition to the recommended storage.
#[derive(Clone, Copy, Debug)]
pub struct LogVolumeOffer<'a> {
    /// The recommended storage, sized for all roles.
    pub storage: &'a Candidate,
    /// The log volume.
    pub log: &'a Candidate,
}

impl Advice {
    /// The dedicated log volume beside recommended storage that can have one; `None` beside other types, and where it does not meet the
    /// request. Other storage with it, instead of gp3, costs more, and the evidence shows no gain over the same storage alone.
    pub fn log_volume_offer(&self, request: &Request) -> Option<LogVolumeOffer<'_>> {
        let log = self.log_volume.as_ref().filter(|log| log.feasible)?;
        let storage = match self.roles.first()?.recommendation(request) {
            Recommendation::Volumes(best) | Recommendation::LargerInstance(Some(best)) => best,
            _ => return None,
        };
        let beside = VolumeConfig::log_volume(storage.config.platform, storage.config.volume_type);
        beside.map(|_| LogVolumeOffer { storage, log })
    }
}

#[cfg(test)]
#[path = "log_volume_tests.rs"]
mod tests;
