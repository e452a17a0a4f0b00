//! Names by which an import from RDS is known.

/// Source of CloudWatch's metrics of RDS.
pub(super) const CLOUDWATCH_RDS: &str = "CloudWatch (RDS)";

/// Source of log events of RDSOSMetrics, as users know it.
pub(super) const ENHANCED_MONITORING: &str = "RDS Enhanced Monitoring";

/// Device of RDS's data volume, and of its only one, where the source does not name the instance.
pub const RDS_STORAGE: &str = "storage";

/// Returns true if samples of this source are of the storage of an RDS instance.
pub fn is_rds_source(source: &str) -> bool {
    [CLOUDWATCH_RDS, ENHANCED_MONITORING].contains(&source)
}
