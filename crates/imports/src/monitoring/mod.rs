//! Imported demand: reports of monitoring from other servers, converted to evidence.
//!
//! Each source is read by a file of its own, which gives the series of its devices; [`MonitoringData::select`] picks the one
//! of data and that of WAL, and [`block`] makes evidence of them. A source that cannot be read is refused as a whole.

mod aurora;
mod aurora_metric;
pub mod awr;
mod checks;
mod cloudwatch;
mod cloudwatch_series;
mod iostat;
mod iostat_json;
mod iostat_report;
mod limits;
pub mod members;
mod metric;
mod metric_data;
mod metric_statistics;
mod rates;
pub mod rds_os;
mod rds_source;
pub mod rds_waits;
mod report_sequence;
mod sadf_csv;
mod sadf_json;
pub mod samples;
mod sar;
mod statistic;
mod table;

pub use crate::import::{
    Calendar, ErrorClass, ImportError, ImportOptions, MonitoringData, Series, SeriesPoint, block, check_device,
    time_text,
};
pub use aurora::{AuroraUsage, FORMAT as AURORA, aurora, select as select_cluster};
pub use cloudwatch::cloudwatch;
pub use iostat::iostat;
use limits::MAX_COUNT;
pub use limits::{MAX_COLUMNS, MAX_DEVICE_NAME, MAX_DEVICES, MAX_LINE, MAX_TABLES};
pub use rds_source::{RDS_OS, RDS_STORAGE, is_rds_source};
pub use sar::sar;

use crate::format::Format;

/// Formats of monitoring. One stands before another whose signs its files may have as well.
pub(crate) const FORMATS: &[&Format] = &[
    &sar::FORMAT,
    &iostat::FORMAT,
    &aurora::FORMAT,
    &cloudwatch::FORMAT,
    &rds_source::RDS_OS,
    &rds_waits::FORMAT,
    &awr::FORMAT,
    &samples::FORMAT,
];
