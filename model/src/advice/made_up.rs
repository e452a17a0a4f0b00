//! Windows made up: a demand on one volume, and what sessions waited for; `sql/truncated.sql` asks the same of some of them.

use crate::demand::{Demand, Interval};
use crate::evidence::{
    Block, DeviceCounts, Place, ProcessorCounts, Reading, Role, Session, Tick, Timed, Totals, Volume, WaitKey, Window,
    codec,
};

/// Sessions in each of these waits, on average, and how busy two CPUs were.
pub fn window(demand: &Demand, waits: &[(&str, &str, f64)], busy: Option<f64>) -> Window {
    let block = block(0, demand, waits, busy.map(|busy| (busy, 2)));
    let to_us = block.ticks.last().map_or(0, |tick| tick.at_us);
    Window::assemble([block], 0, to_us)
}

/// The same from some moment on, and how busy so many CPUs were.
pub fn block(began_us: i64, demand: &Demand, waits: &[(&str, &str, f64)], busy: Option<(f64, u32)>) -> Block {
    let mut at_us = began_us;
    let ticks: Vec<Tick> = demand
        .intervals
        .iter()
        .map(|interval| {
            let dt_us = (interval.seconds * 1e6) as u64;
            at_us += dt_us as i64;
            Tick { at_us, dt_us, devices: vec![(0, Reading::Known(interval.counts))], reset: false }
        })
        .collect();
    let all_us = (at_us - began_us) as u64;
    let mut totals = Totals::default();
    for (class, event, sessions) in waits {
        let key = WaitKey {
            backend_type: "client backend".into(),
            class: (*class).into(),
            event: (*event).into(),
            session: Session::default(),
        };
        totals.waits.rows.insert(key, (sessions * all_us as f64) as u64);
        totals.waits.swept_us = all_us;
        totals.waits.sweeps = 1;
    }
    if let Some((busy, cpus)) = busy {
        let host_us = (f64::from(cpus) * busy * all_us as f64) as u64;
        let counts = ProcessorCounts { host_us, server_us: host_us, ..ProcessorCounts::default() };
        (totals.processor, totals.cpus) = (Timed { counts, known_us: all_us }, Some(cpus));
    }
    let roles = vec![Role::Data, Role::Wal];
    let volume = Volume { device: "nvme1n1".into(), roles, timed: true, ..Volume::default() };
    Block {
        interval_us: 1_000_000,
        place: Place { volumes: vec![volume], ..Place::default() },
        totals,
        ticks,
        ..Block::default()
    }
}

/// Two minutes of a second that is always the same, but for its latency.
fn minutes(requests: u64, ms: f64) -> Demand {
    let interval = |second: u64| {
        let each_ms = ms * (1.0 + 0.01 * (second % 9) as f64 - 0.04);
        let counts = DeviceCounts {
            reads: requests,
            read_bytes: 8192 * requests,
            read_ms: (requests as f64 * each_ms) as u64,
            weighted_ms: (requests as f64 * each_ms) as u64,
            ..DeviceCounts::default()
        };
        Interval { ended_us: 0, seconds: 1.0, counts }
    };
    Demand { timed: true, averaged_s: 1.0, intervals: (0..120).map(interval).collect(), ..Demand::default() }
}

/// 2026-01-01 00:00:00 UTC.
const BEGAN_US: i64 = 1_767_225_600 * 1_000_000;

const RECORDED: &str = include_str!("../../../sql/reports/held.hex");

/// What `sql/reports/held.hex` holds, by name, from 2026-01-01 00:00:00 UTC on.
fn recorded() -> [(&'static str, Block); 5] {
    let made = |demand: Demand, waits: &[_], busy| block(BEGAN_US, &demand, waits, Some((busy, 16)));
    let (cpu, read, client) = (("CPU*", "CPU*"), ("IO", "DataFileRead"), ("Client", "ClientRead"));
    let with = |of: (&'static str, &'static str), sessions: f64| (of.0, of.1, sessions);
    [
        ("full", made(minutes(3_000, 16.0 / 3.0), &[with(read, 16.0), with(cpu, 2.0)], 0.125)),
        ("steady", made(minutes(3_000, 0.8), &[with(read, 2.4), with(cpu, 0.6)], 0.05)),
        ("paced", made(minutes(3_000, 4.0), &[with(read, 12.0), with(client, 40.0)], 0.05)),
        ("computing", made(minutes(200, 0.5), &[with(read, 0.1), with(cpu, 15.0)], 0.95)),
        ("locking", made(minutes(200, 0.5), &[with(read, 0.1), with(cpu, 0.9), ("Lock", "transactionid", 9.0)], 0.1)),
    ]
}

#[test]
fn what_sql_asks_is_what_is_made_up() {
    let digits = |name: &str| RECORDED.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    for (name, block) in recorded() {
        let digits = digits(name).unwrap_or_default();
        let bytes: Vec<u8> =
            (0..digits.len()).step_by(2).map_while(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect();
        let hex: String = codec::encode(block.clone()).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(codec::decode(3, &bytes).ok() == Some(block), "in the layout of today it is\n{name} {hex}");
    }
}
