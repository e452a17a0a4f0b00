//! Names of the volumes of evidence, and their EBS volume ids.

use ebs_samples::evidence::{StorageLayout, is_ebs_volume_id};

use crate::RunHeader;

/// Names of volumes in declarations, and their EBS volume ids: of members by their ids, of an imported run's volume by its device, or
/// by the run's label where it is the only one.
pub(super) fn volume_names(run: Option<&RunHeader>, layout: &StorageLayout) -> Vec<(String, String)> {
    let ids = layout.ebs_volume_ids().into_iter().map(|id| (id.to_owned(), id.to_owned()));
    let mut names: Vec<(String, String)> = ids.collect();
    if let Some(run) = run.filter(|run| run.imported) {
        let device = |name: &str| (name.to_owned(), name.to_owned());
        let volumes = || layout.volumes.iter().filter(|volume| volume.members.is_empty());
        names.extend(volumes().filter(|volume| is_ebs_volume_id(&volume.device)).map(|volume| device(&volume.device)));
        match layout.volumes.as_slice() {
            [only] if names.is_empty() && is_ebs_volume_id(&run.label) => {
                names.push((only.device.clone(), run.label.clone()))
            }
            _ => {}
        }
    }
    names
}

/// EBS volume ids of a run or a look-back.
pub fn ebs_volume_ids(run: Option<&RunHeader>, layout: &StorageLayout) -> Vec<String> {
    volume_names(run, layout).into_iter().map(|(_, id)| id).collect()
}
