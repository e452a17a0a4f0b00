//! Facts of the volume types that decisions rest on, by the tables of their characteristics and limits.

use std::str::FromStr;

use super::characteristics::{Family, Generation, MultiAttach};
use super::class::{Class, IopsRule, MibpsRule, Purpose, classes, classes_of};
use super::{Platform, VolumeType};
use ebs_base::error::InputError;
use ebs_base::names;

impl VolumeType {
    /// The types that a database can use, in the same order.
    pub fn suitable() -> impl Iterator<Item = VolumeType> {
        VolumeType::ALL.into_iter().filter(|volume_type| volume_type.characteristics().unfit.is_none())
    }

    /// The current general purpose type, whose price includes IOPS and throughput.
    pub fn general_purpose() -> VolumeType {
        Family::GeneralPurpose.current().unwrap_or(VolumeType::Gp3)
    }

    /// The current type with provisioned IOPS.
    pub fn provisioned() -> VolumeType {
        Family::ProvisionedIops.current().unwrap_or(VolumeType::Io2)
    }

    /// True of a type that AWS has replaced, or advises against.
    pub fn is_previous_generation(self) -> bool {
        self.characteristics().generation == Generation::Previous
    }

    /// True of a type that is newer than the current one, and sold in some places alone.
    pub fn is_new(self) -> bool {
        self.characteristics().generation == Generation::New
    }

    /// The type that replaced a previous generation; `None` of any other.
    pub fn successor(self) -> Option<VolumeType> {
        self.family().current().filter(|_| self.is_previous_generation())
    }

    /// True of a volume of EBS: other storage cannot be ordered, priced or declared.
    pub fn is_ebs(self) -> bool {
        self.family() != Family::InstanceStore
    }

    /// True of the types that count their I/Os by the MiB.
    pub fn is_hdd(self) -> bool {
        self.family().is_hdd()
    }

    /// True of a type whose IOPS follow its size.
    pub fn has_iops_by_size(self) -> bool {
        self.classes().any(|class| class.iops_rule == IopsRule::Size)
    }

    /// True of a type whose IOPS are chosen.
    pub fn has_chosen_iops(self) -> bool {
        self.classes().any(|class| class.iops_rule == IopsRule::Provisioned)
    }

    /// True of a type whose throughput is chosen.
    pub fn has_chosen_throughput(self) -> bool {
        self.classes().any(|class| class.mibps_rule == MibpsRule::Provisioned)
    }

    /// True if every IOPS has a price, and not only those above what is included.
    pub fn bills_all_iops(self) -> bool {
        self.characteristics().bills_all_iops
    }

    /// True of types that several instances can attach (Multi-Attach).
    pub fn can_multi_attach(self) -> bool {
        self.characteristics().multi_attach != MultiAttach::No
    }

    /// True of types whose size and IOPS can be modified with Multi-Attach.
    pub fn is_modifiable_with_multi_attach(self) -> bool {
        self.characteristics().multi_attach == MultiAttach::Yes
    }

    /// Durability, per cent a year: lower end of the range that AWS states; 0 where it states none.
    pub fn durability_pct(self) -> f64 {
        self.characteristics().durability_low_pct.unwrap_or(0.0)
    }

    /// True of a type that is sold on a platform, in some region.
    pub fn is_sold_on(self, platform: Platform) -> bool {
        classes_of(platform, self, Purpose::Any).next().is_some()
    }

    /// True of a type of RDS that can have a dedicated log volume.
    pub fn can_have_log_volume(self) -> bool {
        self.classes().any(|class| class.purpose == Purpose::Log)
    }

    /// Names of the types of which a fact holds, `gp2, gp3 or io1`.
    pub fn list(holds: impl Fn(VolumeType) -> bool, conjunction: &str) -> String {
        let names: Vec<&str> = VolumeType::ALL.into_iter().filter(|one| holds(*one)).map(VolumeType::name).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
            None => "none".to_owned(),
        }
    }

    fn classes(self) -> impl Iterator<Item = &'static Class> {
        classes().iter().filter(move |class| class.volume_type == self)
    }
}

impl FromStr for VolumeType {
    type Err = InputError;

    fn from_str(name: &str) -> Result<VolumeType, InputError> {
        let sold = || VolumeType::ALL.into_iter().filter(|known| known.is_ebs());
        let named = |name: &str| sold().find(|known| known.name().eq_ignore_ascii_case(name));
        let known = names::bounded(name).and_then(named);
        known.ok_or_else(|| InputError::UnknownName {
            what: "volume type",
            name: names::quoted(name),
            accepted: format!("Volume types are {}.", sold().map(VolumeType::name).collect::<Vec<_>>().join(", ")),
        })
    }
}

#[cfg(test)]
#[path = "type_facts_tests.rs"]
mod tests;
