//! Configuration of a run or a look-back: declared, or else imported from AWS by volume id or identifier.

use std::collections::{BTreeMap, BTreeSet};

use ebs_advice::{BlueGreenObstacle, DatabaseFacts};
use ebs_aws::catalogue::{
    AURORA, Platform, PrintedVolume, UnknownStorage, VolumeConfig, VolumeType, Zone, has_known_storage,
    platform_of_zone,
};
use ebs_base::names;
use ebs_base::units::GIB;
use ebs_imports::configuration::{Database, Instance, Modification, Volume, VolumeState};
use ebs_imports::monitoring::{RDS_STORAGE, is_rds_source};
use ebs_samples::evidence::{Member, Role, StorageLayout, is_ebs_volume_id};
use ebs_workload::declarations::{Declarations, Declared, names_whole};
use pgrx::PgSqlErrorCode;

use crate::errors::{Error, notice_with_hint};
use crate::storage::{self, Configured, Run};

/// Storage and instance of a run or a look-back.
#[derive(Default)]
pub struct ConfiguredStorage {
    /// Volumes and instance; those that were declared have precedence.
    pub declared: Declarations,
    /// Platform; `None` where nothing tells it.
    pub platform: Option<Platform>,
    /// True for an instance of Aurora, on which no volumes are advised.
    pub is_aurora: bool,
    /// Storage of an RDS instance that the catalogue does not have.
    pub unknown_storage: Option<UnknownStorage>,
    /// Identifiers of the RDS instance.
    pub database: DatabaseFacts,
    /// Identifier of the RDS instance whose imported configuration is used.
    pub joined: Option<String>,
    /// True for a run of RDS that no configuration and no declaration is known of, and whose samples do not name the instance.
    pub is_unjoined: bool,
    /// Region, or Local or Wavelength Zone of the volumes of EC2; `None` where nothing tells it, or volumes are in several.
    pub region: Option<String>,
    /// Local Zone of the RDS instance.
    zone: Option<String>,
    /// Names of an imported run's volumes, and their EBS volume ids.
    ids: Vec<(String, String)>,
    /// Sizes of volumes whose limits cannot be read, GiB.
    sizes: Vec<(String, u64)>,
}

impl ConfiguredStorage {
    /// Completes what was declared with what was imported, as it was at `at_us`, microseconds since 1970. `run` is `None` of a look-back.
    pub fn new(
        declared: Declarations,
        run: Option<&Run>,
        layout: &StorageLayout,
        at_us: i64,
    ) -> Result<ConfiguredStorage, Error> {
        let mut storage = match run {
            Some(run) => ConfiguredStorage::from_run(declared, run, layout, at_us)?,
            None => ConfiguredStorage { declared, ..ConfiguredStorage::default() },
        };
        storage.add_volumes(run, layout, at_us)?;
        Ok(storage)
    }

    /// The same without the volumes of EC2, of which the samples name the ids: with an empty layout before samples are read.
    pub fn from_run(
        declared: Declarations,
        run: &Run,
        layout: &StorageLayout,
        at_us: i64,
    ) -> Result<ConfiguredStorage, Error> {
        let mut storage = ConfiguredStorage { declared, ..ConfiguredStorage::default() };
        storage.database.instance = environment_text(run, "db_instance");
        let found = find_databases(run, layout, at_us)?;
        // A notice is written once, where the layout of the samples is known.
        let is_noticed = storage.declared.volumes.is_empty() && !layout.volumes.is_empty();
        match found.as_slice() {
            [] => storage.is_unjoined = is_noticed && is_unnamed(run, layout),
            [database] => storage.add_database(database, layout),
            several => {
                storage.is_aurora = several.iter().all(|database| is_aurora(&database.facts));
                if is_noticed {
                    notice_several(run, several);
                }
            }
        }
        storage.set_platform(is_rds_run(run) || found.len() > 1);
        Ok(storage)
    }

    /// Sets the platform that no configuration names: RDS by a declared instance class, or by the samples unless an EC2 instance type
    /// is declared. The declared volumes are those of RDS then.
    fn set_platform(&mut self, is_rds_run: bool) {
        let is_rds = self.declared.instance.as_deref().map_or(is_rds_run, is_instance_class);
        self.platform = self.platform.or((is_rds && !self.is_aurora).then_some(Platform::Rds));
        if let Some(platform) = self.platform {
            self.declared.volumes.iter_mut().for_each(|volume| volume.config.platform = platform);
        }
    }

    /// Region or zone of the volumes, or of the RDS instance; `None` where nothing tells it.
    pub fn place(&self) -> Option<&str> {
        self.zone.as_deref().or(self.region.as_deref())
    }

    /// Completes a layout with the ids of volumes that an imported run names by them, and with the size of volumes of which it alone is
    /// known: less would not hold what they do.
    pub fn complete(&self, layout: &mut StorageLayout) {
        for (name, id) in &self.ids {
            let named = layout.volumes.iter_mut().filter(|volume| volume.members.is_empty() && volume.device == *name);
            named.for_each(|volume| volume.members.push(Member::from_ebs_volume_id(id)));
        }
        for (name, size_gib) in &self.sizes {
            let named = layout.volumes.iter_mut().filter(|volume| names_whole(volume, name));
            named.for_each(|volume| {
                volume.filesystem_bytes = volume.filesystem_bytes.or(Some(size_gib.saturating_mul(GIB)))
            });
        }
    }

    fn add_database(&mut self, database: &Configured<Database>, layout: &StorageLayout) {
        let facts = &database.facts;
        self.region.clone_from(&database.region);
        self.zone = facts.availability_zone.clone().filter(|zone| Zone::parse(zone).is_some());
        // Aurora has no volumes of the instance's own.
        self.is_aurora = is_aurora(facts);
        if self.is_aurora {
            return;
        }
        self.unknown_storage = unknown_storage(facts);
        if self.unknown_storage.is_some() {
            return;
        }
        self.joined = Some(database.name.clone());
        let platform = facts.platform();
        self.platform = Some(platform);
        self.database = database_facts(database, platform);
        let state = &facts.configured;
        self.declared.instance = self.declared.instance.take().or_else(|| state.class.clone());
        let volume_type = state.storage_type.as_deref().and_then(|name| name.parse::<VolumeType>().ok());
        let printed =
            PrintedVolume { size_gib: state.allocated_gib, iops: state.iops, throughput_mibps: state.throughput_mibps };
        let data = volume_type.and_then(|volume_type| VolumeConfig::from_printed(platform, volume_type, printed));
        let log = volume_type.filter(|_| state.dedicated_log_volume == Some(true));
        let log = log.and_then(|volume_type| VolumeConfig::log_volume(platform, volume_type));
        // CloudWatch's metrics of the storage have no device of it.
        let has_device = layout.volumes.iter().any(|volume| !volume.roles.contains(&Role::Data));
        self.declared.log_volume = log.filter(|_| !has_device);
        for volume in &layout.volumes {
            let is_data = volume.roles.contains(&Role::Data);
            let (config, size_gib) = if is_data { (data, state.allocated_gib) } else { (log, None) };
            self.add(&volume.device, config, size_gib, database.confirmed_us);
        }
    }

    /// Adds the EBS volumes of EC2 with their instance and region.
    fn add_volumes(&mut self, run: Option<&Run>, layout: &StorageLayout, at_us: i64) -> Result<(), Error> {
        let names = volume_names(run, layout);
        let ids: Vec<String> = names.iter().map(|(_, id)| id.clone()).collect::<BTreeSet<_>>().into_iter().collect();
        let volumes: Vec<Configured<Volume>> = storage::find_configured(&ids, at_us)?;
        self.ids.clone_from(&names);
        if volumes.is_empty() {
            return Ok(());
        }
        let modifications: Vec<Configured<Modification>> = storage::find_configured(&ids, at_us)?;
        for (name, id) in names {
            let Some(volume) = volumes.iter().find(|volume| volume.name == id) else { continue };
            let of_volume = modifications.iter().filter(|one| one.name == id);
            let states = of_volume.map(|one| (one.happened_us, &one.facts));
            let state = volume.facts.state_at(volume.confirmed_us, states, at_us);
            let facts = &volume.facts;
            let platform = platform_of_zone(facts.availability_zone.as_deref(), facts.outpost_arn.is_some());
            self.add(&name, config_of(&state, platform), state.size_gib, volume.confirmed_us);
            self.declared.volumes.iter_mut().filter(|one| one.volume == name).for_each(|one| {
                one.is_multi_attach = facts.multi_attach == Some(true);
            });
        }
        self.platform = self.platform.or_else(|| single_platform(&volumes));
        let regions: BTreeSet<&String> = volumes.iter().filter_map(place).collect();
        let single = regions.first().filter(|_| regions.len() == 1).map(|region| (*region).clone());
        self.region = self.region.take().or(single);
        if self.declared.instance.is_none() && layout.instance.is_none() {
            self.declared.instance = instance_type(&volumes, at_us)?;
        }
        Ok(())
    }

    /// Adds a volume. Where its limits cannot be read, its size alone is known.
    fn add(&mut self, name: &str, config: Option<VolumeConfig>, size_gib: Option<u64>, imported_us: i64) {
        self.sizes.extend(size_gib.filter(|_| config.is_none()).map(|size_gib| (name.to_owned(), size_gib)));
        self.declared.volumes.extend(config.map(|config| Declared {
            volume: name.to_owned(),
            config,
            volumes: 1,
            declared_us: 0,
            imported_us: Some(imported_us),
            is_multi_attach: false,
        }));
    }
}

fn unknown_storage(database: &Database) -> Option<UnknownStorage> {
    let engine = database.engine.clone().filter(|engine| !has_known_storage(engine));
    engine.map(UnknownStorage::Engine).or(database.is_on_outpost.then_some(UnknownStorage::Outpost))
}

/// Error of a request on RDS for an instance whose storage is not known.
pub fn refuse_unknown_storage(storage: &UnknownStorage) -> Error {
    let code = PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED;
    let of_engine = "Volumes of a server of its own can be advised: platform => 'ec2'. PostgreSQL, MySQL and MariaDB have the same storage on RDS \
                (docs/rds.md).";
    let (message, hint) = match storage {
        UnknownStorage::Engine(engine) => {
            (format!("the storage of RDS for engine \"{}\" is not known", names::quoted(engine)), of_engine)
        }
        UnknownStorage::Outpost => (
            "the storage of RDS on Outposts is not known".to_owned(),
            "Volumes of a server of its own on the Outpost can be advised: platform => 'outposts' (docs/rds.md).",
        ),
    };
    Error::new(code, message, hint).with_detail(storage.describe())
}

/// True of `db.r6g.large`.
pub fn is_instance_class(instance: &str) -> bool {
    instance.get(..3).is_some_and(|prefix| prefix.eq_ignore_ascii_case("db."))
}

/// Facts of the instance that its commands depend on.
fn database_facts(database: &Configured<Database>, platform: Platform) -> DatabaseFacts {
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

fn is_aurora(database: &Database) -> bool {
    database.engine.as_deref().is_some_and(|engine| engine.starts_with(AURORA))
}

fn config_of(state: &VolumeState, platform: Platform) -> Option<VolumeConfig> {
    let volume_type = state.volume_type.as_deref()?.parse().ok()?;
    let VolumeState { size_gib, iops, throughput_mibps, .. } = *state;
    VolumeConfig::from_printed_in(platform, volume_type, PrintedVolume { size_gib, iops, throughput_mibps })
}

/// Local or Wavelength Zone of a volume, or else its region.
fn place(volume: &Configured<Volume>) -> Option<&String> {
    let zone = volume.facts.availability_zone.as_ref().filter(|zone| Zone::parse(zone).is_some());
    zone.or(volume.region.as_ref())
}

/// Outposts, Local Zone or Wavelength Zone that all of these volumes are in; `None` in a region, and where they differ.
fn single_platform(volumes: &[Configured<Volume>]) -> Option<Platform> {
    let platform = |volume: &Configured<Volume>| {
        platform_of_zone(volume.facts.availability_zone.as_deref(), volume.facts.outpost_arn.is_some())
    };
    let platforms: BTreeSet<Platform> = volumes.iter().map(platform).collect();
    let single = platforms.first().filter(|_| platforms.len() == 1).copied();
    single.filter(|platform| *platform != Platform::Ec2)
}

/// Names of volumes in declarations, and their EBS volume ids: of members by their ids, of an imported run's volume by its device, or
/// by the run's label where it is the only one.
pub(super) fn volume_names(run: Option<&Run>, layout: &StorageLayout) -> Vec<(String, String)> {
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
pub fn ebs_volume_ids(run: Option<&Run>, layout: &StorageLayout) -> Vec<String> {
    volume_names(run, layout).into_iter().map(|(_, id)| id).collect()
}

/// Text that the import stored in the environment of a run.
fn environment_text(run: &Run, key: &str) -> Option<String> {
    run.environment.as_ref()?.get(key)?.as_str().map(str::to_owned)
}

/// True of a run whose import says that its samples are an RDS instance's.
fn is_rds_run(run: &Run) -> bool {
    run.imported
        && (run.source.as_deref().is_some_and(is_rds_source)
            || ["db_instance", "dbi_resource_id"].iter().any(|key| environment_text(run, key).is_some()))
}

/// True of a run of RDS whose samples do not name the instance.
fn is_unnamed(run: &Run, layout: &StorageLayout) -> bool {
    let named = ["db_instance", "dbi_resource_id"].iter().any(|key| environment_text(run, key).is_some());
    is_rds_run(run) && !named && layout.volumes.iter().any(|volume| volume.device == RDS_STORAGE)
}

/// Finds the RDS instance that an imported run is of: by its resource id, its identifier, its label, or the device of its samples.
/// Several regions or accounts may have one of that name.
fn find_databases(run: &Run, layout: &StorageLayout, at_us: i64) -> Result<Vec<Configured<Database>>, Error> {
    if !run.imported {
        return Ok(Vec::new());
    }
    if let Some(resource_id) = environment_text(run, "dbi_resource_id") {
        let found = storage::find_database_by_resource(&resource_id, at_us)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let devices = layout.volumes.iter().map(|volume| volume.device.clone());
    for name in environment_text(run, "db_instance").into_iter().chain([run.label.clone()]).chain(devices) {
        let found = storage::find_configured(&[name], at_us)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Writes that none of several instances is used.
fn notice_several(run: &Run, found: &[Configured<Database>]) {
    let place = |one: &Configured<Database>| {
        let words = [&one.region, &one.account].map(|word| word.as_deref().unwrap_or("unknown"));
        format!("{} of account {}", words[0], words[1])
    };
    let places: Vec<String> = found.iter().map(place).collect();
    let name = found.first().map_or("", |one| one.name.as_str());
    let hint = format!(
        "None is used for run \"{}\": they are in {}. Declare its storage: ebs_volume_declare(…, run => …).",
        run.label,
        places.join(", ")
    );
    notice_with_hint(format!("several imported RDS instances are called \"{name}\""), hint);
}

/// Writes that the imported configuration is not used for a run of RDS whose label is no identifier.
pub fn notice_unjoined(run: &Run) -> Result<(), Error> {
    let names = storage::database_names()?;
    let Some(first) = names.first() else { return Ok(()) };
    let hint = format!(
        "Imported are {}. Import the run under the identifier as its label, or with metrics that name it, as Label \"{first} ReadIOPS\"; \
         or declare its storage: ebs_volume_declare(…, run => …).",
        names.join(", ")
    );
    notice_with_hint(format!("the RDS instance of run \"{}\" is unknown: no configuration is used", run.label), hint);
    Ok(())
}

/// Type of the only instance that these volumes are attached to; `None` of several.
fn instance_type(volumes: &[Configured<Volume>], at_us: i64) -> Result<Option<String>, Error> {
    let attached = volumes.iter().flat_map(|volume| &volume.facts.instances).cloned();
    let ids: Vec<String> = attached.collect::<BTreeSet<_>>().into_iter().collect();
    let found: Vec<Configured<Instance>> = storage::find_configured(&ids, at_us)?;
    let types: BTreeMap<String, Option<String>> =
        found.into_iter().map(|one| (one.name, one.facts.instance_type)).collect();
    Ok(if ids.len() == 1 { types.into_values().next().flatten() } else { None })
}
