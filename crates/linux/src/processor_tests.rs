use proptest::prelude::*;

use super::*;

const POSTMASTER: i32 = 100;

/// A process that started at `started` and used so many microseconds itself, and its ended children so many.
fn process(started: u64, own_us: u64, ended_us: u64) -> Process {
    Process { parent: 1, kernel: false, started, times: TimeCounts { own_us, ended_us } }
}

/// A look at a postmaster whose ended children used so much, and these children, which are all clients.
fn look<const N: usize>(ended_us: u64, children: [(i32, Process); N], others: Others) -> Look {
    let clients = children.iter().map(|(pid, _)| *pid).collect();
    let server = [(POSTMASTER, process(1, 0, ended_us))].into_iter().chain(children).collect();
    Look { server, clients, others }
}

fn alone() -> Others {
    Others::Seen(Processes::new())
}

/// Microseconds of clients, server and machine after the last of these looks.
fn counted(looks: impl IntoIterator<Item = Look>) -> Option<(u64, u64, u64)> {
    let mut processor = Processor::default();
    let last = looks.into_iter().map(|look| processor.count(look)).last()??;
    Some((last.client_us, last.server_us, last.host_us))
}

#[test]
fn the_first_look_is_compared_with() {
    assert_eq!(counted([look(7, [(101, process(2, 5, 0))], alone())]), Some((0, 0, 0)));
}

#[test]
fn what_ended_is_the_servers_and_what_was_seen_of_it_counts_once() {
    let before = look(1_000, [(101, process(2, 50, 0)), (102, process(3, 70, 0))], alone());
    // 101 went on by 20 and ended, one that was never seen used 5; 102 went on by 30; 103 is new.
    let after = look(1_000 + 70 + 5, [(102, process(3, 100, 0)), (103, process(9, 11, 0))], alone());
    assert_eq!(counted([before.clone(), after.clone()]), Some((30 + 11, 20 + 5 + 30 + 11, 66)));
    let mut processor = Processor::default();
    processor.count(before);
    assert_eq!(processor.count(after).map(|counts| counts.ended_us), Some(20 + 5));
}

#[test]
fn a_process_id_that_came_again_is_another_process() {
    let before = look(0, [(101, process(2, 50, 0))], alone());
    let after = look(60, [(101, process(8, 7, 0))], alone());
    assert_eq!(counted([before, after]), Some((7, 10 + 7, 17)));
}

#[test]
fn what_was_in_neither_place_is_found_at_the_next_look() {
    let before = look(0, [(101, process(2, 50, 0))], alone());
    let [between, after] = [look(0, [], alone()), look(60, [], alone())];
    assert_eq!(counted([before.clone(), between.clone()]), Some((0, 0, 0)));
    assert_eq!(counted([before, between, after]), Some((0, 10, 10)));
}

#[test]
fn what_others_did_that_nobody_waited_for_is_not_taken_from_the_rest() {
    let others = |rows: &[(i32, Process)]| look(0, [], Others::Seen(rows.iter().cloned().collect()));
    let kernel = |own_us| Process { kernel: true, ..process(5, own_us, 0) };
    let shell = |ended_us| (200, process(2, 0, ended_us));
    // A kernel thread ends, and the shell has waited for a child that was never seen.
    let (before, after) = (others(&[shell(0), (9, kernel(900))]), others(&[shell(40)]));
    assert_eq!(counted([before, after]), Some((0, 0, 40)));
    // A process that nobody waits for ends: it hides what others' children did at two looks, and no longer.
    let daemon = (300, process(3, 500, 0));
    let looks = [others(&[shell(0), daemon]), others(&[shell(40)]), others(&[shell(70)]), others(&[shell(170)])];
    assert_eq!(counted(looks), Some((0, 0, 100)));
}

#[test]
fn threads_of_the_kernel_are_part_of_the_machine_and_told_apart() {
    let others =
        |rows: &[(i32, Process)]| look(0, [(101, process(2, 5, 0))], Others::Seen(rows.iter().cloned().collect()));
    let kernel = |started, own_us| Process { kernel: true, ..process(started, own_us, 0) };
    let mut processor = Processor::default();
    processor.count(others(&[(9, kernel(5, 100)), (10, kernel(6, 50)), (200, process(2, 300, 0))]));
    // One went on by 30, one ended, one that is new has its number and used 7, and a process used 4.
    let after = others(&[(9, kernel(5, 130)), (10, kernel(70, 7)), (200, process(2, 304, 0))]);
    let counts = processor.count(after).unwrap();
    assert_eq!((counts.kernel_us, counts.host_us, counts.server_us), (37, 41, 0));
}

#[test]
fn ticks_are_marked_and_never_less_than_the_server() {
    let ticked = |own_us, busy_us| look(0, [(101, process(2, own_us, 0))], Others::Ticked(MachineCounts { busy_us }));
    let mut processor = Processor::default();
    processor.count(ticked(0, 1_000));
    let more =
        ProcessorCounts { client_us: 10, ended_us: 0, server_us: 10, host_us: 50, host_ticked_us: 50, kernel_us: 0 };
    assert_eq!(processor.count(ticked(10, 1_050)), Some(more));
    let missed =
        ProcessorCounts { client_us: 40, ended_us: 0, server_us: 40, host_us: 80, host_ticked_us: 80, kernel_us: 0 };
    assert_eq!(processor.count(ticked(40, 1_050)), Some(missed));
    // Counted in another way, and back: nothing can be said of the time between.
    assert_eq!(processor.count(look(0, [], alone())), None);
    assert_eq!(processor.count(look(0, [(102, process(2, 5, 0))], alone())).map(|counts| counts.host_us), Some(85));
}

#[test]
fn after_a_look_that_failed_counting_begins_anew() {
    let at = |own_us| look(0, [(101, process(2, own_us, 0))], alone());
    let mut processor = Processor::default();
    processor.count(at(0));
    processor.count(at(10));
    processor.forget();
    assert_eq!(processor.count(at(500)).map(|counts| counts.server_us), Some(10));
    assert_eq!(processor.count(at(501)).map(|counts| counts.server_us), Some(11));
}

proptest! {
    /// Children of the postmaster that begin after a look, work for some looks, and end; some are in no place at one.
    #[test]
    fn no_time_of_the_server_is_lost_or_counted_twice(
        lives in prop::collection::vec((0u64..5, 0u64..4, 0u64..1_000, prop::bool::ANY), 0..20),
    ) {
        let whole_us = |&(_, length, each_us, _): &(u64, u64, u64, bool)| (length + 1) * each_us;
        let at = |now: u64| {
            let (mut ended_us, mut server) = (0, Processes::new());
            for (pid, life) in (101..).zip(&lives) {
                let (start, length, each_us, missed) = *life;
                match now.saturating_sub(start) {
                    0 => (),
                    age if age <= length => drop(server.insert(pid, process(start, age * each_us, 0))),
                    age if missed && age == length + 1 => (),
                    _ => ended_us += whole_us(life),
                }
            }
            server.insert(POSTMASTER, process(0, 0, ended_us));
            Look { server, clients: Vec::new(), others: alone() }
        };
        let all_us: u64 = lives.iter().map(whole_us).sum();
        prop_assert_eq!(counted((0..10).map(at)), Some((0, all_us, all_us)));
    }

    #[test]
    fn clients_are_part_of_the_server_and_the_server_of_the_machine(
        looks in prop::collection::vec(prop::collection::vec((0i32..6, 0u64..3, 0u64..100, 0u64..100), 0..6), 2..8),
    ) {
        let mut processor = Processor::default();
        let mut last = ProcessorCounts::default();
        for rows in looks {
            let all: Processes = rows.iter().map(|&(pid, started, own, ended)| (pid, process(started, own, ended))).collect();
            let (server, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(pid, _)| *pid < 3);
            let clients = vec![1, 2];
            let others = Others::Seen(others.into_iter().collect());
            let now = processor.count(Look { server: server.into_iter().collect(), clients, others }).unwrap();
            prop_assert!(now.since(last) != Delta::Reset);
            prop_assert!(now.client_us + now.ended_us <= now.server_us && now.server_us <= now.host_us);
            last = now;
        }
    }
}
