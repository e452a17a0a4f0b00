//! Slow counters, read once a block: transactions and temporary files by database, CPU time and I/O of the server's processes.

use std::collections::{BTreeMap, HashMap};

use ebs_base::counter::Counters;
use ebs_linux::{
    Look, MachineCounts, Others, Process, Processor, QueueCounts, RunDelay, cpu_quota, machine_time, process,
    process_io, queue_counts,
};
use ebs_samples::evidence::{
    Accounts, CostCounts, CpuCount, DatabaseCounts, StorageCounts, TempCounts, TransactionCounts,
};
use serde::Deserialize;
use serde_json::json;

use crate::answer::parse_answer;
use crate::devices::{DeviceSource, file};
use crate::error::AnswerError;
use crate::files::{RemoteFiles, RemoteSysfs};
use crate::query::Query;
use crate::server::microseconds;

/// Ticks a second of the times in /proc: USER_HZ, which is 100 on x86-64 and arm64
/// (<https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html>).
const TICKS: u64 = 100;

/// Most processes of the machine that are read separately, as for the sampler.
const MAX_PROCESSES: usize = 2_000;

/// Query of the counters of each database; its one value is parsed by [`parse_databases`].
pub fn databases_query() -> Query {
    Query::new(format!(
        "SELECT pg_catalog.json_agg(pg_catalog.json_build_array(datid::bigint, coalesce({}, 0), xact_commit, xact_rollback, \
         temp_files, temp_bytes))::text AS value FROM pg_catalog.pg_stat_database WHERE datid > 0",
        microseconds("stats_reset")
    ))
}

/// Parses the answer to [`databases_query`].
pub fn parse_databases(text: &str) -> Result<BTreeMap<u32, DatabaseCounts>, AnswerError> {
    let rows: Vec<(u32, i64, u64, u64, u64, u64)> = parse_answer(text)?;
    let counts = |(number, epoch, commits, rollbacks, files, bytes)| {
        let temp = TempCounts { files, bytes };
        (number, DatabaseCounts { epoch, temp, transactions: TransactionCounts { commits, rollbacks } })
    };
    Ok(rows.into_iter().map(counts).collect())
}

/// Query of the processes of the machine; its one value is parsed by [`ProcessTexts::parse`]. `None` where none are shown.
pub fn processes_query(source: &DeviceSource) -> Option<Query> {
    let clients = "(SELECT pg_catalog.json_agg(pid) FROM pg_catalog.pg_stat_activity \
                   WHERE backend_type IN ('client backend', 'parallel worker') AND pid <> pg_catalog.pg_backend_pid())";
    let (machine, processes) = match source {
        DeviceSource::Unknown(_) => return None,
        DeviceSource::Files => (
            file("'/proc/stat'"),
            format!(
                "SELECT pg_catalog.json_build_array(p.pid::int, {}) AS process FROM pg_catalog.pg_ls_dir('/proc', true, false) AS p(pid) \
                 WHERE p.pid ~ '^[0-9]+$'",
                file("'/proc/' || p.pid || '/stat'")
            ),
        ),
        // Fields 2 to 22 of /proc/PID/stat that it does not have are of no use here, and are 0.
        DeviceSource::Proctab(schema) => (
            format!(
                "(SELECT pg_catalog.concat_ws(' ', 'cpu', \"user\", nice, system, idle, iowait, 0, 0, 0) FROM {schema}.pg_cputime())"
            ),
            format!(
                "SELECT pg_catalog.json_build_array(pid, pg_catalog.concat_ws(' ', pid, '(postgres) S', ppid, '0 0 0 0', flags, \
                 '0 0 0 0', utime, stime, cutime, cstime, '0 0 0 0', starttime, '0 0 ' || pg_catalog.repeat('0 ', 28))) AS process \
                 FROM {schema}.pg_proctab()"
            ),
        ),
    };
    Some(Query::new(format!(
        "SELECT pg_catalog.json_build_object('own', pg_catalog.pg_backend_pid(), 'machine', {machine}, 'clients', {clients}, \
         'processes', (SELECT pg_catalog.json_agg(process) FROM ({processes}) p))::text AS value"
    )))
}

/// Query of I/O and waits for a CPU of these processes; its one value is parsed by [`parse_details`]. Files are read by a process of the
/// same account, which may.
pub fn details_query(pids: &[i32]) -> Query {
    let text = format!(
        "SELECT pg_catalog.json_agg(pg_catalog.json_build_array(p.pid::int, {}, {}))::text AS value \
         FROM pg_catalog.json_array_elements_text($1::pg_catalog.json) p(pid)",
        file("'/proc/' || p.pid || '/io'"),
        file("'/proc/' || p.pid || '/schedstat'")
    );
    Query::new(text).bind(json!(pids).to_string())
}

/// Counters of processes by id: I/O, and waits for a CPU; `None` where the kernel does not show them.
pub type Details = BTreeMap<i32, (Option<StorageCounts>, Option<QueueCounts>)>;

/// Parses the answer to [`details_query`].
pub fn parse_details(text: &str) -> Result<Details, AnswerError> {
    let rows: Vec<(i32, Option<String>, Option<String>)> = parse_answer(text)?;
    let counts = |(pid, io, delay): (i32, Option<String>, Option<String>)| {
        let io = io.and_then(|text| process_io(text.as_bytes()).ok());
        (pid, (io, delay.and_then(|text| queue_counts(&text))))
    };
    Ok(rows.into_iter().map(counts).collect())
}

/// Processes of the machine, as they were read at one time.
pub struct ProcessTexts {
    own: i32,
    machine: MachineCounts,
    clients: Vec<i32>,
    processes: HashMap<i32, Process>,
}

impl ProcessTexts {
    /// Parses the answer to [`processes_query`]; `None` where the machine's time is not in it.
    pub fn parse(text: &str) -> Result<Option<ProcessTexts>, AnswerError> {
        #[derive(Deserialize)]
        struct Answer {
            own: i32,
            machine: Option<String>,
            clients: Option<Vec<i32>>,
            processes: Option<Vec<(i32, Option<String>)>>,
        }
        let answer: Answer = parse_answer(text)?;
        let Some(machine) = answer.machine.and_then(|text| machine_time(&text, TICKS)) else { return Ok(None) };
        let parsed = |(pid, text): (i32, Option<String>)| Some((pid, process(text?.as_bytes(), TICKS).ok()?));
        let processes = answer.processes.into_iter().flatten().filter_map(parsed).collect();
        Ok(Some(ProcessTexts { own: answer.own, machine, clients: answer.clients.unwrap_or_default(), processes }))
    }

    /// Process ids of the postmaster, if it is shown, and of its children.
    pub fn server(&self) -> Vec<i32> {
        let Some(own) = self.processes.get(&self.own) else { return Vec::new() };
        let is_server = |(pid, process): &(&i32, &Process)| **pid == own.parent || process.parent == own.parent;
        self.processes.iter().filter(is_server).map(|(pid, _)| *pid).collect()
    }

    /// CPU time of the process that reads, the cost of watching at the server.
    pub fn own_cpu_us(&self) -> u64 {
        self.processes.get(&self.own).map_or(0, |process| process.times.own_us)
    }
}

/// CPU time and I/O of the server's processes, reading by reading.
#[derive(Default)]
pub struct ProcessAccounts {
    processor: Processor,
    run_delay: RunDelay,
    storage: StorageCounts,
}

impl ProcessAccounts {
    /// Starts over after a reading that failed or a connection that was lost.
    pub fn forget(&mut self) {
        self.processor.forget();
        self.run_delay.forget();
    }

    /// Adds a reading of the processes to the accounts of a block.
    pub fn add(&mut self, texts: ProcessTexts, details: Option<&Details>, accounts: &mut Accounts) {
        accounts.cost = CostCounts { cpu_us: texts.own_cpu_us(), ..CostCounts::default() };
        let pids = texts.server();
        accounts.storage = details.and_then(|details| self.storage(&pids, details));
        let ProcessTexts { machine, clients, processes, .. } = texts;
        let (server, others): (HashMap<_, _>, HashMap<_, _>) =
            processes.into_iter().partition(|(pid, _)| pids.contains(pid));
        let delays = |(pid, process): (&i32, &Process)| Some((*pid, (process.started, details?.get(pid)?.1?)));
        let delays: HashMap<_, _> = server.iter().filter_map(delays).collect();
        accounts.run_delay = if delays.is_empty() { None } else { Some(self.run_delay.count(delays, &clients)) };
        let others = if sees_kernel(&others) { Others::Seen(others) } else { Others::Ticked(machine) };
        accounts.processor = self.processor.count(Look { server, clients, others });
    }

    /// Counts only grow: a reading below an earlier one has missed a process that was ending.
    fn storage(&mut self, pids: &[i32], details: &Details) -> Option<StorageCounts> {
        let each = pids.iter().map(|pid| details.get(pid)?.0).collect::<Option<Vec<StorageCounts>>>()?;
        let sum = each.into_iter().fold(StorageCounts::default(), StorageCounts::plus);
        self.storage = self.storage.zip(sum, |before, now| Some(before.max(now)))?;
        Some(self.storage)
    }
}

/// True where all processes of the machine are shown, and not too many to be read: the kernel's first thread is among them.
fn sees_kernel(others: &HashMap<i32, Process>) -> bool {
    const KTHREADD: i32 = 2;
    others.len() <= MAX_PROCESSES && others.get(&KTHREADD).is_some_and(|process| process.kernel)
}

/// CPUs that the server may use, by the affinity and the cgroup of the process that reads; `None` where they are not shown.
pub fn available_cpus(files: &dyn RemoteFiles) -> Option<CpuCount> {
    let status = files.read("/proc/self/status")?;
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let ranges = allowed.trim().split(',').map(count_range).collect::<Option<Vec<u32>>>()?;
    let allowed = CpuCount::from(ranges.iter().sum::<u32>());
    let quota =
        files.read("/proc/self/cgroup").and_then(|cgroups| cpu_quota(&cgroups, &RemoteSysfs { files, disks: &[] }));
    Some(quota.map_or(allowed, |quota| quota.min(allowed)))
}

/// Number of CPUs in `0-3` or `5`.
fn count_range(range: &str) -> Option<u32> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then(|| last - first + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::tests::Recorded;

    fn stat(pid: i32, parent: i32, flags: u32, ticks: u64) -> String {
        format!(
            "{pid} (p) S {parent} 0 0 0 0 {flags} 0 0 0 0 {ticks} 0 0 0 20 0 1 0 100 0 0 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0"
        )
    }

    fn answer(rows: &[(i32, i32, u32, u64)], machine: u64) -> String {
        let processes: Vec<_> =
            rows.iter().map(|&(pid, parent, flags, ticks)| (pid, stat(pid, parent, flags, ticks))).collect();
        let processes = serde_json::to_string(&processes).unwrap();
        format!(r#"{{"own":12,"machine":"cpu  {machine} 0 0 9 9 0 0 0 0 0\n","clients":[13],"processes":{processes}}}"#)
    }

    fn count(accounts: &mut ProcessAccounts, text: &str) -> Accounts {
        let mut counted = Accounts::default();
        let details =
            parse_details(r#"[[10,null,null],[12,null,"5000000 7000 3\n"],[13,null,"5000000 9000 3\n"]]"#).unwrap();
        accounts.add(ProcessTexts::parse(text).unwrap().unwrap(), Some(&details), &mut counted);
        counted
    }

    /// The postmaster 10, ourselves 12, a client 13, a shell 20, kthreadd 2.
    #[test]
    fn cpu_time_is_that_of_clients_server_and_machine() {
        let mut accounts = ProcessAccounts::default();
        let rows = |client, shell| {
            [(10, 1, 0, 5), (12, 10, 0, 3), (13, 10, 0, client), (20, 1, 0, shell), (2, 0, 0x20_0000, 7)]
        };
        count(&mut accounts, &answer(&rows(10, 100), 500));
        let counted = count(&mut accounts, &answer(&rows(60, 130), 600));
        let processor = counted.processor.unwrap();
        assert_eq!((processor.client_us, processor.server_us, processor.host_us), (500_000, 500_000, 800_000));
        assert_eq!((counted.cost.cpu_us, counted.run_delay.is_some(), counted.storage), (30_000, true, None));
    }

    #[test]
    fn hidden_processes_are_counted_by_ticks() {
        let mut accounts = ProcessAccounts::default();
        let rows = |client| [(12, 10, 0, 3), (13, 10, 0, client)];
        count(&mut accounts, &answer(&rows(10), 500));
        let processor = count(&mut accounts, &answer(&rows(60), 600)).processor.unwrap();
        assert_eq!((processor.client_us, processor.host_us, processor.host_ticked_us), (500_000, 1_000_000, 1_000_000));
    }

    #[test]
    fn cpus_are_those_allowed() {
        let files = |list| Recorded(BTreeMap::from([("/proc/self/status", list)]));
        let cpus = |list| available_cpus(&files(list)).map(f64::from);
        assert_eq!(cpus("Name:\tpostgres\nCpus_allowed_list:\t0-3,6\n"), Some(5.0));
        assert_eq!((cpus("Cpus_allowed_list:\t3-1\n"), cpus("Name: x\n")), (None, None));
    }

    #[test]
    fn databases_are_told_apart_and_a_cut_off_answer_is_refused() {
        let databases = parse_databases("[[5,0,10,2,1,8192],[16384,77,1,0,0,0]]").unwrap();
        assert_eq!((databases.len(), databases[&5].transactions.commits, databases[&16384].epoch), (2, 10, 77));
        assert!(parse_databases("[[5,0,10,2,1").is_err());
        assert!(parse_databases("[[5,0,-1,2,1,0]]").is_err());
    }
}
