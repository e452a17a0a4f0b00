//! Runs made of evidence from elsewhere: samples with what their source says of itself.

mod waits;

use ebs_base::names::non_empty;
use ebs_comparison::export::{EnvironmentDocument, Run as RunDocument, Samples};
use ebs_imports::monitoring::rds_os::{OsMetrics, SOURCE as RDS_OS_SOURCE};
use ebs_imports::monitoring::{ImportError, MonitoringData, Series, block, check_device};
use ebs_samples::evidence::codec::CodecError;
use ebs_samples::evidence::{Block, DeviceChecks};
use serde_json::Value;

pub use waits::{WaitsError, add_waits, check_waits, covered_doubts};

/// Evidence that was imported, before it has a label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedRun {
    /// Program or service, and what it tells of itself ([`EnvironmentDocument`]); `None` where that is not known.
    pub environment: Option<Value>,
    /// Samples, in time order.
    pub blocks: Vec<Block>,
    /// Beginning of the first interval, microseconds since 1970.
    pub from_us: i64,
    /// End of the last.
    pub to_us: i64,
}

impl ImportedRun {
    /// Makes a run of the devices of data and of WAL of a report. `pause` is called between pieces of the work.
    pub fn from_monitoring(
        imported: MonitoringData,
        (device, wal_device): (Option<&str>, Option<&str>),
        pause: &dyn Fn(),
    ) -> Result<ImportedRun, ImportError> {
        let (source, mut doubts) = (imported.source, imported.limitations.clone());
        let (data, wal) = imported.select(non_empty(device), non_empty(wal_device))?;
        for series in [Some(&data), wal.as_ref()].into_iter().flatten() {
            check_device(&series.device)?;
        }
        let block = block(&data, wal.as_ref(), pause)?;
        let mut checks: Vec<DeviceChecks> = Vec::new();
        for series in [Some(data), wal].into_iter().flatten() {
            doubts.extend(series.limitations);
            checks.extend((!series.checks.is_empty()).then_some(series.checks));
        }
        let environment = EnvironmentDocument::imported(source, &doubts).with_checks(&checks);
        ImportedRun::from_blocks(vec![block], Some(environment.to_json()))
    }

    /// Makes a run of the samples of a device. `pause` is called between pieces of the work.
    pub fn from_series(series: &Series, pause: &dyn Fn()) -> Result<ImportedRun, ImportError> {
        ImportedRun::from_blocks(vec![block(series, None, pause)?], None)
    }

    /// Makes a run of events of Enhanced Monitoring.
    pub fn from_os_metrics(metrics: OsMetrics) -> Result<ImportedRun, ImportError> {
        let environment = EnvironmentDocument {
            db_instance: metrics.db_instance.as_deref(),
            dbi_resource_id: metrics.dbi_resource_id.as_deref(),
            ..EnvironmentDocument::imported(RDS_OS_SOURCE, &metrics.limitations)
        };
        let environment = environment.to_json();
        ImportedRun::from_blocks(metrics.blocks, Some(environment))
    }

    fn from_blocks(blocks: Vec<Block>, environment: Option<Value>) -> Result<ImportedRun, ImportError> {
        let from_us = blocks.iter().filter_map(Block::started_us).min();
        let to_us = blocks.iter().filter_map(Block::ended_us).max();
        let (from_us, to_us) = from_us.zip(to_us).ok_or(ImportError::TooFew(0))?;
        Ok(ImportedRun { environment, blocks, from_us, to_us })
    }

    /// Number of its intervals.
    pub fn intervals(&self) -> usize {
        self.blocks.iter().map(|block| block.samples.len()).sum()
    }

    /// The run as a document, without its samples.
    pub fn document(&self, label: &str) -> RunDocument {
        RunDocument {
            label: label.to_owned(),
            started_us: self.from_us,
            ended_us: self.to_us,
            environment: self.environment.clone(),
            ..RunDocument::default()
        }
    }

    /// The run as a document with its samples, as ebs_run_import takes it. `pause` is called between pieces of the work.
    pub fn into_document(self, label: &str, pause: &dyn Fn()) -> Result<RunDocument, CodecError> {
        let document = self.document(label);
        let samples = self.blocks.into_iter().map(|block| Samples::from_block(block, pause));
        Ok(RunDocument { samples: samples.filter_map(Result::transpose).collect::<Result<_, _>>()?, ..document })
    }
}
