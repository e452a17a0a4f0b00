use proptest::prelude::*;

use super::*;
use crate::{Request, Settings, advise};
use ebs_aws::catalogue::prices;
use ebs_base::units::GIB;
use ebs_samples::evidence::{Block, CounterDelta, DeviceCounts, Role, Sample, StorageLayout, Volume, WaitKey};

/// Ten minutes of reads, now and then a peak of them; sessions spend this share of their time in them.
fn window(base: u64, peak: u64, kib: u64, latency_ms: f64, share: f64) -> Window {
    let sample = |second: i64| {
        let reads = if second % 50 < 5 { peak } else { base };
        let read_ms = (reads as f64 * latency_ms) as u64;
        let counts = DeviceCounts { reads, read_bytes: reads * kib * 1024, read_ms, ..DeviceCounts::default() };
        let devices = [(0, CounterDelta::Known(counts))].into();
        Sample { at_us: second * 1_000_000, dt_us: 1_000_000, devices, reset: false }
    };
    let volume = Volume {
        device: "nvme1n1".into(),
        roles: vec![Role::Data, Role::Wal],
        timed: true,
        filesystem_bytes: Some(500 * GIB),
        used_bytes: Some(240 * GIB),
        ..Volume::default()
    };
    let layout = StorageLayout { volumes: vec![volume], ..StorageLayout::default() };
    let mut block =
        Block { interval_us: 1_000_000, layout, samples: (1..=600).map(sample).collect(), ..Block::default() };
    let sessions = base.max(1) as f64 * latency_ms / 1e3 / share;
    let of = |class: &str, event: &str, share: f64| {
        let key = WaitKey {
            backend_type: "client backend".into(),
            class: class.into(),
            event: event.into(),
            ..WaitKey::default()
        };
        (key, (6e8 * sessions * share) as u64)
    };
    (block.totals.waits.swept_us, block.totals.waits.sweeps) = (600_000_000, 60_000);
    block.totals.waits.rows = [of("IO", "DataFileRead", share), of("CPU*", "CPU*", 1.0 - share)].into();
    Window::assemble([block], 0, 600_000_000)
}

fn request(max_volumes: i32) -> Request {
    let settings = Settings { max_volumes: Some(max_volumes), ..Settings::default() };
    settings.check(prices("us-east-1").unwrap().clone()).unwrap()
}

fn points(window: &Window, request: &Request) -> Vec<Point> {
    let found = frontier(window, request, None, &Declarations::default(), &|| ()).unwrap();
    assert_eq!(found.len(), 1);
    found[0].points.clone().unwrap()
}

/// 10,000 reads of 0.5 ms a second, which sessions wait for all the time: the included 3,000 IOPS do 0.3 of them, and as many
/// dollars more as they cost do more, until gp3's latency is what is left; from there on io2's is bought.
#[test]
fn more_dollars_buy_more_throughput() {
    let found = points(&window(10_000, 10_000, 8, 0.5, 1.0), &request(1));
    let first = &found[0];
    let (config, ratio) = (first.config, first.prediction.ratio.middle);
    assert_eq!((config.volume_type, config.size_gib, config.iops), (VolumeType::Gp3, 300, 3_000));
    assert_eq!(first.usd_month, "24".parse().ok());
    assert!((ratio - 0.3).abs() < 0.001, "{first:?}");
    let last = found.last().unwrap();
    assert_eq!(last.config.volume_type, VolumeType::Io2);
    assert!(last.prediction.ratio.middle > 1.2 && found.len() <= MAX_POINTS, "{last:?}");
    let gp3 = found.iter().rfind(|point| point.config.volume_type == VolumeType::Gp3).unwrap();
    assert!((gp3.prediction.ratio.middle - 0.5 / 0.74).abs() < 0.03, "{gp3:?}");
}

#[test]
fn nothing_is_predicted_without_sessions() {
    let mut seen = window(1_000, 1_000, 8, 0.5, 1.0);
    seen.totals.waits = Default::default();
    let found = frontier(&seen, &request(1), None, &Declarations::default(), &|| ()).unwrap();
    assert_eq!(found[0].points, Err(MissingInput::Waits));
    let nothing = frontier(&Window::default(), &request(1), None, &Declarations::default(), &|| ());
    assert_eq!(nothing, Err(Insufficient::NoSamples));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn none_that_is_cheaper_predicts_as_much(
        (base, times, kib) in (100u64..20_000, 1u64..8, prop::sample::select(vec![8u64, 16, 64])),
        (latency_ms, share) in (0.2f64..2.0, 0.1f64..1.0),
        volumes in 1i32..4,
    ) {
        let seen = window(base, base * times, kib, latency_ms, share);
        let request = request(volumes);
        let found = points(&seen, &request);
        prop_assert!(!found.is_empty() && found.len() <= MAX_POINTS);
        for pair in found.windows(2) {
            let ratio = |point: &Point| point.prediction.ratio.middle;
            prop_assert!(pair[0].usd_month < pair[1].usd_month && ratio(&pair[0]) < ratio(&pair[1]), "{:?}", pair);
        }
        let advice = advise(&seen, &request, &Declarations::default(), &|| ());
        if let Some(best) = advice.roles[0].best() {
            let marked: Vec<&Point> = found.iter().filter(|point| point.recommended).collect();
            prop_assert!(marked.iter().all(|point| (point.config, point.volumes) == (best.config, best.volumes)));
            let ratio = best.expected.unwrap().ratio;
            let as_good = |point: &Point| {
                point.usd_month <= best.usd_month() && point.prediction.ratio.middle * (1.0 + 2.0 * RATIO_TOLERANCE) >= ratio
            };
            prop_assert!(found.iter().any(as_good), "{:?} and {:?}", found, best);
        }
        prop_assert_eq!(points(&seen, &request), found);
    }
}
