//! Tables ebs.volume_declared and ebs.instance_declared.

use ebs_aws::catalogue::{Platform, VolumeConfig};
use ebs_comparison::export;
use ebs_workload::declared::{Declarations, Declared};
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::limits::room_to_declare;
use super::read::{first, json};
use super::runs::Run;
use crate::errors::Error;

/// Of the rows of one name, the one in force at $1: the latest not later than that, else the earliest later one that stands.
const IN_FORCE: &str =
    "declared_at > moment, CASE WHEN declared_at > moment THEN declared_at - moment ELSE moment - declared_at END";
const AT: &str = "(SELECT timestamptz 'epoch' + $1 * interval '1 microsecond' AS moment) asked";

/// Keeps what `volumes` volumes are that go by this name; `None` withdraws what was said of it.
pub fn declare_volume(volume: &str, declared: Option<(VolumeConfig, u64)>) -> Result<(), Error> {
    room_to_declare()?;
    let signed = |count: u64| i64::try_from(count).ok();
    let config = declared.map(|(config, _)| config);
    Spi::run_with_args(
        "INSERT INTO ebs.volume_declared (volume, volume_type, size_gib, iops, throughput_mibps, volumes)
         VALUES ($1, $2, $3, $4, $5, $6)",
        &[
            volume.into(),
            config.map(|config| config.volume_type.name()).into(),
            config.and_then(|config| signed(config.size_gib)).into(),
            config.and_then(|config| signed(config.iops)).into(),
            config.and_then(|config| signed(config.throughput_mibps)).into(),
            declared.and_then(|(_, volumes)| i32::try_from(volumes).ok()).into(),
        ],
    )?;
    Ok(())
}

/// Keeps the instance type; `None` withdraws what was said.
pub fn declare_instance(instance: Option<&str>) -> Result<(), Error> {
    room_to_declare()?;
    Spi::run_with_args("INSERT INTO ebs.instance_declared (instance) VALUES ($1)", &[instance.into()])?;
    Ok(())
}

/// The rows of a table but for those later than $1 that withdraw, or were withdrawn: they say nothing of a time before them.
fn standing(table: &str, column: &str, of: &str) -> String {
    format!(
        "(SELECT *, lead({column}) OVER later IS NULL AND lead(declared_at) OVER later IS NOT NULL AS withdrawn
          FROM {table} WINDOW later AS ({of} ORDER BY declared_at)) d, {AT}
         WHERE NOT (declared_at > moment AND ({column} IS NULL OR withdrawn))"
    )
}

/// What is declared at this moment, microseconds since 1970.
pub fn declarations(at_us: i64) -> Result<Declarations, Error> {
    let instances = standing("ebs.instance_declared", "instance", "");
    let instance = format!("SELECT instance FROM {instances} ORDER BY {IN_FORCE} LIMIT 1");
    let volumes = standing("ebs.volume_declared", "volume_type", "PARTITION BY volume");
    let volumes = format!(
        "SELECT volume, volume_type, size_gib, iops, throughput_mibps, volumes,
                (extract(epoch FROM declared_at) * 1000000)::bigint
         FROM (SELECT DISTINCT ON (volume) d.* FROM {volumes} ORDER BY volume, {IN_FORCE}) latest
         WHERE volume_type IS NOT NULL ORDER BY volume"
    );
    Spi::connect(|client| {
        let instance = match client.select(&instance, Some(1), &[at_us.into()])?.next() {
            Some(row) => row.get::<String>(1)?,
            None => None,
        };
        let volumes = client.select(&volumes, None, &[at_us.into()])?;
        let volumes = volumes.map(|row| declared(&row)).collect::<Result<_, Error>>()?;
        Ok(Declarations { instance, volumes })
    })
}

/// What was declared of a run's volumes at its end; of a run from another server, what was declared there.
pub fn declared_of(run: &Run, to_us: i64) -> Result<Declarations, Error> {
    if run.imported { declared_elsewhere(run.run_id) } else { declarations(to_us) }
}

/// What was declared where an imported run comes from.
fn declared_elsewhere(run_id: i64) -> Result<Declarations, Error> {
    let query = "SELECT declared::pg_catalog.text FROM ebs.run WHERE run_id = $1";
    let Some(document) = first(query, &[run_id.into()], |row| json(row, 1))?.flatten() else {
        return Ok(Declarations::default());
    };
    export::declarations(&document).map_err(|problem| {
        let hint = "Table ebs.run was changed by hand: import the run again.";
        Error::new(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED, format!("declared volumes of a run: {problem}"), hint)
    })
}

fn declared(row: &SpiHeapTupleData) -> Result<Declared, Error> {
    let count =
        |column: usize| -> Result<u64, Error> { Ok(u64::try_from(row.get::<i64>(column)?.unwrap_or(0)).unwrap_or(0)) };
    Ok(Declared {
        volume: row.get::<String>(1)?.unwrap_or_default(),
        config: VolumeConfig {
            platform: Platform::Ec2,
            volume_type: row.get::<String>(2)?.unwrap_or_default().parse()?,
            size_gib: count(3)?,
            iops: count(4)?,
            throughput_mibps: count(5)?,
        },
        volumes: u64::try_from(row.get::<i32>(6)?.unwrap_or(1)).unwrap_or(1),
        declared_us: row.get::<i64>(7)?.unwrap_or(0),
    })
}
