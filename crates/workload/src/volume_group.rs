//! Volumes that are sized together: those of one role, or all of the cluster.

use ebs_samples::evidence::{Volume, Window};

use crate::demand::Demand;

/// Volumes that are sized together, and the demand on them. Advice builds each once and hands it on.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeGroup {
    /// Indexes into the window's storage layout.
    pub volumes: Vec<usize>,
    /// Roles, as `data`, `wal` or `data+wal`.
    pub role: String,
    /// Block devices, as `nvme1n1, nvme2n1`.
    pub device: String,
    /// Demand as observed, on all of them together.
    pub demand: Demand,
}

impl VolumeGroup {
    /// The group of one volume of the window.
    pub fn from_volume(window: &Window, volume: usize) -> VolumeGroup {
        VolumeGroup::new(window, vec![volume], Demand::from_window(window, volume))
    }

    /// The group of all volumes that the cluster is on now.
    pub fn from_current_volumes(window: &Window) -> VolumeGroup {
        VolumeGroup::from_volumes(window, &window.current)
    }

    /// The group of these volumes of the window.
    pub fn from_volumes(window: &Window, volumes: &[usize]) -> VolumeGroup {
        match volumes {
            [volume] => VolumeGroup::from_volume(window, *volume),
            volumes => VolumeGroup::new(window, volumes.to_vec(), Demand::from_volumes(window, volumes)),
        }
    }

    /// A group for each volume that the cluster is on now, and last that of all of them where there are several; where storage
    /// is one, as on RDS, only the last.
    pub fn list(window: &Window, storage_is_one: bool) -> Vec<VolumeGroup> {
        let mut groups = Vec::new();
        if window.current.len() > 1 && !storage_is_one {
            groups.extend(window.current.iter().map(|volume| VolumeGroup::from_volume(window, *volume)));
        }
        groups.push(VolumeGroup::from_current_volumes(window));
        groups
    }

    fn new(window: &Window, volumes: Vec<usize>, demand: Demand) -> VolumeGroup {
        let each = || volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
        let role = each().map(Volume::role).collect::<Vec<_>>().join("+");
        let device = each().map(|volume| volume.device.as_str()).collect::<Vec<_>>().join(", ");
        VolumeGroup { role, device, volumes, demand }
    }

    /// The volume, where it is one.
    pub fn single<'a>(&self, window: &'a Window) -> Option<&'a Volume> {
        match self.volumes.as_slice() {
            [volume] => window.layout.volumes.get(*volume),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{Role, StorageLayout};

    fn window(roles: &[Role]) -> Window {
        let volume = |role: &Role| Volume { device: role.name(), roles: vec![role.clone()], ..Volume::default() };
        let layout = StorageLayout { volumes: roles.iter().map(volume).collect(), ..StorageLayout::default() };
        Window { layout, current: (0..roles.len()).collect(), ..Window::default() }
    }

    #[test]
    fn several_volumes_are_groups_apart_and_together() {
        let both = window(&[Role::Data, Role::Wal]);
        let roles = |groups: Vec<VolumeGroup>| groups.into_iter().map(|group| group.role).collect::<Vec<_>>();
        assert_eq!(roles(VolumeGroup::list(&both, false)), ["data", "wal", "data+wal"]);
        assert_eq!(roles(VolumeGroup::list(&both, true)), ["data+wal"]);
        assert_eq!(roles(VolumeGroup::list(&window(&[Role::Data]), false)), ["data"]);
    }

    #[test]
    fn a_group_of_several_has_no_single_volume() {
        let both = window(&[Role::Data, Role::Wal]);
        let all = VolumeGroup::from_current_volumes(&both);
        assert_eq!((all.device.as_str(), all.single(&both)), ("data, wal", None));
        assert!(VolumeGroup::from_volume(&both, 1).single(&both).is_some_and(|volume| volume.roles == [Role::Wal]));
    }
}
