//! Sums of intervals: `start n sum sum_of_squares min max` of latencies in microseconds, then of schedule lags, then skipped,
//! retried, retries, serialization_failures, deadlock_failures; before version 15 it ends earlier, later ones may have more.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::event::Progress;
use super::log_line::LogLine;
use super::report::Report;

/// Intervals of all threads.
#[derive(Default)]
pub(super) struct Aggregates {
    /// Intervals of the thread whose file is being read.
    file: Vec<Interval>,
    /// Per start, summed over threads.
    intervals: BTreeMap<u64, Interval>,
    /// Transactions a second of the threads so far, each by its own clock; `None` once one had no whole interval.
    rate: Option<f64>,
    threads: usize,
    longest_us: f64,
    /// The length of an interval, seconds.
    length_s: Option<u64>,
}

/// Counts of one interval.
#[derive(Clone, Copy, Default)]
struct Interval {
    start_s: u64,
    transactions: f64,
    sum_us: f64,
    squares_us: f64,
    failed: Option<f64>,
}

/// Sums of squares of microseconds grow large, and no further than this.
const MAX_FIGURE: f64 = 1e30;

/// Counts are integers, and sums are written with `%.0f`: all are whole. A fraction of a transaction would be divided by.
fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| (0.0..MAX_FIGURE).contains(number) && number.fract() == 0.0)
}

/// Taken for the length of an interval where each file has a single one, seconds.
const MAX_UNKNOWN_S: u64 = 60;

/// Times are below this: the year 5138.
const MAX_TIME_S: u64 = 100_000_000_000;

impl Aggregates {
    /// Reads the words of a line; `None` if they are none of an interval.
    pub(super) fn line(&mut self, words: &[&str]) -> Option<LogLine> {
        let [start_s, numbers @ ..] = words else { return None };
        let start_s: u64 = start_s.parse().ok().filter(|start_s| *start_s < MAX_TIME_S)?;
        let numbers: Vec<f64> = numbers.iter().map(|word| number(word)).collect::<Option<_>>()?;
        let [transactions, sum_us, squares_us, _, longest_us, rest @ ..] = numbers.as_slice() else { return None };
        if let Some(lines_ago) = self.second_run(start_s) {
            return Some(LogLine::OfAnother { lines_ago });
        }
        // sum_lag sum_lag_2 min_lag max_lag skipped retried retries serialization_failures deadlock_failures
        let failed = rest.get(7..9).map(|failures| failures.iter().sum());
        self.longest_us = self.longest_us.max(*longest_us);
        self.file.push(Interval {
            start_s,
            transactions: *transactions,
            sum_us: *sum_us,
            squares_us: *squares_us,
            failed,
        });
        Some(LogLine::OfRun)
    }

    /// Lines since another run, or another thread's file, began, if one did: intervals follow each other at one distance, empty ones
    /// too.
    fn second_run(&self, start_s: u64) -> Option<usize> {
        let [.., last] = self.file.as_slice() else { return None };
        if start_s <= last.start_s {
            return Some(0);
        }
        let [first, second, ..] = self.file.as_slice() else { return None };
        match (start_s - last.start_s).cmp(&(second.start_s - first.start_s)) {
            Ordering::Equal => None,
            Ordering::Greater => Some(0),
            // The first run had a single interval.
            Ordering::Less => Some(1),
        }
    }

    /// A thread's file is over. Its first interval begins with the second in which the thread did, and its last may end early:
    /// they count for latencies, not for the rate. False of the file of another run.
    pub(super) fn end_of_file(&mut self) -> bool {
        let file = std::mem::take(&mut self.file);
        let (Some(first), Some(last)) = (file.first(), file.last()) else { return true };
        let apart = file.windows(2).map(|pair| pair[1].start_s - pair[0].start_s).min();
        self.length_s = self.length_s.into_iter().chain(apart).min();
        if !self.is_of_run(first.start_s, last.start_s) {
            return false;
        }
        let begins = file.get(1).map_or(last.start_s, |second| second.start_s);
        let seconds = (last.start_s - begins) as f64;
        let whole: f64 = file.iter().skip(1).take(file.len().saturating_sub(2)).map(|of| of.transactions).sum();
        let rate = (seconds > 0.0).then(|| whole / seconds);
        self.rate = match self.threads {
            0 => rate,
            _ => self.rate.zip(rate).map(|(others, own)| others + own),
        };
        self.threads += 1;
        for interval in file {
            let sum =
                self.intervals.entry(interval.start_s).or_insert(Interval { failed: Some(0.0), ..Interval::default() });
            sum.start_s = interval.start_s;
            sum.transactions += interval.transactions;
            sum.sum_us += interval.sum_us;
            sum.squares_us += interval.squares_us;
            sum.failed = sum.failed.zip(interval.failed).map(|(others, own)| others + own);
        }
        true
    }

    /// True if a file's intervals, from the first start to the last, meet those of the threads so far: threads of one run begin
    /// together.
    fn is_of_run(&self, first_s: u64, last_s: u64) -> bool {
        let Some(((begin_s, _), (end_s, _))) = self.intervals.first_key_value().zip(self.intervals.last_key_value())
        else {
            return true;
        };
        let length_s = self.length_s.unwrap_or(MAX_UNKNOWN_S);
        first_s < end_s + length_s && *begin_s < last_s + length_s
    }

    /// Report of all intervals; `None` without any.
    pub(super) fn report(self) -> Option<Report> {
        if self.intervals.is_empty() {
            return None;
        }
        let total = |of: fn(&Interval) -> f64| self.intervals.values().map(of).sum::<f64>();
        let (count, sum_us, squares_us) = (total(|i| i.transactions), total(|i| i.sum_us), total(|i| i.squares_us));
        let failed: Option<f64> = self.intervals.values().map(|interval| interval.failed).sum();
        let mut report = Report { series: self.series(), ..Report::default() };
        let figures = &mut report.figures;
        figures.tps = self.rate;
        figures.transactions = Some(count as u64);
        figures.failed = failed.map(|failed| failed as u64);
        if count > 0.0 {
            let mean_us = sum_us / count;
            figures.latency_ms = Some(mean_us / 1e3);
            figures.latency_stddev_ms = Some((squares_us / count - mean_us * mean_us).max(0.0).sqrt() / 1e3);
            figures.latency_max_ms = Some(self.longest_us / 1e3);
        }
        Some(report)
    }

    /// Whole intervals: the first and the last are not.
    fn series(&self) -> Vec<Progress> {
        let Some(length_s) = self.length_s.filter(|length_s| *length_s > 0) else { return Vec::new() };
        let inner = self.intervals.len().saturating_sub(2);
        let progress = |interval: &Interval| Progress {
            epoch_s: Some((interval.start_s + length_s) as f64),
            tps: Some(interval.transactions / length_s as f64),
            latency_ms: (interval.transactions > 0.0).then(|| interval.sum_us / interval.transactions / 1e3),
            failed: interval.failed,
            ..Progress::default()
        };
        self.intervals.values().skip(1).take(inner).map(progress).collect()
    }
}
