//! Samples of one volume, as a run of its own is made of them.

use ebs_imports::configuration::Configuration;
use ebs_prometheus::Series;
use ebs_samples::evidence::{Block, DeviceChecks};
use ebs_workload::declarations::Declarations;

use crate::discovery::fleet::Batch;
use crate::discovery::source::Source;
use crate::evaluate::{collect_checked, describe, used_space};
use crate::series::exported::exported;
use crate::series::index::Index;
use crate::series::period::usual_period_ms;
use crate::window::evidence::{blocks, window_of_counts};
use crate::window::frame::add_checks;

/// Samples of one volume.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeSamples {
    /// Exporter of most of them.
    pub source: Source,
    /// Identifier of the RDS instance that they are of.
    pub database: Option<String>,
    /// The samples, with the used space of their time.
    pub blocks: Vec<Block>,
    /// Time above the limits, by EBS's own counters.
    pub checks: Vec<DeviceChecks>,
    /// Present configuration of the volume and its instance, as documents describe it.
    pub declared: Declarations,
}

/// Samples of the volume with this ID; `None` where it has no counts in these series. The time of the documents, microseconds since 1970,
/// is that of their configuration.
pub fn volume_samples(
    batch: &Batch,
    id: &str,
    series: &[Series],
    (configuration, documented_us): (&Configuration, Option<i64>),
    pause: &dyn Fn(),
) -> Option<VolumeSamples> {
    let volume = batch.volumes.iter().find(|volume| volume.id == id)?;
    let index = Index::new(series, &batch.replica_labels);
    let counts = collect_checked(volume, &index, usual_period_ms(&batch.volumes, &index), configuration, pause);
    let source = counts.tracks.iter().max_by_key(|track| track.pieces.len())?.source;
    let described = describe(volume, &counts, configuration, exported(volume, &index).as_ref());
    let space = used_space(volume, &index, configuration);
    let blocks = blocks(volume, &counts, space.as_ref());
    let from_us = blocks.iter().filter_map(Block::started_us).min()?;
    let to_us = blocks.iter().filter_map(Block::ended_us).max()?;
    let mut window = window_of_counts(volume, &counts, space.as_ref(), (from_us, to_us));
    add_checks(&mut window, id, &counts.tracks);
    let mut declared = described.declarations();
    // An exporter shows the configuration of its last scrape.
    let is_documented = configuration.volumes.contains_key(id) || volume.database(configuration).is_some();
    let described_us = documented_us.filter(|_| is_documented).unwrap_or(to_us);
    declared.volumes.iter_mut().for_each(|volume| volume.imported_us = Some(described_us));
    let database = volume.is_rds().then(|| volume.id.clone());
    Some(VolumeSamples { source, database, blocks, checks: window.checks, declared })
}
