//! Configuration of a volume, as documents of the account describe it: what it is, what it costs, and where.

use ebs_advice::DatabaseFacts;
use ebs_aws::catalogue::{Platform, PrintedVolume, VolumeConfig, VolumeType, platform_of_zone};
use ebs_imports::configuration::{
    Configuration, Database, Modification, ModificationKey, VolumeState, pending_modification,
};
use ebs_samples::evidence::{ChangeTime, ConfigurationChange, PendingChange};
use ebs_workload::declarations::{Declarations, Declared};

use crate::discovery::location::Location;
use crate::discovery::rds_instance::RdsInstance;
use crate::identity::Identity;

/// A volume as it is described.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Described {
    /// Names and places.
    pub identity: Identity,
    /// Configuration; `None` where no document tells it.
    pub config: Option<VolumeConfig>,
    /// Its type by a document, where that is none that is known here.
    pub unknown_type: Option<String>,
    /// Identifiers of an RDS instance.
    pub database: DatabaseFacts,
    /// Changes of its configuration, by their start.
    pub changes: Vec<ConfigurationChange>,
    /// True where it is attached to several instances (Multi-Attach).
    pub is_shared: bool,
    /// True where it can be.
    pub is_multi_attach: bool,
    /// True where documents attach it to no instance.
    pub is_unattached: bool,
    /// State that forbids the next change of it, by documents; `None` where none does.
    pub pending: Option<PendingChange>,
    /// Locations of the RDS instances of its identifier that it may be, where that is not certain.
    pub candidates: Vec<Location>,
}

impl Described {
    /// Describes an EBS volume.
    pub fn from_volume(id: &str, configuration: &Configuration) -> Described {
        let mut identity = Identity { id: id.to_owned(), platform: Platform::Ec2, ..Identity::default() };
        let (mut config, mut unknown_type, mut is_shared, mut is_multi_attach) = (None, None, false, false);
        let volume = configuration.volumes.get(id);
        if let Some(volume) = volume {
            let state = &volume.configured;
            let printed =
                PrintedVolume { size_gib: state.size_gib, iops: state.iops, throughput_mibps: state.throughput_mibps };
            let volume_type = state.volume_type.as_deref().and_then(|name| name.parse::<VolumeType>().ok());
            identity.platform = platform_of_zone(volume.availability_zone.as_deref(), volume.outpost_arn.is_some());
            config = volume_type.and_then(|known| VolumeConfig::from_printed_in(identity.platform, known, printed));
            config = config.filter(|_| !volume.is_deleted());
            is_multi_attach = volume.multi_attach == Some(true);
            unknown_type = state.volume_type.clone().filter(|_| volume_type.is_none());
            (identity.region, identity.zone) = (volume.region.clone(), volume.availability_zone.clone());
            (identity.state, identity.tags) = (volume.state.clone(), volume.tags.clone());
            identity.instance = volume.instances.first().cloned();
            is_shared = volume.instances.iter().any(|instance| volume.instances.first() != Some(instance));
        }
        let all = modifications(id, configuration);
        let started = |(started_us, one): &(i64, &'_ Modification)| (*started_us, one.ended_us.unwrap_or(*started_us));
        let last_us = all.iter().map(started).map(|(started_us, ended_us)| started_us.max(ended_us)).max();
        Described {
            config,
            unknown_type,
            is_shared,
            is_multi_attach,
            is_unattached: identity.state.as_deref() == Some("available"),
            pending: volume
                .and_then(|volume| volume.pending_change(id, last_us.unwrap_or_default()))
                .or_else(|| pending_now(id, &all, last_us?)),
            changes: all.into_iter().filter(|(_, one)| one.state.as_deref() != Some("failed")).map(change).collect(),
            identity,
            ..Described::default()
        }
        .on_instance(configuration)
    }

    /// Adds the type and the account of its instance, where documents describe it.
    pub fn on_instance(mut self, configuration: &Configuration) -> Described {
        let instance = self.identity.instance.as_ref().and_then(|id| configuration.instances.get(id));
        if let Some(instance) = instance {
            let identity = &mut self.identity;
            identity.instance_type = instance.instance_type.clone().or(identity.instance_type.take());
            identity.account = instance.account.clone().or(identity.account.take());
            identity.region = identity.region.take().or_else(|| instance.region.clone());
            identity.zone = identity.zone.take().or_else(|| instance.availability_zone.clone());
            if identity.platform == Platform::Ec2 {
                identity.platform = platform_of_zone(identity.zone.as_deref(), instance.outpost_arn.is_some());
            }
        }
        self
    }

    /// Describes the storage of an RDS instance, by documents, or else by what its exporter shows.
    pub fn from_database(
        identifier: &str,
        rds: &RdsInstance,
        configuration: &Configuration,
        exported: Option<&Database>,
    ) -> Described {
        let identity = Identity {
            id: identifier.to_owned(),
            platform: Platform::Rds,
            instance: Some(identifier.to_owned()),
            region: rds.location.region.clone(),
            account: rds.location.account.clone(),
            ..Identity::default()
        };
        let document = rds.document.as_ref().and_then(|key| configuration.databases.get(key));
        let Some(database) = document.or(exported) else {
            return Described { identity, candidates: rds.candidates.clone(), ..Described::default() };
        };
        let state = &database.configured;
        let platform = database.platform();
        let printed =
            PrintedVolume { size_gib: state.allocated_gib, iops: state.iops, throughput_mibps: state.throughput_mibps };
        let volume_type = state.storage_type.as_deref().and_then(|name| name.parse::<VolumeType>().ok());
        Described {
            config: volume_type.and_then(|known| VolumeConfig::from_printed(platform, known, printed)),
            unknown_type: state.storage_type.clone().filter(|_| volume_type.is_none()),
            identity: Identity {
                platform,
                zone: database.availability_zone.clone(),
                instance_type: state.class.clone(),
                state: database.state.clone(),
                tags: database.tags.clone(),
                ..identity
            },
            pending: database.pending_change(identifier, 0),
            database: DatabaseFacts {
                instance: Some(identifier.to_owned()),
                cluster: database.cluster.clone(),
                deployment: Some(platform),
                max_allocated_gib: database.max_allocated_gib,
                blue_green_obstacles: Vec::new(),
            },
            ..Described::default()
        }
    }

    /// Its configuration as advice takes it: one volume of this name, on this instance.
    pub fn declarations(&self) -> Declarations {
        let declared = |config| Declared {
            volume: self.identity.id.clone(),
            config,
            volumes: 1,
            declared_us: 0,
            imported_us: Some(0),
            is_multi_attach: self.is_multi_attach,
        };
        Declarations {
            instance: self.identity.instance_type.clone(),
            volumes: self.config.map(declared).into_iter().collect(),
            ..Declarations::default()
        }
    }
}

/// State of the modifications of a volume that forbids the next one at the time of the last document.
fn pending_now(id: &str, all: &[(i64, &Modification)], last_us: i64) -> Option<PendingChange> {
    pending_modification(id, all.iter().map(|(started_us, one)| (*started_us, *one, last_us)), last_us)
}

/// Modifications of a volume, by their start.
fn modifications<'a>(id: &str, configuration: &'a Configuration) -> Vec<(i64, &'a Modification)> {
    let key = |started_us| ModificationKey { volume: id.to_owned(), started_us };
    let all = configuration.modifications.range(key(i64::MIN)..=key(i64::MAX));
    all.map(|(key, one)| (key.started_us, one)).collect()
}

/// Time from which on a volume has its present limits, microseconds since 1970: the end of the last modification of them; `None` where no
/// document tells of one.
pub fn limits_since_us(id: &str, configuration: &Configuration) -> Option<i64> {
    let limits = |state: &VolumeState| (state.volume_type.clone(), state.iops, state.throughput_mibps);
    let changed =
        |one: &Modification| one.state.as_deref() != Some("failed") && limits(&one.original) != limits(&one.target);
    let all = modifications(id, configuration).into_iter().filter(|(_, one)| changed(one));
    all.map(|(_, one)| one.ended_us.unwrap_or(i64::MAX)).max()
}

fn change((started_us, one): (i64, &Modification)) -> ConfigurationChange {
    ConfigurationChange {
        name: String::new(),
        volume: None,
        time: ChangeTime::Modification { started_us, ended_us: one.ended_us },
        before: one.original.to_string(),
        after: one.target.to_string(),
        is_after_current: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::PendingCause;

    #[test]
    fn a_volume_in_another_state_waits_and_a_deleted_one_has_no_price() {
        let described = |state: &str| {
            let text = format!(
                r#"{{"Volumes": [{{"VolumeId": "vol-06c1835863d5d7360", "VolumeType": "gp3", "Size": 500, "Iops": 3000,
                "Throughput": 125, "State": "{state}", "AvailabilityZone": "us-east-1a"}}]}}"#
            );
            let configuration = ebs_imports::configuration::read(&text, &|| ()).unwrap();
            Described::from_volume("vol-06c1835863d5d7360", &configuration)
        };
        for (state, is_priced) in [("creating", true), ("error", true), ("deleting", false), ("deleted", false)] {
            let found = described(state);
            let cause = found.pending.map(|pending| pending.cause);
            assert_eq!(cause, Some(PendingCause::Status(state.to_owned())));
            assert_eq!(found.config.is_some(), is_priced, "{state}");
        }
        assert!(["in-use", "available"].map(described).iter().all(|one| one.pending.is_none() && one.config.is_some()));
    }
}
