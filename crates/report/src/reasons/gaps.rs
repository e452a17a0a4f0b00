//! Time without samples.

use crate::Report;
use ebs_base::format::{count, pct};
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::Window;

/// Share of the window without samples from which on it is named.
const NAMED_SHARE: f64 = 0.05;

/// Most gaps whose times are named.
const MAX_NAMED: usize = 3;

/// Shortest gap that is named, and the same in sampling intervals: below it a sample only came late.
const MIN_GAP_US: i64 = 2 * SECOND_US as i64;
const MIN_GAP_INTERVALS: f64 = 1.5;

/// Length of a window from which on times are named with their dates, seconds.
const DAY_S: f64 = 86_400.0;

/// Describes the gaps with their times: `3 gaps without samples, 41 s in all: 09:31:02 to 09:31:20, 09:40:00 to 09:40:10, … UTC`; `None`
/// without any.
pub fn describe(report: &Report) -> Option<String> {
    let coverage = &report.coverage;
    let gaps = find(report.window, coverage.interval_s);
    let times = describe_times(report, &gaps);
    let missing_share = 1.0 - coverage.sampled_s / coverage.window_s;
    if coverage.window_s > 0.0 && missing_share > NAMED_SHARE {
        let times = times.map_or(String::new(), |times| format!(": {times}"));
        return Some(format!("{} of the window has no samples{times}", pct(100.0 * missing_share)));
    }
    let seconds = gaps.iter().map(|(from_us, to_us)| to_us - from_us).sum::<i64>() as f64 / SECOND_US as f64;
    let (number, plural) = (count(gaps.len() as f64), if gaps.len() == 1 { "" } else { "s" });
    let total = if gaps.len() == 1 { String::new() } else { " in all".to_owned() };
    Some(format!("{number} gap{plural} without samples, {} s{total}: {}", count(seconds), times?))
}

/// Describes the times of the first gaps; `None` without any.
fn describe_times(report: &Report, gaps: &[(i64, i64)]) -> Option<String> {
    let days = report.coverage.window_s > DAY_S;
    let label = |at_us| report.utc_offset.label(at_us, days);
    let span = |(from_us, to_us): &(i64, i64)| format!("{} to {}", label(*from_us), label(*to_us));
    let mut named: Vec<String> = gaps.iter().take(MAX_NAMED).map(span).collect();
    if let Some(last) = named.last_mut() {
        *last = format!("{last} {}", report.utc_offset.name).trim_end().to_owned();
    }
    if gaps.len() > MAX_NAMED {
        named.push(format!("{} more", count((gaps.len() - MAX_NAMED) as f64)));
    }
    (!named.is_empty()).then(|| named.join(", "))
}

/// Finds the times without samples, microseconds since 1970, in time order.
fn find(window: &Window, interval_s: f64) -> Vec<(i64, i64)> {
    let min_us = MIN_GAP_US.max((MIN_GAP_INTERVALS * interval_s * SECOND_US as f64) as i64);
    let mut gaps = Vec::new();
    let mut until_us = window.from_us;
    let mut add = |from_us: i64, to_us: i64| {
        if to_us.saturating_sub(from_us) >= min_us {
            gaps.push((from_us, to_us));
        }
    };
    for interval in window.pause.each(&window.intervals) {
        add(until_us, interval.at_us.saturating_sub_unsigned(interval.dt_us));
        until_us = until_us.max(interval.at_us);
    }
    if !window.intervals.is_empty() {
        add(until_us, window.to_us);
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::Interval;

    /// Samples of a second at these seconds, within 100 seconds.
    fn window(ends: &[i64]) -> Window {
        let interval = |second: &i64| Interval {
            at_us: second * 1_000_000,
            dt_us: 1_000_000,
            interval_us: 1_000_000,
            downsampled_us: 0,
            devices: vec![].into(),
            reset: false,
        };
        Window { intervals: ends.iter().map(interval).collect(), ..Window::new(0, 10_000_000) }
    }

    #[test]
    fn gaps_are_between_samples_and_at_the_ends() {
        let gaps = |ends: &[i64]| {
            find(&window(ends), 1.0)
                .into_iter()
                .map(|(from, to)| (from / 1_000_000, to / 1_000_000))
                .collect::<Vec<_>>()
        };
        assert_eq!(gaps(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), []);
        // A second that came late is none.
        assert_eq!(gaps(&[1, 2, 4, 5, 6, 7, 8, 9, 10]), []);
        assert_eq!(gaps(&[3, 4, 7, 8]), [(0, 2), (4, 6), (8, 10)]);
        assert_eq!(gaps(&[]), []);
        // Of samples of 5 s, 4 s are less than one.
        assert_eq!(find(&window(&[3, 8, 9, 10]), 5.0), []);
    }
}
