//! What volumes cost a month. AWS bills 730 hours a month, and prints GB where it means GiB.

use crate::catalogue::{Prices, VolumeConfig, VolumeType};
use crate::units::Usd;

/// A month's bill in its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bill {
    /// For size.
    pub storage: Usd,
    /// For IOPS above what is included.
    pub iops: Usd,
    /// For throughput above what is included.
    pub throughput: Usd,
}

impl Bill {
    /// All parts.
    pub fn total(&self) -> Usd {
        self.storage + self.iops + self.throughput
    }
}

/// The bill of `volumes` such volumes. Each has its own included IOPS and throughput, and its own io2 tiers.
pub fn bill(config: &VolumeConfig, volumes: u64, prices: &Prices) -> Bill {
    let iops = config.iops;
    let one = match config.volume_type {
        VolumeType::Gp2 => Bill { storage: prices.gp2_gib * config.size_gib, ..Bill::default() },
        VolumeType::Gp3 => Bill {
            storage: prices.gp3_gib * config.size_gib,
            iops: prices.gp3_iops * iops.saturating_sub(3_000),
            throughput: prices.gp3_mibps * config.throughput_mibps.saturating_sub(125),
        },
        VolumeType::Io1 => {
            Bill { storage: prices.io1_gib * config.size_gib, iops: prices.io1_iops * iops, ..Bill::default() }
        }
        VolumeType::Io2 => Bill {
            storage: prices.io2_gib * config.size_gib,
            iops: prices.io2_iops_tier1 * iops.min(32_000)
                + prices.io2_iops_tier2 * iops.clamp(32_000, 64_000).saturating_sub(32_000)
                + prices.io2_iops_tier3 * iops.saturating_sub(64_000),
            ..Bill::default()
        },
    };
    Bill { storage: one.storage * volumes, iops: one.iops * volumes, throughput: one.throughput * volumes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::prices;
    use proptest::prelude::*;

    fn month(name: &str, size: u64, iops: Option<u64>, mibps: Option<u64>, volumes: u64) -> Usd {
        let config = VolumeConfig::new(name.parse().unwrap(), size, iops, mibps).unwrap();
        bill(&config, volumes, prices("us-east-1").unwrap()).total()
    }

    fn usd(name: &str, size: u64, iops: Option<u64>, mibps: Option<u64>, volumes: u64) -> String {
        crate::format::usd_plain(month(name, size, iops, mibps, volumes))
    }

    /// By hand from the published unit prices (us-east-1, 2026-10-15).
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

    proptest! {
        /// ebs.md 2.4: io1 is never cheaper than io2 for the same size and IOPS.
        #[test]
        fn io2_is_no_dearer_than_io1(size in 4u64..16_384, share in 0.0f64..1.0) {
            let iops = (100.0 + share * ((50 * size).clamp(100, 64_000) - 100) as f64) as u64;
            prop_assert!(month("io2", size, Some(iops), None, 1) <= month("io1", size, Some(iops), None, 1));
        }

        /// ebs.md 2.4: a gp3 with a gp2's IOPS and 250 MiB/s is no dearer from 1,000 GiB on.
        #[test]
        fn gp3_is_no_dearer_than_a_large_gp2(size in 1_000u64..16_384) {
            let iops = (3 * size).clamp(3_000, 16_000);
            prop_assert!(month("gp3", size, Some(iops), Some(250), 1) <= month("gp2", size, None, None, 1));
        }
    }
}
