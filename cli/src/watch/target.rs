//! The server that is watched: its session, what its role may read, and its volumes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ebs_remote::accounts::{self, Details, ProcessTexts};
use ebs_remote::clock::ReadingTimes;
use ebs_remote::devices::{DeviceSource, PROCTAB_QUERY, probe_query};
use ebs_remote::files::{RemoteFiles, list_query, parse_file, parse_list, read_query};
use ebs_remote::layout::{DIRECTORIES_QUERY, Directories, RemoteLayout, SIZES_QUERY, UsedSizes};
use ebs_remote::planner_rights::PlannerRights;
use ebs_remote::planning::PlannerIdentity;
use ebs_remote::rds::instance_of_endpoint;
use ebs_remote::run_reading::{self, busiest, parse_reading, parse_statements, remove_own_statements};
use ebs_remote::sample::{self, Reading};
use ebs_remote::server::Server;
use ebs_remote::{Query, parse_answer};
use ebs_samples::evidence::{CpuCount, DatabaseCounts};
use ebs_workload::reading::Reading as RunReading;
use ebs_workload::statements::{Missing, StatementsSource};

use crate::error::{Error, QueryError};
use crate::postgres::{Connection, Patience, Session};

/// Statement timeout at the server that is watched: no query of ours takes longer than some ms on a healthy one.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for which answers are still awaited after a stop: the last readings are wanted, a server that hangs is not waited for.
const STOP_GRACE: Duration = Duration::from_secs(10);
/// Time for the files of a server: each is a question, and there may be as many as the server likes.
const FILES_TIMEOUT: Duration = Duration::from_secs(30);

/// Time to wait for the answers of a server that is watched.
pub fn patience(stop: &Arc<AtomicBool>) -> Patience {
    Patience { statement_timeout: STATEMENT_TIMEOUT, stop: Some((Arc::clone(stop), STOP_GRACE)) }
}

/// Settings of the session that keep the cost of its queries small.
const CHEAP: &str = "SELECT pg_catalog.count(pg_catalog.set_config(v.name, v.value, false))::text AS value
    FROM (VALUES ('jit', 'off'), ('max_parallel_workers_per_gather', '0'), ('lock_timeout', '1s'), ('idle_session_timeout', '0'))
      AS v(name, value) JOIN pg_catalog.pg_settings s ON s.name = v.name";

/// Devices that the user names.
#[derive(Clone, Default)]
pub struct ChosenDevices {
    /// Disks of data, and of WAL unless it has others.
    pub data: Vec<String>,
    /// Disks of WAL.
    pub wal: Vec<String>,
}

/// A connected server.
pub struct Target {
    connection: Connection,
    chosen: ChosenDevices,
    stop: Arc<AtomicBool>,
    session: RefCell<Session>,
    started: Instant,
    /// The server.
    pub server: Server,
    /// System identifier of the cluster; `None` where the role may not know it.
    pub system_identifier: Option<String>,
    /// RDS instance by the host name of the connection; `None` of other servers.
    pub db_instance: Option<String>,
    /// Source of device counters.
    pub devices: DeviceSource,
    /// Volumes.
    pub layout: RemoteLayout,
    statements: Result<StatementsSource, Missing>,
    /// Query ids of the queries of earlier sessions.
    query_ids: BTreeSet<i64>,
}

/// Files of the server's machine, read by queries.
struct Files<'a> {
    session: &'a RefCell<Session>,
    /// Time from which on no more is asked.
    until: Instant,
}

impl Files<'_> {
    fn ask(&self, query: &Query) -> Option<String> {
        if Instant::now() > self.until {
            return None;
        }
        self.session.borrow_mut().query_value(query).ok()?.value
    }
}

impl RemoteFiles for Files<'_> {
    fn read(&self, path: &str) -> Option<String> {
        parse_file(&self.ask(&read_query(path))?)
    }

    fn list(&self, path: &str) -> Option<Vec<String>> {
        parse_list(&self.ask(&list_query(path))?)
    }
}

impl Target {
    /// Connects, and finds what the role may read.
    pub fn open(connection: &Connection, chosen: ChosenDevices, stop: Arc<AtomicBool>) -> Result<Target, Error> {
        let session = Session::open_read_only(connection, patience(&stop))?;
        let mut target = Target {
            connection: connection.clone(),
            chosen,
            stop,
            session: RefCell::new(session),
            started: Instant::now(),
            server: Server::default(),
            system_identifier: None,
            db_instance: None,
            devices: DeviceSource::Unknown(String::new()),
            layout: RemoteLayout::default(),
            statements: Err(Missing::NotRead),
            query_ids: BTreeSet::new(),
        };
        target.identify()?;
        target.devices = target.find_devices();
        target.find_layout()?;
        Ok(target)
    }

    /// Connects again; false if this is another cluster.
    pub fn reconnect(&mut self) -> Result<bool, Error> {
        let session = Session::open_read_only(&self.connection, patience(&self.stop))?;
        self.query_ids.append(&mut self.session.replace(session).query_ids().clone());
        let before = self.system_identifier.clone();
        self.identify()?;
        let is_same = before.is_none() || self.system_identifier.is_none() || before == self.system_identifier;
        if is_same {
            self.devices = self.find_devices();
        }
        Ok(is_same)
    }

    fn identify(&mut self) -> Result<(), Error> {
        self.query(&Query::new(CHEAP))?;
        let server = self.query(&Server::query())?.unwrap_or_default();
        self.server = parse_answer(&server).map_err(|error| malformed(&error))?;
        let control = "SELECT system_identifier::text AS value FROM pg_catalog.pg_control_system()";
        self.system_identifier = self.query(&Query::new(control)).ok().flatten();
        self.db_instance = self.session.borrow().host().and_then(instance_of_endpoint);
        let source = self.query(&run_reading::source_query())?.unwrap_or_default();
        self.statements = run_reading::parse_source(&source).map_err(|error| malformed(&error))?;
        if !self.server.sees_sessions && self.statements.is_ok() {
            // It would see its own statements alone, which are none of the workload.
            self.statements = Err(Missing::NoAccess(self.server.role.clone()));
        }
        Ok(())
    }

    /// Finds the way to device counters by trying each.
    pub fn find_devices(&self) -> DeviceSource {
        let denied = match self.query(&probe_query(&DeviceSource::Files)) {
            Ok(Some(_)) => return DeviceSource::Files,
            Ok(None) => "/proc/diskstats is empty".to_owned(),
            Err(error) => error.into_message(),
        };
        let proctab = self.query(&Query::new(PROCTAB_QUERY)).ok().flatten();
        let proctab = proctab.map(|schema| DeviceSource::proctab(&schema));
        match proctab.map(|source| (self.query(&probe_query(&source)), source)) {
            Some((Ok(Some(_)), source)) => source,
            Some((Err(QueryError::Server(error)), _)) => DeviceSource::Unknown(format!("{denied}; {}", error.message)),
            _ => DeviceSource::Unknown(denied),
        }
    }

    fn find_layout(&mut self) -> Result<(), Error> {
        self.layout = match &self.devices {
            DeviceSource::Unknown(reason) if !self.chosen.data.is_empty() => {
                return Err(Error::InvalidArgument {
                    message: format!("the devices cannot be read: {reason}"),
                    hint: "Grant the right (docs/watch.md), or leave out --device and watch without devices.",
                });
            }
            DeviceSource::Unknown(reason) => RemoteLayout::unknown(reason),
            _ if !self.chosen.data.is_empty() => self.chosen_layout()?,
            DeviceSource::Files => {
                let directories = self.query(&Query::new(DIRECTORIES_QUERY))?.unwrap_or_default();
                let directories: Directories = parse_answer(&directories).map_err(|error| malformed(&error))?;
                RemoteLayout::find(&directories, &self.files())
            }
            DeviceSource::Proctab(_) => self.only_device()?,
        };
        self.update_used_sizes();
        Ok(())
    }

    /// Sets the used bytes of the volumes as they are now, where the role may know them.
    pub fn update_used_sizes(&mut self) {
        let sizes =
            self.query(&Query::new(SIZES_QUERY)).ok().flatten().and_then(|text| parse_answer::<UsedSizes>(&text).ok());
        if let Some(sizes) = sizes {
            self.layout.set_used(&sizes);
        }
    }

    fn chosen_layout(&self) -> Result<RemoteLayout, Error> {
        let names = self.device_names()?;
        let ChosenDevices { data, wal } = &self.chosen;
        match data.iter().chain(wal).find(|device| !names.contains(device)) {
            Some(device) => Err(Error::InvalidArgument {
                message: format!("the server has no device \"{device}\"; it has {}", names.join(", ")),
                hint: "Name disks as /proc/diskstats does, for example --device nvme1n1.",
            }),
            None => Ok(RemoteLayout::from_names(data, wal)),
        }
    }

    /// The one device that there is to choose: pg_proctab shows no mounts.
    fn only_device(&self) -> Result<RemoteLayout, Error> {
        let names = self.device_names()?;
        match names.as_slice() {
            [one] => Ok(RemoteLayout::from_names(std::slice::from_ref(one), &[])),
            names if names.iter().any(|name| name == "rdsdev") => {
                Ok(RemoteLayout::from_names(&["rdsdev".to_owned()], &[]))
            }
            names => Err(Error::InvalidArgument {
                message: format!("pg_diskusage() shows several devices: {}", names.join(", ")),
                hint: "Name those of the data directory, for example --device nvme1n1 (several of a stripe: nvme1n1,nvme2n1).",
            }),
        }
    }

    /// Names of disks, without partitions and devices in memory.
    fn device_names(&self) -> Result<Vec<String>, Error> {
        let (reading, _) = self.read_sample(None)?;
        let names: Vec<String> = reading.device_names().map(str::to_owned).collect();
        let in_memory = |name: &str| ["loop", "ram", "zram", "sr"].iter().any(|prefix| name.starts_with(prefix));
        let is_partition = |name: &str| names.iter().any(|disk| is_partition_of(name, disk));
        Ok(names.iter().filter(|name| !in_memory(name) && !is_partition(name)).cloned().collect())
    }

    /// Reads the fast counters, with the times of the request and the answer, after sweeps that are scheduled from this time by the
    /// server's clock.
    pub fn read_sample(&self, sweeps_from_us: Option<i64>) -> Result<(Reading, ReadingTimes), QueryError> {
        let query = sample::query(&self.server, &self.devices, sweeps_from_us);
        let sent_us = self.clock_us();
        let answer = self.query(&query)?.unwrap_or_default();
        let received_us = self.clock_us();
        let reading = Reading::parse(&answer).map_err(|error| malformed_query(&error))?;
        let times = reading.times(sent_us, received_us);
        Ok((reading, times))
    }

    /// Reads the counters of databases.
    pub fn read_databases(&self) -> Option<BTreeMap<u32, DatabaseCounts>> {
        accounts::parse_databases(&self.query(&accounts::databases_query()).ok()??).ok()
    }

    /// Reads the processes of the machine, and the details of the server's own; `None` where they are not shown.
    pub fn read_processes(&self) -> Option<(ProcessTexts, Option<Details>)> {
        let query = accounts::processes_query(&self.devices)?;
        let texts = ProcessTexts::parse(&self.query(&query).ok()??).ok()??;
        let pids = texts.server();
        let details = (self.devices == DeviceSource::Files && !pids.is_empty()).then(|| accounts::details_query(&pids));
        let details = details.and_then(|query| accounts::parse_details(&self.query(&query).ok()??).ok());
        Some((texts, details))
    }

    /// CPUs that the server may use.
    pub fn available_cpus(&self) -> Option<CpuCount> {
        (self.devices == DeviceSource::Files).then(|| accounts::available_cpus(&self.files()))?
    }

    /// Reads statements, checkpoints and tables; `None` if the connection fails.
    pub fn read_run_reading(&self) -> Option<RunReading> {
        let statements = match &self.statements {
            Ok(source) => {
                let answer = self.query(&run_reading::statements_query(source)).ok().flatten();
                answer.and_then(|text| parse_statements(&text).ok()).ok_or(Missing::NotRead)
            }
            Err(missing) => Err(missing.clone()),
        };
        let answer = self.query(&run_reading::query(&self.server)).ok()??;
        parse_reading(&answer, &self.server, statements).ok()
    }

    /// Removes the queries of the watch from a reading: they are none of the workload.
    pub fn remove_own_statements(&self, reading: &mut RunReading) {
        let session = self.session.borrow();
        let query_ids: BTreeSet<i64> = self.query_ids.union(session.query_ids()).copied().collect();
        if let (Ok(statements), Some(tables)) = (&mut reading.statements, &reading.tables) {
            remove_own_statements(statements, &self.server.role, &tables.database, &query_ids);
        }
    }

    /// Reads the texts of the statements with most I/O since the reading `before`, and keeps them with the reading `after`.
    pub fn read_texts(&self, before: &RunReading, after: &mut RunReading) {
        let (Ok(source), Ok(old), Ok(new)) = (&self.statements, &before.statements, &mut after.statements) else {
            return;
        };
        let query_ids = busiest(old, new);
        if query_ids.is_empty() {
            return;
        }
        let answer = self.query(&run_reading::texts_query(source, &query_ids)).ok().flatten();
        new.texts = answer.and_then(|text| parse_answer(&text).ok()).unwrap_or_default();
    }

    /// Role and database of this connection, and hypopg there.
    pub fn planner_identity(&self) -> Result<PlannerIdentity, Error> {
        let answer = self.query(&PlannerIdentity::query())?.unwrap_or_default();
        let mut identity: PlannerIdentity = parse_answer(&answer).map_err(|error| malformed(&error))?;
        // Without them it plans nothing, which is no reason not to watch.
        let rights = self.query(&PlannerRights::query()).ok().flatten();
        identity.rights = rights.and_then(|answer| parse_answer::<PlannerRights>(&answer).ok());
        Ok(identity)
    }

    /// Reason that statements are not read.
    pub fn statements_missing(&self) -> Option<&Missing> {
        self.statements.as_ref().err()
    }

    /// Number of transactions of this session.
    pub fn transactions(&self) -> u64 {
        self.session.borrow().query_count()
    }

    fn files(&self) -> Files<'_> {
        Files { session: &self.session, until: Instant::now() + FILES_TIMEOUT }
    }

    fn clock_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn query(&self, query: &Query) -> Result<Option<String>, QueryError> {
        Ok(self.session.borrow_mut().query_value(query)?.value)
    }
}

/// True of `vda1` and `vda`, `nvme0n1p1` and `nvme0n1`; false of `nvme0n10` and `nvme0n1`.
fn is_partition_of(name: &str, disk: &str) -> bool {
    let Some(rest) = name.strip_prefix(disk) else { return false };
    let ends_in_digit = disk.ends_with(|last: char| last.is_ascii_digit());
    let number = if ends_in_digit { rest.strip_prefix('p') } else { Some(rest) };
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn malformed(error: &dyn Display) -> Error {
    Error::Unreachable(format!("its answer is malformed: {error}"))
}

fn malformed_query(error: &dyn Display) -> QueryError {
    QueryError::ConnectionLost(format!("its answer is malformed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_told_from_disks() {
        assert!(is_partition_of("vda1", "vda") && is_partition_of("nvme0n1p12", "nvme0n1"));
        assert!(
            !is_partition_of("nvme0n10", "nvme0n1")
                && !is_partition_of("vda", "vda")
                && !is_partition_of("vdab", "vda")
        );
    }
}
