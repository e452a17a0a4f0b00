//! Documents are read as they were written; damaged and foreign ones, and figures out of range, are refused; nothing panics.

use std::path::Path;

use ebs_schema::{assert_published, assert_unchanged, problems};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn read(document: &Value) -> Result<Vec<Run>, RunDocumentError> {
    super::read(document, &|| ())
}

fn read_text(text: &str) -> Result<Vec<Run>, RunDocumentError> {
    super::read_text(text, &|| ())
}

fn write(runs: &[Run], version: &str) -> Result<Value, RunDocumentError> {
    super::write(runs, version, &|| ())
}
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_samples::evidence::codec::{FORMAT, encode};
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, IoCounts, IoKey, IoTotals, Sample, StorageLayout, Timed, Totals, Volume,
    WalCounts,
};
use ebs_workload::declarations::Declared;

fn block(dt_us: u64, reads: u64) -> Vec<u8> {
    let sample = |second: i64| Sample {
        at_us: 1_700_000_000_000_000 + second * 1_000_000,
        dt_us,
        devices: [(0, CounterDelta::Known(DeviceCounts { reads, ..DeviceCounts::default() }))].into(),
        reset: false,
    };
    let layout = StorageLayout {
        volumes: vec![Volume { device: "sdf".to_owned(), ..Volume::default() }],
        ..StorageLayout::default()
    };
    encode(Block { interval_us: 1_000_000, layout, samples: (0..20).map(sample).collect(), ..Block::default() })
        .unwrap()
}

fn run(label: &str) -> Run {
    let config = VolumeConfig {
        platform: Platform::Ec2,
        volume_type: VolumeType::Gp3,
        size_gib: 500,
        iops: 3000,
        throughput_mibps: 125,
    };
    let declared = Declared {
        volume: "data".to_owned(),
        config,
        volumes: 2,
        declared_us: 5,
        imported_us: None,
        is_multi_attach: false,
    };
    Run {
        label: label.to_owned(),
        started_us: 1_700_000_000_000_000,
        ended_us: 1_700_000_060_000_001,
        note: Some(json!({ "why": "a test" })),
        environment: Some(json!({ "server_version": "18.6", "doubts": ["one"] })),
        tags: vec!["gp3".to_owned()],
        declared: Declarations {
            instance: Some("m5.large".to_owned()),
            volumes: vec![declared],
            ..Declarations::default()
        },
        marks: vec![Mark { phase: "measure".to_owned(), marked_us: 1_700_000_001_000_000 }],
        results: vec![RunResult { recorded_us: 7, tps: Some(1_234.567_890_123_4), ..RunResult::default() }],
        fio: vec![],
        readings: vec![RunReading { moment_us: 1_700_000_000_000_000, reading: reading() }],
        index_findings: None,
        samples: vec![Samples::from_stored(FORMAT, block(1_000_000, 5), &|| ()).unwrap().unwrap()],
    }
}

fn reading() -> ebs_workload::reading::Reading {
    let statements = ebs_workload::statements::Statements { timed: true, ..Default::default() };
    let (checkpoints, tables) = (None, None);
    ebs_workload::reading::Reading {
        read_us: 1_700_000_000_000_123,
        block_size: 8192,
        statements: Ok(statements),
        checkpoints,
        tables,
    }
}

/// A report with all that one may have.
fn rich_fio() -> Fio {
    use ebs_imports::drivers::fio::{Job, Percentile, Side};
    use ebs_samples::evidence::Bin;
    let side = Side {
        ios: 12_345,
        iops: 411.5,
        bytes_per_s: 3_371_008.0,
        lat_mean_us: Some(612.25),
        clat_mean_us: None,
        percentiles_of: "clat".to_owned(),
        percentiles: vec![Percentile { pct: 99.9, us: 2_057.0 }],
        histogram: vec![
            Bin { lower_us: 512, upper_us: Some(1_024), count: 12_000 },
            Bin { lower_us: 1_024, upper_us: None, count: 345 },
        ],
    };
    let job = Job {
        name: "read".to_owned(),
        rw: "randread".to_owned(),
        block_bytes: Some(8_192),
        jobs: 4,
        iodepth: 16,
        engine: Some("libaio".to_owned()),
        direct: Some(true),
        error: 0,
        read: Some(side),
        write: None,
    };
    Fio {
        version: "fio-3.33".to_owned(),
        ended_us: 1_700_000_030_000_000,
        elapsed_s: Some(31),
        device: Some("nvme1n1".to_owned()),
        jobs: vec![job],
    }
}

/// A reading with all that one may have.
fn rich_reading() -> Reading {
    use ebs_workload::reading::{CheckpointCounts, Checkpoints, Table, TableCounts, Tables};
    use ebs_workload::statements::{Entry, StatementCounts, StatementKey, Statements};
    let key = |query_id| StatementKey { user_id: 10, database_id: 5, query_id, top_level: true };
    let counts = StatementCounts { calls: 7, read_us: 1_234, wal_bytes: 1 << 40, ..StatementCounts::default() };
    let entries = [
        (key(-4_711), Entry { since_us: None, counts }),
        (key(1), Entry { since_us: Some(1_600_000_000_000_000), counts: StatementCounts::default() }),
    ];
    let statements = Statements {
        reset_us: Some(1_600_000_000_000_000),
        evictions: Some(3),
        timed: true,
        hidden: 1,
        texts: std::collections::BTreeMap::from([(-4_711, "SELECT $1".to_owned())]),
        roles: [(10, "postgres".to_owned())].into(),
        databases: [(5, "app \"two\"".to_owned())].into(),
        entries: entries.into(),
    };
    let table = Table {
        name: "public.orders".to_owned(),
        fillfactor: 90,
        indexes: 2,
        bytes: 1 << 33,
        counts: TableCounts { updated: 5, hot_updated: 4, ..TableCounts::default() },
    };
    let counts = CheckpointCounts { timed: 3, requested: 1, buffers_written: 9_000 };
    let tables = Tables { database: "app".to_owned(), reset_us: None, tables: [(16_384, table)].into() };
    Reading {
        statements: Ok(statements),
        checkpoints: Some(Checkpoints { reset_us: Some(5), counts }),
        tables: Some(tables),
        ..reading()
    }
}

/// A run with all that one may have.
fn rich_run() -> Run {
    use ebs_workload::statements::Missing;
    let missing = |missing| Reading { statements: Err(missing), ..reading() };
    let (not_created, not_read) = (missing(Missing::NotCreated("app".to_owned())), missing(Missing::NotRead));
    let result = RunResult { recorded_us: 8, details: Some(json!({ "driver": "pgbench" })), ..RunResult::default() };
    let run = run("rich");
    Run {
        fio: vec![FioImport { recorded_us: 9, fio: rich_fio() }],
        results: run.results.iter().cloned().chain([result]).collect(),
        readings: (1_700_000_000_000_000..)
            .zip([rich_reading(), not_created, not_read])
            .map(|(moment_us, reading)| RunReading { moment_us, reading })
            .collect(),
        index_findings: Some(index_findings::tests::rich()),
        ..run
    }
}

/// Exported by PostgreSQL, from real runs of a driver.
const EXPORTED: &str = include_str!("../../../../tests/live/driven.json");

#[test]
fn documents_are_as_their_schema_says() {
    let schema = assert_published::<write::Document>("runs", "Document of ebs_run_export");
    let exported = serde_json::from_str(EXPORTED).unwrap();
    let bare = write(&[Run { label: "bare".to_owned(), ..Run::default() }], "0.1.0").unwrap();
    for document in [exported, write(&[rich_run()], "0.1.0").unwrap(), bare] {
        assert_eq!(problems(&schema, &document), [""; 0]);
    }
}

#[test]
fn an_imported_run_has_its_origin_for_an_environment() {
    let environment = EnvironmentDocument::imported("iostat", &["no latency".to_owned()]).to_json();
    assert_eq!(environment, json!({ "imported_from": "iostat", "doubts": ["no latency"] }));
    assert_eq!(EnvironmentDocument::imported("fio", &[]).to_json(), json!({ "imported_from": "fio", "doubts": [] }));
}

#[test]
fn the_document_is_as_programs_know_it() {
    let bare = Run { label: "bare".to_owned(), ..Run::default() };
    let found = write(&[rich_run(), bare], "0.1.0").unwrap().to_string() + "\n";
    assert_unchanged(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/export/export_tests.json"), &found);
    assert_eq!(read_text(&write(&[rich_run()], "0.1.0").unwrap().to_string()).unwrap(), [rich_run()]);
}

fn document() -> Value {
    write(&[run("a"), run("b")], "0.1.0").unwrap()
}

/// The document with one value in it replaced.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = document();
    *document.pointer_mut(pointer).unwrap() = value;
    document
}

fn refused(pointer: &str, value: Value) -> String {
    read(&with(pointer, value)).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read_again_as_it_was() {
    // Through text, as a file has it.
    assert_eq!(read_text(&document().to_string()).unwrap(), [run("a"), run("b")]);
}

#[test]
fn foreign_documents_and_other_versions_are_refused() {
    for foreign in [json!(null), json!([]), json!({}), json!({ "schema_version": 1, "runs": [] })] {
        assert_eq!(read(&foreign), Err(RunDocumentError::Foreign), "{foreign}");
    }
    assert_eq!(refused("/schema_version", json!(2)), "the document has schema_version 2, and this version reads 1");
    assert!(matches!(read(&with("/schema_version", json!(null))), Err(RunDocumentError::Version(_))));
    assert_eq!(refused("/runs", json!([])), "the document: it has no runs");
}

#[test]
fn a_document_that_is_cut_off_or_no_json_names_the_line() {
    let text = document().to_string();
    for at in (1..text.len()).step_by(31) {
        assert!(matches!(read_text(&text[..at]), Err(RunDocumentError::Malformed { line: 1, .. })), "{at}");
    }
    let malformed = |text: &str| read_text(text).unwrap_err().to_string();
    assert_eq!(malformed("hello"), "line 1: expected value");
    assert_eq!(malformed("{\n\"document\": 1e999}"), "line 2: number out of range");
}

#[test]
fn damage_is_seen_wherever_it_is() {
    assert!(
        refused("/runs/0/samples/0/data", json!("AAAA"))
            .ends_with("samples 1 of run 1 is damaged: its checksum does not fit")
    );
    assert!(refused("/runs/1/samples/0/data", json!("no base64")).starts_with("samples 1 of run 2 is damaged: "));
    assert!(refused("/runs/0/samples/0/crc32", json!(1)).contains("checksum"));
    assert!(matches!(read(&with("/runs/0/samples/0/layout", json!(99))), Err(RunDocumentError::Layout { .. })));
    assert!(matches!(read(&with("/runs/0/samples/0/layout", json!(70_000))), Err(RunDocumentError::Layout { .. })));
}

#[test]
fn figures_out_of_range_are_named() {
    assert_eq!(
        refused("/runs/0/started_us", json!(-1)),
        "run 1: \"started_us\" is not between the years 1970 and 9999"
    );
    assert_eq!(refused("/runs/0/ended_us", json!(1)), "run 1: it ends before it begins");
    assert_eq!(refused("/runs/0/results/0/tps", json!(-1)), "run 1: a result is out of range");
    assert!(refused("/runs/0/marks/0/marked_us", json!(1e300)).starts_with("row 1 of \"marks\" of run 1: "));
    assert!(refused("/runs/0/declared/volumes/0/iops", json!(0)).contains("out of range"));
    assert!(refused("/runs/0/declared/volumes/0/volume_type", json!("gp9")).contains("gp9"));
    assert_eq!(refused("/runs/1/label", json!("a")), "the document: it has run \"a\" twice");
    assert!(refused("/runs/0/environment", json!({ "doubts": "none" })).contains("environment"));
    let twice = json!([{ "phase": "a", "marked_us": 1 }, { "phase": "b", "marked_us": 1 }]);
    assert_eq!(refused("/runs/0/marks", twice), "\"marks\" of run 1: two have the same time");
}

#[test]
fn samples_that_nobody_takes_are_refused() {
    for (dt_us, reads, problem) in [(u64::MAX, 1, "longer than a year"), (1_000_000, u64::MAX, "out of range")] {
        let error = Samples::from_stored(FORMAT, block(dt_us, reads), &|| ()).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn totals_that_no_sum_can_hold_are_refused() {
    let of = |totals: Totals| {
        let sample = Sample { at_us: 1_700_000_000_000_000, dt_us: 1_000_000, devices: vec![].into(), reset: false };
        Samples::from_stored(
            FORMAT,
            encode(Block { totals, samples: vec![sample], ..Block::default() }).unwrap(),
            &|| (),
        )
    };
    let key = ["client backend", "relation", "normal"].map(str::to_owned);
    let [backend_type, object, context] = key;
    let key = IoKey { backend_type, object, context };
    let row = |read_bytes| (key.clone(), IoCounts { read_bytes, ..IoCounts::default() });
    let io = |rows| Totals { io: IoTotals { rows, ..IoTotals::default() }, ..Totals::default() };
    assert!(of(io(vec![row(1 << 40)])).is_ok());
    for rows in [vec![row(u64::MAX)], vec![row(1 << 47), row(1 << 47)]] {
        assert!(of(io(rows)).unwrap_err().to_string().contains("a total is out of range"));
    }
    let wal = Timed { counts: WalCounts { bytes: u64::MAX, ..WalCounts::default() }, known_us: 1 };
    assert!(of(Totals { wal, ..Totals::default() }).is_err());
}

#[test]
fn more_than_a_document_holds_is_refused_on_both_ways() {
    let mut large = run("a");
    large.samples[0].bytes = vec![0; MAX_PACKED_BYTES + 1];
    assert_eq!(write(&[large], "0.1.0"), Err(RunDocumentError::TooLarge));
    let data = "A".repeat(MAX_PACKED_BYTES / 3 * 4 + 8);
    assert_eq!(read(&with("/runs/0/samples/0/data", json!(data))), Err(RunDocumentError::TooLarge));
}

#[test]
fn a_run_has_as_many_rows_as_may_be_kept() {
    let marks = |count: usize| (0..count).map(|us| json!({ "phase": "a", "marked_us": us })).collect::<Vec<_>>();
    let kept = read(&with("/runs/0/marks", json!(marks(MAX_ROWS)))).unwrap();
    assert_eq!(kept[0].marks.len(), MAX_ROWS);
    assert_eq!(refused("/runs/0/marks", json!(marks(MAX_ROWS + 3))), "run 1: \"marks\" has more than 1002 rows");
}

/// Every place of a value that can be replaced.
fn places(value: &Value, prefix: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                places(value, &format!("{prefix}/{key}"), found);
            }
        }
        Value::Array(rows) => {
            for (index, value) in rows.iter().enumerate() {
                places(value, &format!("{prefix}/{index}"), found);
            }
        }
        _ => found.push(prefix.to_owned()),
    }
}

proptest! {
    #[test]
    fn any_value_anywhere_is_read_or_refused(which: prop::sample::Index, text in "\\PC{0,8}", number: i64, kind in 0..5u8) {
        let mut found = Vec::new();
        places(&document(), "", &mut found);
        let value = match kind {
            0 => json!(text),
            1 => json!(number),
            2 => json!(null),
            3 => json!({ "a": number }),
            _ => json!([text]),
        };
        if let Ok(runs) = read(&with(&found[which.index(found.len())], value)) {
            prop_assert_eq!(runs.len(), 2);
        }
    }

    #[test]
    fn a_changed_byte_of_samples_is_seen(at: prop::sample::Index, to: u8) {
        let mut bytes = block(1_000_000, 5);
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != to);
        let crc32 = crc32fast::hash(&bytes);
        bytes[at] = to;
        let mut damaged = document();
        let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
        *damaged.pointer_mut("/runs/0/samples/0").unwrap() = json!({ "layout": FORMAT, "crc32": crc32, "data": data });
        prop_assert!(read(&damaged).is_err());
    }
}
