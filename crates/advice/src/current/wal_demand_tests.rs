use super::*;
use ebs_samples::evidence::{IoKey, IoTotals, Timed, WalCounts, WalWriteCounts};

/// Seconds of 50 reads and so many writes of 8 KiB.
fn demand(writes: &[u64]) -> Demand {
    let interval = |writes: &u64| DemandInterval {
        seconds: 1.0,
        counts: DeviceCounts {
            reads: 50,
            read_bytes: 50 * 8_192,
            writes: *writes,
            write_bytes: writes * 8_192,
            write_ms: *writes,
            ..DeviceCounts::default()
        },
        ..DemandInterval::default()
    };
    Demand { timed: true, intervals: writes.iter().map(interval).collect(), ..Demand::default() }
}

/// A window of so many flushes and bytes of WAL in 10 s.
fn totals(fsyncs: u64, bytes: u64) -> Totals {
    let [backend_type, object, context] = ["client backend", "wal", "normal"].map(str::to_owned);
    let counts = IoCounts { fsyncs, write_bytes: bytes, ..IoCounts::default() };
    let known_us = 10 * SECOND_US;
    Totals {
        io: IoTotals { rows: vec![(IoKey { backend_type, object, context }, counts)], known_us, ..IoTotals::default() },
        wal: Timed { counts: WalCounts { bytes, ..WalCounts::default() }, known_us },
        ..Totals::default()
    }
}

fn writes(demand: &Demand) -> Vec<u64> {
    demand.each().map(|interval| interval.counts.writes).collect()
}

/// 100 writes each second are WAL's, what stands out is a checkpoint's.
#[test]
fn a_checkpoint_is_the_datas() {
    let mut seconds = [100; 10];
    seconds[4] = 1_100;
    let divided = divide(&demand(&seconds), &totals(1_000, 1_000 * 8_192), 1.0).unwrap();
    assert_eq!(writes(&divided.wal), [100; 10]);
    assert_eq!(writes(&divided.data), [0, 0, 0, 0, 1_000, 0, 0, 0, 0, 0]);
    let (data, wal) = (divided.data.total(), divided.wal.total());
    assert_eq!((data.reads, wal.reads, data.write_bytes, wal.write_bytes), (500, 0, 1_000 * 8_192, 1_000 * 8_192));
    assert_eq!((data.write_ms, wal.write_ms), (1_000, 1_000));
}

/// Five seconds of 20 writes cannot have 100 of WAL: 1,000 in all are 100 there, and 180 in each of the other five.
#[test]
fn no_second_has_more_wal_than_writes() {
    let divided = divide(&demand(&[20, 20, 20, 20, 20, 300, 300, 300, 300, 300]), &totals(1_000, 8_192_000), 1.0);
    assert_eq!(writes(&divided.unwrap().wal), [20, 20, 20, 20, 20, 180, 180, 180, 180, 180]);
    let more = divide(&demand(&[20; 10]), &totals(1_000, 8_192_000), 1.0).unwrap();
    assert_eq!((writes(&more.wal), writes(&more.data)), (vec![20; 10], vec![0; 10]));
}

/// A demand of twice the counted requests has twice the flushes.
#[test]
fn unmet_demand_has_its_share_of_wal() {
    let divided = divide(&demand(&[500; 10]), &totals(1_000, 8_192_000), 2.0).unwrap();
    assert_eq!(writes(&divided.wal), [200; 10]);
}

/// A flush of 1 MiB is four writes as EBS counts. With open_datasync each write is a flush.
#[test]
fn large_flushes_and_writes_that_flush_count() {
    let large = WalAmount::each_second(&totals(100, 100 << 20), 50.0).unwrap();
    assert_eq!(large.writes, 40.0);
    let known_us = 10 * SECOND_US;
    let synced =
        Totals { wal_writes: Timed { counts: WalWriteCounts { writes: 500 }, known_us }, ..totals(0, 500 * 8_192) };
    let writes = |device_writes| WalAmount::each_second(&synced, device_writes).map(|rate| rate.writes);
    assert_eq!(writes(50.0), Some(50.0));
    // 20 writes a second reached the device, so that these 50 were to the page cache: no flush, 1.6 writes of 256 KiB.
    assert_eq!(writes(20.0), Some(50.0 * 8_192.0 / 262_144.0));
}

#[test]
fn what_was_not_counted_is_not_divided() {
    assert!(divide(&demand(&[100; 10]), &Totals::default(), 1.0).is_none());
    let none = divide(&demand(&[100; 10]), &totals(0, 0), 1.0).unwrap();
    assert_eq!((writes(&none.wal), writes(&none.data)), (vec![0; 10], vec![100; 10]));
}

/// The bound holds whatever rounding does, and is near the share of a second with many requests.
#[test]
fn no_division_gives_wal_more_than_its_largest_share() {
    for (each, flushes) in [(1, 7), (9, 30), (900, 1_000), (90_000, 1_000)] {
        let (demand, totals) = (demand(&[each; 10]), totals(flushes, flushes * 8_192));
        let divided = divide(&demand, &totals, 1.0).unwrap();
        let requests = |demand: &Demand| demand.each().map(DemandInterval::ssd_requests).sum::<u64>() as f64;
        let all = requests(&demand);
        let most = WalAmount::from_demand(&demand, &totals, 1.0).unwrap().max_share(all, 10);
        let share = requests(&divided.wal) / all;
        assert!((share..).contains(&most), "{share} of at most {most}");
        assert!(each < 90_000 || most < 1.03 * share + 1e-3, "{share} of at most {most}");
    }
}
