//! Downsampled windows keep what demand is made of.

use proptest::prelude::*;

use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, MAX_SAMPLES_PER_HOUR, Role, Sample, StorageLayout, Volume, Window, downsample,
};
use ebs_stats::{WeightedSample, quantile};
use ebs_workload::demand::{Demand, DemandInterval};

const MINUTE: u32 = 60;

/// One volume, one second after another, each with these reads of these many KiB.
fn window(seconds: &[(u64, u64)]) -> Window {
    let sample = |(second, &(reads, kib)): (i64, &(u64, u64))| {
        let counts = DeviceCounts { reads, read_bytes: reads * kib * 1024, read_ms: reads, ..Default::default() };
        let at_us = (second + 1) * 1_000_000;
        Sample { at_us, dt_us: 1_000_000, devices: [(0, CounterDelta::Known(counts))].into(), reset: false }
    };
    let volume = Volume { device: "nvme1n1".into(), roles: vec![Role::Data], ..Volume::default() };
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        samples: (0..).zip(seconds).map(sample).collect(),
        ..Block::default()
    };
    Window::assemble([block], 0, i64::MAX)
}

fn downsampled(window: &Window, span_s: u32) -> Window {
    Window::assemble([downsample(window, span_s)], 0, i64::MAX)
}

fn samples(window: &Window, figure: fn(&DemandInterval) -> f64) -> Vec<WeightedSample> {
    Demand::from_window(window, 0).samples(|interval| Some(figure(interval)))
}

#[test]
fn a_steady_minute_becomes_one_sample() {
    let steady = window(&[(1_000, 8); 120]);
    let block = downsample(&steady, MINUTE);
    let lengths: Vec<_> = block.samples.iter().map(|sample| (sample.at_us, sample.dt_us)).collect();
    assert_eq!(lengths, [(60_000_000, 60_000_000), (120_000_000, 60_000_000)]);
    assert_eq!((block.started_us(), block.ended_us()), (Some(0), Some(120_000_000)));
}

#[test]
fn the_busiest_seconds_of_a_span_come_first() {
    let block = downsample(&window(&[(10, 8), (5_000, 8), (100, 8)]), MINUTE);
    let reads = |sample: &Sample| match sample.devices[..] {
        [(_, CounterDelta::Known(counts))] => counts.reads,
        _ => 0,
    };
    assert_eq!(block.samples.iter().map(reads).collect::<Vec<_>>(), [5_000, 100, 10]);
}

#[test]
fn what_is_not_known_stays_apart_from_what_is() {
    let mut gap = window(&[(1_000, 8); 3]);
    gap.intervals[1].devices = [(0, CounterDelta::Failed)].into();
    gap.intervals[2].reset = true;
    let samples = downsample(&gap, MINUTE).samples;
    assert_eq!(samples.len(), 3);
    assert_eq!(samples.iter().filter(|sample| sample.devices[..] == [(0, CounterDelta::Failed)]).count(), 1);
    assert_eq!(samples.iter().filter(|sample| sample.reset).count(), 1);
}

#[test]
fn an_hour_of_noise_stays_small() {
    let noisy: Vec<_> = (0..3_600u64).map(|s| (1 + (s * s * 7919) % 9_000, 4 + (s * 31) % 60)).collect();
    assert!(downsample(&window(&noisy), 3_600).samples.len() <= 2 * MAX_SAMPLES_PER_HOUR);
}

proptest! {
    #[test]
    fn totals_stay_exact(seconds in prop::collection::vec((0u64..20_000, 1u64..300), 1..300)) {
        let whole = window(&seconds);
        for span_s in [MINUTE, 3_600] {
            let small = downsampled(&whole, span_s);
            prop_assert_eq!(Demand::from_window(&small, 0).total(), Demand::from_window(&whole, 0).total());
            prop_assert_eq!(Demand::from_window(&small, 0).seconds(), Demand::from_window(&whole, 0).seconds());
        }
    }

    #[test]
    fn percentiles_of_rates_stay_within_the_width(
        seconds in prop::collection::vec((1u64..20_000, 16u64..300), 1..300), p in 0.01f64..1.0,
    ) {
        let whole = window(&seconds);
        for span_s in [MINUTE, 3_600] {
            // Twice: minutes become hours later, and their bins are the same.
            let small = downsampled(&downsampled(&whole, MINUTE), span_s);
            for figure in [DemandInterval::iops as fn(&DemandInterval) -> f64, DemandInterval::mibps] {
                let (now, before) = (quantile(&samples(&small, figure), p), quantile(&samples(&whole, figure), p));
                let ratio = now.unwrap() / before.unwrap();
                let off = 1.005 + f64::from(small.rate_error_pct) / 100.0;
                prop_assert!(ratio <= off && ratio >= 1.0 / off, "{ratio} {off}");
            }
        }
    }

    #[test]
    fn a_quiet_mix_keeps_the_finest_width(low in 1u64..5_000, p in 0.01f64..1.0) {
        let seconds: Vec<_> = (0..600u64).map(|second| (low + (second % 4) * low / 2, 8)).collect();
        let whole = window(&seconds);
        let small = downsampled(&whole, MINUTE);
        let (now, before) = (quantile(&samples(&small, DemandInterval::iops), p), quantile(&samples(&whole, DemandInterval::iops), p));
        prop_assert_eq!(small.rate_error_pct, 5);
        prop_assert!((now.unwrap() / before.unwrap() - 1.0).abs() < 0.05);
    }
}
