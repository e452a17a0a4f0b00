//! Downsampling: the seconds of a minute, and later of an hour, in which demand was similar become one sample.
//!
//! Similar means: on every volume, requests a second and bytes a second each lie in the same bin, and bins are a factor wide
//! ([`WIDTHS`]). So a rate of a downsampled sample differs from each of its seconds by less than that factor, and so does every
//! percentile of it; totals, and with them all means, stay exact. What is lost is the order within the span, and extremes
//! of other figures (a latency, a read share) that such seconds did not have in common.

use std::collections::BTreeMap;

use super::{Block, CounterDelta, DeviceCounts, Interval, Sample, Window};
use ebs_base::units::{KIB, SECOND_US};

/// Widths of a bin, finest first: the first that makes the span small enough is taken. 1.05 lets rates differ by less than 5 %.
pub const WIDTHS: [f64; 4] = [1.05, 1.1, 1.2, 1.4];

/// Groups in a minute, at most, unless the widest bins make more.
const MAX_SAMPLES_PER_MINUTE: usize = 20;
/// Groups in an hour, at most, unless the widest bins make more.
pub const MAX_SAMPLES_PER_HOUR: usize = 240;

/// Demand below this is negligible: one request, or 16 KiB, a second.
const NEGLIGIBLE: (f64, f64) = (1.0, 16.0 * KIB as f64);

/// The window as one block of spans of this many seconds, counted from the beginning of the epoch. Intervals that are
/// longer than the span stay as they are.
pub fn downsample(window: &Window, span_s: u32) -> Block {
    let span_us = u64::from(span_s) * SECOND_US;
    let mut spans: BTreeMap<i64, Vec<&Interval>> = BTreeMap::new();
    for interval in &window.intervals {
        let index = (interval.at_us - 1).div_euclid(i64::try_from(span_us).unwrap_or(i64::MAX));
        spans.entry(index).or_default().push(interval);
    }
    let volumes = window.layout.volumes.len();
    let (mut samples, mut widest) = (Vec::new(), 1.0f64);
    for (index, intervals) in spans {
        let ends_us = (index + 1).saturating_mul(i64::try_from(span_us).unwrap_or(i64::MAX));
        let (groups, width) = grouped(&intervals, volumes, most(span_s));
        samples.extend(groups.into_iter().map(|group| group.sample(ends_us)));
        widest = widest.max(width);
    }
    // A window that was downsampled before has this error already.
    let off = (1.0 + f64::from(window.rate_error_pct) / 100.0) * widest - 1.0;
    Block {
        interval_us: window.intervals.iter().map(|interval| interval.interval_us).max().unwrap_or(0),
        downsampled_us: span_us,
        rate_error_pct: (100.0 * off).round() as u8,
        sampling: window.sampling.clone(),
        layout: window.layout.clone(),
        totals: window.totals.clone(),
        samples,
    }
}

fn most(span_s: u32) -> usize {
    if span_s > 60 { MAX_SAMPLES_PER_HOUR } else { MAX_SAMPLES_PER_MINUTE }
}

/// Sum of the intervals in which demand was similar.
#[derive(Clone, Debug, Default)]
struct Group {
    dt_us: u64,
    devices: BTreeMap<u16, CounterDelta<DeviceCounts>>,
    reset: bool,
}

impl Group {
    fn add(&mut self, interval: &Interval) {
        let idle = CounterDelta::Known(DeviceCounts::default());
        self.dt_us = self.dt_us.saturating_add(interval.dt_us);
        self.reset |= interval.reset;
        for &(volume, reading) in &interval.devices {
            let sum = self.devices.entry(volume).or_insert(idle);
            *sum = sum.plus(reading);
        }
    }

    fn sample(self, at_us: i64) -> Sample {
        Sample { at_us, dt_us: self.dt_us, devices: self.devices.into_iter().collect(), reset: self.reset }
    }
}

/// Groups of the finest width that keeps within `most`, and that width; busiest first, so that a replay meets the worst
/// order.
fn grouped(intervals: &[&Interval], volumes: usize, most: usize) -> (Vec<Group>, f64) {
    let mut found = (BTreeMap::new(), 1.0);
    for width in WIDTHS {
        found = (by_key(intervals, volumes, width), width);
        if found.0.len() <= most {
            break;
        }
    }
    (found.0.into_values().rev().collect(), found.1)
}

type Key = (bool, Vec<Bins>);

fn by_key(intervals: &[&Interval], volumes: usize, width: f64) -> BTreeMap<Key, Group> {
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    for interval in intervals {
        let bins = (0u16..).take(volumes).map(|volume| Bins::from_interval(interval, volume, width)).collect();
        groups.entry((interval.reset, bins)).or_default().add(interval);
    }
    groups
}

/// Bins of one volume's demand in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bins {
    /// Not known.
    Failed,
    /// Reset.
    Reset,
    /// Bins of requests and of bytes a second.
    Rates(i32, i32),
}

impl Bins {
    fn from_interval(interval: &Interval, volume: u16, width: f64) -> Bins {
        let found = interval.devices.iter().find(|(index, _)| *index == volume);
        let counts = match found.map(|(_, reading)| *reading) {
            None => DeviceCounts::default(),
            Some(CounterDelta::Known(counts)) => counts,
            Some(CounterDelta::Reset) => return Bins::Reset,
            Some(CounterDelta::Failed) => return Bins::Failed,
        };
        let seconds = interval.dt_us.max(1) as f64 / SECOND_US as f64;
        let bin = |count: f64, least: f64| ((count / seconds).max(least).ln() / width.ln()).floor() as i32;
        let requests = counts.ssd_requests() as f64;
        let bytes = counts.read_bytes.saturating_add(counts.write_bytes) as f64;
        Bins::Rates(bin(requests, NEGLIGIBLE.0), bin(bytes, NEGLIGIBLE.1))
    }
}
