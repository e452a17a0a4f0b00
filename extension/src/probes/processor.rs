//! /proc/PID/stat: CPU time of client backends, of the server and of the machine.

use std::process::id;

use ebs_linux::{Look, Others, Process};
use ebs_samples::evidence::ProcessorCounts;
use rustix::thread::sched_getaffinity;

use super::processes::Processes;
use crate::ffi;

/// How often the server's processes are read anew because one ended in between.
const ATTEMPTS: usize = 3;

/// Processes of the machine beyond which ticks must do: one costs 15 µs (5 ms were added for 339 of them), once a block.
const MOST: usize = 2_000;

/// The first thread of the kernel, which has this number where processes are all seen: in a container it is another
/// process, or none.
const KTHREADD: i32 = 2;

/// CPU time, look after look.
#[derive(Default)]
pub struct Processor {
    sum: ebs_linux::Processor,
    /// Whether the machine is known by ticks: once it is, it stays so, because the two cannot be compared.
    ticked: bool,
}

impl Processor {
    /// What was used since the first call; `Ok(None)` where that cannot be told of this time, and an error where it cannot be
    /// told at all.
    pub fn read(&mut self, processes: &Processes) -> Result<Option<ProcessorCounts>, String> {
        match self.look(processes) {
            Ok(look) => Ok(self.sum.count(look)),
            Err(reason) => {
                self.sum.forget();
                Err(reason)
            }
        }
    }

    fn look(&mut self, processes: &Processes) -> Result<Look, String> {
        // Client backends are known to PostgreSQL by their process ids.
        if processes.own_id()? != id().cast_signed() {
            return Err("procfs shows process ids of another namespace".to_owned());
        }
        let server = server(processes)?;
        let others = match self.ticked {
            true => None,
            false => others(processes, &server),
        };
        self.ticked = others.is_none();
        let others = match others {
            Some(seen) => Others::Seen(seen),
            None => Others::Ticked(processes.machine_time()?),
        };
        Ok(Look { server, clients: clients(), others })
    }
}

/// CPUs that this process may run on, and with it the postmaster that has started it.
pub fn cpus() -> Option<u32> {
    sched_getaffinity(None).ok().map(|cpus| cpus.count()).filter(|count| *count > 0)
}

/// The postmaster and its children.
fn server(processes: &Processes) -> Result<ebs_linux::Processes, String> {
    let postmaster = processes.postmaster().ok_or("procfs does not show the postmaster")?;
    let mut found = ebs_linux::Processes::new();
    for _ in 0..ATTEMPTS {
        let of = |pid: i32| Ok::<_, String>(processes.process(pid)?.map(|process| (pid, process)));
        let ended = |process: Option<&Process>| process.map(|process| process.times.ended_us);
        let children = processes.children(postmaster).map_err(|error| error.to_string())?;
        let pids = [postmaster].into_iter().chain(children);
        found = pids.filter_map(|pid| of(pid).transpose()).collect::<Result<_, _>>()?;
        // What ended in between is in neither.
        if ended(found.get(&postmaster)) == ended(processes.process(postmaster)?.as_ref()) {
            break;
        }
    }
    Ok(found)
}

/// All processes but the server's; `None` where they are not all seen, or too many.
fn others(processes: &Processes, server: &ebs_linux::Processes) -> Option<ebs_linux::Processes> {
    let all = processes.all().ok().filter(|all| all.len() <= MOST)?;
    let mut found = ebs_linux::Processes::new();
    for pid in all.into_iter().filter(|pid| !server.contains_key(pid)) {
        // A child of the postmaster's that has just started is the server's, at the next look.
        if let Some(process) = processes.process(pid).ok()? {
            found.insert(pid, process);
        }
    }
    found.get(&KTHREADD).is_some_and(|process| process.kernel).then_some(found)
}

fn clients() -> Vec<i32> {
    let mut found = Vec::new();
    ffi::for_each_process(|place, pid, _| {
        let kind = ffi::process_identity(place, pid).map(|identity| identity.backend_type);
        if matches!(kind.as_deref(), Some("client backend" | "parallel worker")) {
            found.push(pid);
        }
    });
    found
}
