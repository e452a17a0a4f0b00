//! Discovery: the volumes of a fleet, from the label sets of its series and the configuration of the account.

use std::collections::{BTreeMap, BTreeSet};

use ebs_aws::catalogue::AURORA;
use ebs_imports::configuration::Configuration;
use ebs_prometheus::Labels;

use super::claims::Claims;
use super::components::components;
use super::device::is_instance_id;
use super::fleet::{Batch, Fleet, FleetVolume, Origin, SpaceOrigin, Unobserved, Unseen};
use super::machine::Machines;
use super::metric;
use super::selection::Selection;
use super::source::Source;
use super::target::target;

/// Volumes that were found, by their IDs, with those that only refused series name.
#[derive(Default)]
struct Found {
    volumes: BTreeMap<String, FleetVolume>,
    refused: BTreeMap<(String, bool), Unseen>,
}

impl Fleet {
    /// Finds the volumes that these label sets and this configuration name, and of which the selection's are answered.
    pub fn discover(labels: Vec<Labels>, configuration: &Configuration, selection: &Selection) -> Fleet {
        let labels: Vec<Labels> = labels.into_iter().map(|one| one.without(&selection.replica_labels)).collect();
        let machines = Machines::new(&labels);
        let mut found = Found::default();
        machines.volumes().for_each(|(id, origin)| found.add(&id, false, origin));
        labels.iter().for_each(|one| found.add_exporter(one, configuration));
        found.add_spaces(&machines);
        found.add_claims(&Claims::new(&labels));
        found.add_histograms(&labels);
        let mut fleet = Fleet { unidentified: machines.unidentified(), ..Fleet::default() };
        fleet.excluded = found.select(configuration, selection);
        fleet.unobserved = found.unobserved(configuration, selection);
        fleet.batches = found.batches(configuration, selection);
        fleet
    }
}

impl Found {
    fn add(&mut self, id: &str, is_rds: bool, origin: Origin) {
        let volume = self.volumes.entry(id.to_owned()).or_default();
        (volume.id, volume.is_rds) = (id.to_owned(), is_rds);
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
        let attached = |id: &str| configuration.volumes.get(id).and_then(|volume| volume.instances.first()).cloned();
        match (labels.name(), labels.get("volume_id"), labels.get("dimension_VolumeId")) {
            (metric::CSI_READ_OPS, Some(id), _) => {
                self.add(id, false, origin(Source::CsiDriver, labels.get("instance_id")));
            }
            (metric::YACE_READ_OPS_SUM, _, Some(id)) => {
                self.add(id, false, origin(Source::YaceEbs, attached(id).as_deref()));
            }
            (metric::YACE_READ_OPS_AVERAGE, _, Some(id)) => {
                self.refused.insert((id.to_owned(), false), Unseen::AverageOfCounts);
            }
            (metric::RDS_READ_IOPS, ..) => {
                if let Some(id) = labels.get("dbidentifier") {
                    self.add(id, true, origin(Source::RdsQonto, Some(id)));
                }
            }
            (metric::AWS_RDS_READ_IOPS, ..) => {
                let by_yace = labels.get("dimension_DBInstanceIdentifier").map(|id| (id, Source::YaceRds));
                let named = by_yace.or(labels.get("instance").map(|id| (id, Source::RdsPercona)));
                if let Some((id, source)) = named {
                    self.add(id, true, origin(source, Some(id)));
                }
            }
            (metric::NODE_READS, ..) if is_not_cumulative(labels) => {
                let id = labels.get("instance").unwrap_or_default().to_owned();
                self.refused.insert((id, true), Unseen::NotCumulative);
            }
            _ => {}
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
            let volume = self.volumes.entry(id.to_owned()).or_default();
            id.clone_into(&mut volume.id);
            volume.histograms.push(target(labels));
        }
    }

    /// Marks the volumes that are answered; returns the number of the others.
    fn select(&mut self, configuration: &Configuration, selection: &Selection) -> usize {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        self.volumes.values().flat_map(hosts).for_each(|host| *counts.entry(host).or_default() += 1);
        let shares_host = |volume: &FleetVolume| hosts(volume).iter().any(|host| counts.get(host) > Some(&1));
        let is_root = |volume: &FleetVolume| {
            let is_of_system = |path: &String| path == "/" || path.starts_with("/boot");
            !volume.mountpoints.is_empty() && volume.mountpoints.iter().all(is_of_system) && shares_host(volume)
        };
        let is_selected = |volume: &FleetVolume| {
            let tags = match volume.is_rds {
                false => configuration.volumes.get(&volume.id).map(|known| &known.tags),
                true => database(configuration, &volume.id).map(|(_, known)| &known.tags),
            };
            selection.has_volume(&volume.id)
                && !is_free(configuration, &volume.id)
                && selection.has_tags(tags)
                && selection.has_claim(volume.claim.as_deref())
                && selection.has_mountpoint(volume.mountpoints.iter().map(String::as_str))
        };
        // Root volumes are answered where they are named, by whatever condition is on volumes.
        let names_volumes = !(selection.mountpoints.is_empty() && selection.volumes.is_empty());
        let keeps_root = selection.root_volumes || names_volumes;
        let selected: Vec<bool> =
            self.volumes.values().map(|volume| is_selected(volume) && (keeps_root || !is_root(volume))).collect();
        self.volumes.values_mut().zip(&selected).for_each(|(volume, is_selected)| volume.is_selected = *is_selected);
        selected.iter().filter(|is_selected| !**is_selected).count()
    }

    /// Volumes of the configuration, and of refused series, that have no counters.
    fn unobserved(&self, configuration: &Configuration, selection: &Selection) -> Vec<Unobserved> {
        let refused = |id: &str, is_rds| self.refused.get(&(id.to_owned(), is_rds)).copied();
        let is_answered = |reason: Unseen| match reason {
            Unseen::NotScraped | Unseen::Aurora => !selection.is_by_series() || !selection.tags.is_empty(),
            Unseen::Unattached => selection.claims.is_empty() && selection.mountpoints.is_empty(),
            Unseen::NotCumulative | Unseen::AverageOfCounts => true,
        };
        let volumes = configuration.volumes.iter().filter(|(_, volume)| selection.has_tags(Some(&volume.tags)));
        let volumes = volumes.map(|(id, _)| {
            let unseen = || refused(id, false).unwrap_or(Unseen::NotScraped);
            let reason = if is_free(configuration, id) { Unseen::Unattached } else { unseen() };
            Unobserved { id: id.clone(), is_rds: false, reason }
        });
        let databases = configuration.databases.iter().filter(|(_, one)| selection.has_tags(Some(&one.tags)));
        let databases = databases.map(|(key, database)| {
            let is_aurora = database.engine.as_deref().is_some_and(|engine| engine.starts_with(AURORA));
            let unseen = refused(&key.identifier, true).unwrap_or(Unseen::NotScraped);
            let reason = if is_aurora { Unseen::Aurora } else { unseen };
            Unobserved { id: key.identifier.clone(), is_rds: true, reason }
        });
        let is_described = |(id, is_rds): &(String, bool)| match is_rds {
            false => configuration.volumes.contains_key(id),
            true => database(configuration, id).is_some(),
        };
        let others = self.refused.iter().filter(|(key, _)| selection.tags.is_empty() && !is_described(key));
        let others =
            others.map(|((id, is_rds), reason)| Unobserved { id: id.clone(), is_rds: *is_rds, reason: *reason });
        let all = volumes.chain(databases).chain(others);
        // What has counts of a time before is answered by its state now.
        let is_by_state = |reason| matches!(reason, Unseen::Aurora | Unseen::Unattached);
        let all = all.filter(|one| is_by_state(one.reason) || !self.volumes.contains_key(&one.id));
        all.filter(|one| is_answered(one.reason) && selection.has_volume(&one.id)).collect()
    }

    /// Batches with a volume that is answered.
    fn batches(self, configuration: &Configuration, selection: &Selection) -> Vec<Batch> {
        let is_aurora = |volume: &FleetVolume| {
            let engine = database(configuration, &volume.id).and_then(|(_, one)| one.engine.as_deref());
            volume.is_rds && engine.is_some_and(|engine| engine.starts_with(AURORA))
        };
        let volumes: Vec<FleetVolume> = self.volumes.into_values().filter(|volume| !is_aurora(volume)).collect();
        let unscraped = unscraped(&volumes, configuration);
        let hosts: Vec<BTreeSet<String>> = volumes.iter().map(hosts).collect();
        let mut grouped: BTreeMap<usize, Batch> = BTreeMap::new();
        for (component, volume) in components(&hosts).into_iter().zip(volumes) {
            grouped.entry(component).or_default().volumes.push(volume);
        }
        let mut batches: Vec<Batch> = grouped.into_values().filter(|batch| batch.selected().next().is_some()).collect();
        for batch in &mut batches {
            let names: BTreeSet<String> = batch.volumes.iter().flat_map(crate::discover::hosts).collect();
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

/// Names of the instances that a volume was attached to.
fn hosts(volume: &FleetVolume) -> BTreeSet<String> {
    volume.origins.iter().filter_map(|origin| origin.host.clone()).collect()
}

/// An RDS instance of this identifier; `None` where several regions or accounts have one.
pub(crate) fn database<'a>(
    configuration: &'a Configuration,
    identifier: &str,
) -> Option<(&'a ebs_imports::configuration::DatabaseKey, &'a ebs_imports::configuration::Database)> {
    let mut named = configuration.databases.iter().filter(|(key, _)| key.identifier == identifier);
    named.next().filter(|_| named.next().is_none())
}

/// True of an EBS volume that is attached to no instance.
fn is_free(configuration: &Configuration, id: &str) -> bool {
    configuration.volumes.get(id).is_some_and(|volume| volume.state.as_deref() == Some("available"))
}

fn is_not_cumulative(labels: &Labels) -> bool {
    labels.get("device").is_some_and(|device| metric::NOT_CUMULATIVE_DEVICES.contains(&device))
}

#[cfg(test)]
#[path = "discover_tests.rs"]
mod tests;
