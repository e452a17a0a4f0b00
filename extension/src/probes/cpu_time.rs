//! /proc/PID/stat and schedstat: CPU time of client backends, of the server and of the machine, and waits for a CPU. The CPUs that
//! there are: from the affinity and the quota of this process.

use std::path::Path;
use std::process::id;

use ebs_linux::{Look, Others, Process, RunDelay, cpu_quota};
use ebs_samples::evidence::{CpuCount, ProcessorCounts, RunDelayCounts};
use rustix::thread::sched_getaffinity;

use super::filesystem::Sysfs;
use super::processes::Processes;
use crate::{ffi, settings};

/// The sysfs of this process.
const SYSFS: &str = "/sys";

/// Most attempts to read the server's processes without one ending in between.
const ATTEMPTS: usize = 3;

/// Most processes of the machine that are read separately: each costs 15 µs once a block (5 ms were measured for 339).
const MAX_PROCESSES: usize = 2_000;

/// Number of the kernel's first thread where all processes are visible: in a container it is another process, or none.
const KTHREADD: i32 = 2;

/// Counts since the first reading; `None` where they are not known of the time since the last one.
#[derive(Default)]
pub struct CpuReading {
    /// CPU time.
    pub processor: Option<ProcessorCounts>,
    /// Waits of client backends and parallel workers for a CPU.
    pub run_delay: Option<RunDelayCounts>,
}

/// CPU time, from one reading to the next.
#[derive(Default)]
pub struct CpuTime {
    sum: ebs_linux::Processor,
    run_delay: RunDelay,
    /// True once the machine was read in ticks: it stays so, because the two ways cannot be compared.
    ticked: bool,
}

impl CpuTime {
    /// Reads the CPU time used since the first call; an error where it cannot be known at all.
    pub fn read(&mut self, processes: &Processes) -> Result<CpuReading, String> {
        match self.read_look(processes) {
            Ok(look) => {
                let run_delay = self.count_run_delay(processes, &look);
                Ok(CpuReading { processor: self.sum.count(look), run_delay })
            }
            Err(reason) => {
                self.sum.forget();
                self.run_delay.forget();
                Err(reason)
            }
        }
    }

    /// Waits of the clients for a CPU; `None` if the kernel does not count them, which this process shows by its own.
    fn count_run_delay(&mut self, processes: &Processes, look: &Look) -> Option<RunDelayCounts> {
        if processes.queue_counts(id().cast_signed()).is_none() {
            self.run_delay.forget();
            return None;
        }
        let queue = |(pid, process): (&i32, &Process)| Some((*pid, (process.started, processes.queue_counts(*pid)?)));
        Some(self.run_delay.count(look.server.iter().filter_map(queue).collect(), &look.clients))
    }

    fn read_look(&mut self, processes: &Processes) -> Result<Look, String> {
        // Client backends are known to PostgreSQL by their process ids.
        if processes.own_id()? != id().cast_signed() {
            return Err("procfs shows process ids of another namespace".to_owned());
        }
        let server = server_processes(processes)?;
        let others = if self.ticked { None } else { other_processes(processes, &server) };
        self.ticked = others.is_none();
        let others = match others {
            Some(seen) => Others::Seen(seen),
            None => Others::Ticked(processes.machine_time()?),
        };
        Ok(Look { server, clients: client_backends(), others })
    }
}

/// CPUs that this process may use, and with it the postmaster that has started it: those of its affinity, and no more than the quota
/// of its cgroup and of those above allows.
pub fn available_cpus(processes: &Processes) -> Option<CpuCount> {
    let allowed = sched_getaffinity(None).ok().map(|cpus| cpus.count()).filter(|count| *count > 0)?;
    let quota = processes.own_cgroups().and_then(|cgroups| sysfs_quota(&cgroups));
    let allowed = CpuCount::from(allowed);
    Some(quota.map_or(allowed, |quota| quota.min(allowed)))
}

/// The quota that sysfs shows. One that is mounted elsewhere may be the host's, which does not have this container's cgroup by the name that a
/// private cgroup namespace gives it: then our own is read too.
fn sysfs_quota(cgroups: &str) -> Option<CpuCount> {
    let root = settings::sysfs_root();
    let is_own = root == Path::new(SYSFS);
    let quota = cpu_quota(cgroups, &Sysfs(root));
    quota.or_else(|| if is_own { None } else { cpu_quota(cgroups, &Sysfs(SYSFS.into())) })
}

/// The postmaster and its children.
fn server_processes(processes: &Processes) -> Result<ebs_linux::Processes, String> {
    let postmaster = processes.postmaster().ok_or("procfs does not show the postmaster")?;
    let mut server = ebs_linux::Processes::new();
    for _ in 0..ATTEMPTS {
        let read = |pid: i32| Ok::<_, String>(processes.process(pid)?.map(|process| (pid, process)));
        let ended = |process: Option<&Process>| process.map(|process| process.times.ended_us);
        let children = processes.children(postmaster).map_err(|error| error.to_string())?;
        let pids = [postmaster].into_iter().chain(children);
        server = pids.filter_map(|pid| read(pid).transpose()).collect::<Result<_, _>>()?;
        // A process that ended in between is in neither.
        if ended(server.get(&postmaster)) == ended(processes.process(postmaster)?.as_ref()) {
            break;
        }
    }
    Ok(server)
}

/// All processes but the server's; `None` where not all are visible, or too many.
fn other_processes(processes: &Processes, server: &ebs_linux::Processes) -> Option<ebs_linux::Processes> {
    let all = processes.all().ok().filter(|all| all.len() <= MAX_PROCESSES)?;
    let mut others = ebs_linux::Processes::new();
    for pid in all.into_iter().filter(|pid| !server.contains_key(pid)) {
        // A child of the postmaster's that has just started is the server's, from the next reading on.
        if let Some(process) = processes.process(pid).ok()? {
            others.insert(pid, process);
        }
    }
    others.get(&KTHREADD).is_some_and(|process| process.kernel).then_some(others)
}

fn client_backends() -> Vec<i32> {
    let mut clients = Vec::new();
    ffi::for_each_process(|slot, pid, _| {
        let kind = ffi::process_identity(slot, pid).map(|identity| identity.backend_type);
        if matches!(kind.as_deref(), Some("client backend" | "parallel worker")) {
            clients.push(pid);
        }
    });
    clients
}
