//! Sources of demand among the files of a server.

use ebs_answer::ImportedRun;
use ebs_base::format::plain;
use ebs_comparison::export::Run as RunDocument;
use ebs_imports::format::Format;
use ebs_imports::monitoring::rds_os::Collector;
use ebs_imports::monitoring::{ImportError, MonitoringData, Series, awr};
use ebs_samples::evidence::Block;

use super::FileFlags;

/// Demand of a server, from one file or from several of one format.
pub struct Demand {
    /// The first of its files.
    pub file: String,
    /// Number of the others.
    pub more: usize,
    /// Their format.
    pub format: &'static Format,
    /// The content.
    pub content: Content,
}

/// Content of files with demand.
pub enum Content {
    /// A report of monitoring.
    Report(MonitoringData),
    /// Totals of hours.
    Totals(MonitoringData),
    /// Samples of a device.
    Samples(Box<Series>),
    /// A run of Enhanced Monitoring.
    Events(Box<Collector>),
    /// A run that was exported, with its samples.
    Run(Box<(RunDocument, Vec<Block>)>),
}

/// A run, with what was exported of it.
pub struct FoundRun {
    /// Samples, and the environment.
    pub imported: ImportedRun,
    /// Everything else; of a file of monitoring nothing but the times.
    pub document: RunDocument,
}

impl Demand {
    /// Its files in words: `a.txt`, `a.txt and 2 more`.
    pub fn name(&self) -> String {
        let file = plain(&self.file);
        if self.more == 0 { file } else { format!("{file} and {} more", self.more) }
    }

    /// Mean interval of its samples, seconds: the shortest evidence decides.
    pub fn interval_s(&self) -> f64 {
        match &self.content {
            Content::Report(data) | Content::Totals(data) => data.interval_s(),
            Content::Samples(series) => series.interval_s(),
            Content::Events(collector) => collector.interval_s(),
            Content::Run(run) => {
                let lengths = run.1.iter().flat_map(|block| &block.samples).map(|sample| sample.dt_us as f64 / 1e6);
                let (count, seconds) = lengths.fold((0.0, 0.0), |(count, sum), length| (count + 1.0, sum + length));
                if count > 0.0 { seconds / count } else { f64::INFINITY }
            }
        }
    }

    /// Makes a run of it.
    pub fn into_run(self, flags: &FileFlags) -> Result<FoundRun, ImportError> {
        let (devices, pause) = (flags.devices(), &|| ());
        let redo = flags.has_redo_apart().then_some(awr::DEVICES.1);
        let imported = match self.content {
            Content::Report(data) => ImportedRun::from_monitoring(data, devices, pause)?,
            Content::Totals(data) => ImportedRun::from_monitoring(data, (Some(awr::DEVICES.0), redo), pause)?,
            Content::Samples(series) => ImportedRun::from_series(&series, pause)?,
            Content::Events(collector) => collector.finish(pause).and_then(ImportedRun::from_os_metrics)?,
            Content::Run(run) => {
                let (document, blocks) = *run;
                let (environment, from_us, to_us) =
                    (document.environment.clone(), document.started_us, document.ended_us);
                return Ok(FoundRun { imported: ImportedRun { environment, blocks, from_us, to_us }, document });
            }
        };
        let document = imported.document("");
        Ok(FoundRun { imported, document })
    }
}
