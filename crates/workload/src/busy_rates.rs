//! Rates within busy time: requests of an interval by the seconds in which the device was busy.
//!
//! An average hides bursts that are alike in all intervals: 6 s at 4,000 IOPS in each minute look like 400. All requests of an interval
//! fell into its busy time, so while the device was busy they came at requests / busy seconds on average, over at least one second, the
//! shortest time that limits are judged over. A burst beside a trickle that keeps the device busy may be higher still: the rate is an
//! estimate of what averages hide, and no upper bound of it.

use ebs_base::pause::Pause;
use ebs_base::units::{MIB, SECOND_US};
use ebs_samples::evidence::{CounterDelta, DeviceCounts, Window};
use ebs_stats::averaging::COARSE_S;
use ebs_stats::{WeightedSample, pausing_quantile, total_seconds};

/// Share of all seconds that may have a higher rate than the figures: the 99th percentile of seconds, as of the demand that volumes are sized
/// for. A maximum would be that of one backup; a percentile of intervals would count a burst of one second as a minute.
const ABOVE: f64 = 0.01;

/// Requests of an interval that take at least a millisecond together: with more of them and no busy time, that is not known. A choice.
const TIMED_REQUESTS: u64 = 100;

/// Share of the time without busy time up to which the figures are of all of it. A choice.
const MAX_UNKNOWN: f64 = 0.05;

/// Rates within busy time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BusyRates {
    /// 99th percentile over seconds of requests a second, as EBS counts them.
    pub iops: f64,
    /// The same of MiB a second.
    pub mibps: f64,
    /// Share of the time in which the device was busy, 0 to 1.
    pub share: f64,
}

impl BusyRates {
    /// Computes the rates of a window; `None` where its intervals hide nothing, or have no busy time.
    pub fn from_window(window: &Window) -> Option<BusyRates> {
        if !hides_bursts(window) {
            return None;
        }
        let room = || Vec::with_capacity(window.intervals.len());
        let (mut iops, mut mibps) = (room(), room());
        let (mut known_s, mut busy_s, mut unknown_s) = (0.0, 0.0, 0.0);
        for interval in window.pause.each(&window.intervals) {
            let seconds = interval.dt_us as f64 / SECOND_US as f64;
            let counts = interval.devices.iter().find_map(|(_, reading)| match reading {
                CounterDelta::Known(counts) => Some(counts),
                _ => None,
            });
            let Some(counts) = counts else { continue };
            known_s += seconds;
            match rates(counts, seconds) {
                Some([requests, bytes]) => {
                    iops.push(requests);
                    mibps.push(bytes);
                }
                None => unknown_s += seconds,
            }
            busy_s += (counts.busy_ms as f64 / 1e3).min(seconds);
        }
        (known_s > 0.0 && unknown_s <= MAX_UNKNOWN * known_s).then(|| BusyRates {
            iops: percentile(iops, known_s, window.pause),
            mibps: percentile(mibps, known_s, window.pause),
            share: busy_s / known_s,
        })
    }
}

/// True where a window's intervals are averages that may hide bursts.
pub fn hides_bursts(window: &Window) -> bool {
    window.intervals.first().is_some_and(|interval| {
        interval.downsampled_us == 0 && interval.interval_us as f64 > COARSE_S * SECOND_US as f64
    })
}

/// Requests and MiB a second within the busy seconds of an interval; `None` where these are not known.
fn rates(counts: &DeviceCounts, seconds: f64) -> Option<[WeightedSample; 2]> {
    let requests = counts.ssd_requests();
    if counts.busy_ms == 0 && requests > TIMED_REQUESTS {
        return None;
    }
    let busy_s = (counts.busy_ms as f64 / 1e3).max(1.0).min(seconds);
    let mib = counts.read_bytes.saturating_add(counts.write_bytes) as f64 / MIB as f64;
    Some([requests as f64, mib].map(|amount| WeightedSample { value: amount / busy_s, seconds: busy_s }))
}

/// The rate that is exceeded in the share [`ABOVE`] of so many seconds; 0 where requests came in less than that.
fn percentile(rates: Vec<WeightedSample>, known_s: f64, pause: Pause) -> f64 {
    let share_above = ABOVE * known_s / total_seconds(&rates);
    if share_above < 1.0 { pausing_quantile(rates, 1.0 - share_above, pause).unwrap_or(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{Block, Sample, StorageLayout, Volume};

    /// Minutes with these requests of 16 KiB and busy milliseconds.
    fn rates(minutes: impl Iterator<Item = (u64, u64)>) -> Option<BusyRates> {
        let sample = |(minute, (reads, busy_ms)): (i64, (u64, u64))| {
            let counts = DeviceCounts { reads, read_bytes: reads * 16_384, busy_ms, ..DeviceCounts::default() };
            let devices = [(0, CounterDelta::Known(counts))].into();
            Sample { at_us: minute * 60_000_000, dt_us: 60_000_000, devices, reset: false }
        };
        let samples: Vec<Sample> = (1..).zip(minutes).map(sample).collect();
        let layout = StorageLayout { volumes: vec![Volume::default()], ..StorageLayout::default() };
        let to_us = samples.last().map_or(0, |sample| sample.at_us);
        let block = Block { interval_us: 60_000_000, layout, samples, ..Block::default() };
        BusyRates::from_window(&Window::assemble([block], 0, to_us))
    }

    /// 6 s at 4,000 IOPS in each minute: 400 on average, 62.5 MiB/s while busy.
    #[test]
    fn bursts_that_are_alike_show_in_busy_time() {
        let rates = rates(std::iter::repeat_n((24_000, 6_000), 1_000)).unwrap();
        assert_eq!((rates.iops, rates.mibps, rates.share), (4_000.0, 62.5, 0.1));
    }

    /// Limits are judged over a second: 0.2 s with 4,000 requests are 4,000 a second, and no 20,000.
    #[test]
    fn no_rate_is_of_less_than_a_second() {
        assert_eq!(rates(std::iter::repeat_n((4_000, 200), 1_000)).unwrap().iops, 4_000.0);
    }

    /// 10 of 1,000 minutes wholly busy at 10,000 are 1 % of the time; 11 are more.
    #[test]
    fn a_hundredth_of_the_time_may_have_more() {
        let some =
            |busy| rates((0..1_000).map(|minute| if minute < busy { (600_000, 60_000) } else { (6_000, 60_000) }));
        assert_eq!(some(10).unwrap().iops, 100.0);
        assert_eq!(some(11).unwrap().iops, 10_000.0);
        // A burst of a second in each fifth minute is 0.3 % of the time.
        let seldom = rates((0..1_000).map(|minute| if minute % 5 == 0 { (9_000, 900) } else { (60, 30) }));
        assert!(seldom.unwrap().iops <= 60.0);
    }

    #[test]
    fn without_busy_time_nothing_is_known() {
        assert_eq!(rates(std::iter::repeat_n((24_000, 0), 1_000)), None);
        assert_eq!(rates((0..1_000).map(|minute| (24_000, if minute < 900 { 6_000 } else { 0 }))), None);
        assert_eq!(rates(std::iter::empty()), None);
    }
}
