//! ebs_volume_declare, ebs_instance_declare: what users know and nothing else tells.

use ebs_aws::catalogue::{Platform, instance};
use ebs_base::names;
use ebs_workload::declared::check;
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::functions::advice::price::{config, count_of_volumes};
use crate::{ffi, probes, storage};

/// Declared volumes named in a hint, at most.
const NAMED: usize = 20;

#[pg_extern(sql = false)]
fn ebs_volume_declare(
    volume: Option<&str>,
    volume_type: Option<&str>,
    size_gib: Option<i64>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
    volumes: Option<i32>,
) -> SqlResult<()> {
    ffi::require_writable(c"ebs_volume_declare()");
    let name = volume.unwrap_or_default();
    if volume_type.is_none() {
        return Ok(withdraw(name)?);
    }
    let config = config(Platform::Ec2, volume_type, size_gib, iops, throughput_mibps)?;
    let volumes = count_of_volumes(volumes)?;
    let place = probes::find_storage_layout(&ffi::data_directory(), &Ok(ffi::read_tablespaces()));
    let name = check(&place, name, volumes).map_err(Error::from)?;
    Ok(storage::declare_volume(&name, Some((config, volumes)))?)
}

/// Whatever was declared can be withdrawn, whether the cluster is still on it or not.
fn withdraw(name: &str) -> Result<(), Error> {
    let declared = storage::declarations_at(probes::wall_us())?.volumes;
    if declared.iter().any(|declared| declared.volume == name) {
        return storage::declare_volume(name, None);
    }
    let names: Vec<&str> = declared.iter().map(|declared| declared.volume.as_str()).collect();
    let hint = match names.as_slice() {
        [] => "Nothing is: SELECT ebs_volume_declare('data', 'gp3', 500); says what a volume is.".to_owned(),
        names if names.len() > NAMED => format!("Declared are {} and others.", names[..NAMED].join(", ")),
        names => format!("Declared are {}.", names.join(", ")),
    };
    Err(Error::new(
        PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
        format!("volume \"{}\" is not declared", names::quoted(name)),
        hint,
    ))
}

#[pg_extern(sql = false)]
fn ebs_instance_declare(instance_type: Option<&str>) -> SqlResult<()> {
    ffi::require_writable(c"ebs_instance_declare()");
    // As the catalogue writes it.
    let known = instance_type.map(instance).transpose().map_err(Error::from)?;
    Ok(storage::declare_instance(known.map(|instance| instance.instance_type.as_str()))?)
}
