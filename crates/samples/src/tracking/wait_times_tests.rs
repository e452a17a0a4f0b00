use std::cell::Cell;

use super::super::process::SessionState;
use super::*;

/// Any time, microseconds since 1970.
const NOW: i64 = 1_800_000_000_000_000;
const READ: u32 = 0x0A00_0001;
const SYNC: u32 = 0x0A00_0002;

/// Processes that are all clients of one identity, and the number of times that it was asked for.
struct Clients {
    identity: Option<ProcessIdentity>,
    query_id: i64,
    identified: Cell<u32>,
}

impl Processes for Clients {
    fn identity(&self, _: usize, _: i32) -> Option<ProcessIdentity> {
        self.identified.set(self.identified.get() + 1);
        self.identity.clone()
    }

    fn query_id(&self, _: usize) -> i64 {
        self.query_id
    }

    fn session_state(&self, _: usize, _: i32) -> Option<SessionState> {
        Some(SessionState::Unknown)
    }
}

fn identity(database: u32, application: &str) -> ProcessIdentity {
    let (backend_type, application) = ("client backend".to_owned(), application.to_owned());
    ProcessIdentity { backend_type, database, role: 7, application, stateless: false }
}

fn clients(identity: ProcessIdentity) -> Clients {
    Clients { identity: Some(identity), query_id: 42, identified: Cell::new(0) }
}

fn wait_times(dimensions: Dimensions) -> WaitTimes {
    WaitTimes::new(dimensions, 4)
}

/// Class, event, database, application, query id and microseconds.
type Row = (String, String, Option<String>, Option<String>, Option<i64>, u64);

/// The rows in the order of their keys.
fn rows(times: &mut WaitTimes) -> Vec<Row> {
    let names = |wait: u32| (format!("class {}", wait >> 24), format!("event {}", wait & 0xFF));
    let name = |number| match number {
        CatalogueName::Database(1) => Some("sales".to_owned()),
        CatalogueName::Database(_) | CatalogueName::Role(_) => None,
    };
    let row = |(key, us): (WaitKey, u64)| {
        (key.class, key.event, key.session.database, key.session.application, key.session.query_id, us)
    };
    times.drain(NOW, &clients(ProcessIdentity::default()), names, name).rows.into_iter().map(row).collect()
}

/// Microseconds of each row, in the order of its key.
fn times_of(times: &mut WaitTimes) -> Vec<u64> {
    rows(times).into_iter().map(|row| row.5).collect()
}

#[test]
fn a_state_that_lasts_is_one_row_and_its_process_is_identified_once() {
    let (mut times, processes) = (wait_times(Dimensions::default()), clients(identity(1, "psql")));
    for _ in 0..3 {
        times.begin_sweep(10, NOW, &processes);
        times.add(0, 100, READ, 10, &processes);
        times.add(1, 101, READ, 10, &processes);
    }
    let expected = ("class 10".to_owned(), "event 1".to_owned(), None, None, None, 60);
    assert_eq!(rows(&mut times), [expected]);
    assert_eq!(processes.identified.get(), 2);
    assert!(rows(&mut times).is_empty());
}

#[test]
fn a_process_without_a_wait_event_is_on_a_cpu() {
    let (mut times, processes) = (wait_times(Dimensions::default()), clients(identity(1, "psql")));
    times.add(0, 100, 0, 10, &processes);
    times.add(0, 100, SYNC, 5, &processes);
    let row = |class: &str, event: &str, us| (class.to_owned(), event.to_owned(), None, None, None, us);
    assert_eq!(rows(&mut times), [row(WaitKey::CPU, WaitKey::CPU, 10), row("class 10", "event 2", 5)]);
}

#[test]
fn only_tracked_dimensions_make_rows() {
    let all = Dimensions { database: true, application: true, query_id: true, ..Dimensions::default() };
    for (dimensions, expected) in [(Dimensions::default(), 1), (all, 2)] {
        let mut times = wait_times(dimensions);
        times.add(0, 100, READ, 10, &clients(identity(1, "psql")));
        times.add(1, 101, READ, 10, &clients(identity(1, "pgbench")));
        assert_eq!(times_of(&mut times).len(), expected);
    }
    let mut times = wait_times(all);
    times.add(0, 100, READ, 10, &clients(identity(1, "psql")));
    let row = rows(&mut times).remove(0);
    assert_eq!((row.2.as_deref(), row.3.as_deref(), row.4), (Some("sales"), Some("psql"), Some(42)));
}

#[test]
fn identities_that_have_one_name_are_one_row() {
    let mut times = wait_times(Dimensions { database: true, ..Dimensions::default() });
    // Neither of the two databases has a name any more.
    times.add(0, 100, READ, 10, &clients(identity(2, "")));
    times.add(1, 101, READ, 5, &clients(identity(3, "")));
    assert_eq!(times_of(&mut times), [15]);
}

#[test]
fn a_new_query_in_the_same_wait_is_another_row() {
    let mut times = wait_times(Dimensions { query_id: true, ..Dimensions::default() });
    let first = clients(identity(1, ""));
    times.add(0, 100, READ, 10, &first);
    times.add(0, 100, READ, 5, &Clients { query_id: 43, ..first });
    assert_eq!(times_of(&mut times), [10, 5]);
}

#[test]
fn a_process_that_waits_for_its_client_runs_no_query() {
    let mut times = wait_times(Dimensions { query_id: true, ..Dimensions::default() });
    times.add(0, 100, CLIENT_READ, 10, &clients(identity(1, "")));
    assert_eq!(rows(&mut times)[0].4, None);
}

#[test]
fn a_client_that_starts_is_identified_again() {
    let (mut times, mut processes) = (wait_times(Dimensions::default()), clients(identity(0, "")));
    times.add(0, 100, READ, 10, &processes);
    times.add(0, 100, READ, 10, &processes);
    processes.identity = Some(ProcessIdentity { stateless: true, ..identity(1, "") });
    times.add(0, 100, READ, 10, &processes);
    processes.identity = Some(identity(1, "psql"));
    times.add(0, 100, READ, 10, &processes);
    times.add(0, 100, READ, 10, &processes);
    assert_eq!(processes.identified.get(), 4);
    assert_eq!(times_of(&mut times), [50]);
}

#[test]
fn own_workers_and_processes_that_cannot_be_identified_do_not_count() {
    let mut times = wait_times(Dimensions::default());
    let own = ProcessIdentity { backend_type: "ebs_advisor sampler".to_owned(), ..ProcessIdentity::default() };
    times.add(0, 100, READ, 10, &clients(own));
    times.add(1, 101, READ, 10, &Clients { identity: None, ..clients(identity(1, "")) });
    assert!(rows(&mut times).is_empty());
}

#[test]
fn a_slot_with_another_process_is_another_state() {
    let mut times = wait_times(Dimensions { database: true, ..Dimensions::default() });
    times.add(0, 100, READ, 10, &clients(identity(1, "")));
    times.add(0, 200, READ, 5, &clients(identity(2, "")));
    assert_eq!(times_of(&mut times), [5, 10]);
}

#[test]
fn states_beyond_the_limit_are_counted_together() {
    let mut times = wait_times(Dimensions { query_id: true, ..Dimensions::default() });
    let mut processes = clients(identity(1, ""));
    for query_id in 1..=MAX_CELLS as i64 {
        processes.query_id = query_id;
        times.add(0, 100, READ, 10, &processes);
    }
    let rows = rows(&mut times);
    // Two cells are those of ignored processes and of the overflow.
    assert_eq!(rows.len(), MAX_CELLS - 1);
    let other = rows.into_iter().find(|row| row.0 == "other").unwrap();
    assert_eq!((other.1.as_str(), other.4, other.5), ("other", None, 20));
}

#[test]
fn forgotten_processes_are_identified_again_and_sweeps_stay() {
    let (mut times, processes) = (wait_times(Dimensions::default()), clients(identity(1, "old")));
    times.begin_sweep(10, NOW, &processes);
    times.add(0, 100, READ, 10, &processes);
    assert_eq!(times_of(&mut times), [10]);
    times.begin_sweep(7, NOW, &processes);
    times.forget_processes(Dimensions { application: true, ..Dimensions::default() });
    times.add(0, 100, READ, 7, &clients(identity(1, "new")));
    let totals = times.drain(NOW, &processes, |_| (String::new(), String::new()), |_| None);
    assert_eq!((totals.sweeps, totals.swept_us), (1, 7));
    assert_eq!(totals.rows.keys().next().unwrap().session.application.as_deref(), Some("new"));
}
