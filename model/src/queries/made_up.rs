//! Two minutes made up, of which every figure is known: what `sql/queries.sql` asks, and the findings' tests.

use super::StatementKey;
use crate::evidence::{
    Block, DeviceCounts, IoCounts, IoKey, IoTotals, Place, Reading, Role, StorageCounts, TempCounts, Tick, Timed,
    Totals, Volume, WalCounts, Window, codec,
};

/// 2026-01-01 00:00:00 UTC.
pub const BEGAN_US: i64 = 1_767_225_600 * 1_000_000;
/// How long it lasts.
pub const SECONDS: u64 = 120;
/// Bytes of a block.
pub const BLOCK: u64 = 8192;

/// A statement of one role in one database.
pub fn key(query_id: i64) -> StatementKey {
    StatementKey { user_id: 10, database_id: 5, query_id, top_level: true }
}

fn row(backend_type: &str, object: &str, context: &str, [read, write]: [u64; 2]) -> (IoKey, IoCounts) {
    let key = IoKey { backend_type: backend_type.into(), object: object.into(), context: context.into() };
    let counts =
        IoCounts { read_bytes: read * BLOCK * SECONDS, write_bytes: write * BLOCK * SECONDS, ..IoCounts::default() };
    (key, counts)
}

/// Each second: PostgreSQL reads 3,200 blocks, 200 of them in autovacuum; its processes fetch 2,000, and the device reads
/// 2,000 of them in as many requests. It writes 500 blocks: of 520 that were handed over (200 of WAL, 200 of checkpoints, 20 of
/// autovacuum, 100 of temporary files) 20 were of temporary files that were removed in time. 150 full-page images are in the
/// WAL.
pub fn block() -> Block {
    let counts = DeviceCounts {
        reads: 2000,
        read_bytes: 2000 * BLOCK,
        writes: 500,
        write_bytes: 500 * BLOCK,
        read_ms: 1000,
        write_ms: 250,
        busy_ms: 700,
        weighted_ms: 1250,
    };
    let tick = |second: i64| Tick {
        at_us: BEGAN_US + second * 1_000_000,
        dt_us: 1_000_000,
        devices: vec![(0, Reading::Known(counts))],
        reset: false,
    };
    let known_us = SECONDS * 1_000_000;
    let blocks = |a_second: u64| a_second * BLOCK * SECONDS;
    let rows = vec![
        row("autovacuum worker", "relation", "vacuum", [200, 20]),
        row("checkpointer", "relation", "normal", [0, 200]),
        row("client backend", "relation", "normal", [3000, 0]),
        row("client backend", "wal", "normal", [0, 200]),
    ];
    let storage = StorageCounts {
        read_bytes: blocks(2000),
        write_bytes: blocks(520),
        cancelled_bytes: blocks(20),
        handed_bytes: blocks(520),
    };
    let wal = WalCounts { records: 4000 * SECONDS, full_page_images: 150 * SECONDS, bytes: blocks(200) };
    let roles = vec![Role::Data, Role::Wal];
    let volume = Volume { device: "nvme1n1".into(), roles, timed: true, ..Volume::default() };
    Block {
        interval_us: 1_000_000,
        place: Place { volumes: vec![volume], ..Place::default() },
        totals: Totals {
            io: IoTotals { rows, known_us, ..IoTotals::default() },
            wal: Timed { counts: wal, known_us },
            temp: Timed { counts: TempCounts { files: 12, bytes: blocks(100) }, known_us },
            storage: Timed { counts: storage, known_us },
            ..Totals::default()
        },
        ticks: (1..=SECONDS as i64).map(tick).collect(),
        ..Block::default()
    }
}

/// The same as a window.
pub fn window() -> Window {
    let to_us = BEGAN_US + SECONDS as i64 * 1_000_000;
    Window::assemble([block()], BEGAN_US, to_us)
}

const RECORDED: &str = include_str!("../../../sql/reports/queries.hex");

#[test]
fn what_sql_asks_is_what_is_made_up() {
    let digits = RECORDED.trim();
    let bytes: Vec<u8> =
        (0..digits.len()).step_by(2).map_while(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect();
    let hex: String = codec::encode(block()).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(codec::decode(3, &bytes).ok() == Some(block()), "in the layout of today it is\n{hex}");
}
