//! Coverage: the part of a window that was sampled, and gaps in it.

use super::{CounterDelta, Window};
use ebs_base::units::SECOND_US;

/// Part of a window that was sampled, and gaps in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coverage {
    /// Length of the window, seconds.
    pub window_s: f64,
    /// Seconds of it with samples.
    pub sampled_s: f64,
    /// Seconds of those in which no device of the cluster could be read.
    pub without_device_s: f64,
    /// Seconds of those that were downsampled: similar seconds of a minute or an hour were joined.
    pub downsampled_s: f64,
    /// The interval that samples are averages over: the longest that was set, seconds.
    pub interval_s: f64,
    /// Samples that were missed: a due time passed without a reading.
    pub missed_samples: u64,
    /// Samples over which some of PostgreSQL's or the device's counters were reset.
    pub resets: u64,
}

impl Coverage {
    /// Computes the coverage of a window.
    pub fn from_window(window: &Window) -> Coverage {
        let mut coverage = Coverage {
            window_s: seconds(window.to_us.saturating_sub(window.from_us).max(0).unsigned_abs()),
            missed_samples: window.sampling.punctuality.missed,
            ..Coverage::default()
        };
        let current = |index: u16| window.current.contains(&usize::from(index));
        for interval in window.pause.each(&window.intervals) {
            coverage.sampled_s += seconds(interval.dt_us);
            coverage.interval_s = coverage.interval_s.max(seconds(interval.interval_us.max(1)));
            if interval.downsampled_us > 0 {
                coverage.downsampled_s += seconds(interval.dt_us);
            }
            let (mut unread, mut is_reset) = (0, interval.reset);
            for (_, reading) in interval.devices.iter().filter(|(index, _)| current(*index)) {
                unread += usize::from(matches!(reading, CounterDelta::Failed));
                is_reset |= matches!(reading, CounterDelta::Reset);
            }
            if window.current.len() == unread {
                coverage.without_device_s += seconds(interval.dt_us);
            }
            coverage.resets += u64::from(is_reset);
        }
        coverage
    }
}

fn seconds(us: u64) -> f64 {
    us as f64 / SECOND_US as f64
}
