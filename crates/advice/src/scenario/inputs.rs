//! Inputs of an answer.

use crate::request::settings::{MAX_VOLUMES, Request};
use ebs_aws::catalogue::VolumeConfig;
use ebs_samples::evidence::{Role, Volume, Window};
use ebs_workload::attached::Attached;
use ebs_workload::busy_rates::BusyRates;
use ebs_workload::declarations::Declarations;

/// Everything that advice is computed from.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The samples.
    pub window: &'a Window,
    /// The request.
    pub request: &'a Request,
    /// Declarations of volumes and instance.
    pub declared: &'a Declarations,
    /// Rates within busy time; `None` where the samples hide no bursts, or have no busy time. Callers that decide nothing give none.
    pub busy: Option<BusyRates>,
    /// Extent of the answer.
    pub extent: Extent,
    /// Function that is called between pieces of the work, and may unwind.
    pub pause: &'a dyn Fn(),
}

/// Extent of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The decision alone.
    Decision,
    /// The decision, and what another request or count would change.
    Report,
}

impl Inputs<'_> {
    /// The request, which allows as many volumes as the present stripe has where it names no number: that one can be modified in place.
    pub fn complete_request(&self) -> Request {
        let volumes = self.window.current.iter().map(|&volume| &self.window.layout.volumes[volume]);
        let attached = volumes.filter_map(|volume| Attached::find(volume, self.declared));
        let present = attached.map(|attached| attached.volumes.len() as u64).max().unwrap_or(1).min(MAX_VOLUMES);
        Request { max_volumes: Some(self.request.max_volumes.unwrap_or(present)), ..self.request.clone() }
    }

    /// The dedicated log volume of RDS, of which the samples have no device.
    pub fn log_volume_without_device(&self) -> Option<VolumeConfig> {
        self.declared.log_volume.filter(|_| self.request.platform.is_rds())
    }

    /// True of the dedicated log volume of RDS.
    pub fn is_log_volume(&self, volume: &Volume) -> bool {
        let attached = Attached::find(volume, self.declared).filter(|_| volume.roles == [Role::Wal]);
        attached.is_some_and(|attached| attached.is_rds())
    }
}
