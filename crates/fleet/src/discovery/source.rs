//! Sources: the exporters whose counters of a volume are read.

use crate::discovery::metric::{self, Column};
use ebs_base::named;

named! {
    /// An exporter, with a meaning of its values.
    #[derive(PartialOrd, Ord)]
    pub enum Source {
        /// node_exporter: counters of the kernel's disks.
        NodeExporter = "node_exporter",
        /// EBS CSI driver: EBS's own counters of a volume.
        CsiDriver = "ebs-csi-driver",
        /// qonto's RDS exporter: rates that CloudWatch averaged over a minute.
        RdsQonto = "rds_exporter (qonto)",
        /// Percona's RDS exporter: likewise.
        RdsPercona = "rds_exporter (percona)",
        /// Percona's RDS exporter on Enhanced Monitoring: rates that the instance measured over 1 to 60 s.
        RdsEnhanced = "rds_exporter (percona, Enhanced Monitoring)",
        /// YACE on AWS/RDS: rates that CloudWatch averaged over its period.
        YaceRds = "yace",
        /// YACE on AWS/EBS: sums of CloudWatch's period.
        YaceEbs = "yace",
    }
}

impl Source {
    /// Metrics with their columns.
    pub(crate) fn columns(self) -> &'static [(&'static str, Column)] {
        match self {
            Source::NodeExporter => &metric::NODE,
            Source::CsiDriver => &metric::CSI,
            Source::RdsQonto => &metric::RDS_QONTO,
            Source::RdsPercona | Source::YaceRds => &metric::RDS_PERCONA,
            Source::RdsEnhanced => &metric::RDS_ENHANCED,
            Source::YaceEbs => &metric::YACE,
        }
    }

    /// True where values count from a beginning; false of rates, and of sums of a period.
    pub fn is_cumulative(self) -> bool {
        matches!(self, Source::NodeExporter | Source::CsiDriver)
    }

    /// True of an RDS instance's storage.
    pub fn is_rds(self) -> bool {
        matches!(self, Source::RdsQonto | Source::RdsPercona | Source::RdsEnhanced | Source::YaceRds)
    }
}
