//! One volume in depth: its samples as an ordinary run, for every function of the extension.

use ebs_base::labels::{LABEL_LIMIT, printable_label};
use ebs_comparison::export::{EnvironmentDocument, Run, Samples};
use ebs_fleet::{Fleet, VolumeRun, volume_run};
use ebs_imports::configuration::Configuration;

use super::arguments::Arguments;
use super::transport::{TimeRange, Transport};
use crate::error::Error;
use crate::psql::Connection;
use crate::watch::keep;

/// Fetches the samples of the one volume that was selected, and keeps them as a run.
pub fn keep(
    label: &str,
    fleet: &Fleet,
    transport: &dyn Transport,
    range: TimeRange,
    configuration: &Configuration,
    arguments: &Arguments,
) -> Result<u8, Error> {
    Ok(0)
}
