use proptest::prelude::*;

use std::collections::BTreeMap;

use super::*;
use crate::indexes::{Finding as IndexFinding, Reason};
use ebs_base::counter::Counters;
use ebs_fixtures::statements::{BEGAN_US, BLOCK, SECONDS, block, key, window};
use ebs_samples::evidence::{Block, TempCounts, Window};
use ebs_workload::reading::{CheckpointCounts, Checkpoints, Reading, Span, Table, TableCounts, Tables};
use ebs_workload::statements::{Entry, StatementCounts, Statements, attribute};

const SECONDS_US: i64 = SECONDS as i64 * 1_000_000;

fn reading(
    read_us: i64,
    statements: &[(i64, StatementCounts)],
    checkpoints: CheckpointCounts,
    table: TableCounts,
) -> Reading {
    let entry = |(id, counts): &(i64, StatementCounts)| (key(*id), Entry { since_us: None, counts: *counts });
    let table = Table { name: "public.accounts".into(), fillfactor: 100, indexes: 2, bytes: 1 << 30, counts: table };
    Reading {
        read_us,
        block_size: BLOCK,
        statements: Ok(Statements {
            evictions: Some(0),
            timed: true,
            roles: [(10, "App".to_owned())].into(),
            entries: statements.iter().map(entry).collect(),
            ..Statements::default()
        }),
        checkpoints: Some(Checkpoints { reset_us: Some(1), counts: checkpoints }),
        tables: Some(Tables { database: "shop".into(), reset_us: None, tables: [(1, table)].into() }),
    }
}

/// Counts over the two minutes of `ebs_fixtures::statements`: one statement reads 2,400 blocks a second, another 500 and writes 100 to
/// temporary files, 100 an execution; five checkpoints; 350 of 1,000 updates a second find no room.
fn span() -> Span {
    let counts = |calls, blocks_read, temp| StatementCounts {
        calls: calls * SECONDS,
        rows: calls * SECONDS,
        blocks_read: blocks_read * SECONDS,
        temp_blocks_read: temp * SECONDS,
        temp_blocks_written: temp * SECONDS,
        ..StatementCounts::default()
    };
    let table = TableCounts {
        updated: 1000 * SECONDS,
        hot_updated: 600 * SECONDS,
        newpage_updated: 350 * SECONDS,
        ..TableCounts::default()
    };
    let checkpoints = CheckpointCounts { timed: 0, requested: 5, buffers_written: 200 * SECONDS };
    Span {
        before: reading(BEGAN_US, &[], CheckpointCounts::default(), TableCounts::default()),
        after: reading(
            BEGAN_US + SECONDS_US,
            &[(11, counts(10, 2400, 0)), (22, counts(1, 500, 100))],
            checkpoints,
            table,
        ),
    }
}

fn settings() -> Settings {
    let environment = serde_json::json!({ "settings": {
        "work_mem": "4MB", "max_wal_size": "64MB", "checkpoint_timeout": "5min", "checkpoint_completion_target": "0.9",
        "full_page_writes": "on", "wal_compression": "off" } });
    Settings::from_environment(&environment)
}

fn collected(window: &Window, span: Option<&Span>, settings: Settings) -> Vec<Finding> {
    let mut observed = span.map(|span| span.statements().unwrap());
    if let Some(observed) = &mut observed {
        attribute(observed, window);
    }
    let texts = [(key(11), "SELECT *\n  FROM orders WHERE customer = $1".to_owned())].into();
    let observed = observed.as_ref();
    collect_findings(&Basis { window, readings: span, observed, texts: &texts, settings }, Vec::new())
}

fn one(found: &[Finding], kind: Kind) -> &Finding {
    found.iter().find(|finding| finding.kind() == kind).unwrap_or_else(|| panic!("no {}", kind.name()))
}

#[test]
fn the_largest_saving_comes_first() {
    let found = collected(&window(), Some(&span()), settings());
    let kinds: Vec<_> = found.iter().map(|finding| finding.kind()).collect();
    let expected =
        [Kind::Statement, Kind::Checkpoints, Kind::Statement, Kind::TemporaryFiles, Kind::Pages, Kind::Autovacuum];
    assert_eq!(kinds, expected, "{found:#?}");
    let Cause::Statement(reads) = &found[0].cause else { panic!("{found:#?}") };
    let text = Some("SELECT *\n  FROM orders WHERE customer = $1".to_owned());
    assert_eq!(reads.statement, StatementName { query_id: 11, role: Some("App".to_owned()), text });
    assert_eq!((found[0].share, found[0].saving), (Some(0.6), Some(Saving { low: 0.0, high: 1500.0 })));
}

#[test]
fn temporary_files_are_saved_but_for_what_was_never_written() {
    let found = collected(&window(), Some(&span()), settings());
    let spills = one(&found, Kind::TemporaryFiles);
    // 100 blocks a second written, of which 20 were dropped in time, at one block a request; as many read, of which the
    // device may have read none, because PostgreSQL's other reads are more than what was fetched.
    assert_eq!(spills.saving, Some(Saving { low: 80.0, high: 200.0 }));
    // 100 blocks an execution, on top of 4 MB: 4.8 MiB, and then a power of two.
    let Cause::TemporaryFiles(files) = &spills.cause else { panic!("{spills:?}") };
    assert_eq!(files.remedy, SpillRemedy::WorkMem { role: Some("App".to_owned()), mib: 8 });
}

#[test]
fn a_file_that_is_written_twice_counts_once_at_least() {
    let mut made = window();
    // 60 blocks a second of files, each written more than once, and all of them dropped in time.
    made.totals.temp.counts.bytes = 60 * BLOCK * SECONDS;
    made.totals.storage.counts.cancelled_bytes = 60 * BLOCK * SECONDS;
    let found = collected(&made, Some(&span()), settings());
    assert_eq!(one(&found, Kind::TemporaryFiles).saving.map(|saving| saving.low), Some(0.0));
}

#[test]
fn forced_checkpoints_are_those_that_wal_explains() {
    let checkpoints = |span: Span, settings| {
        collected(&window(), Some(&span), settings).into_iter().find(|f| f.kind() == Kind::Checkpoints)
    };
    let forced = checkpoints(span(), settings()).unwrap();
    // 196.6 MB of WAL at 64 MiB / 1.9 each are 5.57: all five. 12.5 times as often as every five minutes; 150 images and 200
    // buffers a second, of which 1 - 1/12.5 go at most.
    assert_eq!(forced.share, Some(350.0 / 2500.0));
    let saving = forced.saving.unwrap();
    assert!((saving.high - 350.0 * 0.92).abs() < 1e-9 && saving.low == 0.0, "{saving:?}");
    let Cause::Checkpoints(cause) = &forced.cause else { panic!("{forced:?}") };
    assert_eq!((cause.count, cause.seconds, cause.compressed), (5.0, 120.0, false));
    assert!((cause.image_share - 0.75).abs() < 1e-9 && (cause.times_as_often - 12.5).abs() < 1e-9, "{cause:?}");
    // 1.6 MB/s × 300 s × 1.9 × 1.2 is 1.04 GiB.
    assert_eq!(cause.max_wal_size_gib, 2.0);
    // With room for it they were asked for by somebody, and nothing is found; nor where counters were reset.
    let roomy = Settings { max_wal_size: Some(16 << 30), ..settings() };
    assert_eq!(checkpoints(span(), roomy), None);
    let mut reset = span();
    reset.after.checkpoints.as_mut().unwrap().reset_us = Some(2);
    assert_eq!(checkpoints(reset, settings()), None);
}

#[test]
fn updates_without_room_name_their_table() {
    let found = collected(&window(), Some(&span()), settings());
    let pages = one(&found, Kind::Pages);
    // 350 × 3 pages a second, but no more than 220 blocks of tables and indexes were written.
    assert_eq!(pages.saving, Some(Saving { low: 0.0, high: 220.0 }));
    let expected = PageMisses {
        table: "public.accounts".to_owned(),
        updated_s: 1_000.0,
        missed_s: 350.0,
        missed_share: 0.35,
        hot_share: 0.6,
        indexes: 2,
        fillfactor: 90,
    };
    assert_eq!(pages.cause, Cause::Pages(expected));
}

#[test]
fn autovacuum_has_a_share_and_no_saving() {
    let found = collected(&window(), Some(&span()), settings());
    let vacuum = one(&found, Kind::Autovacuum);
    // 200 blocks a second read, 5/8 of them from the device, and 20 written.
    assert_eq!((vacuum.share, vacuum.saving), (Some(145.0 / 2500.0), None));
}

#[test]
fn without_evidence_nothing_is_found() {
    assert_eq!(collected(&Window::default(), Some(&span()), settings()), []);
    let idle = Span { before: span().after, after: span().after };
    let quiet = Window::assemble([Block { totals: Default::default(), ..block() }], BEGAN_US, BEGAN_US + SECONDS_US);
    assert_eq!(collected(&quiet, Some(&idle), settings()), []);
    // Of a look-back there is what the samples have.
    let kinds: Vec<_> =
        collected(&window(), None, Settings::default()).into_iter().map(|finding| finding.kind()).collect();
    assert_eq!(kinds, [Kind::TemporaryFiles, Kind::Autovacuum]);
}

#[test]
fn an_index_with_a_price_stands_before_everything_else() {
    let found = IndexFinding::new(crate::indexes::Kind::Index, Reason::NegligibleGain);
    let index = missing_index(found, DeviceShare::default(), "12.5".parse().ok());
    let (window, texts) = (window(), BTreeMap::new());
    let basis = Basis { window: &window, readings: None, observed: None, texts: &texts, settings: settings() };
    assert_eq!(collect_findings(&basis, vec![index.clone()])[0], index);
}

/// 100 pages a second, of two requests each, less 30 % at the lower bound; no more than the device made.
#[test]
fn an_index_saves_no_more_than_the_device_did() {
    let saving = |requests_s| {
        let reason = Reason::NegligibleGain;
        let index = IndexFinding { saved_s: Some(100.0), ..IndexFinding::new(crate::indexes::Kind::Index, reason) };
        let device = DeviceShare { requests_per_page: Some(2.0), share: Some(0.5), requests_s };
        missing_index(index, device, None).saving.unwrap()
    };
    assert_eq!(saving(None), Saving { low: 140.0, high: 200.0 });
    assert_eq!(saving(Some(150.0)), Saving { low: 140.0, high: 150.0 });
}

proptest! {
    #[test]
    fn savings_are_in_order_and_no_more_than_the_device_did(
        temp in 0u64..10_000, cancelled in 0u64..10_000, requested in 0u64..100, buffers in 0u64..1_000_000, newpage in 0u64..100_000,
        reads in 0u64..10_000, writes in 0u64..10_000,
    ) {
        let (mut span, mut made) = (span(), block());
        made.totals.temp.counts = TempCounts { files: 1, bytes: temp * BLOCK * SECONDS };
        made.totals.storage.counts.cancelled_bytes = cancelled * BLOCK * SECONDS;
        for sample in &mut made.samples {
            for (_, device) in &mut sample.devices {
                if let ebs_samples::evidence::CounterDelta::Known(counts) = device {
                    (counts.reads, counts.read_bytes, counts.writes, counts.write_bytes) = (reads, reads * BLOCK, writes, writes * BLOCK);
                }
            }
        }
        span.after.checkpoints.as_mut().unwrap().counts = CheckpointCounts { timed: 0, requested, buffers_written: buffers };
        span.after.tables.as_mut().unwrap().tables.get_mut(&1).unwrap().counts.newpage_updated = newpage;
        for entry in span.after.statements.as_mut().unwrap().entries.values_mut() {
            entry.counts.temp_blocks_written = temp * SECONDS;
        }
        let window = Window::assemble([made], BEGAN_US, BEGAN_US + SECONDS_US);
        let all = (reads + writes) as f64 * (1.0 + 1e-9);
        for finding in collected(&window, Some(&span), settings()) {
            prop_assert!(finding.share.is_some_and(|share| (MIN_SHARE..=1.0).contains(&share)));
            if let Some(saving) = finding.saving {
                prop_assert!(0.0 <= saving.low && saving.low <= saving.high && saving.high <= all, "{:?} of {}", finding, all);
            }
        }
        prop_assert!(!span.statements().unwrap().statements.iter().any(|statement| StatementCounts::default().is_zero() && statement.calls == 0));
    }
}
