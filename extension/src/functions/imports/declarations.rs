//! ebs_volume_declare, ebs_instance_declare: facts of volumes and instance that only users know.

use ebs_aws::catalogue::{Platform, instance};
use ebs_base::error::InputError;
use ebs_base::names;
use ebs_report::reasons::declarations::describe_configuration;
use ebs_report::sql_literal;
use ebs_samples::evidence::StorageLayout;
use ebs_workload::declarations::{Declarations, Declared, check};
use pgrx::prelude::*;

use super::run_declarations::{self, VolumeArguments};
use crate::errors::{Error, SqlResult, notice, notice_with_hint};
use crate::functions::volume_arguments::{volume_config, volume_count};
use crate::{ffi, probes, storage};

/// Most declared volumes that a hint names.
const MAX_NAMED: usize = 20;

#[allow(clippy::too_many_arguments, reason = "the contract's arguments")]
#[pg_extern(sql = false)]
fn ebs_volume_declare(
    volume: Option<&str>,
    volume_type: Option<&str>,
    size_gib: Option<i64>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
    volumes: Option<i32>,
    run: Option<&str>,
) -> SqlResult<()> {
    storage::begin_change(c"ebs_volume_declare()")?;
    let name = volume.unwrap_or_default();
    if let Some(label) = run {
        let arguments = VolumeArguments { name, volume_type, size_gib, iops, throughput_mibps, volumes };
        return Ok(run_declarations::declare_volume(label, &arguments)?);
    }
    if volume_type.is_none() {
        return Ok(withdraw(name)?);
    }
    let config = volume_config(Platform::Ec2, volume_type, size_gib, iops, throughput_mibps)?;
    let volumes = volume_count(volumes)?;
    let layout = probes::find_storage_layout(&ffi::data_directory(), &Ok(ffi::read_tablespaces()));
    let name = check(&layout, "This cluster", name, volumes).map_err(with_imported_run)?;
    let before = storage::declarations_at(probes::wall_us())?;
    storage::declare_volume(&name, Some((config, volumes)))?;
    let after = storage::declarations_at(probes::wall_us())?;
    notice_what_is_not_in_force(&layout, &name, &before, &after);
    Ok(notice_of_earlier_runs(&name, &after)?)
}

/// Tells the user of another declaration of the name that earlier runs keep.
fn notice_of_earlier_runs(name: &str, present: &Declarations) -> Result<(), Error> {
    let kept = storage::declarations_of_last_run()?;
    let find = |declarations: &Declarations| declarations.volumes.iter().find(|one| one.volume == name).cloned();
    let is_same = |one: &Declared, other: &Declared| (one.config, one.volumes) == (other.config, other.volumes);
    let present = find(present);
    if let Some(old) = find(&kept).filter(|old| present.as_ref().is_none_or(|new| !is_same(old, new))) {
        let message = format!("earlier runs keep the declaration of \"{name}\": {}", describe_configuration(&old));
        let withdrawal = format!("SELECT ebs_volume_declare({}, NULL, NULL);", pgrx::spi::quote_literal(name));
        notice_of_kept(message, present.is_some(), &withdrawal);
    }
    Ok(())
}

/// Gives the notice, with the way to correct a mistake where a declaration was replaced.
fn notice_of_kept(message: String, replaced: bool, withdrawal: &str) {
    if replaced {
        let hint = format!("If it was a mistake, withdraw it and declare again: {withdrawal}");
        notice_with_hint(message, format!("{hint} Runs before the mistake then have the new declaration."));
    } else {
        notice(message);
    }
}

/// Tells the user of a declaration that is not in force, or of others that no longer are.
fn notice_what_is_not_in_force(layout: &StorageLayout, name: &str, before: &Declarations, after: &Declarations) {
    if let Some(other) = after.overruling(layout, name) {
        let message =
            format!("the declaration of \"{name}\" is not in force: \"{}\" declares the whole volume", other.volume);
        let hint = format!(
            "Withdraw the other: SELECT ebs_volume_declare({}, NULL, NULL);",
            pgrx::spi::quote_literal(&other.volume)
        );
        notice_with_hint(message, hint);
    }
    for old in before.in_force(layout).difference(&after.in_force(layout)) {
        notice(format!("the declaration of \"{old}\" is no longer in force: \"{name}\" declares the same volume"));
    }
}

/// Withdraws a declaration, also of a volume that the cluster is no longer on.
fn withdraw(name: &str) -> Result<(), Error> {
    let declared = storage::declarations_at(probes::wall_us())?.volumes;
    if declared.iter().any(|declared| declared.volume == name) {
        storage::declare_volume(name, None)?;
        return notice_of_earlier_runs(name, &Declarations::default());
    }
    let names: Vec<&str> = declared.iter().map(|declared| declared.volume.as_str()).collect();
    let hint = match names.as_slice() {
        [] => "Nothing is: SELECT ebs_volume_declare('data', 'gp3', 500); says what a volume is.".to_owned(),
        names if names.len() > MAX_NAMED => format!("Declared are {} and others.", names[..MAX_NAMED].join(", ")),
        names => format!("Declared are {}.", names.join(", ")),
    };
    Err(Error::new(
        PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
        format!("volume \"{}\" is not declared", names::quoted(name)),
        hint + &imported_run_hint()?,
    ))
}

/// The error of a name that this cluster does not have, which an imported run may.
fn with_imported_run(refusal: InputError) -> Error {
    match (refusal, imported_run_hint()) {
        (_, Err(error)) => error,
        (InputError::UnknownName { what, name, accepted }, Ok(hint)) => {
            InputError::UnknownName { what, name, accepted: accepted + &hint }.into()
        }
        (refusal, Ok(_)) => refusal.into(),
    }
}

/// Sentence on the volumes of imported runs, with the label of the latest; empty where there is no such run.
fn imported_run_hint() -> Result<String, Error> {
    let latest = storage::latest_imported_run()?;
    Ok(latest.map_or_else(String::new, |label| {
        format!(" For a volume of an imported run, name the run: run => {}.", sql_literal(&label))
    }))
}

#[pg_extern(sql = false)]
fn ebs_instance_declare(instance_type: Option<&str>, run: Option<&str>) -> SqlResult<()> {
    storage::begin_change(c"ebs_instance_declare()")?;
    // As the catalogue spells it.
    let known = instance_type.map(instance).transpose().map_err(Error::from)?;
    if let Some(label) = run {
        return Ok(run_declarations::declare_instance(label, instance_type.zip(known))?);
    }
    let declared = known.map(|instance| instance.instance_type.as_str());
    storage::declare_instance(declared)?;
    let kept = storage::declarations_of_last_run()?.instance;
    if let Some(old) = kept.filter(|old| declared != Some(old.as_str())) {
        let message = format!("earlier runs keep the declared instance {old}");
        notice_of_kept(message, declared.is_some(), "SELECT ebs_instance_declare(NULL);");
    }
    Ok(())
}
