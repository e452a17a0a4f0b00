//! Samples of one volume, as a run of its own is made of them.

use ebs_imports::configuration::Configuration;
use ebs_prometheus::Series;
use ebs_samples::evidence::{Block, DeviceChecks, Window};
use ebs_workload::declarations::Declarations;

use super::evaluate::{collect_checked, describe};
use super::evidence::block_of_counts;
use super::exported::exported;
use super::fleet::Batch;
use super::index::Index;
use super::period::usual_period_ms;
use super::source::Source;
use super::space::space;
use super::window::add_checks;

/// Samples of one volume.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeSamples {
    /// Exporter of most of them.
    pub source: Source,
    /// The samples.
    pub block: Block,
    /// Time above the limits, by EBS's own counters.
    pub checks: Vec<DeviceChecks>,
    /// Present configuration of the volume and its instance, as documents describe it.
    pub declared: Declarations,
}

/// Samples of the volume with this ID; `None` where it has no counts in these series.
pub fn volume_samples(
    batch: &Batch,
    id: &str,
    series: &[Series],
    configuration: &Configuration,
    pause: &dyn Fn(),
) -> Option<VolumeSamples> {
    let volume = batch.volumes.iter().find(|volume| volume.id == id)?;
    let index = Index::new(series, &batch.replica_labels);
    let counts = collect_checked(volume, &index, usual_period_ms(&batch.volumes, &index), configuration, pause);
    let source = counts.tracks.iter().max_by_key(|track| track.pieces.len())?.source;
    let described = describe(volume, &counts, configuration, exported(volume, &index).as_ref());
    let mut block = block_of_counts(volume, &counts);
    if let (Some(space), Some(first)) = (space(volume, &index), block.layout.volumes.first_mut()) {
        first.filesystem_bytes = Some(space.size);
        first.used_bytes = space.points.last().map(|(_, used)| *used);
    }
    let (from_us, to_us) = (block.started_us()?, block.ended_us()?);
    let mut window = Window::assemble([block.clone()], from_us, to_us);
    add_checks(&mut window, id, &counts.tracks);
    let mut declared = described.declarations();
    // Documents have no date: they are as of the run's end.
    declared.volumes.iter_mut().for_each(|volume| volume.imported_us = Some(to_us));
    Some(VolumeSamples { source, block, checks: window.checks, declared })
}
