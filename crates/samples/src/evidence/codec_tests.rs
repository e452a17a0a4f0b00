use proptest::prelude::*;

use super::*;
use crate::evidence::{
    Bin, CounterDelta, DeviceCounts, EbsCounts, EbsTotals, Gauge, IoBytes, IoCounts, IoKey, ProcessorCounts, Role,
    RunDelayCounts, Sample, Session, SessionKey, StorageCounts, StorageLayout, TempCounts, Timed, Totals,
    TransactionCounts, Volume, WaitTotals, WalCounts, WalWriteCounts,
};

#[test]
fn another_format_is_named() {
    let error = decode(99, &[]).unwrap_err().to_string();
    assert_eq!(error, "sample block has format 99, and this version reads formats 2 to 5");
}

#[test]
fn what_claims_to_be_huge_is_not_allocated() {
    assert!(decode(FORMAT, &[0xff; 16]).unwrap_err().to_string().contains("larger than any block"));
    assert!(decode(FORMAT, &[1]).unwrap_err().to_string().contains("ends early"));
}

/// Columns in which all rows are alike take three bytes, however many rows there are.
#[test]
fn what_claims_more_readings_than_any_block_has_is_not_made() {
    let mut claims = block(&[(1_000_000, 1_000_000, 1)], 0);
    claims.samples[0].devices = vec![(0, CounterDelta::Failed); MAX_READINGS + 1].into();
    let plain = unpacked(claims.clone()).unwrap();
    assert!(plain.len() < 1_000);
    let bytes = [&(plain.len() as u32).to_le_bytes()[..], &lz4_flex::block::compress(&plain)].concat();
    assert!(decode(FORMAT, &bytes).unwrap_err().to_string().contains("do not fit each other"));
    // What could not be read is not written.
    assert!(matches!(encode(claims), Err(CodecError::TooLarge)));
}

fn block(intervals: &[(i64, u64, u64)], downsampled_us: u64) -> Block {
    let sample = |&(at_us, dt_us, reads): &(i64, u64, u64)| {
        let counts = DeviceCounts { reads, read_bytes: reads.saturating_mul(8192), ..Default::default() };
        Sample { at_us, dt_us, devices: [(0, CounterDelta::Known(counts))].into(), reset: reads == 7 }
    };
    let volume = Volume { device: "nvme1n1".into(), roles: vec![Role::Data], ..Volume::default() };
    let key = IoKey { backend_type: "client backend".into(), object: "relation".into(), context: "normal".into() };
    let mut totals = Totals { wal: Timed { counts: WalCounts::default(), known_us: 3 }, ..Totals::default() };
    totals.io.rows.push((key, IoCounts { hits: 5, ..Default::default() }));
    let session = Session { database: Some("bench".into()), application: Some(String::new()), ..Session::default() };
    let key = SessionKey { backend_type: "client backend".into(), session };
    totals.sessions.add_row(key, IoBytes { read_bytes: u64::MAX, ..Default::default() });
    totals.ebs.push(("vol-0123456789abcdef0".into(), ebs(intervals.len() as u64)));
    totals.wal_writes = Timed { counts: WalWriteCounts { writes: 6 }, known_us: 4 };
    totals.transactions = Timed { counts: TransactionCounts { commits: u64::MAX, rollbacks: 1 }, known_us: 5 };
    let processor = ProcessorCounts { client_us: 1, server_us: 2, host_us: u64::MAX, ..Default::default() };
    let processor = ProcessorCounts { host_ticked_us: 3, kernel_us: 9, ..processor };
    totals.processor = Timed { counts: processor, known_us: 6 };
    totals.cpus = Some(192.into());
    totals.run_delay = Timed { counts: RunDelayCounts { run_delay_us: 8 }, known_us: 7 };
    Block {
        interval_us: 1_000_000,
        downsampled_us,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        totals,
        samples: intervals.iter().map(sample).collect(),
        ..Block::default()
    }
}

fn ebs(reads: u64) -> EbsTotals {
    EbsTotals {
        counts: Timed { counts: EbsCounts { read_ops: reads, ..Default::default() }, known_us: 1_000_000 },
        queue: Gauge::new(reads),
        read_histogram: vec![Bin { lower_us: 512, upper_us: Some(1024), count: reads }],
        write_histogram: vec![Bin { lower_us: 1 << 40, upper_us: None, count: u64::MAX }],
    }
}

fn from_hex(digits: &str) -> Vec<u8> {
    let digit = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.trim_end().len()).step_by(2).map(digit).collect()
}

/// A block as a version before layout 3 wrote it.
const OF_LAYOUT_2: &str = include_str!("../../../../sql/reports/layout-2.hex");

#[test]
fn a_block_of_layout_2_says_what_it_said_and_of_the_rest_nothing() {
    let bytes = from_hex(OF_LAYOUT_2);
    let (second, at_us) = (1_000_000, 1_800_000_000_000_000);
    let mut expected = block(&[(at_us, second, 7), (at_us + 1_000_000, second, 4_000)], 0);
    let (io, sessions, ebs) = (expected.totals.io, expected.totals.sessions, expected.totals.ebs);
    let key = ["client backend", "IO", "DataFileRead"].map(str::to_owned);
    let [backend_type, class, event] = key;
    let wait = WaitKey { backend_type, class, event, session: Session::default() };
    let known_us = 2 * second;
    expected.totals = Totals {
        io,
        wal: Timed { counts: WalCounts { records: 5, full_page_images: 4, bytes: 30_000 }, known_us },
        waits: WaitTotals { rows: [(wait, 750_000)].into(), sweeps: 200, swept_us: known_us },
        temp: Timed { counts: TempCounts { files: 3, bytes: 9 }, known_us },
        storage: Timed { counts: StorageCounts { read_bytes: 8192, ..Default::default() }, known_us },
        ebs,
        sessions,
        ..Totals::default()
    };
    let totals = &expected.totals;
    assert_eq!((totals.transactions.known(), totals.processor.known(), totals.cpus), (None, None, None));
    assert_eq!(totals.run_delay.known(), None);
    assert_eq!(decode(2, &bytes).unwrap(), expected);
}

/// A block as a version before layout 4 wrote it, behind its name.
const OF_LAYOUT_3: &str = include_str!("../../../../sql/reports/layout-3.hex");

/// Such a block has eight counters of a device; what the kernel merged is not in it.
#[test]
fn a_block_of_layout_3_says_what_it_said() {
    let bytes = from_hex(OF_LAYOUT_3.lines().next().unwrap().split_once(' ').unwrap().1);
    let block = decode(3, &bytes).unwrap();
    let counts = |(_, reading): &(u16, CounterDelta<DeviceCounts>)| match reading {
        CounterDelta::Known(counts) => *counts,
        unknown => panic!("{unknown:?}"),
    };
    let devices: Vec<_> = block.samples.iter().flat_map(|sample| &sample.devices).map(counts).collect();
    assert!(devices.iter().any(|counts| counts.reads > 0));
    assert!(devices.iter().all(|counts| (counts.read_merges, counts.write_merges) == (0, 0)));
    // Neither is read as the other.
    let again = encode(block.clone()).unwrap();
    assert_eq!(decode(FORMAT, &again).unwrap(), block);
    assert!(decode(4, &bytes).is_err() && decode(3, &again).is_err());
}

/// A block as a version before layout 5 wrote it.
const OF_LAYOUT_4: &str = include_str!("../../../../sql/reports/layout-4.hex");

#[test]
fn a_block_of_layout_4_says_what_it_said_and_of_waits_for_a_cpu_nothing() {
    let at_us = 1_800_000_000_000_000;
    let mut expected = block(&[(at_us, 1_000_000, 7), (at_us + 1_000_000, 1_000_000, 4_000)], 0);
    expected.samples[1].devices.push((0, CounterDelta::Reset));
    expected.totals.processor.counts.kernel_us = 0;
    expected.totals.run_delay = Timed::default();
    let bytes = from_hex(OF_LAYOUT_4);
    assert_eq!(decode(4, &bytes).unwrap(), expected);
    assert!(decode(FORMAT, &bytes).is_err());
}

#[test]
fn an_idle_second_costs_few_bytes() {
    let second = |s: i64| (1_800_000_000_000_000 + s * 1_000_000 + s % 7, 1_000_000 + (s % 7) as u64, 0);
    let size = |seconds| encode(block(&(0..seconds).map(second).collect::<Vec<_>>(), 0)).unwrap().len();
    let each = (size(20) - size(10)) as f64 / 10.0;
    assert!(each < 6.0, "{each} bytes a second");
}

/// A damaged claim must not take memory; the most that LZ4 can save must not look like one.
#[test]
fn a_claim_beyond_its_bytes_is_damaged() {
    let mut bytes = (60u32 << 20).to_le_bytes().to_vec();
    bytes.extend([0; 1000]);
    assert_eq!(plain_length(&bytes), 0);
    assert!(decode(FORMAT, &bytes).unwrap_err().to_string().contains("larger than its bytes can be"));
    let same = block(&[(0, 0, 0); 200_000], 0);
    let bytes = encode(same.clone()).unwrap();
    assert!(plain_length(&bytes) > 100 * bytes.len());
    assert_eq!(decode(FORMAT, &bytes).unwrap(), same);
}

proptest! {
    #[test]
    fn what_was_encoded_is_decoded(
        intervals in prop::collection::vec((any::<i64>(), any::<u64>(), any::<u64>()), 0..20), downsampled in prop::bool::ANY,
    ) {
        let block = block(&intervals, if downsampled { 60_000_000 } else { 0 });
        prop_assert_eq!(decode(FORMAT, &encode(block.clone()).unwrap()).unwrap(), block);
    }

    #[test]
    fn bytes_of_any_kind_never_panic(bytes: Vec<u8>) {
        let _ = (decode(FORMAT, &bytes), decode(OLDEST_FORMAT, &bytes));
    }

    #[test]
    fn a_damaged_block_never_panics(at in 0usize..100, value: u8) {
        let mut bytes = encode(block(&[(1, 2, 3), (4, 5, 6)], 0)).unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        let _ = decode(FORMAT, &bytes);
    }
}

/// Size of a block of ten seconds with thirty rows of pg_stat_io: a busy server must stay below 10 MB a day, 1,157 bytes a
/// block.
#[test]
fn a_busy_block_is_small() {
    let mut busy = block(&(0..10).map(|s| (s * 1_000_000, 1_000_000, 4_000 + s as u64 * 37)).collect::<Vec<_>>(), 0);
    let contexts = ["bulkread", "bulkwrite", "init", "normal", "vacuum"];
    let backends =
        ["autovacuum worker", "background worker", "background writer", "checkpointer", "client backend", "walwriter"];
    busy.totals = Totals::default();
    for (n, (backend, context)) in (1u64..).zip(backends.iter().flat_map(|b| contexts.iter().map(move |c| (b, c)))) {
        let key = IoKey { backend_type: backend.to_string(), object: "relation".into(), context: context.to_string() };
        let (read_bytes, write_bytes) = (8192 * (n * 7_919 % 40_000), 8192 * (n * 104_729 % 9_000));
        let (hits, read_us) = (n * 1_299_709 % 3_000_000, n * 15_485_863 % 2_000_000);
        busy.totals.io.rows.push((key, IoCounts { read_bytes, write_bytes, hits, read_us, ..Default::default() }));
    }
    let bytes = encode(busy).unwrap().len();
    assert!(bytes < 700, "{bytes}");
}
