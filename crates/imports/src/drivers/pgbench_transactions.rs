//! Transactions one by one: `client transaction latency_us script epoch_s epoch_us [lag_us] [retries]`. The latency is `failed`
//! (or the kind of failure) or `skipped` where there was none.

use std::collections::BTreeMap;
use std::ops::Range;

use super::event::Progress;
use super::log_line::LogLine;
use super::percentile::Percentile;
use super::report::Report;

/// Transactions of all threads.
#[derive(Default)]
pub(super) struct Transactions {
    latencies_us: Vec<u32>,
    /// Per second since 1970: transactions, the sum of their latencies, failures.
    seconds: BTreeMap<u64, (u64, u64, u64)>,
    failed: u64,
    /// Begin of the first and end of the last, microseconds since 1970.
    span_us: Option<(u64, u64)>,
    /// Number of the last transaction of each client: pgbench counts all of them, failed and skipped ones too.
    clients: BTreeMap<u32, u64>,
}

/// Percentiles that are worked out: those that the report card of storage and most reports of others show.
const PERCENTS: [f64; 4] = [50.0, 95.0, 99.0, 99.9];

const FAILURES: [&str; 3] = ["failed", "serialization", "deadlock"];
const SECOND_US: u64 = 1_000_000;

/// Range of accepted times, from 2001, to distinguish them from other numbers, to 5138, so that no sum overflows.
const TIMES_S: Range<u64> = 1_000_000_000..100_000_000_000;

impl Transactions {
    /// Reads the words of a line; `None` if they are none of a transaction.
    pub(super) fn line(&mut self, words: &[&str]) -> Option<LogLine> {
        let [client, number, latency, script, epoch_s, epoch_us, rest @ ..] = words else { return None };
        let client: u32 = client.parse().ok()?;
        let (number, _): (u64, u32) = (number.parse().ok()?, script.parse().ok()?);
        let (epoch_s, epoch_us): (u64, u64) = (epoch_s.parse().ok()?, epoch_us.parse().ok()?);
        // Schedule lag and retries; later versions may have more.
        rest.iter().all(|word| word.parse::<f64>().is_ok()).then_some(())?;
        if epoch_us >= SECOND_US || !TIMES_S.contains(&epoch_s) {
            return None;
        }
        let second = (epoch_s, epoch_s * SECOND_US + epoch_us);
        let latency_us = match *latency {
            "skipped" => None,
            failure if FAILURES.contains(&failure) => None,
            latency => Some(latency.parse().ok()?),
        };
        if self.clients.insert(client, number).is_some_and(|last| number <= last) {
            return Some(LogLine::OfAnother { lines_ago: 0 });
        }
        if FAILURES.contains(latency) {
            self.failed += 1;
            self.seconds.entry(second.0).or_default().2 += 1;
        } else if let Some(latency_us) = latency_us {
            self.took(second, latency_us);
        }
        Some(LogLine::OfRun)
    }

    fn took(&mut self, (second, ended_us): (u64, u64), latency_us: u32) {
        self.latencies_us.push(latency_us);
        let of_second = self.seconds.entry(second).or_default();
        (of_second.0, of_second.1) = (of_second.0 + 1, of_second.1 + u64::from(latency_us));
        let began_us = ended_us.saturating_sub(latency_us.into());
        let (first, last) = self.span_us.unwrap_or((began_us, ended_us));
        self.span_us = Some((first.min(began_us), last.max(ended_us)));
    }

    /// Report of all transactions; `None` without any.
    pub(super) fn report(mut self) -> Option<Report> {
        if self.seconds.is_empty() {
            return None;
        }
        let mut report = Report { series: self.series(), ..Report::default() };
        let figures = &mut report.figures;
        figures.clients = u64::try_from(self.clients.len()).ok();
        figures.failed = Some(self.failed);
        let count = self.latencies_us.len();
        figures.transactions = u64::try_from(count).ok();
        let seconds = self.span_us.map(|(first, last)| (last - first) as f64 / SECOND_US as f64);
        figures.seconds = seconds;
        figures.tps = seconds.filter(|seconds| *seconds > 0.0).map(|seconds| count as f64 / seconds);
        if count > 0 {
            let sum: u64 = self.latencies_us.iter().map(|&us| u64::from(us)).sum();
            let mean_us = sum as f64 / count as f64;
            let squares: f64 = self.latencies_us.iter().map(|&us| (f64::from(us) - mean_us).powi(2)).sum();
            figures.latency_ms = Some(mean_us / 1e3);
            figures.latency_stddev_ms = Some((squares / count as f64).sqrt() / 1e3);
            self.latencies_us.sort_unstable();
            figures.latency_max_ms = self.latencies_us.last().map(|&us| f64::from(us) / 1e3);
            figures.percentiles = PERCENTS.map(|percent| percentile(&self.latencies_us, percent)).to_vec();
        }
        Some(report)
    }

    /// Per second, those at either end left out: they are no whole ones.
    fn series(&self) -> Vec<Progress> {
        let inner = self.seconds.len().saturating_sub(2);
        let progress = |(&second, &(count, sum_us, failed)): (&u64, &(u64, u64, u64))| Progress {
            epoch_s: Some((second + 1) as f64),
            tps: Some(count as f64),
            latency_ms: (count > 0).then(|| sum_us as f64 / count as f64 / 1e3),
            failed: Some(failed as f64),
            ..Progress::default()
        };
        self.seconds.iter().skip(1).take(inner).map(progress).collect()
    }
}

/// The smallest latency that so many per cent did not exceed (Hyndman & Fan 1996, definition 1), of ascending ones.
fn percentile(ascending_us: &[u32], percent: f64) -> Percentile {
    let rank = (percent / 100.0 * ascending_us.len() as f64 - 1e-9).ceil() as usize;
    let us = ascending_us[rank.clamp(1, ascending_us.len()) - 1];
    Percentile { percent, ms: f64::from(us) / 1e3 }
}
