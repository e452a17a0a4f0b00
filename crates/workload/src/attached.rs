//! EBS volumes that a part of the cluster is on now: detected by their volume ids, declared, or both.

use crate::declarations::{Declarations, names_whole};
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::units::gib;
use ebs_samples::evidence::{Medium, Member, Volume};

/// One attached EBS volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttachedVolume {
    /// `vol-0123456789abcdef0`; `None` where the machine does not show it.
    pub id: Option<String>,
    /// Declared configuration.
    pub config: Option<VolumeConfig>,
}

/// The attached EBS volumes of a part of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attached {
    /// Each of them, at least one.
    pub volumes: Vec<AttachedVolume>,
    /// Size of the filesystem on them, GiB, rounded up: their own sizes are no less, but for what the filesystem keeps for
    /// itself.
    pub filesystem_gib: Option<u64>,
}

impl Attached {
    /// Finds the EBS volumes of this volume; `None` where nothing shows that it is EBS.
    pub fn find(volume: &Volume, declared: &Declarations) -> Option<Attached> {
        let filesystem_gib = volume.filesystem_bytes.map(gib);
        let volumes = match declared.find(volume).as_slice() {
            [whole] if names_whole(volume, &whole.volume) => {
                let count = usize::try_from(whole.volumes).unwrap_or(1);
                let ids = volume.members.iter().map(id).chain(std::iter::repeat(None));
                // Where more were declared than can be seen, which of them the ids are of is not known.
                let ids = ids.map(|id| id.filter(|_| volume.members.len() == count)).take(count);
                ids.map(|id| AttachedVolume { id, config: Some(whole.config) }).collect()
            }
            _ => volume.members.iter().map(|member| one(volume, member, declared)).collect::<Option<Vec<_>>>()?,
        };
        (!volumes.is_empty()).then_some(Attached { volumes, filesystem_gib })
    }

    /// True where they are the storage of RDS, which is modified through RDS alone.
    pub fn is_rds(&self) -> bool {
        self.volumes.iter().any(|volume| volume.config.is_some_and(|config| config.platform.is_rds()))
    }

    /// Their declared sizes together, GiB; `None` where one was not declared.
    pub fn declared_gib(&self) -> Option<u64> {
        self.volumes.iter().map(|volume| volume.config.map(|config| config.size_gib)).sum()
    }

    /// Their size together, GiB: as declared, or else the filesystem's.
    pub fn size_gib(&self) -> Option<u64> {
        self.declared_gib().or(self.filesystem_gib)
    }
}

fn id(member: &Member) -> Option<String> {
    match &member.medium {
        Medium::Ebs(id) => Some(id.clone()),
        _ => None,
    }
}

/// Finds the EBS volume of a disk, by its volume id or by the declaration of it.
fn one(volume: &Volume, member: &Member, declared: &Declarations) -> Option<AttachedVolume> {
    let alone = Volume { members: vec![member.clone()], ..Volume::default() };
    let config = match volume.members.len() {
        1 => None,
        _ => declared.find(&alone).first().map(|declared| declared.config),
    };
    let id = id(member);
    (id.is_some() || config.is_some()).then_some(AttachedVolume { id, config })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declarations::Declared;
    use ebs_aws::catalogue::{Platform, VolumeType};
    use ebs_base::units::GIB;
    use ebs_samples::evidence::{Layout, Role};

    fn member(n: u8, ebs: bool) -> Member {
        let medium = if ebs { Medium::Ebs(format!("vol-{n}")) } else { Medium::Unknown };
        Member { device: format!("nvme{n}n1"), medium }
    }

    fn volume(members: Vec<Member>) -> Volume {
        let layout = if members.len() > 1 { Layout::DeviceMapper } else { Layout::Single };
        let filesystem_bytes = Some(499 * GIB + 1);
        Volume {
            device: "dm-0".into(),
            roles: vec![Role::Data],
            members,
            layout,
            filesystem_bytes,
            ..Volume::default()
        }
    }

    fn declared(name: &str, size_gib: u64, volumes: u64) -> Declared {
        let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, size_gib, None, None).unwrap();
        Declared::new(name, config, volumes)
    }

    fn attached(members: Vec<Member>, volumes: Vec<Declared>) -> Option<Attached> {
        Attached::find(&volume(members), &Declarations { instance: None, volumes, ..Declarations::default() })
    }

    fn ids(attached: &Attached) -> Vec<Option<&str>> {
        attached.volumes.iter().map(|volume| volume.id.as_deref()).collect()
    }

    #[test]
    fn what_nothing_says_is_ebs_is_not_known_to_be() {
        assert_eq!(attached(vec![], vec![]), None);
        assert_eq!(attached(vec![member(1, false)], vec![]), None);
        assert_eq!(attached(vec![member(1, true), member(2, false)], vec![]), None);
    }

    #[test]
    fn volume_ids_say_so_and_the_filesystem_stands_for_the_size() {
        let found = attached(vec![member(1, true), member(2, true)], vec![]).unwrap();
        assert_eq!(ids(&found), [Some("vol-1"), Some("vol-2")]);
        assert_eq!((found.declared_gib(), found.size_gib()), (None, Some(500)));
    }

    #[test]
    fn a_declaration_says_so_and_how_large() {
        let hidden = attached(vec![member(1, true)], vec![declared("data", 300, 2)]).unwrap();
        assert_eq!((ids(&hidden), hidden.size_gib()), (vec![None, None], Some(600)));
        let seen = attached(vec![member(1, true), member(2, true)], vec![declared("data", 300, 2)]).unwrap();
        assert_eq!((ids(&seen), seen.size_gib()), (vec![Some("vol-1"), Some("vol-2")], Some(600)));
        let alone = attached(vec![member(1, true)], vec![declared("vol-1", 510, 1)]).unwrap();
        assert_eq!((ids(&alone), alone.size_gib()), (vec![Some("vol-1")], Some(510)));
    }

    #[test]
    fn disks_declared_one_by_one_have_their_own_sizes() {
        let each = vec![declared("nvme1n1", 100, 1), declared("nvme2n1", 200, 1)];
        let found = attached(vec![member(1, false), member(2, false)], each).unwrap();
        assert_eq!(found.declared_gib(), Some(300));
        let part = attached(vec![member(1, true), member(2, true)], vec![declared("nvme1n1", 100, 1)]).unwrap();
        assert_eq!((part.declared_gib(), part.size_gib()), (None, Some(500)));
    }
}
