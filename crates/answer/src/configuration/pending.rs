//! Changes of the volumes of a run or a look-back that AWS has not completed, by the latest import.

use ebs_imports::configuration::{Database, Modification, Volume, pending_modification, pending_storage};
use ebs_samples::evidence::{PendingChange, StorageLayout};

use super::volume_names::volume_names;
use super::{ConfigurationSource, Configured, ConfiguredStorage};
use crate::RunHeader;

/// Finds the states that forbid the next change now, microseconds since 1970. `run` is `None` of a look-back.
pub(super) fn find_pending<S: ConfigurationSource>(
    source: &S,
    run: Option<&RunHeader>,
    layout: &StorageLayout,
    configured: &ConfiguredStorage,
    now_us: i64,
) -> Result<Vec<PendingChange>, S::Error> {
    let mut pending = Vec::new();
    if let Some(name) = &configured.joined {
        let mut found: Vec<Configured<Database>> = source.find(std::slice::from_ref(name), now_us)?;
        let cluster = configured.database.cluster.as_deref();
        if let Some(cluster) = cluster {
            let members = source.databases_of_cluster(cluster, now_us)?;
            found.extend(members.into_iter().filter(|one| one.name != *name));
        }
        found.retain(|one| one.region == configured.region);
        let all = found.iter().map(|one| (one.name.as_str(), &one.facts, one.confirmed_us));
        pending.extend(pending_storage(name, cluster, all));
    }
    for (name, id) in volume_names(run, layout) {
        let modifications: Vec<Configured<Modification>> = source.find(std::slice::from_ref(&id), now_us)?;
        let all = modifications.iter().map(|one| (one.happened_us, &one.facts, one.confirmed_us));
        let volumes: Vec<Configured<Volume>> = source.find(std::slice::from_ref(&id), now_us)?;
        let by_state = volumes.iter().find_map(|one| one.facts.pending_change(&id, one.confirmed_us));
        let change = by_state.or_else(|| pending_modification(&id, all, now_us));
        pending.extend(change.map(|change| PendingChange { volume: Some(name), ..change }));
    }
    Ok(pending)
}
