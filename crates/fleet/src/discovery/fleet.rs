//! A fleet as its series and its configuration name it: batches of volumes that are fetched together, and volumes without series.

use std::collections::{BTreeMap, BTreeSet};

use ebs_aws::catalogue::{AURORA, has_known_storage};
use ebs_imports::configuration::{Configuration, Database};
use ebs_prometheus::{Labels, Matcher, Operator, Selector};

use crate::discovery::metric;
use crate::discovery::rds_instance::RdsInstance;
use crate::discovery::source::Source;

/// A fleet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fleet {
    /// Volumes with series, by instance, in the order of their keys.
    pub batches: Vec<Batch>,
    /// Volumes without series that are answered by their configuration alone.
    pub unobserved: Vec<Unobserved>,
    /// Volumes with series that are not answered: the selection excludes them, or they hold the operating system alone.
    pub excluded: usize,
    /// Instances whose node_exporter does not show the serial numbers of their disks, which are not answered.
    pub unidentified: Vec<String>,
}

/// Volumes whose series are fetched and evaluated together: those of an instance, with those of other instances that shared one of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Key by which the batch is assigned to a shard: the least of its instance IDs, or else of its instance names or volume IDs. That of an
    /// RDS instance has its location where another one has its identifier.
    pub key: String,
    /// Its volumes, in the order of their IDs; those that are not selected count towards the limit of their instance.
    pub volumes: Vec<FleetVolume>,
    /// Labels that distinguish replicas.
    pub replica_labels: Vec<String>,
    /// Numbers of volumes that documents attach to its instances, and that no series name.
    pub(crate) unscraped: BTreeMap<String, usize>,
}

/// Series of a volume's histograms, as far as demand varies: their bounds are 5 % apart, and some of them never hold a second.
const HISTOGRAM_SERIES: usize = 100;

/// A volume with series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FleetVolume {
    /// EBS volume ID, or identifier of the RDS instance.
    pub id: String,
    /// The RDS instance that it is the storage of; `None` for an EBS volume.
    pub rds: Option<RdsInstance>,
    /// True where it is answered.
    pub is_selected: bool,
    /// Mount points of its file systems.
    pub mountpoints: Vec<String>,
    /// Kubernetes claim, as `namespace/name`.
    pub claim: Option<String>,
    /// Series of its counters.
    pub origins: Vec<Origin>,
    /// Series of its space.
    pub(crate) spaces: Vec<SpaceOrigin>,
    /// Exporters of a histogram of its one-second demand.
    pub(crate) histograms: Vec<Labels>,
}

/// Series of a volume's counters: an exporter, and a device of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Kind of the exporter.
    pub source: Source,
    /// Labels of the exporter.
    pub target: Labels,
    /// Disk, of node_exporter and of Enhanced Monitoring.
    pub device: Option<String>,
    /// Name of the instance: its EC2 instance ID where that is known, or else the exporter's label.
    pub host: Option<String>,
    /// EC2 instance type that the machine shows.
    pub instance_type: Option<String>,
}

/// Series of a volume's space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SpaceOrigin {
    /// Labels of the exporter; of a kubelet the namespace, the claim, and the cluster where there is one.
    pub target: Labels,
    /// Block device of the file system by node_exporter; `None` of a kubelet's claim.
    pub device: Option<String>,
}

/// Reason for which a volume has no counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unseen {
    /// It is not attached to an instance.
    Unattached,
    /// It is not attached to an instance, and a service manages it.
    UnattachedManaged,
    /// Documents attach it to no instance, and a kubelet had it mounted within the time.
    Mounted,
    /// No exporter has series of it.
    NotScraped,
    /// Its only series are Percona's node_disk_* of an RDS device, which hold the amount of one interval under the name of a counter.
    NotCumulative,
    /// Its only series are averages of VolumeReadOps, which are no amounts.
    AverageOfCounts,
    /// Its engine has storage of its own on RDS, which the catalogue does not have.
    OtherEngine,
    /// RDS on Outposts has storage of the Outpost, which the catalogue does not have.
    RdsOnOutpost,
    /// Aurora has no volumes of an instance's own.
    Aurora,
}

impl Unseen {
    /// The reason by an engine of RDS; `None` of one whose storage the catalogue has.
    pub fn from_engine(engine: &str) -> Option<Unseen> {
        let other = || (!has_known_storage(engine)).then_some(Unseen::OtherEngine);
        if engine.starts_with(AURORA) { Some(Unseen::Aurora) } else { other() }
    }

    /// The reason by the description of an instance of RDS; `None` of one whose storage the catalogue has.
    pub fn from_database(database: &Database) -> Option<Unseen> {
        let by_engine = database.engine.as_deref().and_then(Unseen::from_engine);
        by_engine.or(database.is_on_outpost.then_some(Unseen::RdsOnOutpost))
    }

    /// True of a reason by the engine or the Outpost, which no series changes.
    pub fn is_by_engine(self) -> bool {
        matches!(self, Unseen::OtherEngine | Unseen::RdsOnOutpost | Unseen::Aurora)
    }
}

/// A volume without counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Unobserved {
    /// EBS volume ID, or identifier of the RDS instance.
    pub id: String,
    /// The RDS instance; `None` for an EBS volume.
    pub rds: Option<RdsInstance>,
    /// Kubernetes claim, as `namespace/name`.
    pub claim: Option<String>,
    /// The reason.
    pub reason: Unseen,
}

impl Unobserved {
    /// True for an RDS instance.
    pub fn is_rds(&self) -> bool {
        self.rds.is_some()
    }

    /// Key by which it is assigned to a shard: its ID, with the location of an RDS instance where another one has its identifier.
    pub fn key(&self) -> String {
        self.rds.as_ref().map_or_else(|| self.id.clone(), |rds| rds.key(&self.id))
    }
}

impl Batch {
    /// Selectors of its raw series.
    pub fn selectors(&self) -> Vec<Selector> {
        let mut selectors: Vec<Selector> = self.volumes.iter().flat_map(FleetVolume::selectors).collect();
        selectors.sort();
        selectors.dedup();
        selectors
    }

    /// Number of its series, at least: a counter of each origin, without the bounds of histograms.
    pub fn series_count(&self) -> usize {
        let of_volume = |volume: &FleetVolume| {
            let counters = volume.origins.iter().map(|origin| origin.source.columns().len()).sum::<usize>();
            counters + 2 * volume.spaces.len() + HISTOGRAM_SERIES * volume.histograms.len()
        };
        self.volumes.iter().map(of_volume).sum()
    }

    /// Volumes that are answered.
    pub fn selected(&self) -> impl Iterator<Item = &FleetVolume> {
        self.volumes.iter().filter(|volume| volume.is_selected)
    }
}

impl FleetVolume {
    /// True for the storage of an RDS instance.
    pub fn is_rds(&self) -> bool {
        self.rds.is_some()
    }

    /// Document that describes its RDS instance.
    pub(crate) fn database<'a>(&self, configuration: &'a Configuration) -> Option<&'a Database> {
        configuration.databases.get(self.rds.as_ref()?.document.as_ref()?)
    }

    /// Names of the instances that it was attached to.
    pub(crate) fn hosts(&self) -> BTreeSet<String> {
        match self.rds.as_ref().filter(|rds| rds.has_namesake) {
            Some(rds) => [rds.key(&self.id)].into(),
            None => self.origins.iter().filter_map(|origin| origin.host.clone()).collect(),
        }
    }

    fn selectors(&self) -> Vec<Selector> {
        let origins = self.origins.iter().flat_map(|origin| origin.selectors(self));
        let spaces = self.spaces.iter().map(SpaceOrigin::selector);
        let histograms = self.histograms.iter().map(|target| {
            let own = Matcher::new("volume", Operator::Equal, &self.id);
            selector(&["ebs_demand_(requests|bytes)_(bucket|sum|count)"], target, Some(own))
        });
        origins.chain(spaces).chain(histograms).collect()
    }
}

impl Origin {
    /// Value of the label that distinguishes the series of this volume among those of the exporter; empty where the exporter has no others.
    pub(crate) fn own_label<'a>(&'a self, id: &'a str) -> &'a str {
        match self.source {
            Source::NodeExporter | Source::RdsEnhanced => self.device.as_deref().unwrap_or_default(),
            Source::CsiDriver | Source::YaceEbs => id,
            Source::RdsQonto | Source::RdsPercona | Source::YaceRds => "",
        }
    }

    fn selectors(&self, volume: &FleetVolume) -> Vec<Selector> {
        let mut names: Vec<&str> = self.source.columns().iter().map(|(name, _)| *name).collect();
        names.dedup();
        let own = |label: &str, value: &str| Some(Matcher::new(label, Operator::Equal, value));
        let file_system = [metric::RDS_OS_USED, metric::RDS_OS_SIZE];
        match (self.source, &self.device) {
            (Source::NodeExporter, Some(device)) => vec![
                selector(&[&names[..], &[metric::NODE_DISK_INFO]].concat(), &self.target, own("device", device)),
                selector(&[metric::NODE_BOOT_TIME, metric::NODE_DMI_INFO], &self.target, None),
            ],
            (Source::CsiDriver, _) => vec![selector(&names, &self.target, own("volume_id", &volume.id))],
            (Source::YaceEbs, _) => vec![selector(&names, &self.target, own("dimension_VolumeId", &volume.id))],
            (Source::RdsQonto, _) => {
                let facts = [metric::RDS_FREE_STORAGE, metric::RDS_ALLOCATED_STORAGE];
                let described =
                    [metric::RDS_INSTANCE_INFO, metric::RDS_ALLOCATED_IOPS, metric::RDS_ALLOCATED_THROUGHPUT];
                vec![selector(&[&names[..], &facts, &described].concat(), &self.target, None)]
            }
            (Source::RdsEnhanced, Some(device)) => vec![
                selector(&names, &self.target, own("device", device)),
                selector(&[metric::RDS_OS_TIMESTAMP], &self.target, None),
                selector(&file_system, &self.target, own("mount_point", metric::RDS_DATA_MOUNT)),
            ],
            _ => vec![selector(&[&names[..], &[metric::AWS_RDS_FREE_STORAGE]].concat(), &self.target, None)],
        }
    }
}

impl SpaceOrigin {
    fn selector(&self) -> Selector {
        match &self.device {
            Some(device) => {
                let names = [metric::NODE_FILESYSTEM_SIZE, metric::NODE_FILESYSTEM_AVAIL];
                selector(&names, &self.target, Some(Matcher::new("device", Operator::Equal, device)))
            }
            None => selector(&[metric::KUBELET_USED, metric::KUBELET_CAPACITY], &self.target, None),
        }
    }
}

/// A selector of these metrics of an exporter.
fn selector(names: &[&str], target: &Labels, own: Option<Matcher>) -> Selector {
    let names = Matcher::new("__name__", Operator::Matches, &names.join("|"));
    let target = target.iter().map(|(label, value)| Matcher::new(label, Operator::Equal, value));
    Selector { matchers: [names].into_iter().chain(target).chain(own).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_that_the_catalogue_lacks_is_a_reason() {
        let database = |engine: &str, is_on_outpost| Database {
            engine: Some(engine.to_owned()),
            is_on_outpost,
            ..Database::default()
        };
        let reason = |engine, is_on_outpost| Unseen::from_database(&database(engine, is_on_outpost));
        assert_eq!(reason("postgres", false), None);
        assert_eq!(reason("postgres", true), Some(Unseen::RdsOnOutpost));
        assert_eq!(reason("sqlserver-se", true), Some(Unseen::OtherEngine));
        assert_eq!(reason("aurora-postgresql", false), Some(Unseen::Aurora));
    }
}
