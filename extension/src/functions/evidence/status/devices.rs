//! Where each part of the cluster is, and on which instance.

use ebs_base::units::gib;
use ebs_samples::evidence::{Place, Volume};
use ebs_workload::declared::Declarations;

use super::Row;
use crate::errors::Error;
use crate::{ffi, probes, storage};

/// A row for each volume of the cluster and each part without one, and one for the instance; a device that cannot be read
/// right now is said with it.
pub(super) fn rows(place: &Place) -> Result<Vec<Row>, Error> {
    let declared = storage::declarations_at(probes::wall_us())?;
    let (_, probe) = probes::take_snapshot(place);
    let sampler = ffi::sampler_state().filter(ffi::SamplerState::is_running);
    let trouble = match probe {
        // What the sampler meets counts too: it looks where the cluster is only when it writes.
        probes::Completeness::Complete => sampler.and_then(|state| state.device_problem.get()),
        probes::Completeness::Incomplete(reason) => Some(reason),
    };
    let found = place
        .volumes
        .iter()
        .map(|volume| ("device", Some(trouble.is_none()), detail(volume, &declared), trouble.clone()));
    let unknown = place.unplaced.iter().map(|part| {
        let hint = "Its demand cannot be seen; advice needs the data directory on a block device.";
        ("device", Some(false), format!("{} unknown: {}", part.role.name(), part.reason), Some(hint.to_owned()))
    });
    Ok(found.chain(unknown).chain([instance(place, &declared)]).collect())
}

fn detail(volume: &Volume, declared: &Declarations) -> String {
    let sizes = volume.used_bytes.zip(volume.filesystem_bytes);
    let sizes = sizes.map_or(String::new(), |(used, all)| format!(", {} of {} GiB in use", gib(used), gib(all)));
    let declared = declared.text(volume).map_or(String::new(), |text| format!("; {text}"));
    format!("{} on {}{sizes}{declared}", volume.role(), volume.description())
}

fn instance(place: &Place, declared: &Declarations) -> Row {
    let (detail, hint) = match (&declared.instance, &place.instance) {
        (Some(declared), Some(seen)) if declared != seen => (
            format!("{declared} (declared)"),
            Some(format!("The firmware says {seen}: SELECT ebs_instance_declare(NULL); goes by that.")),
        ),
        (Some(declared), _) => (format!("{declared} (declared)"), None),
        (None, Some(seen)) => (seen.clone(), None),
        (None, None) => {
            let hint = "Where it is an EC2 instance: SELECT ebs_instance_declare('r6i.4xlarge');";
            ("not known".to_owned(), Some(hint.to_owned()))
        }
    };
    // Not knowing is no failure: advice without an instance is advice for volumes alone.
    let known = declared.instance.is_some() || place.instance.is_some();
    ("instance", known.then_some(true), detail, hint)
}
