//! Documents of some workloads, byte for byte as programs have read them since schema_version 1.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Map, Value};

use super::{Document, render};
use crate::{Arguments, Report, UtcOffset};
use ebs_advice::{Settings, advise};
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, prices};
use ebs_base::units::GIB;
use ebs_samples::evidence::{
    Block, CounterDelta, Coverage, DeviceCounts, IoCounts, IoKey, ProcessorCounts, Role, Sample, Session, SpaceSeries,
    StorageLayout, Timed, Totals, Volume, WaitKey, Window,
};
use ebs_schema::{assert_published, assert_unchanged, problems};
use ebs_tuning::findings::{AutovacuumIo, Cause, Finding, Saving, StatementName, StatementReads};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::io_sources::sources;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;
use ebs_workload::waits::waits;

const SECONDS: i64 = 600;

/// 2026-01-01 00:00:00 UTC.
const BEGAN_US: i64 = 1_767_225_600 * 1_000_000;

/// Counters of one second of 8 KiB requests: 70 % reads, each taking `each_ms`.
fn counts(requests: u64, each_ms: f64) -> DeviceCounts {
    let (reads, writes) = (requests * 7 / 10, requests * 3 / 10);
    let of = |requests: u64| (requests as f64 * each_ms) as u64;
    DeviceCounts {
        reads,
        writes,
        read_bytes: reads * 8192,
        write_bytes: writes * 8192,
        read_ms: of(reads),
        write_ms: of(writes),
        busy_ms: 900,
        weighted_ms: of(reads + writes),
        ..DeviceCounts::default()
    }
}

fn volume(device: &str, roles: &[Role]) -> Volume {
    Volume {
        device: device.into(),
        roles: roles.to_vec(),
        timed: true,
        filesystem_bytes: Some(500 * GIB),
        used_bytes: Some(400 * GIB),
        ..Volume::default()
    }
}

/// Ten minutes of demand on these volumes, with wait events of sessions and the utilization of two CPUs.
fn window(
    volumes: Vec<Volume>,
    asked: impl Fn(i64) -> Vec<DeviceCounts>,
    waited: &[(&str, &str, f64)],
    busy: f64,
) -> Window {
    let sample = |second: i64| Sample {
        at_us: BEGAN_US + second * 1_000_000,
        dt_us: 1_000_000,
        devices: (0..).zip(asked(second)).map(|(device, counts)| (device, CounterDelta::Known(counts))).collect(),
        reset: false,
    };
    let all_us = SECONDS.unsigned_abs() * 1_000_000;
    let mut totals = Totals::default();
    for (class, event, sessions) in waited {
        let key = WaitKey {
            backend_type: "client backend".into(),
            class: (*class).into(),
            event: (*event).into(),
            session: Session::default(),
        };
        totals.waits.rows.insert(key, (sessions * all_us as f64) as u64);
    }
    (totals.waits.swept_us, totals.waits.sweeps) = (all_us, 60_000);
    let host_us = (2.0 * busy * all_us as f64) as u64;
    let counts = ProcessorCounts { host_us, server_us: host_us, ..ProcessorCounts::default() };
    (totals.processor, totals.cpus) = (Timed { counts, known_us: all_us }, Some(2.into()));
    let key = |backend_type: &str| IoKey {
        backend_type: backend_type.into(),
        object: "relation".into(),
        context: "normal".into(),
    };
    let read = IoCounts { read_bytes: 7 * GIB, hits: 900_000, ..IoCounts::default() };
    let written = IoCounts { write_bytes: 2 * GIB, fsyncs: 250_000, ..IoCounts::default() };
    totals.io.rows = vec![(key("client backend"), read), (key("checkpointer"), written)];
    totals.io.known_us = all_us;
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes, ..StorageLayout::default() },
        totals,
        samples: (1..=SECONDS).map(sample).collect(),
        ..Block::default()
    };
    Window::assemble([block], BEGAN_US, BEGAN_US + SECONDS * 1_000_000)
}

fn finding(cause: Cause, saving: Option<Saving>) -> Finding {
    Finding {
        cause,
        share: saving.map(|_| 0.6),
        saving,
        usd_month_saved: saving.is_none().then(|| "12.5".parse().unwrap()),
    }
}

fn text(window: &Window, settings: &Settings, declared: &Declarations, findings: Vec<Finding>) -> Value {
    let request = settings.check(prices(&settings.region).unwrap().clone()).unwrap();
    let any = !window.intervals.is_empty();
    let mut timeline = RunTimeline::new(window.from_us, window.to_us);
    timeline.segments = Vec::new();
    render(&Report {
        subject: "run \"tpcc-100\"".into(),
        server: "PostgreSQL 18.6".into(),
        when: "2026-01-01 00:00:00 to 00:10:00 UTC".into(),
        utc_offset: UtcOffset::default(),
        request: &request,
        window,
        coverage: Coverage::from_window(window),
        steadiness: any.then(|| Steadiness::from_window(window, &timeline, false)),
        checkpoint_timeout_s: None,
        advice: any.then(|| advise(window, &request, declared, &|| ())),
        sources: sources(window),
        waits: waits(window),
        declared,
        arguments: Arguments { run: Some("'tpcc-100'".into()), ..Arguments::default() },
        findings,
    })
}

fn declared(volume: &str, kind: VolumeType, iops: Option<u64>) -> Declared {
    let config = VolumeConfig::new(Platform::Ec2, kind, 500, iops, None).unwrap();
    Declared::new(volume, config, 1)
}

const READING: [(&str, &str, f64); 3] =
    [("CPU*", "CPU*", 0.6), ("IO", "DataFileRead", 2.4), ("Client", "ClientRead", 5.0)];

/// Data and WAL on volumes of their own, on an instance that binds, with every argument.
fn apart() -> Value {
    let volumes = vec![volume("nvme1n1", &[Role::Data]), volume("nvme2n1", &[Role::Wal])];
    let wal = DeviceCounts { writes: 200, write_bytes: 200 * 16384, write_ms: 100, ..DeviceCounts::default() };
    let asked = |second: i64| vec![counts(5_000 + second.unsigned_abs() * 37 % 100, 0.8), wal];
    let mut window = window(volumes, asked, &READING, 0.2);
    window.space = vec![SpaceSeries::default(); 2];
    for hour in 0..=336u64 {
        window.space[0].push(hour as i64 * 3_600_000_000, 400 * GIB - (336 - hour) * GIB / 8);
    }
    let settings = Settings {
        instance: Some("m5.large".into()),
        min_throughput_ratio: Some(0.9),
        latency_target_ms: Some(1.5),
        durability_pct: Some(99.8),
        budget_usd: Some("2000.5".parse().unwrap()),
        max_volumes: Some(2),
        min_size_gib: Some(300),
        ..Settings::default()
    };
    let volumes = vec![declared("data", VolumeType::Io2, Some(20_000)), declared("wal", VolumeType::Gp3, None)];
    let statement = StatementName { query_id: 4711, ..StatementName::default() };
    let reads = StatementReads { statement, reads_s: 1_500.0, ..StatementReads::default() };
    let findings = vec![
        finding(Cause::Statement(reads), Some(Saving { low: 80.0, high: 200.25 })),
        finding(Cause::Autovacuum(AutovacuumIo { read_s: 1.5e6, written_s: 0.0 }), None),
    ];
    text(
        &window,
        &settings,
        &Declarations { instance: Some("m5.large".into()), volumes, ..Declarations::default() },
        findings,
    )
}

/// A gp3 at its limit.
fn at_limit(waited: &[(&str, &str, f64)]) -> Value {
    let asked = |second: i64| vec![counts(3_000, 5.0 + (second % 9) as f64 / 100.0)];
    let window = window(vec![volume("nvme1n1", &[Role::Data, Role::Wal])], asked, waited, 0.125);
    let volumes = vec![declared("data", VolumeType::Gp3, None)];
    text(
        &window,
        &Settings::default(),
        &Declarations { instance: None, volumes, ..Declarations::default() },
        Vec::new(),
    )
}

/// RDS, where WAL has a volume of its own.
fn rds() -> Value {
    let volumes = vec![volume("nvme1n1", &[Role::Data]), volume("nvme2n1", &[Role::Wal])];
    let window = window(volumes, |_| vec![counts(9_000, 0.5), counts(300, 0.4)], &READING, 0.9);
    let settings = Settings { platform: "rds".into(), ..Settings::default() };
    text(&window, &settings, &Declarations::default(), Vec::new())
}

/// A demand above the limits of any volume, without wait events.
fn beyond_all() -> Value {
    let window = window(vec![volume("nvme1n1", &[Role::Data, Role::Wal])], |_| vec![counts(300_000, 0.5)], &[], 0.5);
    text(&window, &Settings::default(), &Declarations::default(), Vec::new())
}

fn documents() -> Map<String, Value> {
    let sessions = [("CPU*", "CPU*", 2.0), ("IO", "DataFileRead", 16.0)];
    let named = [
        ("nothing sampled", text(&Window::default(), &Settings::default(), &Declarations::default(), Vec::new())),
        ("apart", apart()),
        ("at limit", at_limit(&sessions)),
        ("at limit, sessions unknown", at_limit(&[])),
        ("rds", rds()),
        ("beyond all", beyond_all()),
    ];
    named.into_iter().map(|(name, document)| (name.to_owned(), document)).collect()
}

#[test]
fn documents_are_as_programs_know_them() {
    let mut found = String::new();
    for (name, document) in documents() {
        writeln!(found, "{}: {document}", Value::from(name)).unwrap();
    }
    assert_unchanged(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/json/document_tests.json"), &found);
}

#[test]
fn documents_are_as_their_schema_says() {
    let schema = assert_published::<Document>("report", "Report of ebs_advise_json");
    for (name, document) in documents() {
        assert_eq!(problems(&schema, &document), [""; 0], "{name}");
    }
}
