//! Imported demand: reports of monitoring from other servers, converted to evidence.
//!
//! Each source is read by a file of its own, which gives the series of its devices; [`MonitoringData::select`] picks the one
//! of data and that of WAL, and [`block`] makes evidence of them. A source that cannot be read is refused as a whole.

mod aurora;
mod aurora_metric;
pub mod awr;
mod checks;
mod civil;
mod cloudwatch;
mod cloudwatch_series;
mod error;
mod iostat;
mod iostat_json;
mod iostat_report;
pub mod members;
mod metric;
mod metric_data;
mod rates;
pub mod rds_os;
mod rds_source;
pub mod rds_waits;
mod report_sequence;
mod sadf_csv;
mod sadf_json;
pub mod samples;
mod sar;
mod series;
mod statistic;
mod table;

pub use aurora::{AuroraUsage, aurora, select as select_cluster};
pub use civil::Calendar;
pub use cloudwatch::cloudwatch;
pub use error::{ErrorClass, ImportError, time_text};
pub use iostat::{Settings as IostatSettings, iostat};
pub use rds_source::{RDS_STORAGE, is_rds_source};
pub use sar::sar;
pub use series::{MonitoringData, Series, SeriesPoint, block};

/// Devices of one import: a report of more is refused. The most that one instance attaches are 128 volumes, and each may be
/// cut into partitions and striped.
pub const MAX_DEVICES: usize = 1_000;

/// Longest name of a device in a report, bytes: a name of the device mapper has 127 at most.
pub const MAX_DEVICE_NAME: usize = 255;

/// Longest line of a report, bytes: `sadf -dh` has all devices in one, a thousand of them in some 140 kB.
pub const MAX_LINE: usize = 256 << 10;

/// Columns of a table: `iostat -x` has 23.
pub const MAX_COLUMNS: usize = 100;

/// Tables of one report: `iostat --pretty` has a few for the same devices.
pub const MAX_TABLES: usize = 20;

/// Counts of one interval are below this: a petabyte is more than any instance moves in an hour.
const MAX_COUNT: f64 = 1e15;

#[cfg(test)]
mod robust_tests;
