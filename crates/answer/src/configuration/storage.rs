//! Configuration of a run or a look-back: declared, or else described by AWS, joined by volume id or identifier.

use std::collections::{BTreeMap, BTreeSet};

use ebs_advice::DatabaseFacts;
use ebs_aws::catalogue::{Platform, PrintedVolume, UnknownStorage, VolumeConfig, VolumeType, Zone, platform_of_zone};
use ebs_base::units::GIB;
use ebs_imports::configuration::{Database, Instance, Modification, Volume, VolumeState};
use ebs_samples::evidence::{Member, Role, StorageLayout};
use ebs_workload::declarations::{Declarations, Declared, names_whole};

use super::database::{database_facts, find_databases, is_aurora, is_unnamed, unknown_storage};
use super::volume_names::volume_names;
use super::{ConfigurationSource, Configured};
use crate::RunHeader;

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
    /// Reason for which no described instance of RDS is used for a run of one.
    pub join_doubt: Option<JoinDoubt>,
    /// Region, or Local or Wavelength Zone of the volumes of EC2; `None` where nothing tells it, or volumes are in several.
    pub region: Option<String>,
    /// Local Zone of the RDS instance.
    zone: Option<String>,
    /// Names of an imported run's volumes, and their EBS volume ids.
    ids: Vec<(String, String)>,
    /// Sizes of volumes whose limits cannot be read, GiB.
    sizes: Vec<(String, u64)>,
}

/// Reason for which no described instance of RDS is used for a run of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinDoubt {
    /// Neither samples nor label name the instance; identifiers of described instances, of which there may be none.
    Unnamed(Vec<String>),
    /// Several instances have this identifier, in these places: `eu-west-1 of account 123456789012`.
    Several {
        /// The identifier.
        name: String,
        /// Region and account of each.
        places: Vec<String>,
    },
}

impl ConfiguredStorage {
    /// Completes what was declared with what was imported, as it was at `at_us`, microseconds since 1970. `run` is `None` of a look-back.
    pub fn new<S: ConfigurationSource>(
        source: &S,
        declared: Declarations,
        run: Option<&RunHeader>,
        layout: &StorageLayout,
        at_us: i64,
    ) -> Result<ConfiguredStorage, S::Error> {
        let mut storage = match run {
            Some(run) => ConfiguredStorage::from_run(source, declared, run, layout, at_us)?,
            None => ConfiguredStorage { declared, ..ConfiguredStorage::default() },
        };
        storage.add_volumes(source, run, layout, at_us)?;
        Ok(storage)
    }

    /// The same without the volumes of EC2, of which the samples name the ids: with an empty layout before samples are read.
    pub fn from_run<S: ConfigurationSource>(
        source: &S,
        declared: Declarations,
        run: &RunHeader,
        layout: &StorageLayout,
        at_us: i64,
    ) -> Result<ConfiguredStorage, S::Error> {
        let mut storage = ConfiguredStorage { declared, ..ConfiguredStorage::default() };
        storage.database.instance = run.environment_text("db_instance");
        let found = find_databases(source, run, layout, at_us)?;
        // Known where the layout of the samples is.
        let is_doubtful = storage.declared.volumes.is_empty() && !layout.volumes.is_empty();
        match found.as_slice() {
            [] if is_doubtful && is_unnamed(run, layout) => {
                storage.join_doubt = Some(JoinDoubt::Unnamed(source.database_names()?));
            }
            [] => {}
            [database] => storage.add_database(database, layout),
            several => {
                storage.is_aurora = several.iter().all(|database| is_aurora(&database.facts));
                storage.join_doubt = is_doubtful.then(|| JoinDoubt::several(several));
            }
        }
        storage.set_platform(run.is_of_rds() || found.len() > 1);
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
    fn add_volumes<S: ConfigurationSource>(
        &mut self,
        source: &S,
        run: Option<&RunHeader>,
        layout: &StorageLayout,
        at_us: i64,
    ) -> Result<(), S::Error> {
        let names = volume_names(run, layout);
        let ids: Vec<String> = names.iter().map(|(_, id)| id.clone()).collect::<BTreeSet<_>>().into_iter().collect();
        let volumes: Vec<Configured<Volume>> = source.find(&ids, at_us)?;
        self.ids.clone_from(&names);
        if volumes.is_empty() {
            return Ok(());
        }
        let modifications: Vec<Configured<Modification>> = source.find(&ids, at_us)?;
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
            self.declared.instance = instance_type(source, &volumes, at_us)?;
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

impl JoinDoubt {
    fn several(found: &[Configured<Database>]) -> JoinDoubt {
        let place = |one: &Configured<Database>| {
            let words = [&one.region, &one.account].map(|word| word.as_deref().unwrap_or("unknown"));
            format!("{} of account {}", words[0], words[1])
        };
        let name = found.first().map_or_else(String::new, |one| one.name.clone());
        JoinDoubt::Several { name, places: found.iter().map(place).collect() }
    }
}

/// True of `db.r6g.large`.
pub fn is_instance_class(instance: &str) -> bool {
    instance.get(..3).is_some_and(|prefix| prefix.eq_ignore_ascii_case("db."))
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

/// Type of the only instance that these volumes are attached to; `None` of several.
fn instance_type<S: ConfigurationSource>(
    source: &S,
    volumes: &[Configured<Volume>],
    at_us: i64,
) -> Result<Option<String>, S::Error> {
    let attached = volumes.iter().flat_map(|volume| &volume.facts.instances).cloned();
    let ids: Vec<String> = attached.collect::<BTreeSet<_>>().into_iter().collect();
    let found: Vec<Configured<Instance>> = source.find(&ids, at_us)?;
    let types: BTreeMap<String, Option<String>> =
        found.into_iter().map(|one| (one.name, one.facts.instance_type)).collect();
    Ok(if ids.len() == 1 { types.into_values().next().flatten() } else { None })
}
