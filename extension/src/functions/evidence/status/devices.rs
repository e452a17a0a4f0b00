//! Checks of the cluster's volumes and of the instance.

use ebs_answer::ConfiguredStorage;
use ebs_base::units::gib;
use ebs_report::reasons::declarations;
use ebs_samples::evidence::{StorageLayout, Volume};
use ebs_workload::declarations::Declarations;

use super::row::StatusRow;
use crate::errors::Error;
use crate::{ffi, probes, storage};

/// A row for each volume of the cluster and each part without one, and one for the instance. A device that cannot be read right
/// now fails its check.
pub fn rows(layout: &StorageLayout) -> Result<Vec<StatusRow>, Error> {
    let now_us = probes::wall_us();
    let explicit = storage::declarations_at(now_us)?;
    let is_declared = explicit.instance.is_some();
    let declared = ConfiguredStorage::new(&storage::ImportedConfiguration, explicit, None, layout, now_us)?.declared;
    let (_, completeness) = probes::take_snapshot(layout);
    let sampler = ffi::sampler_state().filter(ffi::SamplerState::is_running);
    let problem = match completeness {
        // The sampler's problem counts too: it finds the volumes only when it writes.
        probes::Completeness::Complete => sampler.and_then(|state| state.device_problem.get()),
        probes::Completeness::Incomplete(reason) => Some(reason),
    };
    let volumes =
        layout.volumes.iter().map(|volume| StatusRow::unless("device", detail(volume, &declared), problem.clone()));
    let unresolved = layout.unresolved.iter().map(|part| {
        let hint = "Its demand cannot be seen; advice needs the data directory on a block device.";
        StatusRow::failed("device", format!("{} unknown: {}", part.role.name(), part.reason), hint)
    });
    Ok(volumes.chain(unresolved).chain([instance(layout, &declared, is_declared)]).collect())
}

fn detail(volume: &Volume, declared: &Declarations) -> String {
    let sizes = volume.used_bytes.zip(volume.filesystem_bytes);
    let sizes = sizes.map_or(String::new(), |(used, all)| format!(", {} of {} GiB in use", gib(used), gib(all)));
    let declared = declarations::describe(declared, volume).map_or(String::new(), |text| format!("; {text}"));
    format!("{} on {}{sizes}{declared}", volume.role(), volume.description())
}

fn instance(layout: &StorageLayout, declared: &Declarations, is_declared: bool) -> StatusRow {
    match (&declared.instance, &layout.instance) {
        (Some(declared), Some(detected)) if declared != detected => {
            let hint = format!("The firmware says {detected}: SELECT ebs_instance_declare(NULL); goes by that.");
            StatusRow::passed("instance", format!("{declared} (declared)")).with_hint(hint)
        }
        (Some(declared), _) if is_declared => StatusRow::passed("instance", format!("{declared} (declared)")),
        (Some(imported), _) => StatusRow::passed("instance", format!("{imported} (AWS configuration)")),
        (None, Some(detected)) => StatusRow::passed("instance", detected.as_str()),
        // No failure: advice without an instance is advice for volumes alone.
        (None, None) => {
            let hint = "Where it is an EC2 instance: SELECT ebs_instance_declare('r6i.4xlarge');";
            StatusRow::unknown("instance", "unknown", Some(hint.to_owned()))
        }
    }
}
