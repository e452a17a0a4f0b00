//! Monthly cost of volumes. AWS bills 730 hours a month, and prints GB where it means GiB.

use std::iter::Sum;

use crate::catalogue::{
    Class, IopsRule, Item, MibpsRule, Part, Platform, Price, Prices, Purpose, Status, VolumeConfig, VolumeType,
    classes_of,
};
use ebs_base::units::Usd;

/// A month's bill in its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bill {
    /// Price of the size.
    pub storage: Usd,
    /// Price of IOPS above those included.
    pub iops: Usd,
    /// Price of throughput above that included.
    pub throughput: Usd,
}

impl Bill {
    /// Sum of all parts.
    pub fn total(&self) -> Usd {
        self.storage + self.iops + self.throughput
    }
}

impl Sum for Bill {
    fn sum<I: Iterator<Item = Bill>>(bills: I) -> Bill {
        bills.fold(Bill::default(), |sum, bill| Bill {
            storage: sum.storage + bill.storage,
            iops: sum.iops + bill.iops,
            throughput: sum.throughput + bill.throughput,
        })
    }
}

/// Prices of a class in a region, US dollars a month.
#[derive(Clone, Debug, PartialEq)]
pub struct Tariff {
    /// Price of a GiB.
    pub storage: Usd,
    /// Tiers of IOPS: each costs this much above this number a volume, ascending.
    pub iops: Vec<(u64, Usd)>,
    /// Price of a MiB/s, above this number a volume.
    pub throughput: Option<(u64, Usd)>,
    /// Copies of the storage that are paid for.
    pub copies: u64,
}

impl Tariff {
    /// The prices of a class on a platform; `None` where one of them is not known. Of a class that has a choice of IOPS,
    /// those above the least are billed, or all; of one with a choice of throughput, that above the least.
    pub fn from_prices(class: &Class, platform: Platform, prices: &Prices) -> Option<Tariff> {
        let price = |part| prices.get(platform, class.volume_type, part).map(|price| price.usd);
        let mut iops = Vec::new();
        if class.iops_rule == IopsRule::Provisioned || class.volume_type.bills_all_iops() {
            let included = if class.volume_type.bills_all_iops() { 0 } else { class.min_iops };
            iops.push((included, price(Part::Iops)?));
            iops.extend(price(Part::IopsAbove32000).map(|usd| (32_000, usd)));
            iops.extend(price(Part::IopsAbove64000).map(|usd| (64_000, usd)));
        }
        let throughput = match class.mibps_rule {
            MibpsRule::Provisioned => Some((class.min_mibps, price(Part::Throughput)?)),
            _ => None,
        };
        Some(Tariff { storage: price(Part::Storage)?, iops, throughput, copies: platform.copies() })
    }

    /// The bill of `volumes` volumes of this size, IOPS and throughput. Each has its own included IOPS and throughput, and
    /// its own tiers.
    pub fn bill(&self, size_gib: u64, iops: u64, mibps: u64, volumes: u64) -> Bill {
        let volumes = volumes * self.copies;
        let tops = self.iops.iter().skip(1).map(|(above, _)| *above).chain([u64::MAX]);
        let tiers = self.iops.iter().zip(tops);
        let iops: Usd = tiers.map(|(&(above, usd), top)| usd * iops.min(top).saturating_sub(above)).sum();
        let throughput = self.throughput.map_or(Usd::default(), |(above, usd)| usd * mibps.saturating_sub(above));
        Bill { storage: self.storage * size_gib * volumes, iops: iops * volumes, throughput: throughput * volumes }
    }
}

/// The bill of `volumes` such volumes; `None` where a price is not known.
pub fn bill(config: &VolumeConfig, volumes: u64, prices: &Prices) -> Option<Bill> {
    order_bill(config, volumes, prices).filter(|_| prices.are_known(config.platform))
}

/// The bill by which volumes are ordered: [`bill`], or where prices are not known that by those which stand in for them, which is not shown.
pub fn order_bill(config: &VolumeConfig, volumes: u64, prices: &Prices) -> Option<Bill> {
    let tariff = Tariff::from_prices(config.class()?, config.platform, prices)?;
    Some(tariff.bill(config.size_gib, config.iops, config.throughput_mibps, volumes))
}

/// The parts of a bill, without those that the price of storage includes.
pub fn parts(config: &VolumeConfig) -> Vec<Part> {
    let Some(class) = config.class() else { return Vec::new() };
    let platform = if config.platform.is_rds() { Platform::Rds } else { Platform::Ec2 };
    let billed = |part: &Part| match part {
        Part::Storage => true,
        Part::Iops => {
            class.volume_type.bills_all_iops()
                || (class.iops_rule == IopsRule::Provisioned && config.iops > class.min_iops)
        }
        Part::IopsAbove32000 => config.iops > 32_000,
        Part::IopsAbove64000 => config.iops > 64_000,
        Part::Throughput => config.throughput_mibps > class.min_mibps,
    };
    let sold = |part: &Part| Item { platform, volume_type: config.volume_type, part: *part }.is_sold();
    Part::ALL.into_iter().filter(|part| sold(part) && billed(part)).collect()
}

/// Types fit for a database that are sold on a platform, and have sizes whose price is not known. A new type is sold only where it has one.
pub fn unpriced(platform: Platform, prices: &Prices) -> Vec<&'static str> {
    let lacking = |volume_type: &VolumeType| {
        classes_of(platform, *volume_type, Purpose::Any)
            .any(|class| Tariff::from_prices(class, platform, prices).is_none())
    };
    VolumeType::suitable().filter(|volume_type| !volume_type.is_new()).filter(lacking).map(VolumeType::name).collect()
}

/// Reason for which a bill is not exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceUncertainty {
    /// No price list gives the price of a part directly.
    Unlisted {
        /// The part.
        item: Item,
        /// Origin of its price.
        status: Status,
        /// Basis of its price: `io2 iops x 0.70`.
        basis: String,
    },
    /// RDS bills a Multi-AZ cluster at three times the storage; the factor of its IOPS and the throughput of its gp3 are assumed.
    ClusterRates,
}

/// Reasons for which the bill of this configuration is not exact.
pub fn uncertainties(config: &VolumeConfig, prices: &Prices) -> Vec<PriceUncertainty> {
    let VolumeConfig { platform, volume_type, .. } = *config;
    let unlisted = |part| match prices.get(platform, volume_type, part)? {
        Price { status: Status::Listed | Status::Imported, .. } => None,
        Price { status, basis, .. } => {
            let item = Item { platform, volume_type, part };
            Some(PriceUncertainty::Unlisted { item, status: *status, basis: basis.clone() })
        }
    };
    if !prices.are_known(platform) {
        return Vec::new();
    }
    let of_platform = match platform {
        Platform::RdsCluster => Some(PriceUncertainty::ClusterRates),
        _ => None,
    };
    parts(config).into_iter().filter_map(unlisted).chain(of_platform).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{VolumeType, prices};
    use proptest::prelude::*;

    fn month_on(platform: Platform, name: &str, size: u64, iops: Option<u64>, mibps: Option<u64>, volumes: u64) -> Usd {
        let config = VolumeConfig::new(platform, name.parse().unwrap(), size, iops, mibps).unwrap();
        bill(&config, volumes, prices("us-east-1").unwrap()).unwrap().total()
    }

    fn month(name: &str, size: u64, iops: Option<u64>, mibps: Option<u64>, volumes: u64) -> Usd {
        month_on(Platform::Ec2, name, size, iops, mibps, volumes)
    }

    fn usd(name: &str, size: u64, iops: Option<u64>, mibps: Option<u64>, volumes: u64) -> String {
        ebs_base::format::usd_plain(month(name, size, iops, mibps, volumes))
    }

    /// Calculated by hand from the published unit prices (us-east-1, 2026-10-15).
    #[test]
    fn published_configurations_to_the_cent() {
        // 1,024 × 0.08 + 13,000 × 0.005 + 875 × 0.04
        assert_eq!(usd("gp3", 1_024, Some(16_000), Some(1_000), 1), "181.92");
        assert_eq!(usd("gp3", 4_096, Some(80_000), Some(2_000), 1), "787.68");
        // 4,096 × 0.125 + 32,000 × 0.065 + 32,000 × 0.0455 + 16,000 × 0.03185
        assert_eq!(usd("io2", 4_096, Some(80_000), None, 1), "4557.60");
        // The storage blog's eight gp3 volumes, billed with each volume's included 3,000 IOPS and 125 MiB/s.
        assert_eq!(usd("gp3", 1_024, Some(10_000), Some(1_000), 8), "1215.36");
        assert_eq!(usd("io2", 2_048, Some(40_000), None, 2), "5400.00");
        assert_eq!(usd("io2", 1_024, Some(16_000), None, 1), "1168.00");
        assert_eq!(usd("gp2", 500, None, None, 1), "50.00");
        assert_eq!(usd("io1", 100, Some(5_000), None, 1), "337.50");
    }

    /// RDS, by hand: 0.115 a GiB, 0.02 an IOPS above 12,000, 0.08 a MiB/s above 500; nothing to choose below 400 GiB.
    #[test]
    fn rds_bills_what_is_above_its_own_baseline() {
        let rds = |platform, name, size, iops, mibps| {
            ebs_base::format::usd_plain(month_on(platform, name, size, iops, mibps, 1))
        };
        assert_eq!(rds(Platform::Rds, "gp3", 399, None, None), "45.89");
        // 400 × 0.115 + 4,000 × 0.02 + 100 × 0.08
        assert_eq!(rds(Platform::Rds, "gp3", 400, Some(16_000), Some(600)), "134.00");
        assert_eq!(rds(Platform::RdsMultiAz, "gp3", 400, Some(16_000), Some(600)), "268.00");
        // 6,000 × 0.125 + 20,000 × 0.10
        assert_eq!(rds(Platform::Rds, "io2", 6_000, Some(20_000), None), "2750.00");
    }

    #[test]
    fn a_bill_has_the_parts_that_are_billed() {
        let of = |platform, name: &str, size, iops, mibps| {
            let config = VolumeConfig::new(platform, name.parse().unwrap(), size, iops, mibps).unwrap();
            parts(&config).into_iter().map(Part::name).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(of(Platform::Ec2, "gp2", 500, None, None), "storage");
        assert_eq!(of(Platform::Ec2, "gp3", 500, None, None), "storage");
        assert_eq!(of(Platform::Ec2, "gp3", 500, Some(4_000), Some(200)), "storage, iops, throughput");
        assert_eq!(of(Platform::Ec2, "io1", 1_000, Some(40_000), None), "storage, iops");
        assert_eq!(of(Platform::Ec2, "io2", 1_000, Some(40_000), None), "storage, iops, iops above 32000");
        assert_eq!(of(Platform::RdsMultiAz, "io2", 1_000, Some(70_000), None), "storage, iops");
        assert_eq!(of(Platform::Rds, "gp3", 400, None, None), "storage");
        assert_eq!(of(Platform::Rds, "gp3", 400, Some(16_000), None), "storage, iops");
    }

    #[test]
    fn what_is_not_straight_from_a_list_is_named() {
        let config = VolumeConfig::new(Platform::Ec2, VolumeType::Io2, 100, Some(40_000), None).unwrap();
        assert_eq!(uncertainties(&config, prices("us-east-1").unwrap()), []);
        let item = Item { platform: Platform::Ec2, volume_type: VolumeType::Io2, part: Part::IopsAbove32000 };
        let derived = PriceUncertainty::Unlisted { item, status: Status::Derived, basis: "io2 iops x 0.70".to_owned() };
        assert_eq!(uncertainties(&config, prices("eu-west-1").unwrap()), [derived]);
    }

    proptest! {
        /// io1 is never cheaper than io2 for the same size and IOPS.
        #[test]
        fn io2_is_no_dearer_than_io1(size in 4u64..16_384, share in 0.0f64..1.0) {
            let iops = (100.0 + share * ((50 * size).clamp(100, 64_000) - 100) as f64) as u64;
            prop_assert!(month("io2", size, Some(iops), None, 1) <= month("io1", size, Some(iops), None, 1));
        }

        /// a gp3 with a gp2's IOPS and 250 MiB/s is no dearer from 1,000 GiB on.
        #[test]
        fn gp3_is_no_dearer_than_a_large_gp2(size in 1_000u64..16_384) {
            let iops = (3 * size).clamp(3_000, 16_000);
            prop_assert!(month("gp3", size, Some(iops), Some(250), 1) <= month("gp2", size, None, None, 1));
        }
    }
}
