//! RDS instances: elements of `DBInstances`.

use std::collections::BTreeMap;
use std::fmt;

use ebs_aws::catalogue::Platform;
use ebs_base::format::count;
use ebs_base::sparse;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ConfigurationError;
use super::element::Element;
use super::region::{region_and_account, region_of_zone};

/// Identity of an RDS instance: its name is unique in a region of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DatabaseKey {
    /// DBInstanceIdentifier.
    pub identifier: String,
    /// Region, by the ARN, or else the availability zone.
    pub region: Option<String>,
    /// Account, by the ARN.
    pub account: Option<String>,
}

sparse! {
    /// An RDS instance. What AWS did not print is `None`.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Database {
        /// DbiResourceId.
        pub resource_id: Option<String>,
        /// `postgres`, `aurora-postgresql`.
        pub engine: Option<String>,
        /// Version of the engine.
        pub engine_version: Option<String>,
        /// Limit of storage autoscaling, GiB.
        pub max_allocated_gib: Option<u64>,
        /// True where Secrets Manager manages the master user's password.
        pub is_password_managed: bool,
        /// Days for which automated backups are kept; 0 without them.
        pub backup_retention_days: Option<u64>,
        /// Cluster that the instance is a member of.
        pub cluster: Option<String>,
        /// Interval of Enhanced Monitoring, seconds; 0 without it.
        pub monitoring_interval_s: Option<u64>,
        /// `available`.
        pub state: Option<String>,
        /// Availability zone.
        pub availability_zone: Option<String>,
        /// True on an Outpost.
        pub is_on_outpost: bool,
        /// Class and storage.
        #[serde(flatten)]
        pub configured: DatabaseState,
        /// Changes that are not in effect yet (`PendingModifiedValues`).
        pub pending: DatabaseState,
        /// Other keys of `PendingModifiedValues` with their values: `EngineVersion 16.6`.
        pub pending_others: Vec<String>,
        /// Tags.
        pub tags: BTreeMap<String, String>,
    }
}

sparse! {
    /// Class and storage of an RDS instance: as they are, or those that a change will set.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct DatabaseState {
        /// Class.
        pub class: Option<String>,
        /// Allocated storage, GiB.
        pub allocated_gib: Option<u64>,
        /// Type of the storage.
        pub storage_type: Option<String>,
        /// Provisioned IOPS.
        pub iops: Option<u64>,
        /// Provisioned throughput, MiB/s.
        pub throughput_mibps: Option<u64>,
        /// True with a standby in a second zone.
        pub multi_az: Option<bool>,
        /// True with a dedicated log volume.
        pub dedicated_log_volume: Option<bool>,
    }
}

impl Database {
    /// Platform of its storage.
    pub fn platform(&self) -> Platform {
        match (&self.cluster, self.configured.multi_az) {
            (Some(_), _) => Platform::RdsCluster,
            (None, Some(true)) => Platform::RdsMultiAz,
            _ => Platform::Rds,
        }
    }
}

impl DatabaseState {
    /// Words of the values that a change sets, those that it ends too: `400 GiB`, `Single-AZ`, `no dedicated log volume`.
    pub fn changed_values(&self) -> Vec<String> {
        let ended = [(self.multi_az, "Single-AZ"), (self.dedicated_log_volume, "no dedicated log volume")];
        let ended = ended.iter().filter(|(flag, _)| *flag == Some(false)).map(|(_, name)| (*name).to_owned());
        self.values().into_iter().chain(ended).collect()
    }

    fn values(&self) -> Vec<String> {
        let names = [&self.class, &self.storage_type].into_iter().flatten().cloned();
        let figures = [(self.allocated_gib, "GiB"), (self.iops, "IOPS"), (self.throughput_mibps, "MiB/s")];
        let known = figures.iter().filter_map(|(figure, unit)| Some(format!("{} {unit}", count((*figure)? as f64))));
        let flags = [(self.multi_az, "Multi-AZ"), (self.dedicated_log_volume, "dedicated log volume")];
        let flags = flags.iter().filter(|(flag, _)| *flag == Some(true)).map(|(_, name)| (*name).to_owned());
        names.chain(known).chain(flags).collect()
    }
}

impl fmt::Display for DatabaseState {
    /// `db.r6g.large, gp3, 400 GiB, 12,000 IOPS, 500 MiB/s, Multi-AZ`; what AWS did not print is left out.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.values().join(", "))
    }
}

/// Reads an element of `DBInstances`. The ARN and the availability zone have to be of one region.
pub(super) fn read(element: &Element) -> Result<(DatabaseKey, Database), ConfigurationError> {
    let identifier = element.identifier("DBInstanceIdentifier")?;
    let element = &element.named(format!("DB instance \"{identifier}\""));
    let (arn, zone) = (element.text("DBInstanceArn")?, element.text("AvailabilityZone")?);
    let (region, account) = arn.as_deref().map(region_and_account).unwrap_or_default();
    let zone_region = zone.as_deref().and_then(region_of_zone);
    if let (Some(region), Some(other)) = (&region, &zone_region)
        && region != other
    {
        return Err(element.error("AvailabilityZone", &format!("is in {other}, and its ARN in {region}")));
    }
    let pending = element.object("PendingModifiedValues")?;
    let database = Database {
        resource_id: element.text("DbiResourceId")?,
        engine: element.text("Engine")?,
        engine_version: element.text("EngineVersion")?,
        max_allocated_gib: element.count("MaxAllocatedStorage")?,
        is_password_managed: element.object("MasterUserSecret")?.is_some(),
        backup_retention_days: element.count("BackupRetentionPeriod")?,
        cluster: element.text("DBClusterIdentifier")?,
        monitoring_interval_s: element.count("MonitoringInterval")?,
        state: element.text("DBInstanceStatus")?,
        availability_zone: zone,
        is_on_outpost: is_on_outpost(element)?,
        configured: state(element)?,
        pending: pending.as_ref().map_or(Ok(DatabaseState::default()), state)?,
        pending_others: pending.map_or(Vec::new(), |pending| pending.other_values(&STATE_KEYS)),
        tags: element.tags("TagList")?,
    };
    Ok((DatabaseKey { identifier, region: region.or(zone_region), account }, database))
}

/// Keys that [`state`] reads.
const STATE_KEYS: [&str; 7] = [
    "DBInstanceClass",
    "AllocatedStorage",
    "StorageType",
    "Iops",
    "StorageThroughput",
    "MultiAZ",
    "DedicatedLogVolume",
];

/// True where a subnet of the instance is of an Outpost, or its backups or addresses are.
fn is_on_outpost(element: &Element) -> Result<bool, ConfigurationError> {
    if element.flag("CustomerOwnedIpEnabled")? == Some(true)
        || element.text("BackupTarget")?.as_deref() == Some("outposts")
    {
        return Ok(true);
    }
    let Some(group) = element.object("DBSubnetGroup")? else { return Ok(false) };
    let is_of_outpost = |subnet: &Value| {
        subnet.pointer("/SubnetOutpost/Arn").and_then(Value::as_str).is_some_and(|arn| !arn.is_empty())
    };
    Ok(group.array("Subnets")?.iter().any(is_of_outpost))
}

fn state(element: &Element) -> Result<DatabaseState, ConfigurationError> {
    Ok(DatabaseState {
        class: element.text("DBInstanceClass")?,
        allocated_gib: element.count("AllocatedStorage")?,
        storage_type: element.text("StorageType")?,
        iops: element.count("Iops")?,
        throughput_mibps: element.count("StorageThroughput")?,
        multi_az: element.flag("MultiAZ")?,
        dedicated_log_volume: element.flag("DedicatedLogVolume")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_instance_on_an_outpost_is_known_by_its_subnet_addresses_or_backups() {
        let subnet = |outpost: Value| json!({"DBSubnetGroup": {"Subnets": [{"SubnetIdentifier": "s", "SubnetOutpost": outpost}]}});
        let arn = "arn:aws:outposts:us-west-2:123456789012:outpost/op-1";
        for (mut object, expected) in [
            (subnet(json!({"Arn": arn})), true),
            (subnet(json!({})), false),
            (json!({"CustomerOwnedIpEnabled": true}), true),
            (json!({"CustomerOwnedIpEnabled": false, "BackupTarget": "region"}), false),
            (json!({"BackupTarget": "outposts"}), true),
            (json!({}), false),
        ] {
            object["DBInstanceIdentifier"] = json!("mydb");
            let (_, database) = read(&Element::new("element 1".to_owned(), &object).unwrap()).unwrap();
            assert_eq!(database.is_on_outpost, expected, "{object}");
        }
    }
}
