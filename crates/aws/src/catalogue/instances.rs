//! EBS bandwidth and IOPS of EC2 instance types.

use std::sync::OnceLock;

use serde::Deserialize;

use super::{Ceiling, SIMILAR};
use ebs_base::error::InputError;
use ebs_base::names;
use ebs_base::units::MIB;

/// Time for which an instance sustains its maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Sustained {
    /// 30 minutes at least once in 24 hours.
    #[serde(rename = "burst30min")]
    Burst30Min,
    /// Indefinitely: baseline and maximum are the same.
    #[serde(rename = "indefinite")]
    Indefinite,
}

/// EBS limits of an instance type.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Instance {
    /// Its name, `r6i.4xlarge`.
    pub instance_type: String,
    /// Baseline, decimal MB/s.
    baseline_throughput_mbps: f64,
    /// Maximum, decimal MB/s, for up to 30 minutes a day.
    maximum_throughput_mbps: f64,
    /// Baseline, IOPS.
    baseline_iops: f64,
    /// Maximum, IOPS, for up to 30 minutes a day.
    maximum_iops: f64,
    /// Time for which the maximum is sustained.
    pub sustained: Sustained,
    /// Day on which AWS's table was read.
    pub source_snapshot: String,
}

impl Instance {
    /// Page from which the rows are taken.
    pub const SOURCE: &str = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ebs-optimized.html";

    /// Sustained maximum. Advice for a database rests on this.
    pub fn baseline(&self) -> Ceiling {
        Ceiling { iops: self.baseline_iops, mibps: mibps(self.baseline_throughput_mbps) }
    }

    /// Most IOPS that one volume reaches on it: 32,000 where it is not built on the Nitro System, however many are provisioned; `None`
    /// where it sets no limit of its own (<https://docs.aws.amazon.com/ebs/latest/userguide/provisioned-iops.html>).
    pub fn max_volume_iops(&self) -> Option<u64> {
        let (family, size) = self.family_and_size();
        (XEN_FAMILIES.contains(&family) && !size.starts_with("metal")).then_some(32_000)
    }

    /// EBS cards, which share its limits equally; a volume is attached to one of them, to the first by default
    /// (<https://docs.aws.amazon.com/cli/latest/reference/ec2/attach-volume.html>, ebs-card-index).
    pub fn ebs_cards(&self) -> u64 {
        let (family, size) = self.family_and_size();
        if family.ends_with("8gb") && ["48xlarge", "metal-48xl"].contains(&size) { 2 } else { 1 }
    }

    /// Limits of so many volumes on it, striped evenly over its cards, beside those of all its volumes together; infinite where it has no
    /// such limit. One volume has those of a card. Of three on two cards, two share a card, which carries two thirds of the demand.
    pub fn max_of_volumes(&self, volumes: u64) -> Ceiling {
        let (baseline, cards) = (self.baseline(), self.ebs_cards());
        let share = volumes as f64 / (volumes.div_ceil(cards) * cards).max(1) as f64;
        let of_cards = |limit: f64| if share < 1.0 { limit * share } else { f64::INFINITY };
        let max_iops = self.max_volume_iops().map_or(f64::INFINITY, |iops| (iops * volumes) as f64);
        Ceiling { iops: of_cards(baseline.iops).min(max_iops), mibps: of_cards(baseline.mibps) }
    }

    /// Its family: `r6i`.
    pub fn family(&self) -> &str {
        self.family_and_size().0
    }

    /// The smallest type of its family, other than itself, that sustains these IOPS and MiB/s and more than it does; `None` where the
    /// family has none. Bare metal, which RDS does not have, sustains what the largest other type does.
    pub fn larger_of_family(&self, required: Ceiling) -> Option<&'static Instance> {
        let own = self.baseline();
        let is_more = |baseline: Ceiling| baseline.iops > own.iops || baseline.mibps > own.mibps;
        let family = instances().iter().filter(|row| row.family() == self.family() && !row.is_metal());
        family.filter(|row| row.sustains(required) && is_more(row.baseline())).min_by_key(|row| row.size_order())
    }

    /// The smallest type of another family of its series (`m`, `r`, `c`) and processor architecture that is at least as large as itself and
    /// sustains these IOPS and MiB/s; of equal sizes one without an instance store, the newest, and of these the one of fewest options. `None`
    /// where none does.
    pub fn larger_of_other_family(&self, required: Ceiling) -> Option<&'static Instance> {
        let (series, _, options) = self.family_parts();
        let is_like = |row: &&Instance| {
            let (other, _, other_options) = row.family_parts();
            other == series && is_arm(other_options) == is_arm(options)
        };
        let others = instances().iter().filter(|row| row.family() != self.family() && !row.is_metal());
        let others = others
            .filter(|row| row.size_order() >= self.size_order())
            .filter(is_like)
            .filter(|row| row.sustains(required));
        others.min_by_key(|row| {
            let (_, generation, options) = row.family_parts();
            (row.size_order(), options.contains('d'), std::cmp::Reverse(generation), options.len(), options)
        })
    }

    /// True of a type of fewer cores than another one, by the names of their sizes.
    pub fn is_smaller_than(&self, other: &Instance) -> bool {
        self.size_order() < other.size_order()
    }

    /// Series, generation and options of its family: `m`, 6 and `idn` of `m6idn`.
    fn family_parts(&self) -> (&str, u64, &str) {
        let family = self.family();
        let digits = family.find(|sign: char| sign.is_ascii_digit()).unwrap_or(family.len());
        let (series, rest) = family.split_at(digits);
        let options = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
        (series, rest[..rest.len() - options.len()].parse().unwrap_or(0), options)
    }

    fn sustains(&self, required: Ceiling) -> bool {
        let baseline = self.baseline();
        baseline.iops >= required.iops && baseline.mibps >= required.mibps
    }

    fn is_metal(&self) -> bool {
        self.family_and_size().1.starts_with("metal")
    }

    /// Sort key of sizes: `large` is less than `xlarge`, which is less than `2xlarge`.
    fn size_order(&self) -> (usize, u64) {
        const NAMED: [&str; 6] = ["nano", "micro", "small", "medium", "large", "xlarge"];
        let (_, size) = self.family_and_size();
        let number: String = size.chars().filter(char::is_ascii_digit).collect();
        let position = NAMED.iter().position(|name| *name == size).unwrap_or(NAMED.len());
        (position, number.parse().unwrap_or(0))
    }

    fn family_and_size(&self) -> (&str, &str) {
        self.instance_type.split_once('.').unwrap_or((&self.instance_type, ""))
    }

    /// Burst maximum, available for the time that [`Instance::sustained`] gives.
    pub fn maximum(&self) -> Ceiling {
        Ceiling { iops: self.maximum_iops, mibps: mibps(self.maximum_throughput_mbps) }
    }
}

/// True of options of a family with Graviton processors: `g` of `m6g`
/// (<https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html>).
fn is_arm(options: &str) -> bool {
    options.starts_with('g')
}

/// Families that are not built on the Nitro System, but for their bare metal sizes
/// (<https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-nitro-instances.html>, section Xen-based instances).
const XEN_FAMILIES: [&str; 22] = [
    "c1", "c3", "c4", "d2", "f1", "g2", "g3", "g3s", "h1", "i2", "i3", "m1", "m2", "m3", "m4", "p2", "p3", "r3", "r4",
    "t2", "x1", "x1e",
];

/// AWS's table is in decimal MB/s (Mbps / 8), volumes are in MiB/s.
fn mibps(mbps: f64) -> f64 {
    mbps * 1e6 / MIB as f64
}

/// All instance types, by name.
pub fn instances() -> &'static [Instance] {
    static TABLE: OnceLock<Vec<Instance>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // A row that cannot be read is left out rather than taking a backend down; a test counts the rows.
        let text = include_str!("../../data/instances.csv");
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let mut rows: Vec<Instance> = reader.deserialize().flatten().collect();
        rows.sort_by(|a, b| a.instance_type.cmp(&b.instance_type));
        rows
    })
}

/// The instance type with this name, in any case; a prefix `db.` is ignored. `None` where the catalogue has no such type.
pub fn known_instance(name: &str) -> Option<&'static Instance> {
    let (wanted, all) = (plain_type(names::bounded(name)?), instances());
    all.binary_search_by(|row| row.instance_type.as_str().cmp(&wanted)).ok().map(|index| &all[index])
}

/// The same; where there is no such type, an error with similar names, which takes a millisecond to find.
pub fn instance(name: &str) -> Result<&'static Instance, InputError> {
    known_instance(name).ok_or_else(|| {
        if let Some(unpublished) = unpublished_type(name) {
            return InputError::Illegal {
                reason: format!("AWS publishes no EBS limits of {unpublished}"),
                remedy: "Leave out the instance: its limits are not checked then.",
            };
        }
        if let Some(missing) = missing_type(name) {
            return InputError::Illegal {
                reason: format!("EBS limits of {missing} are not in the catalogue"),
                remedy: "Leave out the instance: its limits are not checked then.",
            };
        }
        let known = || instances().iter().map(|row| row.instance_type.as_str());
        let near = names::bounded(name).map(|name| names::similar(&plain_type(name), known(), SIMILAR));
        let near = near.unwrap_or_default();
        let accepted = if near.is_empty() {
            "Name an EC2 instance type such as r6i.4xlarge.".to_owned()
        } else {
            format!("Perhaps you meant {}.", near.join(", "))
        };
        InputError::UnknownName { what: "EC2 instance type", name: names::quoted(name), accepted }
    })
}

/// Families of which AWS publishes no EBS-optimized figures
/// (<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ebs-optimized.html>).
const UNPUBLISHED_FAMILIES: [&str; 1] = ["t2"];

/// Types that AWS has, and of which no figures of EBS were found on 28 November 2026: their names are no mistakes.
const MISSING_TYPES: [&str; 3] = ["m9g.metal-24xl", "m9gd.metal-24xl", "u7ib-12tb.224xlarge"];

/// Name of one of those; `None` of any other.
fn missing_type(name: &str) -> Option<&'static str> {
    let name = plain_type(names::bounded(name)?);
    MISSING_TYPES.into_iter().find(|missing| *missing == name)
}

/// Name of an instance type whose EBS limits AWS does not publish; `None` of any other.
pub fn unpublished_type(name: &str) -> Option<String> {
    let name = plain_type(names::bounded(name)?);
    let family = name.split_once('.').map(|(family, _)| family)?;
    UNPUBLISHED_FAMILIES.contains(&family).then_some(name.clone())
}

/// An RDS class is an EC2 type by another name, with the same limits (CHAP_Storage.html: "the instance cap applies").
fn plain_type(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    name.strip_prefix("db.").unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read() {
        let lines = include_str!("../../data/instances.csv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(instances().len(), lines - 1);
        assert!(instances().iter().all(|row| row.baseline_iops > 0.0 && row.baseline_iops <= row.maximum_iops));
        let for_ever = |row: &&Instance| row.sustained == Sustained::Indefinite;
        assert!(instances().iter().filter(for_ever).all(|row| row.baseline() == row.maximum()));
    }

    #[test]
    fn a_volume_has_32_000_iops_without_nitro() {
        let most = |name: &str| instance(name).unwrap().max_volume_iops();
        assert_eq!([most("r4.16xlarge"), most("m4.16xlarge"), most("db.r4.16xlarge")], [Some(32_000); 3]);
        assert_eq!([most("r5.24xlarge"), most("p3dn.24xlarge"), most("i3.metal")], [None; 3]);
    }

    /// r8gb.48xlarge: 1,440,000 IOPS and 300 Gbps, 37,500 MB/s or 35,763 MiB/s, on two cards. Of three volumes two are on one card: it is
    /// full at 720,000, two thirds of 1,080,000.
    #[test]
    fn one_volume_reaches_one_card() {
        let limits = |name: &str, volumes| {
            let instance = instance(name).unwrap();
            instance.baseline().min(instance.max_of_volumes(volumes))
        };
        let iops = |name, volumes| limits(name, volumes).iops;
        assert_eq!([1, 2, 3, 4].map(|volumes| iops("r8gb.48xlarge", volumes)), [720e3, 1_440e3, 1_080e3, 1_440e3]);
        let mibps = |volumes| limits("m8gb.metal-48xl", volumes).mibps.round();
        assert_eq!([1, 2].map(mibps), [17_881.0, 35_763.0]);
        assert_eq!([1, 2].map(|volumes| iops("r8gb.24xlarge", volumes)), [720e3; 2]);
        assert_eq!([1, 2, 3].map(|volumes| iops("r4.16xlarge", volumes)), [32e3, 64e3, 75e3]);
    }

    /// r6i.4xlarge sustains 20,000 IOPS and 596 MiB/s, 8xlarge 40,000 and 1,192, 32xlarge 160,000, as metal; m5's 4xlarge 18,750.
    #[test]
    fn the_next_size_of_a_family_sustains_both_limits() {
        let next = |name: &str, iops, mibps| {
            instance(name).unwrap().larger_of_family(Ceiling { iops, mibps }).map(|row| row.instance_type.as_str())
        };
        assert_eq!(next("r6i.large", 20_000.0, 596.0), Some("r6i.4xlarge"));
        assert_eq!([next("r6i.large", 20_001.0, 1.0), next("r6i.large", 1.0, 597.0)], [Some("r6i.8xlarge"); 2]);
        assert_eq!(next("db.r6i.large", 160_000.0, 1.0), Some("r6i.32xlarge"));
        assert_eq!(next("r6i.large", 160_001.0, 1.0), None);
        // More than it has, though it has what is required.
        assert_eq!(next("r6i.4xlarge", 19_000.0, 1.0), Some("r6i.8xlarge"));
        assert_eq!(next("m5.large", 17_000.0, 133.0), Some("m5.4xlarge"));
    }

    /// m8ib.xlarge sustains 30,000 IOPS, m6in.xlarge 12,500, m5.4xlarge 18,750.
    #[test]
    fn another_family_may_sustain_more_with_fewer_cores() {
        let other = |name: &str, iops| {
            let found = instance(name).unwrap().larger_of_other_family(Ceiling { iops, mibps: 1.0 });
            found.map(|row| row.instance_type.as_str())
        };
        assert_eq!(other("m5.large", 12_900.0), Some("m8ib.xlarge"));
        assert_eq!(other("r6i.4xlarge", 23_700.0), Some("r8ib.4xlarge"));
        // The same architecture, and never fewer cores.
        assert_eq!(other("m6g.large", 12_900.0), Some("m8gb.large"));
        assert_eq!(other("r6i.8xlarge", 100.0), Some("r8a.8xlarge"));
        assert_eq!(other("m5.large", 1e7), None);
    }

    #[test]
    fn limits_are_brought_to_mib() {
        let large = instance("M5.large").unwrap();
        assert_eq!((large.baseline().iops, large.maximum().iops), (3_600.0, 18_750.0));
        // 4,750 Mbps = 593.75 MB/s = 566 MiB/s
        assert_eq!(large.maximum().mibps.round(), 566.0);
    }

    #[test]
    fn what_aws_does_not_publish_is_no_mistyped_name() {
        for name in ["t2.large", "db.t2.micro", "T2.nano"] {
            let message = instance(name).unwrap_err().to_string();
            assert!(message.starts_with("AWS publishes no EBS limits of t2."), "{message}");
        }
        let missing = instance("U7ib-12tb.224xlarge").unwrap_err().to_string();
        assert_eq!(missing, "EBS limits of u7ib-12tb.224xlarge are not in the catalogue");
        assert!(MISSING_TYPES.into_iter().all(|name| known_instance(name).is_none()));
    }

    #[test]
    fn a_mistyped_name_gets_its_neighbours() {
        let InputError::UnknownName { accepted, .. } = instance("r6i.4xlrge").unwrap_err() else { panic!() };
        assert!(accepted.contains("r6i.4xlarge"), "{accepted}");
    }
}
