//! Instances of RDS: the one that a run is of, and its facts.

use ebs_advice::{BlueGreenObstacle, DatabaseFacts};
use ebs_aws::catalogue::{AURORA, Platform, UnknownStorage, has_known_storage};
use ebs_imports::configuration::Database;
use ebs_imports::monitoring::RDS_STORAGE;
use ebs_samples::evidence::StorageLayout;

use super::{ConfigurationSource, Configured};
use crate::RunHeader;

/// Finds the RDS instance that an imported run is of: by its resource id, its identifier, its label, or the device of its samples.
/// Several regions or accounts may have one of that name.
pub(super) fn find_databases<S: ConfigurationSource>(
    source: &S,
    run: &RunHeader,
    layout: &StorageLayout,
    at_us: i64,
) -> Result<Vec<Configured<Database>>, S::Error> {
    if !run.imported {
        return Ok(Vec::new());
    }
    if let Some(resource_id) = run.environment_text("dbi_resource_id") {
        let found = source.databases_by_resource(&resource_id, at_us)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let devices = layout.volumes.iter().map(|volume| volume.device.clone());
    for name in run.environment_text("db_instance").into_iter().chain([run.label.clone()]).chain(devices) {
        let found = source.find(&[name], at_us)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// True of a run of RDS whose samples do not name the instance.
pub(super) fn is_unnamed(run: &RunHeader, layout: &StorageLayout) -> bool {
    let is_storage = layout.volumes.iter().any(|volume| volume.device == RDS_STORAGE);
    is_storage && run.is_of_rds() && !run.names_instance()
}

/// Facts of the instance that its commands depend on.
pub(super) fn database_facts(database: &Configured<Database>, platform: Platform) -> DatabaseFacts {
    let facts = &database.facts;
    let is_without_backups = facts.backup_retention_days == Some(0);
    let obstacles = [
        (facts.is_password_managed, BlueGreenObstacle::ManagedPassword),
        (is_without_backups, BlueGreenObstacle::NoBackups),
    ];
    DatabaseFacts {
        instance: Some(database.name.clone()),
        cluster: facts.cluster.clone(),
        deployment: Some(platform),
        max_allocated_gib: facts.max_allocated_gib,
        blue_green_obstacles: obstacles.into_iter().filter(|(is_set, _)| *is_set).map(|(_, one)| one).collect(),
    }
}

/// Storage of an instance that the catalogue does not have.
pub(super) fn unknown_storage(database: &Database) -> Option<UnknownStorage> {
    let engine = database.engine.clone().filter(|engine| !has_known_storage(engine));
    engine.map(UnknownStorage::Engine).or(database.is_on_outpost.then_some(UnknownStorage::Outpost))
}

/// True of an instance of Aurora.
pub(super) fn is_aurora(database: &Database) -> bool {
    database.engine.as_deref().is_some_and(|engine| engine.starts_with(AURORA))
}
