//! Shares worked out by hand. A block is ten seconds; MiB as bytes.

use super::*;
use ebs_base::units::MIB;
use ebs_samples::evidence::{Block, DeviceReadings, Role, Sample, StorageLayout, Timed, Totals, Volume};

/// Ten seconds on a data volume, and on one of WAL where that is given, MiB each second; and what the processes read and wrote.
fn block(number: i64, data: [(u64, u64); 10], wal: Option<u64>, processes: Option<(u64, u64)>) -> Block {
    let volume = |role: Role| Volume { roles: vec![role], ..Volume::default() };
    let counts = |read: u64, written: u64| DeviceCounts {
        reads: read * 128,
        read_bytes: read * MIB,
        read_ms: read * 64,
        writes: written * 128,
        write_bytes: written * MIB,
        write_ms: written * 64,
        weighted_ms: (read + written) * 64,
        ..DeviceCounts::default()
    };
    let sample = |(second, (read, written)): (i64, (u64, u64))| {
        let mut devices: DeviceReadings = [(0, CounterDelta::Known(counts(read, written)))].into();
        devices.extend(wal.map(|wal| (1, CounterDelta::Known(counts(0, wal)))));
        let at_us = (10 * number + second + 1) * 1_000_000;
        Sample { at_us, dt_us: 1_000_000, devices, reset: false }
    };
    let mut totals = Totals::default();
    if let Some((read, written)) = processes {
        let counts = StorageCounts {
            read_bytes: read * MIB,
            write_bytes: written * MIB,
            handed_bytes: written * MIB,
            cancelled_bytes: 0,
        };
        totals.storage = Timed { counts, known_us: 10_000_000 };
    }
    let roles = [Role::Data].into_iter().chain(wal.map(|_| Role::Wal));
    Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes: roles.map(volume).collect(), ..StorageLayout::default() },
        totals,
        samples: (0..).zip(data).map(sample).collect(),
        ..Block::default()
    }
}

fn window(blocks: Vec<Block>) -> Window {
    let to_us = 10_000_000 * blocks.len() as i64;
    Window::assemble(blocks, 0, to_us)
}

fn counts(window: &Window, interval: usize, volume: u16) -> DeviceCounts {
    let found = window.intervals[interval].devices.iter().find(|(index, _)| *index == volume);
    match found {
        Some((_, CounterDelta::Known(counts))) => *counts,
        other => panic!("{other:?}"),
    }
}

/// 5 MiB a second of PostgreSQL; in the second block 210 MiB more are read in one second: 50 of 260 are PostgreSQL's, 210 of others.
#[test]
fn others_are_taken_from_the_block_in_which_they_read() {
    let mut burst = [(5, 0); 10];
    burst[3] = (215, 0);
    let seen = window(vec![
        block(0, [(5, 0); 10], None, Some((50, 0))),
        block(1, burst, None, Some((50, 0))),
        block(2, [(5, 0); 10], None, Some((50, 0))),
    ]);
    let shares = IoShares::from_window(&seen).unwrap();
    assert!((shares.others - 210.0 / 360.0).abs() < 1e-9 && (shares.postgresql - 150.0 / 360.0).abs() < 1e-9);
    assert!((shares.others_in_busiest_block - 210.0 / 260.0).abs() < 1e-9, "{shares:?}");
    assert_eq!((shares.busiest_us, shares.busiest_s), (20_000_000, 10.0));
    let alone = keep_postgresql(seen).unwrap();
    assert_eq!(counts(&alone, 9, 0).read_bytes, 5 * MIB);
    // 215 × 50 / 260 = 41.35 MiB; 5 × 50 / 260 = 0.96.
    assert_eq!(counts(&alone, 13, 0).read_bytes, (215.0 * MIB as f64 * 50.0 / 260.0).round() as u64);
    assert_eq!(counts(&alone, 13, 0).reads, (215.0 * 128.0 * 50.0f64 / 260.0).round() as u64);
    assert_eq!(counts(&alone, 20, 0).read_bytes, 5 * MIB);
}

/// 100 MiB are written to the page cache in the first block, and by the device in the second: all are PostgreSQL's.
#[test]
fn writes_that_wait_are_the_next_blocks() {
    let seen =
        window(vec![block(0, [(1, 0); 10], None, Some((10, 100))), block(1, [(1, 10); 10], None, Some((10, 0)))]);
    assert!(IoShares::from_window(&seen).unwrap().others.abs() < 1e-9);
    assert_eq!(counts(&keep_postgresql(seen).unwrap(), 15, 0).write_bytes, 10 * MIB);
}

/// 20 MiB a second on the data volume, 4 of WAL: of 140 MiB that the processes wrote 40 are WAL, 100 of 200 data.
#[test]
fn a_volume_of_wal_is_postgresqls() {
    let seen = window(vec![block(0, [(0, 20); 10], Some(4), Some((0, 140)))]);
    let shares = IoShares::from_window(&seen).unwrap();
    assert!((shares.others - 100.0 / 240.0).abs() < 1e-9, "{shares:?}");
    let alone = keep_postgresql(seen).unwrap();
    assert_eq!((counts(&alone, 0, 0).write_bytes, counts(&alone, 0, 1).write_bytes), (10 * MIB, 4 * MIB));
    assert_eq!((counts(&alone, 0, 0).write_ms, counts(&alone, 0, 0).weighted_ms), (640, 640));
}

/// pg_stat_io counts pages that came from the page cache: no more than what the device moved.
#[test]
fn pg_stat_io_is_no_more_than_the_device() {
    let mut one = block(0, [(2, 0); 10], None, None);
    let key = ebs_samples::evidence::IoKey {
        backend_type: "client backend".into(),
        object: "relation".into(),
        context: "normal".into(),
    };
    let counted = |mib: u64| ebs_samples::evidence::IoCounts { read_bytes: mib * MIB, ..Default::default() };
    one.totals.io.rows = vec![(key.clone(), counted(500))];
    one.totals.io.known_us = 10_000_000;
    let mut half = one.clone();
    half.totals.io.rows = vec![(key, counted(10))];
    let others = |block: Block| IoShares::from_window(&window(vec![block])).unwrap().others;
    assert!(others(one).abs() < 1e-9 && (others(half) - 0.5).abs() < 1e-9);
}

/// Reads of a second, of whom PostgreSQL's bytes are the given share: requests, bytes, milliseconds and merges that are kept.
fn kept(reads: u64, bytes: u64, share: f64) -> (u64, u64, u64, u64) {
    let counts =
        DeviceCounts { reads, read_bytes: bytes, read_ms: reads, read_merges: 2 * reads, ..DeviceCounts::default() };
    let kept = scale(counts, &BlockShare { ended_us: 0, read: share, write: 1.0 });
    (kept.reads, kept.read_bytes, kept.read_ms, kept.read_merges)
}

/// Worked out by hand: 5,000 pages are 40,000 KiB, 156 reads of 1 MiB 159,744 KiB: 5,156 reads, of whose bytes 40,000 / 199,744 = 0.2003 are
/// PostgreSQL's. They are 5,000 pages at most; without others at most 5,156 − 159,744 / 1,280 = 5,031.2. Each keeps its 1 ms.
#[test]
fn a_backup_of_large_reads_leaves_the_pages() {
    let share = 40_000.0 / 199_744.0;
    assert_eq!(kept(5_156, 199_744 * 1_024, share), (5_000, 40_000 * 1_024, 5_000, 10_000));
}

/// Worked out by hand: PostgreSQL reads 800 times 128 KiB, a backup 100 times 1 MiB: half of the bytes. 100 MiB are 12,800 pages at most; without
/// others 900 − 102,400 / 1,280 = 820.
#[test]
fn large_requests_of_others_are_taken_off_by_the_largest_size() {
    assert_eq!(kept(900, 204_800 * 1_024, 0.5), (820, 102_400 * 1_024, 820, 1_640));
}

/// Worked out by hand: 640 reads of 16 KiB of either are 1,280 reads of 20 MiB. PostgreSQL's 10 MiB are 1,280 pages, others' at least 10,240 /
/// 1,280 = 8 requests: 1,272 are kept, since the others' may be few and large. Pages of 8 KiB are known: 1,280 of 2,560.
#[test]
fn equal_requests_are_told_apart_as_pages_alone() {
    assert_eq!(kept(1_280, 20 * MIB, 0.5).0, 1_272);
    assert_eq!(kept(2_560, 20 * MIB, 0.5).0, 1_280);
}

/// All or nothing of the bytes is all or nothing of the requests; requests smaller than a page have the share of the bytes.
#[test]
fn the_ends_of_the_shares_are_exact() {
    assert_eq!(kept(1_000, 100 * MIB, 0.0), (0, 0, 0, 0));
    assert_eq!(kept(1_000, 100 * MIB, 1.0), (1_000, 100 * MIB, 1_000, 2_000));
    assert_eq!(kept(1_000, 4_096_000, 0.5).0, 500);
}

/// 5 of 100 MiB in a block without counters are few enough, 6 are not; imports have none at all.
#[test]
fn a_share_is_known_or_refused() {
    let seen = |unknown: u64| {
        let mut last = [(0, 0); 10];
        last[0] = (unknown, 0);
        let mut first = [(0, 0); 10];
        first[0] = (100 - unknown, 0);
        window(vec![block(0, first, None, Some((40, 0))), block(1, last, None, None)])
    };
    assert!(keep_postgresql(seen(5)).is_some() && keep_postgresql(seen(6)).is_none());
    assert!(IoShares::from_window(&seen(6)).is_none());
    let import = window(vec![block(0, [(5, 5); 10], None, None)]);
    assert!(IoShares::from_window(&import).is_none() && keep_postgresql(import).is_none());
}

#[test]
fn a_source_is_found_by_its_name() {
    assert_eq!(IoSource::parse(" PostgreSQL "), Some(IoSource::Postgresql));
    assert_eq!([IoSource::parse("postgres"), IoSource::parse("")], [None, None]);
}
