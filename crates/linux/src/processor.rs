//! CPU time of all processes, from the time that each has used, including those that ended between two readings.
//!
//! Once a process has waited for a child, the child's time and that of the child's own children are its account for those
//! that ended (<https://github.com/torvalds/linux/blob/v6.12/kernel/exit.c>, wait_task_zombie). What that account gained
//! is therefore the time of their whole lives; the part that was counted while they lived is subtracted.

use std::collections::HashMap;

use super::process::{MachineCounts, Process, TimeCounts};
use ebs_base::counter::{Counters, Delta};
use ebs_samples::evidence::ProcessorCounts;

/// Processes by process id.
pub type Processes = HashMap<i32, Process>;

/// One reading of the processes of a machine.
#[derive(Clone, Debug)]
pub struct Look {
    /// Processes of the server: the postmaster and its children.
    pub server: Processes,
    /// Client backends and parallel workers among them.
    pub clients: Vec<i32>,
    /// All other processes of the machine.
    pub others: Others,
}

/// Processes beside the server's, or the machine's counters in their place.
#[derive(Clone, Debug)]
pub enum Others {
    /// All other processes of the machine.
    Seen(Processes),
    /// The machine's counters in ticks, which include the server: its processes are hidden, or too many to be read.
    Ticked(MachineCounts),
}

/// Sum of the CPU time, reading by reading.
#[derive(Clone, Debug, Default)]
pub struct Processor {
    before: Option<Look>,
    server: Ended,
    others: Ended,
    counts: ProcessorCounts,
}

impl Processor {
    /// Adds the CPU time between the previous reading and this one, and returns the sum since the first. `None` if the
    /// two readings cannot be compared.
    pub fn count(&mut self, look: Look) -> Option<ProcessorCounts> {
        let counted = match self.before.take() {
            Some(before) => self.between(&before, &look),
            None => Some(ProcessorCounts::default()),
        };
        self.before = Some(look);
        self.counts = self.counts.plus(counted?);
        Some(self.counts)
    }

    /// Starts over after a reading that failed; the sum stays.
    pub fn forget(&mut self) {
        *self = Processor { counts: self.counts, ..Processor::default() };
    }

    fn between(&mut self, before: &Look, now: &Look) -> Option<ProcessorCounts> {
        let client = |pid: &i32| Some(since(now.server.get(pid)?, before.server.get(pid)).own_us);
        let client_us = now.clients.iter().filter_map(client).sum();
        let server = self.server.gained(&before.server, &now.server, Parents::Wait);
        let server_us = server.own_us + server.ended_us;
        let (host_us, host_ticked_us, kernel_us) = match (&before.others, &now.others) {
            (Others::Seen(before), Others::Seen(now)) => {
                let others = self.others.gained(before, now, Parents::May);
                (server_us + others.own_us + others.ended_us, 0, kernel_us(before, now))
            }
            (Others::Ticked(before), Others::Ticked(now)) => match now.since(*before) {
                // Ticks may have missed what the server is known to have used.
                Delta::Advanced(ticked) => (ticked.busy_us.max(server_us), ticked.busy_us.max(server_us), 0),
                Delta::Reset => return None,
            },
            _ => return None,
        };
        Some(ProcessorCounts { client_us, ended_us: server.ended_us, server_us, host_us, host_ticked_us, kernel_us })
    }
}

/// Behaviour of parents: they wait for their children (wait(2)) always, or mostly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parents {
    /// Always: time that is not in their account yet will be.
    Wait,
    /// Most do. Time that is not in an account at the next reading never will be.
    May,
}

/// CPU time of ended processes that was already counted while they lived, and that is not in an account for ended children
/// yet: a process that ends during a reading is neither among the living nor in its parent's account.
#[derive(Clone, Copy, Debug, Default)]
struct Ended {
    owed_us: u64,
}

impl Ended {
    /// CPU time between two readings: of living processes, and of ended processes since they were last read.
    fn gained(&mut self, before: &Processes, now: &Processes, parents: Parents) -> TimeCounts {
        let used = now.iter().map(|(pid, process)| since(process, before.get(pid)));
        let used = used.fold(TimeCounts::default(), TimeCounts::plus);
        let ended = |(pid, process): &(&i32, &Process)| now.get(pid).is_none_or(|now| now.started != process.started);
        // No process waits for kernel threads.
        let seen = before.iter().filter(ended).filter(|(_, process)| !process.kernel);
        let seen_us: u64 = seen.map(|(_, process)| process.times.own_us + process.times.ended_us).sum();
        let known_us = seen_us + self.owed_us;
        self.owed_us = known_us.saturating_sub(used.ended_us);
        if parents == Parents::May {
            self.owed_us = self.owed_us.min(seen_us);
        }
        TimeCounts { ended_us: used.ended_us.saturating_sub(known_us), ..used }
    }
}

/// CPU time of the kernel's threads between two readings. Nobody waits for one that ends: what it did since it was last read is lost.
fn kernel_us(before: &Processes, now: &Processes) -> u64 {
    let threads = now.iter().filter(|(_, process)| process.kernel);
    threads.map(|(pid, process)| since(process, before.get(pid)).own_us).sum()
}

/// CPU time of a process since it was last read, or since its start if it is new.
fn since(process: &Process, before: Option<&Process>) -> TimeCounts {
    let before = before.filter(|before| before.started == process.started);
    match process.times.since(before.map_or(TimeCounts::default(), |before| before.times)) {
        Delta::Advanced(used) => used,
        Delta::Reset => TimeCounts::default(),
    }
}

#[cfg(test)]
#[path = "processor_tests.rs"]
mod tests;
