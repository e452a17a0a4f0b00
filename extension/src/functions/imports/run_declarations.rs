//! Declarations of the volumes and the instance of a run that was imported, which are stored with it.

use ebs_answer::{ConfiguredStorage, is_instance_class};
use ebs_aws::catalogue::{Instance, Platform};
use ebs_base::names;
use ebs_workload::declarations::{Declarations, Declared, check};
use pgrx::PgSqlErrorCode;

use crate::errors::{Error, notice_with_hint};
use crate::functions::volume_arguments::{volume_config, volume_count};
use crate::{probes, storage};

/// Arguments of a declared volume; a type of `None` withdraws the declaration.
pub struct VolumeArguments<'a> {
    pub name: &'a str,
    pub volume_type: Option<&'a str>,
    pub size_gib: Option<i64>,
    pub iops: Option<i64>,
    pub throughput_mibps: Option<i64>,
    pub volumes: Option<i32>,
}

/// An imported run, with what is declared of it.
struct DeclaredRun {
    run: storage::Run,
    to_us: i64,
    declared: Declarations,
}

/// Declares a volume of an imported run, or withdraws its declaration.
pub fn declare_volume(label: &str, volume: &VolumeArguments) -> Result<(), Error> {
    let mut found = find_run(label)?;
    if volume.volume_type.is_none() {
        return withdraw(found, volume.name);
    }
    let DeclaredRun { run, to_us, declared } = &mut found;
    let layout = storage::load_evidence(Some(run), run.from_us, *to_us)?.layout;
    let source = &storage::ImportedConfiguration;
    let configured = ConfiguredStorage::new(source, declared.clone(), Some(run), &layout, *to_us)?;
    let platform = configured.platform.unwrap_or_default();
    let VolumeArguments { volume_type, size_gib, iops, throughput_mibps, .. } = *volume;
    let config = volume_config(platform, volume_type, size_gib, iops, throughput_mibps)?;
    let volumes = volume_count(volume.volumes)?;
    if platform.is_rds() && volumes > 1 {
        let hint = "Leave out volumes: size, IOPS and throughput are those of the whole storage.";
        return Err(Error::invalid_parameter("RDS makes the stripe of its storage itself", hint));
    }
    let name = check(&layout, &format!("Run \"{}\"", run.label), volume.name, volumes)?;
    declared.volumes.retain(|known| known.volume != name);
    declared.volumes.push(Declared {
        volume: name,
        config,
        volumes,
        declared_us: probes::wall_us(),
        imported_us: None,
        is_multi_attach: false,
    });
    storage::declare_for_run(run.run_id, declared)
}

fn withdraw(found: DeclaredRun, name: &str) -> Result<(), Error> {
    let DeclaredRun { run, mut declared, .. } = found;
    let before = declared.volumes.len();
    declared.volumes.retain(|known| known.volume != name);
    if declared.volumes.len() == before {
        let message = format!("volume \"{}\" of run \"{}\" is not declared", names::quoted(name), run.label);
        let known: Vec<&str> = declared.volumes.iter().map(|known| known.volume.as_str()).collect();
        let hint = if known.is_empty() {
            "No volume of this run is.".to_owned()
        } else {
            format!("Declared are {}.", known.join(", "))
        };
        return Err(Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, message, hint));
    }
    storage::declare_for_run(run.run_id, &declared)
}

/// Declares the instance type, or the class of RDS, of an imported run; `None` withdraws the declaration. Its volumes are then those of
/// the platform.
pub fn declare_instance(label: &str, instance: Option<(&str, &Instance)>) -> Result<(), Error> {
    let DeclaredRun { run, to_us, mut declared } = find_run(label)?;
    declared.instance = instance.map(|(given, known)| {
        let class = if is_instance_class(given.trim()) { "db." } else { "" };
        format!("{class}{}", known.instance_type)
    });
    let (source, layout) = (&storage::ImportedConfiguration, Default::default());
    let configured = ConfiguredStorage::from_run(source, declared.clone(), &run, &layout, to_us)?;
    let platform = configured.platform.unwrap_or_default();
    let other = |known: &&mut Declared| known.config.platform.is_rds() != platform.is_rds();
    let mut changed = Vec::new();
    for known in declared.volumes.iter_mut().filter(other) {
        known.config.platform = platform;
        changed.push(known.volume.clone());
    }
    storage::declare_for_run(run.run_id, &declared)?;
    if !changed.is_empty() {
        let kind = if platform == Platform::Ec2 { "EBS volumes of EC2" } else { "storage of RDS" };
        let message = format!("declared volumes are now {kind}, with unchanged figures: {}", changed.join(", "));
        notice_with_hint(message, "Declare them again where the figures that their type includes are others.");
    }
    Ok(())
}

fn find_run(label: &str) -> Result<DeclaredRun, Error> {
    let run = storage::find_run(label)?;
    let Some(to_us) = run.to_us.filter(|_| run.imported) else {
        let message = format!("run \"{}\" was not imported", run.label);
        let hint = "Leave out run: a declaration for this server applies to its runs from then on, the first also to earlier ones.";
        return Err(Error::new(PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint)
            .with_detail("Its samples were taken on this server."));
    };
    let declared = storage::declarations_of_run(&run, to_us)?;
    Ok(DeclaredRun { run, to_us, declared })
}
