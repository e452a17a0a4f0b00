//! Configuration of an existing volume as AWS prints it: what its type determines is not always printed.

use super::class::{Class, IopsRule, MibpsRule, Purpose, classes_of};
use super::{Platform, VolumeConfig, VolumeType};

/// Figures of a volume as AWS prints them; `None` where a figure is not printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintedVolume {
    /// Size, GiB.
    pub size_gib: Option<u64>,
    /// IOPS.
    pub iops: Option<u64>,
    /// Throughput, MiB/s.
    pub throughput_mibps: Option<u64>,
}

impl VolumeConfig {
    /// An existing volume of this type. A figure that is not printed, or is 0, is what the type determines by the size or the IOPS; of a
    /// type of which it is chosen, it is unknown, and so is the configuration. What AWS prints is not checked: it exists.
    pub fn from_printed(platform: Platform, volume_type: VolumeType, printed: PrintedVolume) -> Option<VolumeConfig> {
        let known = |figure: Option<u64>| figure.filter(|figure| *figure > 0);
        let size_gib = known(printed.size_gib)?;
        let iops = known(printed.iops);
        let rows = || classes_of(platform, volume_type, Purpose::Any).filter(|row| fits_size(row, size_gib));
        let with_iops = rows().find(|row| iops.is_none_or(|iops| iops <= row.max_iops));
        let row = with_iops.or_else(|| rows().last())?;
        let derived = (row.iops_rule != IopsRule::Provisioned).then(|| row.iops_at_least(size_gib));
        let iops = iops.or(derived)?;
        let derived = (row.mibps_rule != MibpsRule::Provisioned).then(|| row.mibps_at_least(size_gib, iops));
        let throughput_mibps = known(printed.throughput_mibps).or(derived)?;
        Some(VolumeConfig { platform, volume_type, size_gib, iops, throughput_mibps })
    }

    /// The same of a volume of EC2 in a place whose rows may lack its type: it exists, and has that type's limits.
    pub fn from_printed_in(
        platform: Platform,
        volume_type: VolumeType,
        printed: PrintedVolume,
    ) -> Option<VolumeConfig> {
        let here = VolumeConfig::from_printed(platform, volume_type, printed);
        here.or_else(|| VolumeConfig::from_printed(Platform::Ec2, volume_type, printed))
    }

    /// Dedicated log volume of RDS beside storage of this type; `None` where the catalogue has none.
    pub fn log_volume(platform: Platform, volume_type: VolumeType) -> Option<VolumeConfig> {
        let config = classes_of(platform, volume_type, Purpose::Log).next()?.least(0, 0, 0)?;
        Some(VolumeConfig { platform, ..config })
    }
}

fn fits_size(row: &Class, size_gib: u64) -> bool {
    (row.min_gib..=row.max_gib).contains(&size_gib)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(platform: Platform, volume_type: VolumeType, figures: [u64; 3]) -> Option<(u64, u64, u64)> {
        let known = |figure: u64| (figure != u64::MAX).then_some(figure);
        let [size_gib, iops, throughput_mibps] = figures.map(known);
        let config =
            VolumeConfig::from_printed(platform, volume_type, PrintedVolume { size_gib, iops, throughput_mibps })?;
        assert_eq!((config.platform, config.volume_type), (platform, volume_type));
        Some((config.size_gib, config.iops, config.throughput_mibps))
    }

    /// gp2 has 3 IOPS a GiB and up to 250 MiB/s, io2 0.256 MiB/s an IOPS; RDS stripes gp2 from 400 GiB on, with up to 1,000 MiB/s.
    #[test]
    fn what_the_type_determines_need_not_be_printed() {
        use Platform::{Ec2, Rds, RdsMultiAz};
        use VolumeType::{Gp2, Gp3, Io2};
        const NONE: u64 = u64::MAX;
        assert_eq!(config(Ec2, Gp3, [500, 6_000, 250]), Some((500, 6_000, 250)));
        assert_eq!(config(Ec2, Gp2, [1_000, 3_000, NONE]), Some((1_000, 3_000, 250)));
        assert_eq!(config(Ec2, Gp2, [1_000, NONE, NONE]), Some((1_000, 3_000, 250)));
        assert_eq!(config(Ec2, Io2, [500, 10_000, NONE]), Some((500, 10_000, 2_560)));
        assert_eq!(config(Rds, Gp2, [2_000, NONE, 0]), Some((2_000, 6_000, 1_000)));
        assert_eq!(config(Rds, Gp3, [200, NONE, NONE]), Some((200, 3_000, 125)));
        assert_eq!(config(RdsMultiAz, Gp3, [500, 12_000, 500]), Some((500, 12_000, 500)));
    }

    #[test]
    fn what_is_chosen_and_not_printed_is_unknown() {
        use Platform::{Ec2, Rds};
        use VolumeType::{Gp3, Io1};
        const NONE: u64 = u64::MAX;
        for (platform, volume_type, figures) in [
            (Ec2, Gp3, [500, 6_000, NONE]),
            (Ec2, Gp3, [500, NONE, 250]),
            (Ec2, Gp3, [NONE, 6_000, 250]),
            (Ec2, Gp3, [0, 6_000, 250]),
            (Ec2, Io1, [500, NONE, NONE]),
            (Rds, Gp3, [500, 12_000, 0]),
            // Smaller than any that is sold.
            (Rds, Gp3, [5, 3_000, 125]),
        ] {
            assert_eq!(config(platform, volume_type, figures), None, "{volume_type:?} {figures:?}");
        }
    }

    #[test]
    fn a_log_volume_has_fixed_figures() {
        let log = VolumeConfig::log_volume(Platform::RdsMultiAz, VolumeType::Io2).unwrap();
        assert_eq!((log.platform, log.size_gib, log.iops), (Platform::RdsMultiAz, 1_024, 3_000));
        assert_eq!(VolumeConfig::log_volume(Platform::Rds, VolumeType::Gp3), None);
    }
}
