use super::*;
use ebs_samples::evidence::{
    Block, IoKey, IoTotals, ProcessorCounts, Sample, Session, Timed, TransactionCounts, WalCounts, WalWriteCounts,
    codec,
};

/// The block of the test in sql/: ten seconds, of which CPU time is known for eight.
const RECORDED: &str = include_str!("../../../sql/reports/workload.hex");

const SECOND: u64 = SECOND_US;

/// 2026-01-01 00:00:00 UTC.
const BEGAN_US: i64 = 1_767_225_600 * 1_000_000;

fn wal_row(backend_type: &str, context: &str, fsyncs: u64, write_us: u64, fsync_us: u64) -> (IoKey, IoCounts) {
    let [backend_type, object, context] = [backend_type, "wal", context].map(str::to_owned);
    (IoKey { backend_type, object, context }, IoCounts { fsyncs, write_us, fsync_us, ..IoCounts::default() })
}

fn waits() -> WaitTotals {
    let seconds = [
        ("client backend", "IO", "DataFileRead", 20),
        ("client backend", "IO", "AioIoCompletion", 5),
        ("client backend", "IO", "WalSync", 4),
        ("client backend", "LWLock", "WALWrite", 6),
        ("client backend", "Lock", "transactionid", 3),
        ("client backend", "LWLock", "BufferContent", 2),
        ("client backend", WaitKey::CPU, WaitKey::CPU, 15),
        ("client backend", "IO", "DataFileWrite", 1),
        ("client backend", "Client", "ClientRead", 44),
        ("client backend", "Timeout", "PgSleep", 10),
        ("parallel worker", WaitKey::CPU, WaitKey::CPU, 10),
        ("walwriter", "IO", "WalSync", 9),
    ];
    let row = |(backend_type, class, event, seconds): (&str, &str, &str, u64)| {
        let [backend_type, class, event] = [backend_type, class, event].map(str::to_owned);
        (WaitKey { backend_type, class, event, session: Session::default() }, seconds * SECOND)
    };
    WaitTotals { rows: seconds.into_iter().map(row).collect(), sweeps: 1_000, swept_us: 10 * SECOND }
}

fn recorded() -> Block {
    let known_us = 10 * SECOND;
    let io = IoTotals {
        rows: vec![
            wal_row("client backend", "normal", 2_000, 1_000_000, 5_000_000),
            wal_row("walwriter", "init", 1, 0, 500_000),
            wal_row("walwriter", "normal", 1_000, 600_000, 2_400_000),
        ],
        known_us,
        ..IoTotals::default()
    };
    let processor = ProcessorCounts {
        client_us: 9_600_000,
        ended_us: 400_000,
        server_us: 10_800_000,
        host_us: 12_800_000,
        host_ticked_us: 0,
        kernel_us: 0,
    };
    let totals = Totals {
        io,
        wal: Timed { counts: WalCounts { records: 90_000, full_page_images: 200, bytes: 50_000_000 }, known_us },
        wal_writes: Timed { counts: WalWriteCounts { writes: 3_200 }, known_us },
        waits: waits(),
        transactions: Timed { counts: TransactionCounts { commits: 5_000, rollbacks: 100 }, known_us },
        processor: Timed { counts: processor, known_us: 8 * SECOND },
        cpus: Some(4.into()),
        ..Totals::default()
    };
    let sample = |second: i64| Sample {
        at_us: BEGAN_US + second * 1_000_000,
        dt_us: SECOND,
        devices: vec![].into(),
        reset: false,
    };
    Block { interval_us: SECOND, totals, samples: (1..=10).map(sample).collect(), ..Block::default() }
}

fn compute_figures(block: Block) -> Vec<Figure> {
    workload(&Window::assemble([block], 0, i64::MAX))
}

fn value(figures: &[Figure], metric: &str) -> Option<f64> {
    figures.iter().find(|figure| figure.metric.name() == metric).unwrap().value
}

#[test]
fn the_recorded_block_is_the_one_written_here() {
    let digits = RECORDED.trim();
    let bytes: Vec<u8> =
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect();
    let hex: String = codec::encode(recorded()).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(codec::decode(3, &bytes).ok(), Some(recorded()), "in the layout of today it is {hex}");
}

#[test]
fn figures_are_those_that_can_be_worked_out_by_hand() {
    let figures = compute_figures(recorded());
    let expected = [
        ("transactions", 510.0),
        ("commits", 500.0),
        ("rollbacks", 10.0),
        ("sessions", 11.0),
        ("active sessions", 5.6),
        ("waiting for reads", 2.5),
        ("waiting for WAL", 1.0),
        ("waiting for locks", 0.5),
        ("on CPU*", 1.5),
        ("waiting for something else", 0.1),
        ("waiting for the client", 4.4),
        ("parallel workers", 1.0),
        ("CPU of clients", 1.2),
        ("CPU of what ended", 0.05),
        ("CPU of the server", 1.35),
        ("CPU of the machine", 1.6),
        ("CPUs", 4.0),
        ("WAL", 5_000_000.0),
        ("full-page images", 20.0),
        ("WAL writes", 320.0),
        ("WAL flushes", 300.0),
        ("WAL flushes by clients", 200.0),
        // (1.0 + 5.0 + 0.6 + 2.4) s in 3,000 flushes
        ("WAL flush time", 3.0),
    ];
    let found: Vec<_> = figures.iter().map(|figure| (figure.metric.name(), figure.value.unwrap())).collect();
    assert_eq!(found, expected);
    let coverage = |metric| figures.iter().find(|figure| figure.metric == metric).unwrap().coverage;
    let coverages = [ActivityMetric::ClientCpu, ActivityMetric::Transactions, ActivityMetric::Cpus].map(coverage);
    assert_eq!(coverages, [0.8, 1.0, 1.0]);
    // 7.4 s in 3,000 flushes
    assert_eq!(
        figures.last().unwrap().metric,
        ActivityMetric::WalFlushTime(FlushTime::Measured { fsync_ms: 7_400.0 / 3_000.0 })
    );
}

#[test]
fn what_is_not_known_is_not_zero() {
    let mut block = recorded();
    block.totals.transactions = Timed::default();
    block.totals.processor = Timed::default();
    block.totals.cpus = None;
    block.totals.io.wal_timed = false;
    block.totals.io.rows = vec![wal_row("any", "normal", 3_000, 0, 0)];
    let figures = compute_figures(block);
    let unknown: Vec<_> =
        figures.iter().filter(|figure| figure.value.is_none()).map(|figure| figure.metric.name()).collect();
    let expected = [
        ["transactions", "commits", "rollbacks"].as_slice(),
        &["CPU of clients", "CPU of what ended", "CPU of the server", "CPU of the machine", "CPUs"],
        &["WAL flushes by clients", "WAL flush time"],
    ];
    assert_eq!(unknown, expected.concat());
    assert_eq!(figures.last().unwrap().metric, ActivityMetric::WalFlushTime(FlushTime::Untimed));
    assert_eq!(value(&figures, "WAL flushes"), Some(300.0));
    assert!(compute_figures(Block { totals: Totals::default(), ..recorded() }).is_empty());
}

#[test]
fn cpu_time_of_a_machine_may_be_known_by_ticks() {
    let mut block = recorded();
    block.totals.processor.counts.host_ticked_us = 1;
    let figures = compute_figures(block);
    let machine = ActivityMetric::MachineCpu { from_ticks: true };
    assert!(figures.iter().any(|figure| figure.metric == machine));
}
