//! The blocks of sql/whatif.sql and sql/options.sql, and what comes of them by hand.

use super::*;
use crate::{Request, Settings, WhatIfArguments};
use ebs_aws::catalogue::{Platform, VolumeType, prices};
use ebs_base::units::{GIB, SECOND_US};
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::{MissingInput, Source};
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, DeviceReadings, IoCounts, IoKey, IoTotals, ProcessorCounts, Role, Sample,
    Session, StorageLayout, Timed, Totals, TransactionCounts, Volume, WaitKey, WaitTotals, WalCounts, WalWriteCounts,
    codec,
};
use ebs_workload::declarations::Declared;

const READING: &str = include_str!("../../../../sql/reports/reading.hex");
const APART: &str = include_str!("../../../../sql/reports/apart.hex");
const ONE_VOLUME: &str = include_str!("../../../../sql/reports/one-volume.hex");

/// 2026-01-01 00:00:00 UTC.
const BEGAN_US: i64 = 1_767_225_600 * 1_000_000;
const SECONDS: u64 = 60;

fn waits(sessions: &[(&str, &str, f64)]) -> WaitTotals {
    let row = |(class, event, sessions): &(&str, &str, f64)| {
        let [backend_type, class, event] = ["client backend", class, event].map(str::to_owned);
        let key = WaitKey { backend_type, class, event, session: Session::default() };
        (key, (sessions * (SECONDS * SECOND_US) as f64) as u64)
    };
    WaitTotals { rows: sessions.iter().map(row).collect(), sweeps: 6_000, swept_us: SECONDS * SECOND_US }
}

fn io(object: &str, counts: IoCounts) -> (IoKey, IoCounts) {
    let [backend_type, object, context] = ["client backend", object, "normal"].map(str::to_owned);
    (IoKey { backend_type, object, context }, counts)
}

/// 2,000 transactions a second on 16 CPUs, `cpu_us` of CPU time each.
fn totals(sessions: &[(&str, &str, f64)], rows: Vec<(IoKey, IoCounts)>, wal: (u64, u64), cpu_us: u64) -> Totals {
    let known_us = SECONDS * SECOND_US;
    let used_us = SECONDS * 2_000 * cpu_us;
    let processor = ProcessorCounts { client_us: used_us, server_us: used_us, host_us: used_us, ..Default::default() };
    Totals {
        io: IoTotals { rows, known_us, ..IoTotals::default() },
        wal: Timed { counts: WalCounts { bytes: wal.0 * SECONDS, ..WalCounts::default() }, known_us },
        wal_writes: Timed { counts: WalWriteCounts { writes: wal.1 * SECONDS }, known_us },
        waits: waits(sessions),
        transactions: Timed {
            counts: TransactionCounts { commits: 2_000 * SECONDS, ..TransactionCounts::default() },
            known_us,
        },
        processor: Timed { counts: processor, known_us },
        cpus: Some(16.into()),
        ..Totals::default()
    }
}

fn block(volumes: &[(&str, &[Role])], each_second: &[DeviceCounts], totals: Totals) -> Block {
    let volume = |(device, roles): &(&str, &[Role])| Volume {
        device: (*device).to_owned(),
        roles: roles.to_vec(),
        timed: true,
        filesystem_bytes: Some(500 * GIB),
        used_bytes: Some(80 * GIB),
        ..Volume::default()
    };
    let devices: DeviceReadings =
        (0..).zip(each_second).map(|(index, counts)| (index, CounterDelta::Known(*counts))).collect();
    let sample = |second: i64| Sample {
        at_us: BEGAN_US + second * 1_000_000,
        dt_us: SECOND_US,
        devices: devices.clone(),
        reset: false,
    };
    Block {
        interval_us: SECOND_US,
        layout: StorageLayout { volumes: volumes.iter().map(volume).collect(), ..StorageLayout::default() },
        totals,
        samples: (1..=SECONDS as i64).map(sample).collect(),
        ..Block::default()
    }
}

/// Eight sessions do 2,000 transactions a second in 4 ms each: four reads of 0.5 ms, 1.6 ms on a CPU, 0.4 ms with the client.
pub(crate) fn reading() -> Block {
    let sessions = [("IO", "DataFileRead", 4.0), (WaitKey::CPU, WaitKey::CPU, 3.2), ("Client", "ClientRead", 0.8)];
    let second = DeviceCounts { reads: 8_000, read_bytes: 8_000 * 8_192, read_ms: 4_000, ..DeviceCounts::default() };
    let counts = IoCounts { read_bytes: 8_000 * 8_192 * SECONDS, read_us: 4_000_000 * SECONDS, ..IoCounts::default() };
    let volumes: [(&str, &[Role]); 1] = [("nvme1n1", &[Role::Data, Role::Wal])];
    block(&volumes, &[second], totals(&sessions, vec![io("relation", counts)], (0, 0), 1_600))
}

/// The same reads of 0.5 ms, two a transaction, from one disk, and a commit on another: 1,000 flushes of 1 ms a second, each
/// of which carries two; it waits 1.4 ms, and 1.6 ms are CPU.
pub(crate) fn apart() -> Block {
    let sessions = [
        ("IO", "DataFileRead", 2.0),
        ("IO", "WalSync", 1.0),
        ("LWLock", "WALWrite", 1.8),
        (WaitKey::CPU, WaitKey::CPU, 3.2),
    ];
    let data = DeviceCounts { reads: 4_000, read_bytes: 4_000 * 8_192, read_ms: 2_000, ..DeviceCounts::default() };
    let wal = DeviceCounts { writes: 1_000, write_bytes: 1_000 * 16_384, write_ms: 900, ..DeviceCounts::default() };
    let relation =
        IoCounts { read_bytes: 4_000 * 8_192 * SECONDS, read_us: 2_000_000 * SECONDS, ..IoCounts::default() };
    let flushes = IoCounts { fsyncs: 1_000 * SECONDS, fsync_us: 1_000_000 * SECONDS, ..IoCounts::default() };
    let rows = vec![io("relation", relation), io("wal", flushes)];
    let volumes: [(&str, &[Role]); 2] = [("sdb", &[Role::Data]), ("sdc", &[Role::Wal])];
    block(&volumes, &[data, wal], totals(&sessions, rows, (1_000 * 16_384, 1_000), 1_600))
}

/// The same on one disk.
pub(crate) fn on_one_volume() -> Block {
    let mut block = apart();
    let data = DeviceCounts { reads: 4_000, read_bytes: 4_000 * 8_192, read_ms: 2_000, ..DeviceCounts::default() };
    let both = DeviceCounts { writes: 1_000, write_bytes: 1_000 * 16_384, write_ms: 900, ..data };
    block.layout.volumes.truncate(1);
    block.layout.volumes[0].roles = vec![Role::Data, Role::Wal];
    for sample in &mut block.samples {
        sample.devices = [(0, CounterDelta::Known(both))].into();
    }
    block
}

pub(crate) fn window(block: Block) -> Window {
    Window::assemble([block], BEGAN_US, BEGAN_US + SECONDS as i64 * 1_000_000)
}

pub(crate) fn asked(volume_type: &str) -> WhatIfArguments {
    WhatIfArguments { volume_type: volume_type.to_owned(), ..WhatIfArguments::default() }
}

pub(crate) fn request(platform: Platform) -> Request {
    let settings = Settings { platform: platform.name().to_owned(), ..Settings::default() };
    settings.check(prices("us-east-1").unwrap().clone()).unwrap()
}

pub(crate) fn answers(block: Block, asked: &WhatIfArguments, declared: &Declarations) -> Vec<WhatIfAnswer> {
    let question = asked.check(request(Platform::Ec2)).unwrap();
    whatif(&window(block), &question, declared).unwrap()
}

pub(super) fn answer(asked: &WhatIfArguments) -> WhatIfAnswer {
    answers(reading(), asked, &Declarations::default()).remove(0)
}

/// A declared gp3 of so many IOPS.
pub(super) fn declare(iops: u64) -> Declarations {
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 500, Some(iops), None).unwrap();
    let one = Declared::new("data", config, 1);
    Declarations { volumes: vec![one], ..Declarations::default() }
}

fn sources(answer: &WhatIfAnswer) -> (Source, Source) {
    let basis = answer.basis.unwrap();
    (basis.read_source, basis.write_source)
}

fn ratio(answer: &WhatIfAnswer) -> f64 {
    answer.prediction.unwrap().ratio.middle
}

#[test]
fn the_recorded_blocks_are_these() {
    let blocks = [(READING, reading()), (APART, apart()), (ONE_VOLUME, on_one_volume())];
    let differing = blocks.into_iter().filter_map(|(recorded, block)| {
        let digits = recorded.trim();
        let bytes: Vec<u8> =
            (0..digits.len()).step_by(2).map_while(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect();
        let hex: String = codec::encode(block.clone()).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
        (codec::decode(5, &bytes).ok() != Some(block)).then_some(hex)
    });
    let differing: Vec<String> = differing.collect();
    assert!(differing.is_empty(), "in the layout of today these are {differing:#?}");
}

/// 3,000 IOPS are 750 transactions of four reads: 0.375.
#[test]
fn at_a_limit_its_requests_are_what_there_is() {
    let found = answer(&asked("gp3"));
    assert!((ratio(&found) - 0.375).abs() < 1e-6, "{found:?}");
    let predicted = found.prediction.unwrap();
    assert!((predicted.tps.middle - 750.0).abs() < 0.01 && (predicted.iops - 3_000.0).abs() < 0.1);
    assert_eq!(predicted.bound_by, BindingLimit::VOLUME_IOPS);
    // All eight are at work or with their client: 8 / 750 s = 10.67 ms a round, of which the client may have had 0.4.
    assert!((10.2..10.7).contains(&predicted.response_ms.middle), "{predicted:?}");
    assert_eq!((found.throttled_pct.map(f64::round), found.added), (Some(100.0), None));
}

/// Reads of 0.25 ms take 1 ms off a transaction's 4; CPUs that are busier and warmer move it by some per cent.
#[test]
fn a_latency_that_was_given_is_taken() {
    let quick = WhatIfArguments { iops: Some(20_000), read_ms: Some(0.25), write_ms: Some(0.5), ..asked("io2") };
    let found = answer(&quick);
    assert!((ratio(&found) / (4.0 / 3.0) - 1.0).abs() < 0.06, "{found:?}");
    assert_eq!(sources(&found), (Source::Given, Source::Given));
    assert_eq!(found.prediction.unwrap().bound_by, BindingLimit::Latency);
    let many = answer(&WhatIfArguments { clients: Some(800.0), ..quick });
    assert_eq!(many.prediction.unwrap().bound_by, BindingLimit::VOLUME_IOPS);
    assert!((many.prediction.unwrap().tps.middle - 5_000.0).abs() < 1.0);
}

/// gp3 of 16,000 IOPS at 0.74 ms: 0.96 ms more. On a gp3 that was not at its limit, what was measured counts.
#[test]
fn what_was_measured_on_the_same_type_counts() {
    let wide = WhatIfArguments { iops: Some(16_000), ..asked("gp3") };
    let published = answer(&wide);
    assert!((ratio(&published) / (4.0 / 4.96) - 1.0).abs() < 0.06, "{published:?}");
    let same = answers(reading(), &wide, &declare(12_000)).remove(0);
    assert!((ratio(&same) - 1.0).abs() < 1e-6, "{same:?}");
    // There were no writes.
    assert_eq!(sources(&same), (Source::Measured, Source::Published));
    // 8,000 is what it does, but nothing queues: 0.5 ms is no wait. Eight times that is one.
    let near = answers(reading(), &wide, &declare(8_000)).remove(0);
    assert_eq!(sources(&near), (Source::Measured, Source::Published));
    let limited = answers(queued(), &wide, &declare(8_000)).remove(0);
    let basis = limited.basis.unwrap();
    assert_eq!((basis.read_source, basis.read.low_s, basis.read.high_s), (Source::Published, 0.6e-3, 0.91e-3));
}

/// [`reading`] with reads of 4 ms.
pub(super) fn queued() -> Block {
    let mut block = reading();
    for (_, counts) in block.samples.iter_mut().flat_map(|sample| &mut sample.devices) {
        if let CounterDelta::Known(counts) = counts {
            counts.read_ms *= 8;
        }
    }
    block
}

#[test]
fn data_and_wal_are_asked_about_apart_and_together() {
    let wide = WhatIfArguments { iops: Some(20_000), read_ms: Some(1.0), write_ms: Some(0.9), ..asked("io2") };
    let found = answers(apart(), &wide, &Declarations::default());
    let roles: Vec<&str> = found.iter().filter_map(|answer| answer.role.as_deref()).collect();
    assert_eq!(roles, ["data", "wal", "data+wal"]);
    // Two reads take 1 ms more of 4 ms; writes as before change nothing.
    assert!((ratio(&found[0]) / 0.8 - 1.0).abs() < 0.06 && (ratio(&found[1]) - 1.0).abs() < 0.03, "{found:?}");
    assert!((ratio(&found[2]) / ratio(&found[0]) - 1.0).abs() < 0.05, "{found:?}");
    let on_rds =
        WhatIfArguments { size_gib: Some(100), iops: Some(1_000), ..wide }.check(request(Platform::Rds)).unwrap();
    assert_eq!(whatif(&window(apart()), &on_rds, &Declarations::default()).unwrap().len(), 1);
}

#[test]
fn sizes_left_out_are_what_is_needed() {
    let config = |asked: &WhatIfArguments| answer(asked).config.unwrap();
    // 80 GiB in use want 100; so do four of 25.
    assert_eq!((config(&asked("gp3")).size_gib, config(&asked("gp3")).iops), (100, 3_000));
    assert_eq!(config(&WhatIfArguments { volumes: 4, ..asked("gp3") }).size_gib, 25);
    // 500 IOPS a GiB.
    assert_eq!(config(&WhatIfArguments { iops: Some(60_000), ..asked("gp3") }).size_gib, 120);
    assert_eq!(config(&WhatIfArguments { size_gib: Some(40), ..asked("gp2") }).iops, 120);
}

#[test]
fn what_is_not_sold_is_refused_and_what_is_not_known_is_said() {
    let refused = |asked: &WhatIfArguments| {
        let question = asked.check(request(Platform::Ec2));
        question.and_then(|question| whatif(&window(reading()), &question, &Declarations::default())).unwrap_err()
    };
    for wrong in [
        WhatIfArguments { iops: Some(100), ..asked("gp3") },
        WhatIfArguments { iops: Some(3_000), size_gib: Some(100), ..asked("gp2") },
        WhatIfArguments { volumes: 0, ..asked("gp3") },
        WhatIfArguments { clients: Some(0.0), ..asked("gp3") },
        WhatIfArguments { read_ms: Some(-1.0), ..asked("gp3") },
        WhatIfArguments { write_ms: Some(f64::NAN), ..asked("gp3") },
        asked("gp9"),
    ] {
        assert!(!refused(&wrong).hint().is_empty(), "{wrong:?}");
    }
    // No size is given in these, and none is named.
    for (wrong, message) in [
        (WhatIfArguments { iops: Some(300_000), ..asked("io2") }, "iops 300000 is out of range for io2: 100 to 256000"),
        (WhatIfArguments { iops: Some(100_000), ..asked("io1") }, "iops 100000 is out of range for io1: 100 to 64000"),
        (WhatIfArguments { iops: Some(700), ..asked("st1") }, "iops of st1 cannot be chosen: 16384 GiB give 500"),
        (
            WhatIfArguments { throughput_mibps: Some(2_001), ..asked("gp3") },
            "throughput_mibps 2001 is out of range for gp3: 125 to 2000",
        ),
    ] {
        assert_eq!(refused(&wrong).to_string(), message, "{wrong:?}");
    }
    let hdd = answer(&asked("st1"));
    let unpublished = WhatIfNote::NoPrediction(NoPrediction::LatencyUnpublished(VolumeType::St1));
    assert!(hdd.prediction.is_none() && hdd.notes[0] == unpublished, "{hdd:?}");
    // 8,000 requests a second cost 1 MiB of credits each.
    assert!(matches!(hdd.notes[1], WhatIfNote::RecordedCredits(Some(_))), "{hdd:?}");
    let mut silent = reading();
    silent.totals.waits = WaitTotals::default();
    let silent = answers(silent, &asked("gp3"), &Declarations::default()).remove(0);
    assert_eq!(silent.notes, [WhatIfNote::WithoutWaits]);
    // 3,000 of 8,000 requests a second, whichever law holds.
    let prediction = silent.prediction.unwrap();
    assert!(prediction.without_waits && (prediction.ratio.middle - 0.375).abs() < 1e-9, "{prediction:?}");
    assert!(prediction.ratio.low > 0.3 && prediction.ratio.high < 0.45, "{prediction:?}");
    assert_eq!(prediction.known_bound(), Some(BindingLimit::VOLUME_IOPS));
    assert_eq!(silent.usd_month, Some("8".parse().unwrap()));
    // Requests in flight do not show how many sessions there were.
    let mut silent = reading();
    silent.totals.waits = WaitTotals::default();
    let more = answers(silent, &WhatIfArguments { clients: Some(32.0), ..asked("gp3") }, &Declarations::default());
    assert_eq!(more[0].notes[0], WhatIfNote::NoPrediction(NoPrediction::Missing(MissingInput::Waits)));
}

/// gp2 of 200 GiB: 600 IOPS, 3,000 with credits. 58 seconds of 100 reads and two of 5,000 are 263 a second: they spend 2 × 2,400 of 5.4
/// million credits and throttle two seconds of sixty, more than max_throttled_pct. Far above 600 on average the credits run out some day.
#[test]
fn a_burst_counts_although_seconds_exceed_even_it() {
    let gp2 = |each_second: u64| {
        let mut seen = reading();
        for (second, sample) in seen.samples.iter_mut().enumerate() {
            for (_, counts) in &mut sample.devices {
                if let CounterDelta::Known(counts) = counts {
                    let reads = if second % 30 == 0 { 5_000 } else { each_second };
                    (counts.reads, counts.read_bytes, counts.read_ms) = (reads, reads * 8_192, reads / 2);
                }
            }
        }
        let asked = WhatIfArguments { size_gib: Some(200), ..asked("gp2") };
        let found = answers(seen, &asked, &Declarations::default()).remove(0);
        (found.throttled_pct.unwrap() > 1.0, found.notes.contains(&WhatIfNote::WithCredits))
    };
    assert_eq!([gp2(100), gp2(300), gp2(2_000)], [(true, true), (true, true), (true, false)]);
}

fn find_credits(answer: &WhatIfAnswer) -> Option<Option<f64>> {
    answer.notes.iter().find_map(|note| match note {
        WhatIfNote::WithCredits => Some(None),
        WhatIfNote::WithoutCredits { credits_last_s } => Some(Some(*credits_last_s)),
        _ => None,
    })
}

/// gp2 of 200 GiB: 600 IOPS, 3,000 while 5.4 million credits last. Eight sessions would use all 3,000, which spends 2,400 a second and
/// ends after 2,250 s; so does any number whose reads, at 4.9 ms for four of 0.73 ms and the rest, are above 600.
#[test]
fn credits_are_judged_by_the_predicted_load() {
    let gp2 = |clients| answer(&WhatIfArguments { size_gib: Some(200), clients: Some(clients), ..asked("gp2") });
    let all = gp2(8.0);
    assert!((find_credits(&all).unwrap().unwrap() / 2_250.0 - 1.0).abs() < 0.01, "{all:?}");
    // A twentieth of the sessions asks for 330, far below the recorded 8,000.
    let few = gp2(0.4);
    assert_eq!(find_credits(&few), Some(None));
    assert!((few.prediction.unwrap().iops - 330.0).abs() < 30.0, "{few:?}");
    let more = gp2(1.0);
    let (lasts_s, predicted) = (find_credits(&more).unwrap().unwrap(), more.prediction.unwrap());
    let load = 5_400_000.0 / lasts_s + 600.0;
    assert!((load / 820.0 - 1.0).abs() < 0.1, "{load}");
    assert_eq!((predicted.iops.round(), predicted.bound_by), (600.0, BindingLimit::VOLUME_IOPS));
}

/// 8,000 IOPS, and m5.large sustains 3,600, for half an hour 18,750.
#[test]
fn an_instances_maximum_can_be_requested() {
    let on = |name: &str, instance_burst| {
        let settings = Settings { instance: Some(name.to_owned()), ..Settings::default() };
        let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
        let fast = WhatIfArguments { iops: Some(20_000), read_ms: Some(0.5), write_ms: Some(0.5), ..asked("io2") };
        let question = WhatIfArguments { instance_burst, ..fast }.check(request).unwrap();
        whatif(&window(reading()), &question, &Declarations::default()).unwrap().remove(0)
    };
    let baseline = on("m5.large", false);
    let predicted = baseline.prediction.unwrap();
    assert_eq!((predicted.iops.round(), predicted.bound_by), (3_600.0, BindingLimit::INSTANCE_IOPS));
    let above = |answer: &WhatIfAnswer| {
        answer.notes.iter().find_map(|note| match note {
            WhatIfNote::AboveInstanceBaseline { seconds_pct, .. } => Some(*seconds_pct),
            _ => None,
        })
    };
    assert_eq!((above(&baseline), baseline.throttled_pct), (Some(100.0), Some(100.0)));
    let burst = on("m5.large", true);
    assert!((ratio(&burst) - 1.0).abs() < 0.03, "{burst:?}");
    assert!(burst.notes.iter().any(|note| matches!(note, WhatIfNote::WithInstanceMaximum { .. })), "{burst:?}");
    assert_eq!((above(&burst), burst.throttled_pct), (Some(100.0), Some(0.0)));
    let large = on("m5.24xlarge", true);
    assert!(large.notes.iter().any(|note| matches!(note, WhatIfNote::NoInstanceBurst { .. })), "{large:?}");
    assert_eq!(above(&large), None);
    let unknown = answer(&WhatIfArguments { instance_burst: true, ..asked("gp3") });
    assert!(unknown.notes.contains(&WhatIfNote::InstanceUnknown));
}
