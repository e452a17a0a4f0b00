//! Time in each wait event, from sweeps over pg_stat_activity: the same account that the sampler keeps over the process array.

use std::collections::{HashMap, VecDeque};

use ebs_samples::evidence::WaitTotals;
use ebs_samples::tracking::{CLIENT_READ, Dimensions, ProcessIdentity, Processes, SessionState, WaitTimes};

use crate::activity::{ActivityRow, Sweep};

/// Most processes at a time; further ones are not counted.
pub const MAX_PROCESSES: usize = 10_000;

/// Most wait events: PostgreSQL 18 has some 280, and extensions add theirs. Further ones count as the last.
pub const MAX_EVENTS: u32 = 4_000;

/// Number of an event that does not wait for a client: any class but the client's.
const OTHER_CLASS: u32 = 0x0100_0000;

/// Time in each wait event by process.
pub struct SessionWaits {
    times: WaitTimes,
    processes: Activity,
    events: Events,
}

/// The processes of the last sweeps, a slot each.
#[derive(Default)]
struct Activity {
    slots: Vec<Process>,
    by_pid: HashMap<i32, usize>,
    /// Slots whose process has gone, the longest free first.
    free: VecDeque<usize>,
}

#[derive(Clone, Default)]
struct Process {
    pid: i32,
    identity: ProcessIdentity,
    state: Option<SessionState>,
    /// True if the last sweep had it.
    present: bool,
}

impl Processes for Activity {
    fn identity(&self, slot: usize, pid: i32) -> Option<ProcessIdentity> {
        self.slots.get(slot).filter(|process| process.pid == pid).map(|process| process.identity.clone())
    }

    fn query_id(&self, _: usize) -> i64 {
        0
    }

    /// The state as it was last seen: a session that is idle for long is no longer reported.
    fn session_state(&self, slot: usize, pid: i32) -> Option<SessionState> {
        self.slots.get(slot).filter(|process| process.pid == pid).and_then(|process| process.state)
    }
}

impl Activity {
    /// Takes the rows of a sweep; returns the slot of each, `None` where there is no room.
    fn update(&mut self, sweep: &Sweep) -> Vec<Option<usize>> {
        self.slots.iter_mut().for_each(|process| process.present = false);
        let slots: Vec<_> = sweep.rows().map(|row| self.place(row)).collect();
        let gone: Vec<i32> =
            self.by_pid.iter().filter(|(_, slot)| !self.slots[**slot].present).map(|(pid, _)| *pid).collect();
        for pid in gone {
            self.free.extend(self.by_pid.remove(&pid));
        }
        slots
    }

    fn place(&mut self, row: &ActivityRow) -> Option<usize> {
        let slot = match self.by_pid.get(&row.pid) {
            Some(slot) => *slot,
            None => self.free_slot()?,
        };
        self.by_pid.insert(row.pid, slot);
        self.slots[slot] = Process::from_row(row);
        Some(slot)
    }

    fn free_slot(&mut self) -> Option<usize> {
        if self.slots.len() < MAX_PROCESSES {
            self.slots.push(Process::default());
            return Some(self.slots.len() - 1);
        }
        self.free.pop_front()
    }
}

impl Process {
    fn from_row(row: &ActivityRow) -> Process {
        let identity = ProcessIdentity {
            backend_type: row.backend_type.clone(),
            database: row.database,
            // Neither role nor query is tracked.
            role: 0,
            application: row.application.clone(),
            stateless: row.state.is_none(),
        };
        let state = match (row.state.as_deref(), row.since_us) {
            (Some("active" | "fastpath function call"), _) => SessionState::Running,
            (Some("idle" | "idle in transaction" | "idle in transaction (aborted)"), Some(since_us)) => {
                SessionState::Idle { since_us }
            }
            _ => SessionState::Unknown,
        };
        Process { pid: row.pid, identity, state: Some(state), present: true }
    }
}

/// Wait events by number.
struct Events {
    numbers: HashMap<(String, String), u32>,
    names: HashMap<u32, (String, String)>,
}

impl Events {
    fn new() -> Events {
        let client_read = ("Client".to_owned(), "ClientRead".to_owned());
        Events {
            numbers: HashMap::from([(client_read.clone(), CLIENT_READ)]),
            names: HashMap::from([(CLIENT_READ, client_read)]),
        }
    }

    fn number(&mut self, event: Option<(&str, &str)>) -> u32 {
        let Some((class, name)) = event else { return 0 };
        let key = (class.to_owned(), name.to_owned());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let next = u32::try_from(self.numbers.len()).unwrap_or(MAX_EVENTS).min(MAX_EVENTS);
        let number = next + if class == "Client" { CLIENT_READ } else { OTHER_CLASS };
        self.names.insert(number, key.clone());
        if next < MAX_EVENTS {
            self.numbers.insert(key, number);
        }
        number
    }
}

impl SessionWaits {
    /// Returns empty totals.
    pub fn new() -> SessionWaits {
        SessionWaits {
            times: WaitTimes::new(Dimensions::default(), MAX_PROCESSES),
            processes: Activity::default(),
            events: Events::new(),
        }
    }

    /// Adds a sweep, which stands for the last `dt_us` microseconds; false where waits of sessions are hidden: then nothing is added.
    pub fn add(&mut self, sweep: &Sweep, dt_us: u64) -> bool {
        if sweep.hidden > 0 {
            return false;
        }
        let slots = self.processes.update(sweep);
        self.times.begin_sweep(dt_us, sweep.at_us, &self.processes);
        for (row, slot) in sweep.rows().zip(slots) {
            let Some(slot) = slot else { continue };
            let wait = self.events.number(row.wait_class.as_deref().zip(row.wait_event.as_deref()));
            self.times.add(slot, row.pid, wait, dt_us, &self.processes);
        }
        true
    }

    /// Returns the totals since the last call; `now_us` is the server's time.
    pub fn drain(&mut self, now_us: i64) -> WaitTotals {
        let names = |wait: u32| self.events.names.get(&wait).cloned().unwrap_or_default();
        let totals = self.times.drain(now_us, &self.processes, names, |_| None);
        self.times.forget_processes(Dimensions::default());
        totals
    }
}

impl Default for SessionWaits {
    fn default() -> Self {
        SessionWaits::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    fn row(pid: i32, event: &str, state: &str, since_us: i64) -> String {
        format!(r#"[{pid},"client backend",{event},"{state}",{since_us},5,"app"]"#)
    }

    fn sweep(at_us: i64, rows: &[String]) -> Sweep {
        serde_json::from_str(&format!(r#"{{"at_us":{at_us},"hidden":0,"rows":[{}]}}"#, rows.join(","))).unwrap()
    }

    const READ: &str = r#""IO","DataFileRead""#;
    const CLIENT: &str = r#""Client","ClientRead""#;

    #[test]
    fn time_is_that_of_the_sweeps_and_idle_sessions_are_none() {
        let mut waits = SessionWaits::new();
        for tenth in 0..20 {
            let at_us = 100 * SECOND + tenth * SECOND / 10;
            let rows = [
                row(1, READ, "active", at_us),
                row(2, "null,null", "active", at_us),
                row(3, CLIENT, "idle", 98 * SECOND),
            ];
            assert!(waits.add(&sweep(at_us, &rows), 100_000));
        }
        let totals = waits.drain(102 * SECOND);
        let times: Vec<_> = totals.rows.iter().map(|(key, us)| (key.event.as_str(), *us)).collect();
        assert_eq!(
            (times, totals.sweeps, totals.swept_us),
            (vec![("CPU*", 2_000_000), ("DataFileRead", 2_000_000)], 20, 2_000_000)
        );
    }

    /// A session that works is a client that thinks between its statements.
    #[test]
    fn think_time_of_a_session_that_works_counts() {
        let mut waits = SessionWaits::new();
        for tenth in 0..20 {
            let at_us = 100 * SECOND + tenth * SECOND / 10;
            let working = tenth % 2 == 0;
            let state = if working { row(1, READ, "active", at_us) } else { row(1, CLIENT, "idle", at_us) };
            waits.add(&sweep(at_us, &[state]), 100_000);
        }
        let totals = waits.drain(102 * SECOND);
        assert_eq!(totals.rows.values().copied().collect::<Vec<_>>(), [1_000_000, 1_000_000]);
    }

    #[test]
    fn a_sweep_in_which_sessions_are_hidden_is_none() {
        let mut waits = SessionWaits::new();
        let hidden = serde_json::from_str::<Sweep>(r#"{"at_us":5,"hidden":2,"rows":null}"#).unwrap();
        assert!(!waits.add(&hidden, 100_000));
        assert_eq!(waits.drain(10), WaitTotals::default());
    }

    /// Ten thousand sessions that come and go leave their slots to others.
    #[test]
    fn slots_are_used_again() {
        let mut waits = SessionWaits::new();
        for tenth in 0..30 {
            let at_us = 100 * SECOND + tenth * SECOND / 10;
            let pids = (0..1_000).map(|n| 1 + n + 1_000 * i32::try_from(tenth).unwrap());
            let rows: Vec<String> = pids.map(|pid| row(pid, READ, "active", at_us)).collect();
            waits.add(&sweep(at_us, &rows), 100_000);
        }
        let totals = waits.drain(103 * SECOND);
        assert_eq!(totals.rows.values().sum::<u64>(), 30 * 1_000 * 100_000);
        assert!(waits.processes.slots.len() <= MAX_PROCESSES);
    }
}
