//! Names by which an import from RDS is known, and the format of its events.

use crate::format::arguments::{DEVICE, EVENTS, INSTANCE, LABEL, WAL_DEVICE};
use crate::format::{Format, Reader, Sign, SqlFunction};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, recorded};

/// Events of Enhanced Monitoring, which `rds_os/` reads: its errors name other formats.
pub const RDS_OS: Format = Format {
    name: "rds-os",
    kind: "events of RDS Enhanced Monitoring",
    command: "ebsctl import",
    page: "docs/importing.md",
    shape: "Accepted are events of log group RDSOSMetrics: JSON of aws logs get-log-events or filter-log-events, lines of \
            aws logs tail, batches of Firehose, JSON of Logs Insights, or exports to S3.",
    signs: &[Sign::Keys(&["instanceResourceID"])],
    reader: Reader::OsEvents,
    sql: Some(SqlFunction {
        name: "ebs_import_rds_os",
        arguments: &[&LABEL, &EVENTS, &DEVICE, &WAL_DEVICE, &INSTANCE],
        document: &EVENTS,
        comment: "Creates a run from the log events of RDS Enhanced Monitoring and returns the number of its intervals (docs/importing.md).",
        example: "SELECT ebs_import_rds_os('rds1', pg_read_file('/tmp/events.json'))",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[recorded!("rds-os.json"), recorded!("rds-os.txt"), recorded!("rds-os-tail.txt")],
        made: &[
            Made { what: "one volume", make: |bytes| made::rds_os(bytes / 225, 1) },
            Made { what: "many volumes", make: |bytes| made::rds_os(bytes / 11_800, 100) },
        ],
    },
};

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
