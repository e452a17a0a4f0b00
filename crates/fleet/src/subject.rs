//! Subject of a conclusion: a volume with everything that is known of it.

use ebs_advice::InstanceLoad;

use crate::discovery::described::Described;
use crate::discovery::fleet::FleetVolume;
use crate::series::collect::Counts;
use crate::series::space::Space;

/// A volume with everything that is known of it.
pub struct Subject<'a> {
    /// The volume.
    pub volume: &'a FleetVolume,
    /// Its counts.
    pub counts: &'a Counts,
    /// Its space.
    pub space: Option<Space>,
    /// Its documents.
    pub described: Described,
    /// Load of its instance, where others are on it.
    pub load: Option<InstanceLoad>,
    /// Number of volumes of the instance without counts.
    pub unseen: usize,
}
