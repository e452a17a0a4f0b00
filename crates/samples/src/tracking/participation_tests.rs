//! Sessions that are swept every 10 ms for some seconds, while they work now and then: the tests of whose time counts.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::super::process::SessionState;
use super::*;

const BEGIN_US: i64 = 1_800_000_000_000_000;
const SECOND_US: i64 = 1_000_000;
const SWEEP_US: u64 = 10_000;
const LOCK: u32 = 0x0300_0001;

/// Sessions by slot, each with its process id and its state; the application is `a` and the slot's number.
#[derive(Default)]
struct Sessions {
    states: RefCell<BTreeMap<usize, (i32, SessionState)>>,
    backend_type: Option<&'static str>,
    application: Option<&'static str>,
    asked: Cell<u32>,
}

impl Sessions {
    fn set(&self, slot: usize, pid: i32, state: SessionState) {
        self.states.borrow_mut().insert(slot, (pid, state));
    }

    /// A session that has been idle since long before.
    fn idle(&self, slot: usize, pid: i32) {
        self.idle_since(slot, pid, BEGIN_US - 3_600 * SECOND_US);
    }

    fn idle_since(&self, slot: usize, pid: i32, since_us: i64) {
        self.set(slot, pid, SessionState::Idle { since_us });
    }
}

impl Processes for Sessions {
    fn identity(&self, slot: usize, _: i32) -> Option<ProcessIdentity> {
        let application = self.application.map_or_else(|| format!("a{slot}"), str::to_owned);
        let backend_type = self.backend_type.unwrap_or(CLIENT).to_owned();
        Some(ProcessIdentity { backend_type, database: 1, role: 7, application, stateless: false })
    }

    fn query_id(&self, _: usize) -> i64 {
        0
    }

    fn session_state(&self, slot: usize, pid: i32) -> Option<SessionState> {
        self.asked.set(self.asked.get() + 1);
        self.states.borrow().get(&slot).filter(|(owner, _)| *owner == pid).map(|(_, state)| *state)
    }
}

/// A sampler of four slots on a clock of its own.
struct Clocked {
    times: WaitTimes,
    sessions: Sessions,
    now_us: i64,
}

impl Clocked {
    fn new(sessions: Sessions) -> Clocked {
        let dimensions = Dimensions { application: true, ..Dimensions::default() };
        Clocked { times: WaitTimes::new(dimensions, 4), sessions, now_us: BEGIN_US }
    }

    /// A sweep `dt_us` after the one before, over these slots: process id and wait of each.
    fn sweep(&mut self, dt_us: u64, slots: &[(usize, i32, u32)]) {
        self.now_us += dt_us.cast_signed();
        self.times.begin_sweep(dt_us, self.now_us, &self.sessions);
        for &(slot, pid, wait) in slots {
            self.times.add(slot, pid, wait, dt_us, &self.sessions);
        }
    }

    /// Time of each application that is in the totals, ms.
    fn drained(&mut self) -> BTreeMap<String, u64> {
        let totals = self.times.drain(self.now_us, &self.sessions, |_| (String::new(), String::new()), |_| None);
        let mut sums = BTreeMap::new();
        for (key, us) in totals.rows {
            *sums.entry(key.session.application.unwrap_or_default()).or_default() += us / 1_000;
        }
        sums
    }
}

fn expected(rows: &[(&str, u64)]) -> BTreeMap<String, u64> {
    rows.iter().map(|&(name, ms)| (name.to_owned(), ms)).collect()
}

#[test]
fn an_idle_session_is_left_out_and_one_that_works_ten_times_a_second_counts_in_whole() {
    let mut sampler = Clocked::new(Sessions::default());
    sampler.sessions.idle(0, 100);
    sampler.sessions.idle(1, 101);
    let mut sums = BTreeMap::new();
    for second in 0..3 {
        for sweep in 0..100 {
            // Its statements are too short to be seen at work.
            if sweep % 10 == 5 {
                sampler.sessions.idle_since(1, 101, sampler.now_us);
            }
            sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ), (1, 101, CLIENT_READ)]);
        }
        for (name, ms) in sampler.drained() {
            *sums.entry(name).or_default() += ms;
        }
        assert_eq!(sums, expected(&[("a1", 1_000 * (second + 1))]));
    }
    // One question a session and interval.
    assert_eq!(sampler.sessions.asked.get(), 6);
}

#[test]
fn a_monitor_counts_only_for_the_intervals_in_which_it_asks() {
    let mut sampler = Clocked::new(Sessions::default());
    sampler.sessions.idle(0, 100);
    let mut counted = Vec::new();
    for second in 0..30 {
        for sweep in 0..100 {
            if second % 10 == 4 && sweep == 50 {
                sampler.sessions.idle_since(0, 100, sampler.now_us);
            }
            sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ)]);
        }
        counted.extend(sampler.drained().remove("a0").map(|ms| (second, ms)));
    }
    assert_eq!(counted, [(4, 1_000), (14, 1_000), (24, 1_000)]);
}

#[test]
fn who_is_seen_at_work_or_runs_a_statement_counts_whatever_it_waits_for() {
    let mut sampler = Clocked::new(Sessions::default());
    // Seen in a lock once, on a CPU once, and in COPY from its client all the time; states that are not tracked tell nothing.
    sampler.sessions.idle(0, 100);
    sampler.sessions.idle(1, 101);
    sampler.sessions.set(2, 102, SessionState::Running);
    sampler.sessions.set(3, 103, SessionState::Unknown);
    for sweep in 0..50 {
        let at = |wait| if sweep == 20 { wait } else { CLIENT_READ };
        let slots = [(0, 100, at(LOCK)), (1, 101, at(0)), (2, 102, CLIENT_READ), (3, 103, CLIENT_READ)];
        sampler.sweep(SWEEP_US, &slots);
    }
    assert_eq!(sampler.drained(), expected(&[("a0", 500), ("a1", 500), ("a2", 500), ("a3", 500)]));
    // In the next interval nothing is known of them any more.
    sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ), (1, 101, CLIENT_READ)]);
    assert_eq!(sampler.drained(), BTreeMap::new());
}

#[test]
fn a_slot_that_another_session_takes_keeps_the_time_of_both_apart() {
    let mut sampler = Clocked::new(Sessions::default());
    sampler.sessions.idle(0, 100);
    for _ in 0..30 {
        sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ)]);
    }
    // The first was ended by its client; the second, which has been idle for long, has nothing of it.
    sampler.sessions.idle(0, 200);
    for _ in 0..20 {
        sampler.sweep(SWEEP_US, &[(0, 200, CLIENT_READ)]);
    }
    assert_eq!(sampler.drained(), expected(&[("a0", 300)]));
    // One that has gone before the interval ends, and one whose slot is another's by then.
    sampler.sweep(SWEEP_US, &[(0, 200, CLIENT_READ), (1, 201, CLIENT_READ)]);
    sampler.sessions.states.borrow_mut().remove(&0);
    sampler.sessions.idle(1, 301);
    assert_eq!(sampler.drained(), expected(&[("a0", 10), ("a1", 10)]));
}

#[test]
fn a_sweep_that_comes_late_is_judged_by_all_the_time_that_it_stands_for() {
    let mut sampler = Clocked::new(Sessions::default());
    sampler.sessions.idle_since(0, 100, BEGIN_US + SECOND_US);
    sampler.sessions.idle_since(1, 101, BEGIN_US - SECOND_US);
    sampler.sweep(7_000_000, &[(0, 100, CLIENT_READ), (1, 101, CLIENT_READ)]);
    assert_eq!(sampler.drained(), expected(&[("a0", 7_000)]));
}

#[test]
fn a_short_interval_is_judged_by_the_second_before_its_end() {
    let mut sampler = Clocked::new(Sessions::default());
    sampler.sessions.idle_since(0, 100, BEGIN_US - SECOND_US / 10);
    sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ)]);
    assert_eq!(sampler.drained(), expected(&[("a0", 10)]));
}

#[test]
fn where_samples_are_far_apart_intervals_end_between_them() {
    let mut sampler = Clocked::new(Sessions::default());
    sampler.sessions.idle(0, 100);
    for sweep in 0..6_000 {
        if sweep == 3_050 {
            sampler.sessions.idle_since(0, 100, sampler.now_us);
        }
        sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ)]);
    }
    // Of a minute without a drain, the one second in which it worked.
    assert_eq!(sampler.drained(), expected(&[("a0", 1_000)]));
}

#[test]
fn a_clock_that_was_set_back_does_not_make_idle_sessions_work() {
    let mut sampler = Clocked::new(Sessions::default());
    sampler.sessions.idle_since(0, 100, BEGIN_US + 3_600 * SECOND_US);
    sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ)]);
    assert_eq!(sampler.drained(), BTreeMap::new());
}

#[test]
fn processes_that_are_no_sessions_count_always_and_those_of_ebsctl_never() {
    let launcher = Sessions { backend_type: Some("logical replication launcher"), ..Sessions::default() };
    let own = Sessions { application: Some("ebsctl"), ..Sessions::default() };
    for (sessions, rows) in [(launcher, expected(&[("a0", 20)])), (own, BTreeMap::new())] {
        let mut sampler = Clocked::new(sessions);
        sampler.sessions.set(0, 100, SessionState::Running);
        sampler.sweep(SWEEP_US, &[(0, 100, CLIENT_READ)]);
        sampler.sweep(SWEEP_US, &[(0, 100, LOCK)]);
        assert_eq!(sampler.drained(), rows);
    }
}
