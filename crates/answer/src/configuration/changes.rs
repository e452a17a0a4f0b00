//! Changes of the configuration of the volumes of a run or a look-back, by AWS's modifications or by two imports.

use ebs_imports::configuration::{Database, Modification, Volume};
use ebs_samples::evidence::{ChangeTime, ConfigurationChange, StorageLayout};

use super::volume_names::volume_names;
use super::{ConfigurationSource, Configured, ConfiguredStorage};
use crate::RunHeader;

/// Finds the changes within a time, microseconds since 1970, by the time of their starts. `run` is `None` of a look-back.
pub(super) fn find_changes<S: ConfigurationSource>(
    source: &S,
    run: Option<&RunHeader>,
    layout: &StorageLayout,
    configured: &ConfiguredStorage,
    (from_us, to_us): (i64, i64),
) -> Result<Vec<ConfigurationChange>, S::Error> {
    let mut changes = volume_changes(source, run, layout, to_us)?;
    if let Some(name) = &configured.joined {
        changes.extend(database_changes(source, name, configured, to_us)?);
    }
    changes.retain(|change| change.time.is_within(from_us, to_us));
    changes.sort_by_key(|change| match change.time {
        ChangeTime::Modification { started_us, .. } => started_us,
        ChangeTime::BetweenImports { earliest_us, .. } => earliest_us,
    });
    Ok(changes)
}

/// Changes of EBS volumes: modifications, and different imports without one between them.
fn volume_changes<S: ConfigurationSource>(
    source: &S,
    run: Option<&RunHeader>,
    layout: &StorageLayout,
    to_us: i64,
) -> Result<Vec<ConfigurationChange>, S::Error> {
    let mut changes = Vec::new();
    for (name, id) in volume_names(run, layout) {
        let ids = [id.clone()];
        let mut modifications: Vec<Configured<Modification>> = source.find(&ids, to_us)?;
        modifications.retain(|one| one.facts.state.as_deref() != Some("failed"));
        let history: Vec<Configured<Volume>> = source.history(&ids)?;
        for (before, after) in history.iter().zip(history.iter().skip(1)) {
            let is_explained = modifications
                .iter()
                .any(|one| before.confirmed_us <= one.happened_us && one.happened_us <= after.imported_us);
            let (old, new) = (&before.facts.configured, &after.facts.configured);
            if old != new && !is_explained {
                let words = (old.to_string(), new.to_string());
                changes.push(between_imports((id.clone(), Some(name.clone())), (before, after), words, to_us));
            }
        }
        changes.extend(modifications.into_iter().map(|one| ConfigurationChange {
            name: id.clone(),
            volume: Some(name.clone()),
            time: ChangeTime::Modification { started_us: one.happened_us, ended_us: one.facts.ended_us },
            before: one.facts.original.to_string(),
            after: one.facts.target.to_string(),
            is_after_current: one.happened_us < to_us,
        }));
    }
    Ok(changes)
}

/// Changes of an RDS instance: AWS prints no modifications of its storage.
fn database_changes<S: ConfigurationSource>(
    source: &S,
    name: &str,
    configured: &ConfiguredStorage,
    to_us: i64,
) -> Result<Vec<ConfigurationChange>, S::Error> {
    let mut history: Vec<Configured<Database>> = source.history(&[name.to_owned()])?;
    history.retain(|one| one.region == configured.region);
    let is_same_object = |a: &Configured<Database>, b: &Configured<Database>| a.account == b.account;
    let pairs = history.iter().zip(history.iter().skip(1)).filter(|(before, after)| is_same_object(before, after));
    let changed = pairs.filter(|(before, after)| before.facts.configured != after.facts.configured);
    let change = |(before, after): (&Configured<Database>, &Configured<Database>)| {
        let words = (before.facts.configured.to_string(), after.facts.configured.to_string());
        between_imports((name.to_owned(), None), (before, after), words, to_us)
    };
    Ok(changed.map(change).collect())
}

fn between_imports<T>(
    (name, volume): (String, Option<String>),
    (old, new): (&Configured<T>, &Configured<T>),
    (before, after): (String, String),
    to_us: i64,
) -> ConfigurationChange {
    ConfigurationChange {
        name,
        volume,
        time: ChangeTime::BetweenImports { earliest_us: old.confirmed_us, latest_us: new.imported_us },
        before,
        after,
        // The latest import not later than the end counts.
        is_after_current: new.imported_us <= to_us,
    }
}
