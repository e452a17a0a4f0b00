use proptest::prelude::*;

use super::*;
use ebs_samples::evidence::{
    CounterDelta, DeviceCounts, Interval, IoCounts, IoKey, IoTotals, Role, StorageLayout, TempCounts, Timed, Totals,
    UnresolvedRole, Volume,
};

const MINUTE_US: u64 = 60_000_000;

fn row(backend_type: &str, object: &str, context: &str, [read, write, extend]: [u64; 3]) -> (IoKey, IoCounts) {
    let key = IoKey { backend_type: backend_type.into(), object: object.into(), context: context.into() };
    (key, IoCounts { read_bytes: read, write_bytes: write, extend_bytes: extend, ..IoCounts::default() })
}

/// A minute on one volume.
fn window(rows: Vec<(IoKey, IoCounts)>, storage: Option<[u64; 4]>, device: (u64, u64)) -> Window {
    let known_us = MINUTE_US;
    let counts = |[read_bytes, write_bytes, cancelled_bytes, handed_bytes]: [u64; 4]| StorageCounts {
        read_bytes,
        write_bytes,
        cancelled_bytes,
        handed_bytes,
    };
    let (read_bytes, write_bytes) = device;
    let counted = DeviceCounts { read_bytes, write_bytes, ..DeviceCounts::default() };
    let volume = Volume { device: "nvme1n1".into(), roles: vec![Role::Data, Role::Wal], ..Volume::default() };
    Window {
        to_us: MINUTE_US as i64,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        current: vec![0],
        intervals: vec![Interval {
            at_us: MINUTE_US as i64,
            dt_us: MINUTE_US,
            interval_us: MINUTE_US,
            downsampled_us: 0,
            devices: [(0, CounterDelta::Known(counted))].into(),
            reset: false,
        }],
        totals: Totals {
            io: IoTotals { rows, known_us, ..IoTotals::default() },
            temp: Timed { counts: TempCounts::default(), known_us },
            storage: storage.map(|bytes| Timed { counts: counts(bytes), known_us }).unwrap_or_default(),
            ..Totals::default()
        },
        ..Window::default()
    }
}

fn bytes(window: &Window, name: &str) -> (Option<i64>, Option<i64>) {
    let lines = lines(window);
    let line = lines.iter().find(|line| line.subject.name() == name).unwrap_or_else(|| panic!("no line {name}"));
    (line.bytes.read, line.bytes.write)
}

#[test]
fn rows_of_pg_stat_io_are_lines() {
    let rows = vec![
        row("client backend", "relation", "normal", [100, 10, 7]),
        row("client backend", "relation", "bulkread", [50, 0, 0]),
        row("client backend", "relation", "vacuum", [5, 6, 0]),
        row("autovacuum worker", "relation", "normal", [1, 2, 3]),
        row("client backend", "temp relation", "normal", [1, 20, 30]),
        row("background worker", "relation", "bulkread", [9, 0, 0]),
        row("checkpointer", "relation", "normal", [0, 40, 0]),
        row("walwriter", "wal", "normal", [0, 60, 0]),
        row("client backend", "wal", "normal", [0, 70, 0]),
        row("client backend", "wal", "init", [0, 80, 0]),
    ];
    let window = window(rows, None, (0, 0));
    assert_eq!(bytes(&window, "client backends"), (Some(150), Some(10)));
    assert_eq!(bytes(&window, "vacuum"), (Some(6), Some(8)));
    assert_eq!(bytes(&window, "checkpointer"), (Some(0), Some(40)));
    assert_eq!(bytes(&window, "background writer"), (Some(0), Some(0)));
    assert_eq!(bytes(&window, "extends"), (Some(0), Some(10)));
    assert_eq!(bytes(&window, "temporary tables"), (Some(1), Some(50)));
    assert_eq!(bytes(&window, "WAL"), (Some(0), Some(130)));
    assert_eq!(bytes(&window, "new WAL segments"), (Some(0), Some(80)));
    assert_eq!(bytes(&window, "other processes"), (Some(9), Some(0)));
}

#[test]
fn what_16_and_17_do_not_count_is_not_zero() {
    let window = window(vec![row("any", "wal", "normal", [0, 60, 0])], None, (0, 0));
    assert_eq!(bytes(&window, "WAL"), (None, Some(60)));
    assert_eq!(bytes(&window, "new WAL segments"), (None, None));
    assert_eq!(Balance::from_window(&window).writes.postgres, Some(60));
}

#[test]
fn a_cold_read_goes_through_and_a_cached_one_is_absorbed() {
    let reads = || vec![row("client backend", "relation", "bulkread", [1000, 0, 0])];
    let cold = window(reads(), Some([1000, 0, 0, 0]), (1010, 0));
    let split = |window| ["page cache", "unattributed", "others", "residual"].map(|name| bytes(window, name).0);
    assert_eq!(split(&cold), [Some(0), Some(0), Some(10), Some(0)]);
    let cached = window(reads(), Some([0; 4]), (0, 0));
    assert_eq!(split(&cached), [Some(-1000), Some(0), Some(0), Some(0)]);
}

#[test]
fn a_temporary_file_that_was_never_written_back_is_taken_off() {
    let mut window = window(vec![], Some([0, 500, 500, 500]), (0, 0));
    window.totals.temp.counts.bytes = 500;
    assert_eq!(bytes(&window, "temporary files"), (None, Some(500)));
    assert_eq!(bytes(&window, "page cache").1, Some(-500));
    assert_eq!(Balance::from_window(&window).writes.processes, Some(0));
}

#[test]
fn of_two_upper_bounds_the_lower_holds() {
    let sent = |counts| Balance::from_window(&window(vec![], Some(counts), (0, 0))).writes.processes;
    // Pages of large folios; pages written several times; files removed whose pages became dirty before the window.
    assert_eq!([sent([0, 9000, 0, 500]), sent([0, 300, 0, 500]), sent([0, 300, 400, 500])], [500, 300, 0].map(Some));
}

#[test]
fn without_the_processes_the_kernel_is_one_line() {
    let window = window(vec![row("client backend", "relation", "normal", [100, 0, 0])], None, (30, 0));
    assert_eq!(["page cache", "unattributed", "others", "residual"].map(|name| bytes(&window, name).0), [None; 4]);
    assert_eq!(bytes(&window, "not told apart"), (Some(-70), Some(0)));
    assert_eq!(Balance::from_window(&window).others_share(), None);
}

#[test]
fn a_part_known_for_less_of_the_time_is_not_compared() {
    let mut window = window(vec![row("checkpointer", "relation", "normal", [0, 100, 0])], Some([0; 4]), (0, 100));
    window.totals.io.known_us = 50_000_000;
    assert_eq!(Balance::from_window(&window).writes.postgres, None);
    let gap = Gap { known_s: 50.0, sampled_s: 60.0 };
    assert_eq!(lines(&window)[0].subject, Subject::AllSources(gap));
    window.totals.io.known_us = 59_000_000;
    assert_eq!(Balance::from_window(&window).writes.postgres, Some(100));
}

#[test]
fn a_device_that_was_not_read_is_not_zero() {
    let mut blind = window(vec![], Some([0; 4]), (0, 0));
    blind.intervals[0].devices = [(0, CounterDelta::Failed)].into();
    assert_eq!((bytes(&blind, "nvme1n1"), bytes(&blind, "others")), ((None, None), (None, None)));
    let mut memory = window(vec![], Some([0; 4]), (0, 0));
    memory.current.clear();
    memory.layout.unresolved = vec![UnresolvedRole { role: Role::Data, reason: "it is on tmpfs".into() }];
    assert_eq!(bytes(&memory, "data"), (None, None));
    assert_eq!(Balance::from_window(&memory).reads.device, None);
}

#[test]
fn others_are_a_share_of_the_device() {
    let shared = window(vec![], Some([100, 100, 0, 100]), (100, 300));
    assert_eq!(Balance::from_window(&shared).others_share(), Some(0.5));
}

proptest! {
    #[test]
    fn the_lines_add_up_to_the_device(
        client: [u32; 3], checkpointer: [u32; 3], wal: [u32; 3], before_18: bool,
        storage: Option<[u32; 4]>, temp_files: Option<u32>, device: (u32, u32),
    ) {
        let wide = |counts: [u32; 3]| counts.map(u64::from);
        let writer = if before_18 { "any" } else { "walwriter" };
        let rows = vec![
            row("client backend", "relation", "normal", wide(client)),
            row("checkpointer", "relation", "normal", wide(checkpointer)),
            // WAL is never extended, and before 18 its reads are not counted.
            row(writer, "wal", "normal", [if before_18 { 0 } else { wal[0].into() }, wal[1].into(), 0]),
        ];
        let mut window = window(rows, storage.map(|counts| counts.map(u64::from)), (device.0.into(), device.1.into()));
        window.totals.temp = temp_files
            .map(|bytes| Timed { counts: TempCounts { files: 1, bytes: bytes.into() }, known_us: MINUTE_US })
            .unwrap_or_default();
        let lines = lines(&window);
        for way in [|bytes: &Bytes| bytes.read, |bytes: &Bytes| bytes.write] {
            let sum = |device: bool| lines.iter().filter(|line| (line.subject.side() == Side::Device) == device)
                .filter_map(|line| way(&line.bytes)).sum::<i64>();
            prop_assert_eq!(sum(false), sum(true));
        }
        for account in [Balance::from_window(&window).reads, Balance::from_window(&window).writes] {
            prop_assert!(account.page_cache() <= Some(0) && account.residual() <= Some(0));
            prop_assert!(account.unattributed() >= account.processes.map(|_| 0));
            prop_assert!(account.not_split().is_some() == storage.is_none());
        }
    }
}
