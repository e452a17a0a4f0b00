//! Imported demand, independent of its format: series of devices, facts that a report lacks, errors.

pub(crate) mod civil;
mod error;
mod options;
mod series;

pub use civil::Calendar;
pub use error::{ErrorClass, ImportError, time_text};
pub use options::ImportOptions;
pub use series::{MonitoringData, Series, SeriesPoint, block, check_device};
