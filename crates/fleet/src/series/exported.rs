//! Configuration of an RDS instance as qonto's exporter shows it.

use ebs_aws::catalogue::VolumeType;
use ebs_base::units::{GIB, MIB};
use ebs_imports::configuration::{Database, DatabaseState};
use ebs_prometheus::Labels;

use crate::discovery::fleet::FleetVolume;
use crate::discovery::metric;
use crate::discovery::source::Source;
use crate::series::index::{Copy, Index};

/// Last configuration of an RDS instance that its exporter shows; `None` of other exporters.
pub fn exported(volume: &FleetVolume, index: &Index) -> Option<Database> {
    let origins = volume.origins.iter().filter(|origin| origin.source == Source::RdsQonto);
    let mut copies = origins.flat_map(|origin| index.copies(&origin.target, ""));
    copies.find_map(|(_, copy)| Some(described(last_info(copy)?, copy)))
}

/// Labels that the instance has at the last scrape: a change makes another series.
fn last_info<'a>(copy: &Copy<'a>) -> Option<&'a Labels> {
    let all = copy.series(metric::RDS_INSTANCE_INFO).iter();
    let last =
        all.max_by_key(|series| series.samples.iter().rev().find(|one| one.value.is_finite()).map(|one| one.at_ms));
    last.map(|series| &series.labels)
}

fn described(info: &Labels, copy: &Copy) -> Database {
    let label = |name: &str| info.get(name).filter(|value| !value.is_empty()).map(str::to_owned);
    let storage_type = label("storage_type");
    let figure = |name: &str, unit: u64| Some((last(copy, name)? / unit as f64).round() as u64);
    // Of other types the exporter derives figures, without RDS's stripes: the catalogue knows them.
    let volume_type: Option<VolumeType> = storage_type.as_deref().and_then(|name| name.parse().ok());
    let is_chosen = |chosen: fn(VolumeType) -> bool| volume_type.is_some_and(chosen);
    let iops = figure(metric::RDS_ALLOCATED_IOPS, 1).filter(|_| is_chosen(VolumeType::has_chosen_iops));
    let throughput_mibps =
        figure(metric::RDS_ALLOCATED_THROUGHPUT, MIB).filter(|_| is_chosen(VolumeType::has_chosen_throughput));
    let state = DatabaseState {
        class: label("instance_class"),
        allocated_gib: figure(metric::RDS_ALLOCATED_STORAGE, GIB),
        iops,
        throughput_mibps,
        multi_az: info.get("multi_az").map(|value| value == "true"),
        dedicated_log_volume: None,
        storage_type,
    };
    Database {
        engine: label("engine"),
        engine_version: label("engine_version"),
        resource_id: label("dbi_resource_id"),
        cluster: label("cluster_identifier"),
        configured: state,
        ..Database::default()
    }
}

/// Last value of a metric.
fn last(copy: &Copy, name: &str) -> Option<f64> {
    let samples = copy.samples(name)?;
    samples.iter().rev().map(|sample| sample.value).find(|value| value.is_finite() && *value > 0.0)
}

#[cfg(test)]
#[path = "exported_tests.rs"]
mod tests;
