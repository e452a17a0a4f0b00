//! Changes that AWS has not completed, by documents of an account.

use ebs_samples::evidence::{PendingCause, PendingChange};

use super::{Database, DatabaseState, Modification, Volume};

/// Statuses of an RDS instance in which its storage can be modified
/// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/accessing-monitoring.html>).
const MODIFIABLE: [&str; 2] = ["available", "storage-full"];

/// States of an EBS volume in which it can be modified
/// (<https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_ModifyVolume.html>).
const MODIFIABLE_VOLUME: [&str; 2] = ["in-use", "available"];

/// Modifications of an EBS volume that AWS allows within 24 hours.
const MAX_IN_A_DAY: usize = 4;

const DAY_US: i64 = 86_400_000_000;

impl DatabaseState {
    /// True where a value of the storage is set.
    fn has_storage(&self) -> bool {
        let figures = [self.allocated_gib, self.iops, self.throughput_mibps];
        figures.iter().any(Option::is_some) || self.storage_type.is_some() || self.dedicated_log_volume.is_some()
    }
}

impl Database {
    /// State that forbids the next change of the storage or is applied with it, in a document of `seen_us`, microseconds since 1970; `None`
    /// where nothing is pending.
    pub fn pending_change(&self, identifier: &str, seen_us: i64) -> Option<PendingChange> {
        let status = self.state.clone().filter(|status| !MODIFIABLE.contains(&status.as_str()));
        let values: Vec<String> =
            self.pending.changed_values().into_iter().chain(self.pending_others.clone()).collect();
        let waiting = match (self.pending.has_storage(), values.is_empty()) {
            (true, _) => Some(PendingCause::Maintenance),
            (false, false) => Some(PendingCause::Queued),
            (false, true) => None,
        };
        Some(PendingChange {
            name: identifier.to_owned(),
            volume: None,
            cause: status.map(PendingCause::Status).or(waiting)?,
            values: (!values.is_empty()).then(|| values.join(", ")),
            seen_us,
            earliest_us: None,
        })
    }
}

impl Volume {
    /// State that forbids a modification of the volume, in a document of `seen_us`, microseconds since 1970: `creating`, `error`, or that a
    /// service manages it. `None` where nothing forbids it.
    pub fn pending_change(&self, id: &str, seen_us: i64) -> Option<PendingChange> {
        let state = self.state.clone().filter(|state| !MODIFIABLE_VOLUME.contains(&state.as_str()));
        let managed = || self.managed_by.clone().map(PendingCause::Managed);
        let cause = state.map(PendingCause::Status).or_else(managed)?;
        Some(PendingChange { name: id.to_owned(), volume: None, cause, values: None, seen_us, earliest_us: None })
    }

    /// True of a volume that is deleted, or is being so: it costs nothing.
    pub fn is_deleted(&self) -> bool {
        matches!(self.state.as_deref(), Some("deleting" | "deleted"))
    }
}

/// States that forbid the next change of the storage of an RDS instance: its own, and of a Multi-AZ cluster, which is modified as one, those
/// of all members. Each instance comes with its identifier and the time of its document.
pub fn pending_storage<'a>(
    identifier: &str,
    cluster: Option<&str>,
    all: impl IntoIterator<Item = (&'a str, &'a Database, i64)>,
) -> Vec<PendingChange> {
    let is_modified = |name: &str, database: &Database| {
        name == identifier || cluster.is_some_and(|cluster| database.cluster.as_deref() == Some(cluster))
    };
    let modified = all.into_iter().filter(|(name, database, _)| is_modified(name, database));
    modified.filter_map(|(name, database, seen_us)| database.pending_change(name, seen_us)).collect()
}

/// State that forbids the next modification of an EBS volume now, microseconds since 1970: one that is not completed, or four within 24
/// hours. Each modification comes with its start and the time of its document; in any order. `None` where nothing forbids it.
pub fn pending_modification<'a>(
    volume: &str,
    all: impl IntoIterator<Item = (i64, &'a Modification, i64)>,
    now_us: i64,
) -> Option<PendingChange> {
    let is_failed = |one: &Modification| one.state.as_deref() == Some("failed");
    let mut all: Vec<(i64, &Modification, i64)> = all.into_iter().filter(|(_, one, _)| !is_failed(one)).collect();
    all.sort_by_key(|(started_us, ..)| std::cmp::Reverse(*started_us));
    let is_running = |one: &Modification| matches!(one.state.as_deref(), Some("modifying" | "optimizing"));
    let running = all.iter().find(|(_, one, _)| is_running(one));
    let ends_us = |(started_us, ..): &(i64, &Modification, i64)| started_us.saturating_add(DAY_US);
    let earliest_us = all.get(MAX_IN_A_DAY - 1).map(ends_us).filter(|earliest_us| *earliest_us > now_us);
    let (cause, (_, shown, seen_us)) = match (running, earliest_us) {
        (Some(running), _) => (PendingCause::Modification(running.1.state.clone()?), running),
        (None, Some(_)) => (PendingCause::FourInADay, all.first()?),
        (None, None) => return None,
    };
    let values = matches!(cause, PendingCause::Modification(_)).then(|| shown.target.to_string());
    Some(PendingChange { name: volume.to_owned(), volume: None, cause, values, seen_us: *seen_us, earliest_us })
}

#[cfg(test)]
mod tests {
    use super::super::database;
    use super::super::element::Element;
    use super::*;

    fn database(state: &str, pending: DatabaseState) -> Database {
        Database { state: Some(state.to_owned()), pending, ..Database::default() }
    }

    #[test]
    fn storage_is_modified_only_of_an_available_instance_without_pending_storage() {
        let grown = DatabaseState { allocated_gib: Some(400), iops: Some(12_000), ..DatabaseState::default() };
        let class = DatabaseState { class: Some("db.r6g.large".to_owned()), ..DatabaseState::default() };
        let cause = |state: &str, pending: &DatabaseState| {
            database(state, pending.clone()).pending_change("mydb", 7).map(|change| (change.cause, change.values))
        };
        let values = Some("400 GiB, 12,000 IOPS".to_owned());
        for status in ["storage-optimization", "modifying", "stopped", "upgrading"] {
            assert_eq!(cause(status, &grown), Some((PendingCause::Status(status.to_owned()), values.clone())));
        }
        assert_eq!(cause("available", &grown), Some((PendingCause::Maintenance, values)));
        assert_eq!(cause("available", &class), Some((PendingCause::Queued, Some("db.r6g.large".to_owned()))));
        assert_eq!(cause("storage-full", &DatabaseState::default()), None);
        assert_eq!(Database::default().pending_change("mydb", 7), None);
    }

    /// `--apply-immediately` applies an upgrade too, and what ends is named.
    #[test]
    fn values_other_than_the_storages_are_applied_with_the_next_change() {
        let pending = |values: serde_json::Value| {
            let object = serde_json::json!({"DBInstanceIdentifier": "mydb", "DBInstanceStatus": "available", "PendingModifiedValues": values});
            let element = Element::new("element 1".to_owned(), &object).unwrap();
            let change = database::read(&element).unwrap().1.pending_change("mydb", 7)?;
            Some((change.forbids_change(), change.values.unwrap()))
        };
        for (values, expected) in [
            (serde_json::json!({"EngineVersion": "16.6"}), Some((false, "EngineVersion 16.6"))),
            (serde_json::json!({"MultiAZ": true}), Some((false, "Multi-AZ"))),
            (
                serde_json::json!({"MultiAZ": false, "MasterUserPassword": "****"}),
                Some((false, "Single-AZ, MasterUserPassword")),
            ),
            (serde_json::json!({"DedicatedLogVolume": false}), Some((true, "no dedicated log volume"))),
            (
                serde_json::json!({"Iops": 4000, "EngineVersion": "16.6"}),
                Some((true, "4,000 IOPS, EngineVersion 16.6")),
            ),
            (serde_json::json!({"PendingCloudwatchLogsExports": {}, "ProcessorFeatures": [], "Port": null}), None),
        ] {
            assert_eq!(pending(values), expected.map(|(forbids, text)| (forbids, text.to_owned())));
        }
    }

    /// clu-2 is optimizing, so that neither it nor clu-1 can be modified; another cluster's member and an instance alone can.
    #[test]
    fn a_state_of_a_member_forbids_the_change_of_its_cluster() {
        let member = |state: &str, cluster: Option<&str>| Database {
            cluster: cluster.map(str::to_owned),
            ..database(state, DatabaseState::default())
        };
        let all = [
            ("clu-1", member("available", Some("clu"))),
            ("clu-2", member("storage-optimization", Some("clu"))),
            ("other-1", member("available", Some("other"))),
            ("alone", member("available", None)),
        ];
        let pending = |name: &str, cluster: Option<&str>| {
            let found = pending_storage(name, cluster, all.iter().map(|(name, database)| (*name, database, 7)));
            found.into_iter().map(|change| change.name).collect::<Vec<_>>()
        };
        assert_eq!(pending("clu-1", Some("clu")), ["clu-2"]);
        assert_eq!(pending("clu-2", Some("clu")), ["clu-2"]);
        assert!(pending("other-1", Some("other")).is_empty() && pending("alone", None).is_empty());
    }

    #[test]
    fn a_volume_is_modified_while_it_is_in_use_or_available() {
        let volume = |state: Option<&str>| Volume { state: state.map(str::to_owned), ..Volume::default() };
        let cause = |state: &str| volume(Some(state)).pending_change("vol-1", 7).map(|change| change.cause);
        for state in ["creating", "deleting", "deleted", "error"] {
            assert_eq!(cause(state), Some(PendingCause::Status(state.to_owned())));
        }
        assert_eq!((cause("in-use"), cause("available")), (None, None));
        assert_eq!(volume(None).pending_change("vol-1", 7), None);
    }

    #[test]
    fn a_volume_is_modified_after_the_last_modification_and_four_times_a_day() {
        let one = |state: &str| Modification { state: Some(state.to_owned()), ..Modification::default() };
        let (done, failed, runs) = (one("completed"), one("failed"), one("optimizing"));
        let hour = |hour: i64| hour * 3_600_000_000;
        let pending = |states: [&Modification; 4], now_us| {
            let all = (1..).zip(states).map(|(at, one)| (hour(at), one, hour(9)));
            pending_modification("vol-1", all, now_us).map(|found| (found.cause, found.earliest_us, found.seen_us))
        };
        let four = Some((PendingCause::FourInADay, Some(hour(25)), hour(9)));
        assert_eq!(pending([&done, &done, &done, &done], hour(10)), four);
        assert_eq!(pending([&done, &done, &done, &done], hour(25)), None);
        assert_eq!(pending([&done, &done, &failed, &done], hour(10)), None);
        let optimizing = PendingCause::Modification("optimizing".to_owned());
        assert_eq!(
            pending([&done, &done, &done, &runs], hour(10)),
            Some((optimizing.clone(), Some(hour(25)), hour(9)))
        );
        assert_eq!(pending([&failed, &done, &done, &runs], hour(10)), Some((optimizing, None, hour(9))));
    }
}
