//! ebs_restore_time: hours until volumes are restored, by each way, with its price.

use ebs_advice::Settings;
use ebs_answer::AnswerError;
use ebs_aws::catalogue::{Platform, VolumeConfig, Zone, region_code};
use ebs_aws::restore::{Restore, RestorePlace, RestoreTime};
use ebs_base::error::{InputError, within};
use ebs_report::reasons::restore as words;
use pgrx::prelude::*;
use pgrx::{AnyNumeric, PgSqlErrorCode};

use crate::errors::{Error, SqlResult};
use crate::functions::run_selection::{RunSelection, select_run};
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_numeric;

sql_row! {
    rounded struct RestoreRow {
        volume: Option<String>,
        way: String,
        available_hours: Option<f64>,
        fast_hours: Option<f64>,
        usd: Option<AnyNumeric>,
        usd_month: Option<AnyNumeric>,
        source: String,
        note: String,
    }
}

/// Volumes to restore, by name where they are those of a run or of this cluster.
struct Subject {
    volume: Option<String>,
    platform: Platform,
    size_gib: u64,
    volumes: u64,
}

#[pg_extern(sql = false)]
fn ebs_restore_time(
    run: Option<&str>,
    size_gib: Option<i64>,
    data_gib: Option<i64>,
    volumes: Option<i32>,
    copies: Option<i32>,
    region: Option<&str>,
) -> SqlResult<TableIterator<'static, Columns<RestoreRow>>> {
    let gib =
        |argument, value: i64| check(argument, value, 65_536.0, "GiB of each volume: a volume holds up to 65,536.");
    let number = |argument, value: i32| check(argument, i64::from(value), 10_000.0, "A number of volumes.");
    let (size_gib, volumes) =
        (size_gib.map(|value| gib("size_gib", value)), volumes.map(|value| number("volumes", value)));
    let (size_gib, volumes) = (size_gib.transpose()?, volumes.transpose()?);
    let data_gib = data_gib.map(|value| gib("data_gib", value)).transpose()?;
    let copies = number("copies", copies.unwrap_or(1))?;
    let (subjects, found) = match size_gib {
        Some(size_gib) if run.is_none() => {
            (vec![Subject { volume: None, platform: Platform::Ec2, size_gib, volumes: volumes.unwrap_or(1) }], None)
        }
        _ => configured(run, size_gib, volumes)?,
    };
    let leaves_zone = region.is_some();
    let region = match (region, found) {
        (Some(named), _) => place(named)?,
        (None, found) => found.unwrap_or(Settings::default().region),
    };
    if let Some(short) = subjects.iter().find(|subject| data_gib.is_some_and(|data_gib| data_gib > subject.size_gib)) {
        let reason = format!("data_gib must not exceed the size of the volume, {} GiB", short.size_gib);
        return Err(Error::from(InputError::Illegal {
            reason,
            remedy: "Give the data of one volume in its snapshot.",
        })
        .into());
    }
    let rows = subjects.iter().flat_map(|subject| {
        let data_gib = data_gib.unwrap_or(subject.size_gib);
        rows(
            subject,
            &Restore { size_gib: subject.size_gib, data_gib, volumes: subject.volumes, copies },
            &place_of(subject.platform, &region, leaves_zone),
        )
    });
    Ok(table(rows.collect::<Vec<_>>()))
}

fn check(argument: &'static str, value: i64, max: f64, meaning: &'static str) -> Result<u64, Error> {
    Ok(within(argument, value as f64, (1.0, max), meaning)? as u64)
}

/// A region's code, or the name of a Local or Wavelength Zone.
fn place(named: &str) -> Result<String, Error> {
    Ok(match Zone::parse(named) {
        Some(zone) => zone.name,
        None => region_code(named)?,
    })
}

/// Volumes of a run, or of this cluster, as they are declared or described, and their region.
fn configured(
    run: Option<&str>,
    size_gib: Option<u64>,
    volumes: Option<u64>,
) -> Result<(Vec<Subject>, Option<String>), Error> {
    let selection = select_run(run, None)?;
    let declared = &selection.configured.declared.volumes;
    let subject = |volume: &str, config: &VolumeConfig, number: u64| Subject {
        volume: Some(volume.to_owned()),
        platform: config.platform,
        size_gib: size_gib.unwrap_or(config.size_gib),
        volumes: volumes.unwrap_or(number),
    };
    let subjects: Vec<Subject> = declared.iter().map(|one| subject(&one.volume, &one.config, one.volumes)).collect();
    let subjects = match subjects.is_empty() {
        true => unconfigured(&selection, size_gib, volumes)?,
        false => subjects,
    };
    Ok((subjects, selection.configured.place().map(str::to_owned)))
}

/// Volumes of a run whose configuration is not known, of the size that is given.
fn unconfigured(selection: &RunSelection, size_gib: Option<u64>, volumes: Option<u64>) -> Result<Vec<Subject>, Error> {
    if let Some(unknown) = selection.configured.unknown_storage.as_ref() {
        return Err(AnswerError::UnknownStorage(unknown.clone()).into());
    }
    if selection.configured.is_aurora {
        return Err(refuse_aurora(&selection.name));
    }
    let Some(size_gib) = size_gib else {
        let hint =
            "Give size_gib => …, declare the volumes (ebs_volume_declare) or import them (ebs_import_configuration).";
        let code = PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE;
        return Err(Error::new(code, format!("sizes of the volumes of {} are unknown", selection.name), hint));
    };
    let platform = selection.configured.platform.unwrap_or(Platform::Ec2);
    let subject = |volume: String| Subject { volume: Some(volume), platform, size_gib, volumes: volumes.unwrap_or(1) };
    Ok(selection.window.layout.volumes.iter().map(|volume| subject(volume.device.clone())).collect())
}

/// Error of a run of Aurora, which has no volumes of its own.
fn refuse_aurora(name: &str) -> Error {
    let hint = "Restore a snapshot of the cluster; ebs_aurora compares its storage configurations (docs/aurora.md).";
    let code = PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED;
    Error::new(code, format!("{name} is of Aurora, which has no volumes to restore"), hint)
}

/// Place of volumes of a platform. A region that is named leaves the zone that they are in, and no Outpost.
fn place_of(platform: Platform, region: &str, leaves_zone: bool) -> RestorePlace {
    let is_in_zone = matches!(platform, Platform::LocalZone | Platform::Wavelength);
    let platform = if is_in_zone && leaves_zone { Platform::Ec2 } else { platform };
    RestorePlace::new(region, platform)
}

fn rows(subject: &Subject, restore: &Restore, place: &RestorePlace) -> Vec<RestoreRow> {
    if subject.platform.is_rds() {
        return vec![RestoreRow {
            volume: subject.volume.clone(),
            way: words::RDS_SNAPSHOT.to_owned(),
            available_hours: None,
            fast_hours: None,
            usd: None,
            usd_month: None,
            source: words::RDS_SOURCE.to_owned(),
            note: words::RDS_NOTE.to_owned(),
        }];
    }
    let row = |time: RestoreTime| RestoreRow {
        volume: subject.volume.clone(),
        way: words::name(time.way),
        available_hours: time.available_hours,
        fast_hours: time.fast_hours,
        usd: time.usd.map(to_numeric),
        usd_month: time.usd_month.map(to_numeric),
        source: words::describe_source(time.way, place),
        note: words::describe_note(time.way, restore, place),
    };
    restore.ways(place).into_iter().map(row).collect()
}
