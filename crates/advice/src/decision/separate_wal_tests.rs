//! 4,000 reads and 1,000 flushes a second on one volume, and the same on two.

use super::*;
use crate::decision::advise::advise;
use crate::request::settings::Settings;
use crate::request::wal_placement::WalArguments;
use crate::whatif::whatif_tests::{answers, apart, asked, on_one_volume, reading, window};
use crate::{Advice, WhatIfArguments};
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, prices};
use ebs_base::units::GIB;
use ebs_samples::evidence::{Block, CounterDelta};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::load_kind::LoadKind;

fn advice(block: Block, settings: Settings) -> Advice {
    let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
    let request = Request { max_wal_bytes: Some(GIB), ..request };
    advise(&window(block), &request, &Declarations::default(), &|| {})
}

/// Requests that one gp3 includes.
fn light() -> Block {
    let mut block = on_one_volume();
    for (_, counts) in block.samples.iter_mut().flat_map(|sample| &mut sample.devices) {
        let CounterDelta::Known(counts) = counts else { continue };
        (counts.reads, counts.writes) = (counts.reads / 4, counts.writes / 4);
        (counts.read_bytes, counts.write_bytes) = (counts.read_bytes / 4, counts.write_bytes / 4);
    }
    block
}

#[test]
fn a_second_gp3_has_included_iops_of_its_own() {
    let found = advice(on_one_volume(), Settings::default());
    let (best, separate) = (found.roles[0].best().unwrap(), found.separate_wal.unwrap());
    let (data, wal) = (&separate.data, &separate.wal);
    // What the data asks for is what both ask for without the flushes.
    assert_eq!(
        (best.config.volume_type, data.config.volume_type, best.scale),
        (VolumeType::Gp3, VolumeType::Gp3, data.scale)
    );
    // 98 % of what each asks for without a limit, and up to 6 % more for the low end of its interval.
    let is_kept = |iops: u64, requests: f64| (0.98..1.06).contains(&(iops as f64 / (requests * data.scale)));
    assert!(is_kept(best.config.iops, 5_000.0) && is_kept(data.config.iops, 4_000.0), "{best:?} {data:?}");
    // Twice max_wal_size, with the included 3,000 IOPS and 125 MiB/s: 2 × $0.08.
    assert_eq!((wal.config.size_gib, wal.config.iops, wal.config.throughput_mibps, wal.volumes), (2, 3_000, 125, 1));
    assert_eq!(wal.total(), "0.16".parse().unwrap());
    assert!(separate.total() < best.total(), "{separate:?}");
    assert_eq!((data.read_ms().is_some(), wal.read_ms()), (true, None));
}

#[test]
fn it_is_predicted_as_what_if_does() {
    let separate = advice(on_one_volume(), Settings::default()).separate_wal.unwrap();
    let config = separate.data.config;
    let [iops, throughput_mibps, size_gib] =
        [config.iops, config.throughput_mibps, config.size_gib].map(|figure| i64::try_from(figure).ok());
    let wal = WalArguments { volume: Some("gp3".to_owned()), size_gib: Some(2), ..WalArguments::default() };
    let arguments = WhatIfArguments { iops, throughput_mibps, size_gib, wal, ..asked("gp3") };
    let found = answers(on_one_volume(), &arguments, &Declarations::default());
    assert_eq!((found[0].prediction, found[1].prediction), (separate.data.prediction, separate.wal.prediction));
    assert_eq!((found[0].usd_month, found[1].usd_month), (Some(separate.data.total()), Some(separate.wal.total())));
}

#[test]
fn it_is_offered_where_it_is_worth_it_alone() {
    let offered = |block: Block, settings| advice(block, settings).separate_wal.is_some();
    assert!(offered(on_one_volume(), Settings::default()));
    // On two volumes already, without WAL, within what one volume includes, on RDS.
    assert!(![apart(), reading(), light()].into_iter().any(|block| offered(block, Settings::default())));
    assert!(!offered(on_one_volume(), Settings { platform: Platform::Rds.name().to_owned(), ..Settings::default() }));
}

#[test]
fn it_meets_the_request() {
    let least = advice(on_one_volume(), Settings::default()).separate_wal.unwrap();
    let ratio = least.ratio().unwrap().middle;
    let offered = |settings| advice(on_one_volume(), settings).separate_wal.is_some();
    let with_ratio = |ratio| Settings { min_throughput_ratio: Some(ratio), ..Settings::default() };
    assert!(offered(with_ratio(0.99 * ratio)) && !offered(with_ratio(1.01 * ratio)));
    assert!(offered(Settings { latency_target_ms: Some(2.0), ..Settings::default() }));
    // 0.998² = 0.996.
    let durable = |pct| Settings { durability_pct: Some(pct), ..Settings::default() };
    assert!(offered(durable(99.6)) && !offered(durable(99.8)));
    assert!(!offered(Settings { budget_usd: "0.2".parse().ok(), ..Settings::default() }));
}

/// The data's volume and WAL's share the 6,000 IOPS of m5.xlarge: what flushes take of them is useless to the data, whose volume keeps its
/// declared size.
#[test]
fn both_are_no_more_than_the_instance_sustains() {
    let settings = Settings { instance: Some("m5.xlarge".to_owned()), ..Settings::default() };
    let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
    let request = Request { max_wal_bytes: Some(GIB), driver_load: Some(LoadKind::Open), ..request };
    let on = |reads_pct: u64, declared: &Declarations| {
        let mut block = on_one_volume();
        for (_, counts) in block.samples.iter_mut().flat_map(|sample| &mut sample.devices) {
            let CounterDelta::Known(counts) = counts else { continue };
            let scaled = |count: u64| count * reads_pct / 100;
            (counts.reads, counts.read_bytes) = (scaled(counts.reads), scaled(counts.read_bytes));
            counts.read_ms = scaled(counts.read_ms);
        }
        advise(&window(block), &request, declared, &|| {}).separate_wal.unwrap()
    };
    // 20 % of headroom each, up to all of 6,000 beside 1,000 flushes.
    let data = |reads_pct| on(reads_pct, &Declarations::default()).data.config.iops;
    assert_eq!([100, 104, 110, 120].map(data), [4_800, 5_000, 5_000, 5_000]);
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 700, None, None).unwrap();
    let declared = Declarations { volumes: vec![Declared::new("data", config, 1)], ..Declarations::default() };
    let found = on(110, &declared);
    assert_eq!((found.data.config.size_gib, found.wal.config.size_gib), (700, 2));
}

/// A volume for WAL of which no size is known is none to order.
#[test]
fn it_is_not_offered_where_the_size_of_wal_is_not_known() {
    let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
    let unknown = Request { max_wal_bytes: None, ..request };
    assert!(advise(&window(on_one_volume()), &unknown, &Declarations::default(), &|| {}).separate_wal.is_none());
}

/// The counts of one volume for both, times factors of its reads and of its writes.
fn scaled([reads, writes]: [f64; 2]) -> Block {
    let mut block = on_one_volume();
    let scale = |count: &mut u64, factor: f64| *count = (*count as f64 * factor).round() as u64;
    for (_, counts) in block.samples.iter_mut().flat_map(|sample| &mut sample.devices) {
        let CounterDelta::Known(counts) = counts else { continue };
        [&mut counts.reads, &mut counts.read_bytes, &mut counts.read_ms]
            .into_iter()
            .for_each(|count| scale(count, reads));
        [&mut counts.writes, &mut counts.write_bytes, &mut counts.write_ms]
            .into_iter()
            .for_each(|count| scale(count, writes));
    }
    block
}

/// 1 % more reads or writes change the price of both volumes by 5 % or an order of each at most, and the throughput by 5 %.
#[test]
fn their_price_and_throughput_have_no_step() {
    for walk in [|factor| [factor, 1.0], |factor| [1.0, factor], |factor| [factor; 2]] {
        let at = |percent: u32| {
            let separate = advice(scaled(walk(f64::from(percent) / 100.0)), Settings::default()).separate_wal;
            separate.map(|separate| (separate.total().cents() as f64 / 100.0, separate.ratio().unwrap().middle))
        };
        let found: Vec<_> = (90..=110).filter_map(at).collect();
        assert!(found.len() > 10, "{found:?}");
        for pair in found.windows(2) {
            let [(usd, ratio), (next_usd, next_ratio)] = [pair[0], pair[1]];
            assert!((next_usd - usd).abs() <= 0.05 * usd.max(next_usd) + 2.0 * 0.80, "{pair:?}");
            assert!((next_ratio / ratio).ln().abs() <= 0.05, "{pair:?}");
        }
    }
}
