//! Report of a whole run by its load driver.

use super::event::{Progress, ReportedError};
use super::percentile::Percentile;

/// Report of a whole run by its load driver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Its version.
    pub version: Option<String>,
    /// HammerDB's job, where a file names it.
    pub job: Option<Job>,
    /// Its result.
    pub figures: Figures,
    /// Progress, in time order.
    pub series: Vec<Progress>,
    /// Queries of TPROC-H, in the order in which they ended.
    pub queries: Vec<Query>,
    /// Sets of queries of TPROC-H.
    pub query_sets: Vec<QuerySet>,
    /// Procedures of TPROC-C, where HammerDB timed them.
    pub procedures: Vec<Procedure>,
    /// Failures, in the order in which they were reported.
    pub failures: Vec<ReportedError>,
}

/// A job of HammerDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its identifier.
    pub id: String,
    /// Its beginning, ISO 8601 in UTC; `None` where it is not kept.
    pub began: Option<String>,
    /// Latest time at which it is known to have run, ISO 8601 in UTC.
    pub ended: Option<String>,
}

/// The result. `None` is what the driver did not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Transactions a second.
    pub tps: Option<f64>,
    /// Mean latency of a transaction, milliseconds.
    pub latency_ms: Option<f64>,
    /// Its standard deviation, milliseconds.
    pub latency_stddev_ms: Option<f64>,
    /// The longest, milliseconds.
    pub latency_max_ms: Option<f64>,
    /// New orders a minute.
    pub nopm: Option<f64>,
    /// Transactions a minute, as HammerDB and go-tpc count them.
    pub tpm: Option<f64>,
    /// Percentiles of the latency.
    pub percentiles: Vec<Percentile>,
    /// Clients, threads or active virtual users.
    pub clients: Option<u64>,
    /// Length of measuring, seconds.
    pub seconds: Option<f64>,
    /// Transactions, without those that failed.
    pub transactions: Option<u64>,
    /// Transactions that failed.
    pub failed: Option<u64>,
}

/// A query of TPROC-H.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The virtual user that ran it.
    pub user: Option<u64>,
    /// Its number, 1 to 22.
    pub number: u64,
    /// Its time, seconds.
    pub seconds: f64,
}

/// A set of queries of TPROC-H.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QuerySet {
    /// The virtual user that ran it.
    pub user: Option<u64>,
    /// Its time, seconds.
    pub seconds: Option<f64>,
    /// Geometric mean of what its queries took that gave rows, seconds.
    pub geometric_mean_s: Option<f64>,
}

/// Timing of a procedure of TPROC-C by HammerDB's profiler, ramp-up included.
#[derive(Clone, Debug, PartialEq)]
pub struct Procedure {
    /// `NEWORD`, `PAYMENT` and their like.
    pub name: String,
    /// Number of calls.
    pub calls: Option<u64>,
    /// Mean, milliseconds.
    pub mean_ms: Option<f64>,
    /// Percentiles.
    pub percentiles: Vec<Percentile>,
}

impl Figures {
    /// Figure by which runs of one kind are compared, and its unit: transactions a second, else new orders a minute, else
    /// transactions a minute.
    pub fn throughput(&self) -> Option<(f64, &'static str)> {
        let named = [(self.tps, "tps"), (self.nopm, "NOPM"), (self.tpm, "TPM")];
        named.into_iter().find_map(|(value, unit)| Some((value?, unit)))
    }
}

impl Report {
    /// True if there is no figure at all.
    pub fn is_empty(&self) -> bool {
        self.figures == Figures::default()
            && self.series.is_empty()
            && self.queries.is_empty()
            && self.query_sets.is_empty()
            && self.procedures.is_empty()
    }

    /// Leaves out what was before: rate and latency become those of the progress since then, which is so many seconds after
    /// the driver began to measure. Progress that is on both sides is of neither. False, and nothing is changed, where there is
    /// no progress since then.
    pub fn leave_out_before(&mut self, from_s: f64) -> bool {
        let (mut first, mut start_s) = (0, 0.0);
        while start_s < from_s {
            let Some(ends_s) = self.series.get(first).and_then(|progress| progress.elapsed_s) else { return false };
            (first, start_s) = (first + 1, ends_s);
        }
        let Some(means) = Means::from_series(&self.series[first..], Some(start_s)) else { return false };
        let whole = std::mem::take(&mut self.figures);
        // Counts, deviation and percentiles are of the whole, and cannot be had of a part.
        self.figures = Figures { nopm: whole.nopm, tpm: whole.tpm, clients: whole.clients, ..means.figures() };
        true
    }

    /// Fills in mean rate and latency from the progress where there is no result, for what was cut off; a result of the
    /// driver's own stays.
    pub fn figures_from_series(&mut self) {
        // Elapsed seconds count from the beginning; of absolute times the beginning of the first is not known.
        let start_s = self.series.first().and_then(|progress| progress.elapsed_s).map(|_| 0.0);
        let means = Means::from_series(&self.series, start_s).map(|means| means.figures());
        let figures = &mut self.figures;
        if let Some(means) = means.filter(|_| figures.tps.is_none()) {
            figures.tps = means.tps;
            figures.seconds = figures.seconds.or(means.seconds);
            figures.latency_ms = figures.latency_ms.or(means.latency_ms);
        }
    }
}

/// Means of a series: of its rates over time, and of its latencies over transactions.
struct Means {
    seconds: f64,
    transactions: f64,
    /// Latencies times transactions, and the transactions whose latency is known.
    latency_ms: f64,
    timed: f64,
}

impl Means {
    /// `None` of no time.
    fn from_series(series: &[Progress], start_s: Option<f64>) -> Option<Means> {
        let mut means = Means { seconds: 0.0, transactions: 0.0, latency_ms: 0.0, timed: 0.0 };
        let mut before = start_s;
        for progress in series {
            let at = progress.elapsed_s.or(progress.epoch_s);
            let length_s = at.zip(before).map(|(at, before)| at - before);
            before = at.or(before);
            let (Some(tps), Some(length_s)) = (progress.tps, length_s.filter(|length_s| *length_s > 0.0)) else {
                continue;
            };
            means.seconds += length_s;
            means.transactions += tps * length_s;
            if let Some(ms) = progress.latency_ms {
                means.latency_ms += ms * tps * length_s;
                means.timed += tps * length_s;
            }
        }
        (means.seconds > 0.0).then_some(means)
    }

    fn figures(&self) -> Figures {
        Figures {
            tps: Some(self.transactions / self.seconds),
            latency_ms: (self.timed > 0.0).then(|| self.latency_ms / self.timed),
            seconds: Some(self.seconds),
            ..Figures::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(elapsed_s: f64, tps: f64, latency_ms: Option<f64>) -> Progress {
        Progress { elapsed_s: Some(elapsed_s), tps: Some(tps), latency_ms, ..Progress::default() }
    }

    #[test]
    fn a_rate_is_a_mean_over_time_and_a_latency_one_over_transactions() {
        let series = vec![at(10.0, 100.0, Some(1.0)), at(11.0, 1000.0, Some(4.0)), at(12.0, 0.0, None)];
        let mut report = Report { series, ..Report::default() };
        report.figures_from_series();
        // 1,000 + 1,000 + 0 transactions in 12 s; half of them took 1 ms, half 4.
        assert_eq!(report.figures.tps, Some(2000.0 / 12.0));
        assert_eq!(report.figures.latency_ms, Some(2.5));
        assert_eq!(report.figures.seconds, Some(12.0));
    }

    #[test]
    fn a_ramp_up_is_left_out_where_there_is_progress_since() {
        let series =
            vec![at(1.0, 10.0, None), at(2.0, 20.0, None), at(3.0, 100.0, Some(1.0)), at(4.0, 300.0, Some(2.0))];
        let mut report = Report { series, ..Report::default() };
        (report.figures.tps, report.figures.transactions, report.figures.nopm) = (Some(107.5), Some(430), Some(7.0));
        assert!(!report.leave_out_before(4.0));
        assert_eq!(report.figures.tps, Some(107.5));
        // The second from 1 to 2 is on both sides.
        assert!(report.leave_out_before(1.5));
        let Figures { tps, latency_ms, seconds, transactions, nopm, .. } = report.figures;
        assert_eq!((tps, latency_ms, seconds), (Some(200.0), Some(1.75), Some(2.0)));
        assert_eq!((transactions, nopm, report.series.len()), (None, Some(7.0), 4));
    }

    #[test]
    fn nothing_is_made_of_nothing_and_a_result_stays() {
        let mut empty = Report::default();
        empty.figures_from_series();
        assert!(empty.is_empty());
        let mut report = Report { series: vec![at(1.0, 5.0, None)], ..Report::default() };
        report.figures.tps = Some(7.0);
        report.figures_from_series();
        assert_eq!((report.figures.tps, report.figures.latency_ms), (Some(7.0), None));
        assert_eq!(report.figures.throughput(), Some((7.0, "tps")));
    }
}
