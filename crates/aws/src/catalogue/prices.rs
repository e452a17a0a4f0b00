//! Prices by region: what the AWS price list says, what was derived from it, and what users import.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::Deserialize;

use super::{
    Class, IopsRule, MibpsRule, Platform, Purpose, SIMILAR, VolumeType, classes_of, describe_without_price_list,
};
use ebs_base::error::InputError;
use ebs_base::names;
use ebs_base::units::Usd;

ebs_base::named! {
    /// Billed part of a volume.
    #[derive(PartialOrd, Ord)]
    pub enum Part {
        /// A GiB.
        Storage = "storage",
        /// An IOPS above what is included.
        Iops = "iops",
        /// io2: an IOPS from 32,001 to 64,000.
        IopsAbove32000 = "iops above 32000",
        /// io2: an IOPS above 64,000.
        IopsAbove64000 = "iops above 64000",
        /// A MiB/s above what is included.
        Throughput = "throughput",
    }
}

impl Part {
    /// Unit in which the part is counted.
    pub fn unit(self) -> &'static str {
        match self {
            Part::Storage => "GiB",
            Part::Iops | Part::IopsAbove32000 | Part::IopsAbove64000 => "IOPS",
            Part::Throughput => "MiB/s",
        }
    }
}

impl FromStr for Part {
    type Err = InputError;

    fn from_str(name: &str) -> Result<Part, InputError> {
        let named = |name: &str| Part::ALL.into_iter().find(|known| known.name() == name);
        names::bounded(name).and_then(named).ok_or_else(|| InputError::UnknownName {
            what: "part of a price",
            name: names::quoted(name),
            accepted: format!("Parts are {}.", Part::ALL.map(Part::name).join(", ")),
        })
    }
}

/// Key of a price. RDS in more than one zone is billed as copies of `rds` ([`Platform::copies`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// `ec2` or `rds`.
    pub platform: Platform,
    /// Type.
    pub volume_type: VolumeType,
    /// Part.
    pub part: Part,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.volume_type.name(), self.part.name())
    }
}

ebs_base::named! {
    /// Provenance of a price, and with it its reliability.
    #[derive(PartialOrd, Ord, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Status {
        /// Read from AWS's price list when this version was made.
        Listed = "listed",
        /// Read from AWS's price list by a user.
        Imported = "imported",
        /// Worked out from another price, as its basis says.
        Derived = "derived",
        /// Quoted by others; no row of a price list was found.
        Unverified = "unverified",
    }
}

/// One price: US dollars a month.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// Price of one unit of its part.
    pub usd: Usd,
    /// Its provenance.
    pub status: Status,
    /// Its source: the edition of a price list, or the calculation.
    pub basis: String,
    /// Publication date of the price list, `2026-10-15`.
    pub as_of: String,
}

/// Monthly prices in one region.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// Region.
    pub region: String,
    /// Each item's price; what is not sold there, or not known, has none.
    pub items: BTreeMap<Item, Price>,
    /// Region whose prices these are where those of `region` are not known: they order volumes, and are never shown.
    pub stand_in: Option<String>,
}

/// Publication date of the price list this version was made with.
pub const PRICES_AS_OF: &str = "2026-10-15";

impl Prices {
    /// Address of the price lists from which the rows are taken.
    pub const SOURCE: &str = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/index.json";

    /// The prices of this region in the place of those of `region`, a zone or a region without prices here: for their order alone.
    pub fn stand_in_for(self, region: &str) -> Prices {
        Prices { stand_in: Some(self.region), region: region.to_owned(), items: self.items }
    }

    /// True where the prices of a platform are known, and amounts are shown.
    pub fn are_known(&self, platform: Platform) -> bool {
        self.stand_in.is_none() && platform.has_prices()
    }

    /// The price of a part; `None` where there is none. Where the platform has no prices here, the region's for EC2 order its volumes.
    pub fn get(&self, platform: Platform, volume_type: VolumeType, part: Part) -> Option<&Price> {
        let platform = if platform.is_rds() { Platform::Rds } else { Platform::Ec2 };
        self.items.get(&Item { platform, volume_type, part })
    }

    /// The prices of what is sold on a platform: AWS lists more (RDS's magnetic storage) than can be ordered there.
    pub fn sold_on(&self, platform: Platform) -> impl Iterator<Item = (&Item, &Price)> {
        let listed_as = if platform.is_rds() { Platform::Rds } else { Platform::Ec2 };
        let is_known = self.are_known(platform);
        let sold = move |item: &Item| {
            is_known
                && item.platform == listed_as
                && classes_of(platform, item.volume_type, Purpose::Any).any(|class| bills(class, item.part))
        };
        self.items.iter().filter(move |(item, _)| sold(item))
    }

    /// Merges prices that a user imported: the later publication of each item counts, and of equal dates the user's.
    pub fn import(&mut self, imported: impl IntoIterator<Item = (Item, Price)>) {
        for (item, price) in imported {
            let older = self.items.get(&item).is_some_and(|known| known.as_of > price.as_of);
            if !older {
                self.items.insert(item, price);
            }
        }
    }

    /// Publication date of the oldest price of a platform, `2026-10-15`.
    pub fn as_of(&self, platform: Platform) -> &str {
        let of = if platform.is_rds() { Platform::Rds } else { Platform::Ec2 };
        let dates = self.items.iter().filter(|(item, _)| item.platform == of).map(|(_, price)| price.as_of.as_str());
        dates.min().unwrap_or(PRICES_AS_OF)
    }
}

/// True if a bill for a volume of this class can have that part: derived IOPS and throughput are not billed.
fn bills(class: &Class, part: Part) -> bool {
    let chosen = class.iops_rule == IopsRule::Provisioned;
    match part {
        Part::Storage => true,
        Part::Iops => chosen,
        Part::IopsAbove32000 => chosen && class.max_iops > 32_000,
        Part::IopsAbove64000 => chosen && class.max_iops > 64_000,
        Part::Throughput => class.mibps_rule == MibpsRule::Provisioned,
    }
}

/// A row of `crates/aws/data/prices.csv`.
#[derive(Deserialize)]
struct Row {
    region: String,
    platform: String,
    volume_type: VolumeType,
    part: String,
    usd: String,
    status: Status,
    basis: String,
    as_of: String,
}

impl Row {
    fn read(self) -> Option<(String, Item, Price)> {
        let item = Item {
            platform: self.platform.parse().ok()?,
            volume_type: self.volume_type,
            part: self.part.parse().ok()?,
        };
        let usd = self.usd.parse().ok()?;
        Some((self.region, item, Price { usd, status: self.status, basis: self.basis, as_of: self.as_of }))
    }
}

fn table() -> &'static BTreeMap<String, Prices> {
    static TABLE: OnceLock<BTreeMap<String, Prices>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // A row that cannot be read is left out rather than taking a backend down; a test counts the rows.
        let text = include_str!("../../data/prices.csv");
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let mut regions: BTreeMap<String, Prices> = BTreeMap::new();
        for (region, item, price) in reader.deserialize().flatten().filter_map(Row::read) {
            let prices = regions.entry(region.clone()).or_insert_with(|| Prices {
                region,
                items: BTreeMap::new(),
                stand_in: None,
            });
            prices.items.insert(item, price);
        }
        regions
    })
}

/// All regions with prices.
pub fn regions() -> impl Iterator<Item = &'static str> {
    table().keys().map(String::as_str)
}

/// The prices of a region, as this version knows them.
pub fn prices(region: &str) -> Result<&'static Prices, InputError> {
    let wanted = names::bounded(region).map(str::to_ascii_lowercase);
    wanted.as_ref().and_then(|wanted| table().get(wanted)).ok_or_else(|| {
        let near = wanted.as_ref().map(|wanted| names::similar(wanted, regions(), SIMILAR)).unwrap_or_default();
        let without_list = wanted.as_deref().and_then(describe_without_price_list);
        let accepted = if let Some(reason) = without_list {
            reason.to_owned()
        } else if near.is_empty() {
            format!("Regions with prices are {}.", regions().collect::<Vec<_>>().join(", "))
        } else {
            format!("Perhaps you meant {}.", near.join(", "))
        };
        InputError::UnknownName { what: "region", name: names::quoted(region), accepted }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read_and_dated() {
        let text = include_str!("../../data/prices.csv");
        let lines = text.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(table().values().map(|prices| prices.items.len()).sum::<usize>(), lines - 1);
        assert_eq!(regions().count(), 36);
        let mut all = table().values().flat_map(|prices| prices.items.values());
        assert!(all.all(|price| price.as_of == PRICES_AS_OF && !price.basis.is_empty() && price.usd > Usd::default()));
    }

    #[test]
    fn the_table_has_what_is_sold_and_nothing_else() {
        assert!(table().values().flat_map(|prices| prices.items.keys()).all(Item::is_sold));
        let parts = |platform| move |volume_type| Part::ALL.map(move |part| Item { platform, volume_type, part });
        let all = Platform::ALL.into_iter().flat_map(|platform| VolumeType::ALL.into_iter().flat_map(parts(platform)));
        // us-east-1 has all but new types.
        let here = |item: &Item| prices("us-east-1").is_ok_and(|here| here.items.contains_key(item));
        let somewhere = |item: &Item| table().values().any(|prices| prices.items.contains_key(item));
        for item in all.filter(Item::is_sold) {
            assert!(if item.volume_type.is_new() { somewhere(&item) } else { here(&item) }, "{item}");
        }
    }

    /// Storage of AWS's racks and zones has no prices here; RDS lists magnetic storage, which no row of limits has.
    #[test]
    fn a_platform_has_the_prices_of_what_is_sold_there() {
        let here = prices("us-east-1").unwrap();
        let types = |platform| {
            let mut names: Vec<_> = here.sold_on(platform).map(|(item, _)| item.volume_type.name()).collect();
            names.dedup();
            names.join(" ")
        };
        for without_prices in [Platform::Outposts, Platform::LocalZone, Platform::Wavelength] {
            assert_eq!(types(without_prices), "");
        }
        assert_eq!(types(Platform::Rds), "gp2 gp3 io1 io2");
        assert_eq!(types(Platform::Ec2), "gp2 gp3 io1 io2 st1 sc1 standard");
        for (platform, volume_type) in Platform::ALL.into_iter().flat_map(|p| VolumeType::ALL.map(|t| (p, t))) {
            let is_priced = |prices: &Prices| prices.sold_on(platform).any(|(item, _)| item.volume_type == volume_type);
            let priced = if volume_type.is_new() { table().values().any(is_priced) } else { is_priced(here) };
            assert_eq!(priced, volume_type.is_sold_on(platform) && platform.has_prices(), "{volume_type:?}");
        }
    }

    #[test]
    fn what_is_derived_is_known_to_be() {
        let status = |region, platform, volume_type, part| {
            prices(region).unwrap().get(platform, volume_type, part).map(|price| price.status)
        };
        let (ec2, rds) = (Platform::Ec2, Platform::RdsMultiAz);
        assert_eq!(status("us-east-1", ec2, VolumeType::Io2, Part::IopsAbove32000), Some(Status::Listed));
        assert_eq!(status("eu-west-1", ec2, VolumeType::Io2, Part::IopsAbove32000), Some(Status::Derived));
        assert_eq!(status("us-east-1", rds, VolumeType::Gp3, Part::Throughput), Some(Status::Unverified));
        assert_eq!(status("us-east-1", ec2, VolumeType::InstanceStore, Part::Storage), None);
    }

    #[test]
    fn the_later_publication_counts() {
        let mut here = prices("us-east-1").unwrap().clone();
        let item = Item { platform: Platform::Ec2, volume_type: VolumeType::Gp3, part: Part::Storage };
        let price = |usd: &str, as_of: &str| Price {
            usd: usd.parse().unwrap(),
            status: Status::Imported,
            basis: String::new(),
            as_of: as_of.to_owned(),
        };
        here.import([(item, price("0.07", "2026-01-01"))]);
        assert_eq!(here.items[&item].status, Status::Listed);
        here.import([(item, price("0.09", "2026-12-01"))]);
        assert_eq!(here.items[&item].status, Status::Imported);
    }

    #[test]
    fn a_mistyped_region_gets_its_neighbours() {
        let InputError::UnknownName { accepted, .. } = prices("us-esat-1").unwrap_err() else { panic!() };
        assert!(accepted.contains("us-east-1"), "{accepted}");
    }
}
