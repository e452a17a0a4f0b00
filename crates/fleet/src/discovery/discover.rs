//! Discovery: the volumes of a fleet, from the label sets of its series and the configuration of the account.

use std::collections::{BTreeMap, BTreeSet};

use ebs_imports::configuration::{Configuration, DatabaseKey};
use ebs_prometheus::Labels;

use crate::discovery::claims::{Claim, Claims};
use crate::discovery::components::components;
use crate::discovery::device::is_instance_id;
use crate::discovery::fleet::{Batch, Fleet, FleetVolume, Origin, SpaceOrigin, Unobserved, Unseen};
use crate::discovery::location::Location;
use crate::discovery::machine::Machines;
use crate::discovery::metric;
use crate::discovery::rds_instance::{RdsInstance, RdsInstances};
use crate::discovery::selection::Selection;
use crate::discovery::source::Source;
use crate::discovery::target::target;

/// ID of an EBS volume, or identifier and location of an RDS instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct VolumeKey {
    id: String,
    location: Option<Location>,
}

/// Volumes that were found, with those that only refused series name.
#[derive(Default)]
struct Found {
    volumes: BTreeMap<VolumeKey, FleetVolume>,
    refused: BTreeMap<VolumeKey, Unseen>,
    instances: RdsInstances,
}

impl VolumeKey {
    fn ebs(id: &str) -> VolumeKey {
        VolumeKey { id: id.to_owned(), location: None }
    }

    fn rds(id: &str, location: Location) -> VolumeKey {
        VolumeKey { id: id.to_owned(), location: Some(location) }
    }

    fn from_unobserved(one: &Unobserved) -> VolumeKey {
        VolumeKey { id: one.id.clone(), location: one.rds.as_ref().map(|rds| rds.location.clone()) }
    }
}

impl Fleet {
    /// Finds the volumes that these label sets and this configuration name, and of which the selection's are answered.
    pub fn discover(labels: Vec<Labels>, configuration: &Configuration, selection: &Selection) -> Fleet {
        let labels: Vec<Labels> = labels.into_iter().map(|one| one.without(&selection.replica_labels)).collect();
        let machines = Machines::new(&labels);
        let mut found = Found::default();
        machines.volumes().for_each(|(id, origin)| found.add(VolumeKey::ebs(&id), origin));
        labels.iter().for_each(|one| found.add_exporter(one, configuration));
        found.distinguish_databases(configuration);
        found.drop_file_systems();
        found.add_spaces(&machines);
        let claims = Claims::new(&labels);
        found.add_claims(&claims);
        found.add_histograms(&labels);
        let mut fleet = Fleet { unidentified: machines.unidentified(), ..Fleet::default() };
        fleet.excluded = found.select(configuration, selection);
        fleet.unobserved = found.unobserved(configuration, selection, &claims);
        fleet.batches = found.batches(configuration, selection);
        fleet
    }
}

impl Found {
    fn add(&mut self, key: VolumeKey, origin: Origin) {
        let id = key.id.clone();
        let volume = self.volumes.entry(key).or_default();
        volume.id = id;
        if !volume.origins.contains(&origin) {
            volume.origins.push(origin);
        }
    }

    /// Adds the volume of a series of an exporter other than node_exporter.
    fn add_exporter(&mut self, labels: &Labels, configuration: &Configuration) {
        let origin = |source, host: Option<&str>| Origin {
            source,
            target: target(labels),
            device: None,
            host: host.map(str::to_owned),
            instance_type: None,
        };
        let rds = |id: &str| VolumeKey::rds(id, Location::from_labels(labels));
        let attached = |id: &str| configuration.volumes.get(id).and_then(|volume| volume.instances.first()).cloned();
        match (labels.name(), labels.get("volume_id"), labels.get("dimension_VolumeId")) {
            (metric::CSI_READ_OPS, Some(id), _) => {
                self.add(VolumeKey::ebs(id), origin(Source::CsiDriver, labels.get("instance_id")));
            }
            (metric::YACE_READ_OPS_SUM, _, Some(id)) => {
                self.add(VolumeKey::ebs(id), origin(Source::YaceEbs, attached(id).as_deref()));
            }
            (metric::YACE_READ_OPS_AVERAGE, _, Some(id)) => {
                self.refuse(VolumeKey::ebs(id), Unseen::AverageOfCounts);
            }
            (metric::RDS_READ_IOPS, ..) => {
                if let Some(id) = labels.get("dbidentifier") {
                    self.add(rds(id), origin(Source::RdsQonto, Some(id)));
                }
            }
            (metric::AWS_RDS_READ_IOPS, ..) => {
                let dimension = metric::DATABASE_DIMENSIONS.iter().find_map(|label| labels.get(label));
                // Averages over a class or an engine are of no instance, and have the exporter's address as `instance`.
                let is_of_cloudwatch = labels.iter().any(|(label, _)| label.starts_with("dimension_"));
                let by_instance = labels.get("instance").filter(|_| !is_of_cloudwatch);
                let named =
                    dimension.map(|id| (id, Source::YaceRds)).or(by_instance.map(|id| (id, Source::RdsPercona)));
                if let Some((id, source)) = named {
                    self.add(rds(id), origin(source, Some(id)));
                }
            }
            (metric::NODE_READS | metric::NODE_READ_BYTES, ..) if is_not_cumulative(labels) => {
                self.refuse(rds(labels.get("instance").unwrap_or_default()), Unseen::NotCumulative);
            }
            (metric::RDS_OS_READ_IOPS, ..) => {
                let (id, device) = (labels.get("instance").unwrap_or_default(), labels.get("device"));
                match device.filter(|device| !device.is_empty()) {
                    // Storage of the cluster has no device.
                    None => self.refuse(rds(id), Unseen::Aurora),
                    Some(device) if metric::NOT_CUMULATIVE_DEVICES.contains(&device) => {
                        let origin = origin(Source::RdsEnhanced, Some(id));
                        self.add(rds(id), Origin { device: Some(device.to_owned()), ..origin });
                    }
                    Some(_) => {}
                }
            }
            (metric::RDS_INSTANCE_INFO, ..) => {
                let reason = labels.get("engine").and_then(Unseen::from_engine).unwrap_or(Unseen::NotScraped);
                labels.get("dbidentifier").into_iter().for_each(|id| self.refuse(rds(id), reason));
            }
            _ => {}
        }
    }

    /// Refuses what series show of a volume; of several reasons the last in their order counts.
    fn refuse(&mut self, key: VolumeKey, reason: Unseen) {
        let known = self.refused.entry(key).or_insert(reason);
        *known = reason.max(*known);
    }

    /// Puts together what exporters show of one RDS instance, each with another part of its location.
    fn distinguish_databases(&mut self, configuration: &Configuration) {
        let keys = self.volumes.keys().chain(self.refused.keys());
        let shown = keys.filter_map(|key| Some((key.id.as_str(), key.location.as_ref()?)));
        self.instances = RdsInstances::new(shown, configuration);
        for (key, volume) in std::mem::take(&mut self.volumes) {
            let rds = key.location.as_ref().and_then(|location| self.instances.find(&key.id, location)).cloned();
            let location = rds.as_ref().map(|rds| rds.location.clone());
            let known = self.volumes.entry(VolumeKey { location, ..key }).or_default();
            (known.id, known.rds) = (volume.id, rds);
            known.origins.extend(volume.origins);
        }
        for (key, reason) in std::mem::take(&mut self.refused) {
            let rds = key.location.as_ref().and_then(|location| self.instances.find(&key.id, location));
            let location = rds.map(|rds| rds.location.clone());
            self.refuse(VolumeKey { location, ..key }, reason);
        }
    }

    /// Leaves out the file system of RDS instances whose stripe below it is known.
    fn drop_file_systems(&mut self) {
        let is_enhanced = |origin: &Origin| origin.source == Source::RdsEnhanced;
        let is_above = |origin: &Origin| is_enhanced(origin) && origin.device.as_deref() == Some("filesystem");
        for volume in self.volumes.values_mut() {
            if volume.origins.iter().any(|origin| is_enhanced(origin) && !is_above(origin)) {
                volume.origins.retain(|origin| !is_above(origin));
            }
        }
    }

    /// Adds the file systems of each volume of node_exporter's.
    fn add_spaces(&mut self, machines: &Machines) {
        for volume in self.volumes.values_mut() {
            let origins = volume.origins.iter().filter(|origin| origin.source == Source::NodeExporter);
            let mut mountpoints = BTreeSet::new();
            let mut spaces = BTreeSet::new();
            for origin in origins {
                let Some(device) = &origin.device else { continue };
                for file_system in machines.file_systems(&origin.target, device) {
                    mountpoints.extend(file_system.mountpoints.iter().cloned());
                    let device = file_system.is_alone.then(|| file_system.device.clone());
                    spaces.extend(
                        device.map(|device| SpaceOrigin { target: origin.target.clone(), device: Some(device) }),
                    );
                }
            }
            (volume.mountpoints, volume.spaces) = (mountpoints.into_iter().collect(), spaces.into_iter().collect());
        }
    }

    fn add_claims(&mut self, claims: &Claims) {
        for volume in self.volumes.values_mut() {
            let Some(claim) = claims.find(&volume.id) else { continue };
            volume.claim = Some(claim.name());
            volume.spaces.extend(claim.used.iter().map(|target| SpaceOrigin { target: target.clone(), device: None }));
        }
    }

    fn add_histograms(&mut self, labels: &[Labels]) {
        for labels in labels.iter().filter(|labels| labels.name() == metric::DEMAND_COUNT) {
            let Some(id) = labels.get("volume").filter(|id| id.starts_with("vol-")) else { continue };
            let volume = self.volumes.entry(VolumeKey::ebs(id)).or_default();
            id.clone_into(&mut volume.id);
            volume.histograms.push(target(labels));
        }
    }

    /// Marks the volumes that are answered; returns the number of the others.
    fn select(&mut self, configuration: &Configuration, selection: &Selection) -> usize {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        self.volumes.values().flat_map(FleetVolume::hosts).for_each(|host| *counts.entry(host).or_default() += 1);
        let shares_host = |volume: &FleetVolume| volume.hosts().iter().any(|host| counts.get(host) > Some(&1));
        let is_root = |volume: &FleetVolume| {
            let is_of_system = |path: &String| path == "/" || path.starts_with("/boot");
            !volume.mountpoints.is_empty() && volume.mountpoints.iter().all(is_of_system) && shares_host(volume)
        };
        let is_selected = |volume: &FleetVolume| {
            let tags = match volume.is_rds() {
                false => configuration.volumes.get(&volume.id).map(|known| &known.tags),
                true => volume.database(configuration).map(|known| &known.tags),
            };
            selection.has_volume(&volume.id)
                && selection.has_tags(tags)
                && selection.has_claim(volume.claim.as_deref())
                && selection.has_mountpoint(volume.mountpoints.iter().map(String::as_str))
        };
        // Root volumes are answered where they are named, by whatever condition is on volumes.
        let names_volumes = !(selection.mountpoints.is_empty() && selection.volumes.is_empty());
        let keeps_root = selection.root_volumes || names_volumes;
        // One that is attached to nothing is the operating system of none.
        let is_kept = |volume: &FleetVolume| keeps_root || is_free(configuration, &volume.id) || !is_root(volume);
        let selected: Vec<bool> = self.volumes.values().map(|volume| is_selected(volume) && is_kept(volume)).collect();
        self.volumes.values_mut().zip(&selected).for_each(|(volume, is_selected)| volume.is_selected = *is_selected);
        selected.iter().filter(|is_selected| !**is_selected).count()
    }

    /// Volumes of the configuration, and of refused series, that have no counters.
    fn unobserved(&self, configuration: &Configuration, selection: &Selection, claims: &Claims) -> Vec<Unobserved> {
        let is_answered = |one: &Unobserved| match one.reason {
            Unseen::NotScraped | Unseen::OtherEngine | Unseen::RdsOnOutpost | Unseen::Aurora => {
                !selection.is_by_series() || !selection.tags.is_empty() || selection.is_by_claim(one.claim.as_deref())
            }
            Unseen::Unattached | Unseen::UnattachedManaged | Unseen::Mounted => {
                selection.mountpoints.is_empty() && selection.has_claim(one.claim.as_deref())
            }
            Unseen::NotCumulative | Unseen::AverageOfCounts => true,
        };
        let volumes = configuration.volumes.iter().filter(|(_, volume)| selection.has_tags(Some(&volume.tags)));
        let volumes = volumes.map(|(id, _)| {
            let (claim, refused) = (claims.find(id), self.refused.get(&VolumeKey::ebs(id)).copied());
            // Series of its I/O that are not read, and a kubelet's of its space, are of a volume that was in use.
            let reason = match (is_free(configuration, id), claim) {
                (false, _) => refused.unwrap_or(Unseen::NotScraped),
                (true, Some(claim)) if refused.is_none() && claim.is_mounted() => Unseen::Mounted,
                (true, _) => refused.unwrap_or(Unseen::Unattached),
            };
            Unobserved { id: id.clone(), rds: None, claim: claim.map(Claim::name), reason }
        });
        let databases = configuration.databases.iter().filter(|(_, one)| selection.has_tags(Some(&one.tags)));
        let databases = databases.map(|(key, database)| {
            let by_engine = Unseen::from_database(database);
            let rds = self.instances.find(&key.identifier, &Location::from_document(key)).cloned();
            let refused =
                rds.as_ref().and_then(|rds| self.refused.get(&VolumeKey::rds(&key.identifier, rds.location.clone())));
            let reason = by_engine.or(refused.copied()).unwrap_or(Unseen::NotScraped);
            (key, Unobserved { id: key.identifier.clone(), rds, claim: None, reason })
        });
        // A document that is given twice describes one instance.
        let is_first = |(key, one): &(&DatabaseKey, Unobserved)| {
            one.rds.as_ref().is_none_or(|rds| rds.document.as_ref().is_none_or(|document| document == *key))
        };
        let databases = databases.filter(is_first).map(|(_, one)| one);
        let others =
            self.refused.iter().filter(|(key, _)| selection.tags.is_empty() && !self.is_described(key, configuration));
        let others = others.map(|(key, reason)| Unobserved {
            id: key.id.clone(),
            rds: self.instance(key),
            claim: claims.find(&key.id).map(Claim::name),
            reason: *reason,
        });
        // Series that show a volume without counts met the conditions; those of RDS have neither mount points nor claims.
        let names_place = !(selection.mountpoints.is_empty() && selection.claims.is_empty());
        let is_shown = |one: &Unobserved| !names_place && self.refused.contains_key(&VolumeKey::from_unobserved(one));
        let all = volumes.chain(databases).chain(others).filter(|one| is_answered(one) || is_shown(one));
        let all = all.filter(|one| one.reason.is_by_engine() || !self.may_have_counts(one));
        all.filter(|one| selection.has_volume(&one.id)).collect()
    }

    fn instance(&self, key: &VolumeKey) -> Option<RdsInstance> {
        self.instances.find(&key.id, key.location.as_ref()?).cloned()
    }

    /// True where a document describes the volume.
    fn is_described(&self, key: &VolumeKey, configuration: &Configuration) -> bool {
        match &key.location {
            None => configuration.volumes.contains_key(&key.id),
            Some(_) => self.instance(key).is_some_and(|rds| rds.document.is_some()),
        }
    }

    /// True where counters are of the volume, or may be: those of an RDS instance of the same identifier whose location is not known.
    fn may_have_counts(&self, one: &Unobserved) -> bool {
        let Some(rds) = &one.rds else { return self.volumes.contains_key(&VolumeKey::ebs(&one.id)) };
        let namesakes = self.volumes.range(VolumeKey::ebs(&one.id)..).take_while(|(key, _)| key.id == one.id);
        namesakes.filter_map(|(key, _)| key.location.as_ref()).any(|location| location.agrees_with(&rds.location))
    }

    /// Batches with a volume that is answered.
    fn batches(self, configuration: &Configuration, selection: &Selection) -> Vec<Batch> {
        let is_refused = |volume: &FleetVolume| {
            let Some(rds) = &volume.rds else { return false };
            let by_document = volume.database(configuration).and_then(Unseen::from_database);
            let shown = self.refused.get(&VolumeKey::rds(&volume.id, rds.location.clone()));
            shown.is_some_and(|reason| reason.is_by_engine()) || by_document.is_some()
        };
        let volumes: Vec<FleetVolume> = self.volumes.into_values().filter(|volume| !is_refused(volume)).collect();
        let unscraped = unscraped(&volumes, configuration);
        let hosts: Vec<BTreeSet<String>> = volumes.iter().map(FleetVolume::hosts).collect();
        let mut grouped: BTreeMap<usize, Batch> = BTreeMap::new();
        for (component, volume) in components(&hosts).into_iter().zip(volumes) {
            grouped.entry(component).or_default().volumes.push(volume);
        }
        let mut batches: Vec<Batch> = grouped.into_values().filter(|batch| batch.selected().next().is_some()).collect();
        for batch in &mut batches {
            let names: BTreeSet<String> = batch.volumes.iter().flat_map(FleetVolume::hosts).collect();
            let least_id = names.iter().find(|name| is_instance_id(name));
            let least = least_id.or(names.first()).cloned();
            batch.key = least.or(batch.volumes.first().map(|volume| volume.id.clone())).unwrap_or_default();
            batch.replica_labels.clone_from(&selection.replica_labels);
            let described = batch.volumes.iter().filter_map(|volume| configuration.volumes.get(&volume.id));
            let instances = described.flat_map(|volume| &volume.instances);
            batch.unscraped =
                instances.filter_map(|id| unscraped.get(id.as_str()).map(|count| (id.clone(), *count))).collect();
        }
        batches.sort_by(|a, b| a.key.cmp(&b.key));
        batches
    }
}

/// Numbers of volumes that documents attach to each instance, and that are not among these.
fn unscraped<'a>(volumes: &[FleetVolume], configuration: &'a Configuration) -> BTreeMap<&'a str, usize> {
    let ids: BTreeSet<&str> = volumes.iter().map(|volume| volume.id.as_str()).collect();
    let mut counts = BTreeMap::new();
    for (_, volume) in configuration.volumes.iter().filter(|(id, _)| !ids.contains(id.as_str())) {
        volume.instances.iter().for_each(|instance| *counts.entry(instance.as_str()).or_default() += 1);
    }
    counts
}

/// True of an EBS volume that documents attach to no instance.
fn is_free(configuration: &Configuration, id: &str) -> bool {
    configuration.volumes.get(id).is_some_and(|volume| volume.state.as_deref() == Some("available"))
}

fn is_not_cumulative(labels: &Labels) -> bool {
    labels.get("device").is_some_and(|device| metric::NOT_CUMULATIVE_DEVICES.contains(&device))
}

#[cfg(test)]
#[path = "discover_tests.rs"]
mod tests;
