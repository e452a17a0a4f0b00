//! Statements between two readings, and what of them reached the device.

use std::collections::BTreeMap;

use proptest::prelude::*;

use ebs_base::counter::Counters;
use ebs_fixtures::statements::{BLOCK, key};
use ebs_samples::evidence::CounterDelta as Device0;
use ebs_samples::evidence::{
    DeviceCounts, Interval, IoCounts, IoKey, IoTotals, Role, StorageCounts, StorageLayout, TempCounts, Timed, Totals,
    Volume, WalCounts, Window,
};
use ebs_workload::statements::*;

const TEN_S_US: i64 = 10_000_000;

fn entry(calls: u64, blocks_read: u64, since_us: Option<i64>) -> Entry {
    Entry { since_us, counts: StatementCounts { calls, blocks_read, ..StatementCounts::default() } }
}

fn statements(entries: &[(i64, Entry)]) -> Statements {
    Statements {
        reset_us: Some(1),
        evictions: Some(0),
        timed: true,
        roles: BTreeMap::from([(10, "app".to_owned())]),
        entries: entries.iter().map(|(id, entry)| (key(*id), *entry)).collect(),
        ..Statements::default()
    }
}

fn ten_seconds(before: &Statements, after: &Statements) -> Observed {
    between((0, before), (TEN_S_US, after), BLOCK)
}

#[test]
fn a_statement_counts_what_it_did_in_between() {
    let before = statements(&[(1, entry(100, 1000, None)), (2, entry(5, 5, None))]);
    let after = statements(&[(1, entry(120, 1400, None)), (2, entry(5, 5, None)), (3, entry(1, 7, None))]);
    let observed = ten_seconds(&before, &after);
    let brief: Vec<_> = observed.statements.iter().map(|s| (s.query_id, s.calls, s.blocks_read, s.known)).collect();
    // The second did nothing.
    assert_eq!(brief, [(1, 20, 400, Known::Whole), (3, 1, 7, Known::Whole)]);
    let first = &observed.statements[0];
    assert_eq!((first.per_second(400.0), first.per_call(400.0)), (Some(40.0), Some(20.0)));
    assert_eq!(first.role.as_deref(), Some("app"));
}

#[test]
fn a_reset_of_all_counts_from_then_on() {
    let before = statements(&[(1, entry(100, 1000, None)), (2, entry(1, 1, None))]);
    let mut after = statements(&[(1, entry(3, 30, None))]);
    after.reset_us = Some(4_000_000);
    let observed = ten_seconds(&before, &after);
    let first = &observed.statements[0];
    assert_eq!((first.calls, first.known, first.seconds), (3, Known::SinceReset, 6.0));
    assert_eq!((observed.reset_us, observed.lost.len()), (Some(4_000_000), 0));
}

#[test]
fn one_that_was_counted_anew_is_told_by_its_counters_or_by_its_time() {
    let lower = ten_seconds(&statements(&[(1, entry(100, 1000, None))]), &statements(&[(1, entry(2, 20, None))]));
    assert_eq!((lower.statements[0].calls, lower.statements[0].known), (2, Known::SinceAnew));
    // More than before, and another one all the same: 17 tells.
    let before = statements(&[(1, entry(100, 1000, Some(-5)))]);
    let later = ten_seconds(&before, &statements(&[(1, entry(150, 1500, Some(8_000_000)))]));
    let first = &later.statements[0];
    assert_eq!((first.calls, first.known, first.seconds), (150, Known::SinceAnew, 2.0));
}

#[test]
fn where_statements_were_evicted_what_is_not_certain_is_said() {
    let before = statements(&[(1, entry(100, 1000, None)), (2, entry(9, 9, None))]);
    let mut after = statements(&[(1, entry(120, 1400, None)), (3, entry(1, 1, None))]);
    after.evictions = Some(4);
    let observed = ten_seconds(&before, &after);
    assert_eq!(observed.evictions, Some(4));
    assert_eq!(observed.lost.iter().map(|lost| lost.key.query_id).collect::<Vec<_>>(), [2]);
    assert!(observed.statements.iter().all(|statement| statement.known == Known::AtLeast));
    // With the time since when it is counted the first is certain.
    let since = |statements: &Statements| {
        let mut statements = statements.clone();
        statements.entries.values_mut().for_each(|entry| entry.since_us = Some(-1));
        statements
    };
    let certain = ten_seconds(&since(&before), &since(&after));
    assert_eq!(certain.statements[0].known, Known::Whole);
}

#[test]
fn time_that_was_not_measured_is_not_zero() {
    let mut before = statements(&[(1, entry(1, 1, None))]);
    let after = statements(&[(1, entry(2, 2, None))]);
    assert_eq!(ten_seconds(&before, &after).statements[0].read_ms, Some(0.0));
    before.timed = false;
    assert_eq!(ten_seconds(&before, &after).statements[0].read_ms, None);
}

#[test]
fn what_is_stored_reads_the_same_and_what_was_damaged_does_not() {
    let reading = statements(&[(i64::MIN, entry(1, 2, Some(3))), (7, entry(0, 0, None))]);
    let document = serde_json::to_value(&reading).unwrap();
    assert_eq!(serde_json::from_value::<Statements>(document.clone()).unwrap(), reading);
    for (path, value) in [("/entries/columns/3", "x".into()), ("/entries/rows/0/5", serde_json::json!(-1))] {
        let mut damaged = document.clone();
        *damaged.pointer_mut(path).unwrap() = value;
        assert!(serde_json::from_value::<Statements>(damaged).is_err(), "{path}");
    }
}

/// Ten seconds in which PostgreSQL read so many bytes, its processes fetched and the device moved so many, in so many reads.
fn window(postgres: u64, processes: Option<u64>, device: u64, reads: u64) -> Window {
    let known_us = TEN_S_US as u64;
    let key = IoKey { backend_type: "client backend".into(), object: "relation".into(), context: "normal".into() };
    let rows = vec![(key, IoCounts { read_bytes: postgres, ..IoCounts::default() })];
    let counted = DeviceCounts { reads, read_bytes: device, writes: reads, write_bytes: 0, ..DeviceCounts::default() };
    let storage = |read_bytes| Timed { counts: StorageCounts { read_bytes, ..StorageCounts::default() }, known_us };
    let volume = Volume { device: "nvme1n1".into(), roles: vec![Role::Data], ..Volume::default() };
    Window {
        to_us: TEN_S_US,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        current: vec![0],
        intervals: vec![Interval {
            at_us: TEN_S_US,
            dt_us: known_us,
            interval_us: known_us,
            downsampled_us: 0,
            devices: [(0, Device0::Known(counted))].into(),
            reset: false,
        }],
        totals: Totals {
            io: IoTotals { rows, known_us, ..IoTotals::default() },
            temp: Timed { counts: TempCounts::default(), known_us },
            storage: processes.map(storage).unwrap_or_default(),
            wal: Timed { counts: WalCounts { bytes: 1000, ..WalCounts::default() }, known_us },
            ..Totals::default()
        },
        ..Window::default()
    }
}

fn reading(blocks: &[u64]) -> Observed {
    let entries: Vec<(i64, Entry)> = (1..).zip(blocks).map(|(id, blocks)| (id, entry(1, *blocks, None))).collect();
    ten_seconds(&statements(&[]), &statements(&entries))
}

#[test]
fn without_a_page_cache_all_reads_reach_the_device() {
    let mut observed = reading(&[600, 400]);
    let device = attribute(&mut observed, &window(1000 * BLOCK, Some(1000 * BLOCK), 1000 * BLOCK, 1000)).unwrap();
    assert_eq!((device.passed, device.by_processes), (1.0, true));
    let first = &observed.statements[0];
    assert_eq!((first.device_reads_s, first.device_reads_range), (Some(60.0), Some((60.0, 60.0))));
    // As many writes as reads.
    assert_eq!(first.demand_share, Some(0.3));
    assert_eq!(device.rest_reads_s(&observed.statements), 0.0);
}

#[test]
fn the_page_caches_share_is_taken_off_with_its_doubt() {
    let mut observed = reading(&[600, 400]);
    // Half of what PostgreSQL read was cached, and vacuum's 1,000 blocks are in it too.
    let device = attribute(&mut observed, &window(2000 * BLOCK, Some(1000 * BLOCK), 1000 * BLOCK, 500)).unwrap();
    assert_eq!(device.passed, 0.5);
    let first = &observed.statements[0];
    // 60 blocks a second, half of them cached, two blocks a request; all or none of them may have been cached.
    assert_eq!((first.device_reads_s, first.device_reads_range), (Some(15.0), Some((0.0, 30.0))));
    assert_eq!(device.rest_reads_s(&observed.statements), 25.0);
}

#[test]
fn without_the_balance_nothing_is_said_of_the_device() {
    let mut observed = reading(&[600]);
    let mut blind = window(1, None, 1, 1);
    blind.totals.io = IoTotals::default();
    assert_eq!(attribute(&mut observed, &blind), None);
    assert_eq!(observed.statements[0].device_reads_s, None);
}

proptest! {
    #[test]
    fn a_difference_is_never_negative_and_never_more_than_was_counted(
        before in prop::collection::vec((0u64..1000, 0u64..1000), 0..6), after in prop::collection::vec((0u64..1000, 0u64..1000), 0..6),
        evictions in 0u64..3, reset: bool,
    ) {
        let of = |rows: &[(u64, u64)]| {
            let rows: Vec<_> = (0..).zip(rows).map(|(id, (calls, blocks))| (id, entry(*calls, *blocks, None))).collect();
            statements(&rows)
        };
        let (old, mut new) = (of(&before), of(&after));
        new.evictions = Some(evictions);
        new.reset_us = Some(if reset { 3 } else { 1 });
        let observed = ten_seconds(&old, &new);
        for statement in &observed.statements {
            let now = new.entries[&statement.key()].counts;
            let earlier = old.entries.get(&statement.key()).map(|entry| entry.counts).unwrap_or_default();
            prop_assert!(statement.calls <= now.calls && statement.blocks_read <= now.blocks_read);
            match statement.known {
                Known::Whole | Known::AtLeast => prop_assert_eq!(
                    earlier.plus(StatementCounts { calls: statement.calls, blocks_read: statement.blocks_read, ..StatementCounts::default() }),
                    now
                ),
                Known::SinceReset => prop_assert!(reset && statement.calls == now.calls),
                Known::SinceAnew => prop_assert!(!reset && (now.calls < earlier.calls || now.blocks_read < earlier.blocks_read)),
            }
            prop_assert!(statement.seconds >= 0.0 && statement.seconds <= 10.0);
        }
        prop_assert!(observed.statements.is_sorted_by(|a, b| a.blocks_read >= b.blocks_read));
        let gone = old.entries.keys().filter(|key| !new.entries.contains_key(key)).count();
        prop_assert_eq!(observed.lost.len(), if reset { 0 } else { gone });
    }

    #[test]
    fn shares_add_up_to_the_devices_and_lie_in_their_ranges(
        blocks in prop::collection::vec(1u64..100_000, 1..8), postgres in 0u64..1_000_000, processes: Option<u32>, device: u32, reads in 1u64..1_000_000,
    ) {
        let mut observed = reading(&blocks);
        let window = window(postgres * BLOCK, processes.map(u64::from), device.into(), reads);
        let all = attribute(&mut observed, &window).unwrap();
        let sum: f64 = observed.statements.iter().filter_map(|statement| statement.device_reads_s).sum();
        prop_assert!(sum <= all.reads_s * (1.0 + 1e-9), "{} of {}", sum, all.reads_s);
        prop_assert!((sum + all.rest_reads_s(&observed.statements) - all.reads_s).abs() <= 1e-9 * all.reads_s);
        for statement in &observed.statements {
            let (middle, (low, high)) = (statement.device_reads_s.unwrap(), statement.device_reads_range.unwrap());
            prop_assert!(0.0 <= low && low <= middle && middle <= high && high <= all.reads_s * (1.0 + 1e-9));
            prop_assert!(statement.demand_share.unwrap() <= 1.0);
        }
    }
}
