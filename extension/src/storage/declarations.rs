//! Tables ebs.volume_declared and ebs.instance_declared.

use ebs_aws::catalogue::{Platform, VolumeConfig};
use ebs_comparison::export;
use ebs_workload::declarations::{Declarations, Declared};
use pgrx::JsonB;
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::limits::{check_declarations, check_run_storage};
use super::runs::Run;
use crate::errors::Error;
use crate::sql::{RUN_DOCUMENT, count_column, execute, first_row, first_value, select_rows};

/// Order of the rows of one name, the one in force at $1 first: the latest not later than that, else the earliest later one.
const IN_FORCE: &str =
    "declared_at > moment, CASE WHEN declared_at > moment THEN declared_at - moment ELSE moment - declared_at END";
const AT: &str = "(SELECT timestamptz 'epoch' + $1 * interval '1 microsecond' AS moment) reference";

/// The condition of a declaration since which no sample was recorded: once it is replaced or withdrawn it was a mistake.
const UNSAMPLED: &str =
    "NOT EXISTS (SELECT FROM ebs.sample_block b WHERE b.run_id IS NULL AND b.ended_at >= d.declared_at)";

/// Declares the `volumes` volumes of this name, in place of a declaration without samples; `None` withdraws the declaration.
pub fn declare_volume(volume: &str, declared: Option<(VolumeConfig, u64)>) -> Result<(), Error> {
    check_declarations()?;
    let unsampled =
        format!("DELETE FROM ebs.volume_declared d WHERE volume = $1 AND volume_type IS NOT NULL AND {UNSAMPLED}");
    execute(&unsampled, &[volume.into()])?;
    let signed = |count: u64| i64::try_from(count).ok();
    let config = declared.map(|(config, _)| config);
    execute(
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
    )
}

/// Declares the instance type, in place of a declaration without samples; `None` withdraws the declaration.
pub fn declare_instance(instance: Option<&str>) -> Result<(), Error> {
    check_declarations()?;
    Spi::run(&format!("DELETE FROM ebs.instance_declared d WHERE instance IS NOT NULL AND {UNSAMPLED}"))?;
    execute("INSERT INTO ebs.instance_declared (instance) VALUES ($1)", &[instance.into()])
}

/// The rows of a table without those later than $1 up to the last withdrawal of their name: they do not apply to a time before them.
fn applicable_rows(table: &str, column: &str, partition: &str) -> String {
    format!(
        "(SELECT *, max(declared_at) FILTER (WHERE {column} IS NULL) OVER ({partition}) AS withdrawn_at
          FROM {table}) d, {AT}
         WHERE declared_at <= moment OR withdrawn_at IS NULL OR declared_at > withdrawn_at"
    )
}

/// Reads the declarations in force at this time, microseconds since 1970.
pub fn declarations_at(at_us: i64) -> Result<Declarations, Error> {
    let instances = applicable_rows("ebs.instance_declared", "instance", "");
    let instance = format!("SELECT instance FROM {instances} ORDER BY {IN_FORCE} LIMIT 1");
    let volumes = applicable_rows("ebs.volume_declared", "volume_type", "PARTITION BY volume");
    let volumes = format!(
        "SELECT volume, volume_type, size_gib, iops, throughput_mibps, volumes,
                (extract(epoch FROM declared_at) * 1000000)::bigint
         FROM (SELECT DISTINCT ON (volume) d.* FROM {volumes} ORDER BY volume, {IN_FORCE}) latest
         WHERE volume_type IS NOT NULL ORDER BY volume"
    );
    let instance = first_value(&instance, &[at_us.into()])?;
    let volumes = select_rows(&volumes, &[at_us.into()], read_declaration)?;
    Ok(Declarations { instance, volumes, ..Declarations::default() })
}

/// Reads the declarations in force at the end of the last run that was sampled here; none without such a run.
pub fn declarations_of_last_run() -> Result<Declarations, Error> {
    let last = "SELECT (extract(epoch FROM max(ended_at)) * 1000000)::bigint FROM ebs.run WHERE NOT imported";
    let to_us: Option<i64> = first_value(last, &[])?;
    to_us.map_or_else(|| Ok(Declarations::default()), declarations_at)
}

/// Reads the declarations in force at the end of a run; of a run from another server, those made there.
pub fn declarations_of_run(run: &Run, to_us: i64) -> Result<Declarations, Error> {
    if run.imported { imported_declarations(run.run_id) } else { declarations_at(to_us) }
}

/// Reads the declarations that came with an imported run.
fn imported_declarations(run_id: i64) -> Result<Declarations, Error> {
    let query = "SELECT declared::pg_catalog.text FROM ebs.run WHERE run_id = $1";
    let Some(document) = first_row(query, &[run_id.into()], |row| RUN_DOCUMENT.read(row, 1))?.flatten() else {
        return Ok(Declarations::default());
    };
    export::declarations(&document).map_err(|problem| {
        let hint = "Table ebs.run was changed by hand: import the run again.";
        Error::new(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED, format!("declared volumes of a run: {problem}"), hint)
    })
}

/// Stores the declarations of an imported run in place of the earlier ones.
pub fn declare_for_run(run_id: i64, declarations: &Declarations) -> Result<(), Error> {
    check_run_storage()?;
    let document = JsonB(export::declared(declarations));
    execute("UPDATE ebs.run SET declared = $2 WHERE run_id = $1", &[run_id.into(), document.into()])
}

fn read_declaration(row: &SpiHeapTupleData) -> Result<Declared, Error> {
    let count = |column| count_column(row, column);
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
        imported_us: None,
        is_multi_attach: false,
    })
}
