//! Workers of asynchronous reads (`io_method = worker`, the default of PostgreSQL 18, of which there are three).
//!
//! A worker makes one read at a time, so that as many as there are limit read-ahead, however fast the volume
//! (<https://www.postgresql.org/docs/18/runtime-config-resource.html#GUC-IO-WORKERS>). Sessions read by themselves only while the queue of
//! the workers is full, which the evidence does not show: it is a doubt, not a limit.

use super::per_transaction::PerTransaction;
use ebs_samples::evidence::{WaitKey, WaitTotals};

/// Type of these workers in pg_stat_activity.
const WORKER: &str = "io worker";

/// Class of the wait event of a worker with nothing to do.
const IDLE: &str = "Activity";

/// Share of the workers that may be busy before reads queue for them. A choice.
const BUSY_SHARE: f64 = 0.8;

/// Workers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IoWorkers {
    /// Number of them on average; zero with another io_method.
    pub count: f64,
    /// Time in which they wait for the volume, seconds of each transaction.
    pub reading_s: f64,
    /// Time in which they compute, seconds of each transaction.
    pub computing_s: f64,
}

impl IoWorkers {
    /// Another io_method.
    pub const NONE: IoWorkers = IoWorkers { count: 0.0, reading_s: 0.0, computing_s: 0.0 };

    /// The workers that were sampled.
    pub(super) fn from_waits(waits: &WaitTotals, per: &PerTransaction) -> IoWorkers {
        let sampled = |is_one: fn(&WaitKey) -> bool| {
            let rows = waits.rows.iter().filter(|(key, _)| key.backend_type == WORKER && is_one(key));
            let us: u64 = rows.map(|(_, us)| us).sum();
            if waits.swept_us > 0 { us as f64 / waits.swept_us as f64 } else { 0.0 }
        };
        IoWorkers {
            count: sampled(|_| true),
            reading_s: per.rate(sampled(|key| key.class == "IO")),
            computing_s: per.rate(sampled(|key| key.class != "IO" && key.class != IDLE)),
        }
    }

    /// Workers that so many transactions a second keep busy, where a read takes so many times as long.
    pub fn busy(&self, tps: f64, read_factor: f64) -> f64 {
        tps * (self.reading_s * read_factor + self.computing_s)
    }

    /// True where reads queue for the workers.
    pub fn are_short(&self, tps: f64, read_factor: f64) -> bool {
        self.busy(tps, read_factor) > BUSY_SHARE * self.count
    }

    /// Share of these transactions that the workers let through, if sessions never read by themselves.
    pub(super) fn let_through(&self, tps: f64, read_factor: f64) -> f64 {
        let busy = self.busy(tps, read_factor);
        if busy > self.count { self.count / busy } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::Session;

    fn row(backend_type: &str, class: &str, us: u64) -> (WaitKey, u64) {
        let [backend_type, class, event] = [backend_type, class, "event"].map(str::to_owned);
        (WaitKey { backend_type, class, event, session: Session::default() }, us)
    }

    /// Of three workers over 10 s, one and a half read and a half computes, for 100 transactions a second.
    #[test]
    fn workers_limit_what_is_read_ahead() {
        let rows = [
            row(WORKER, IDLE, 10_000_000),
            row(WORKER, "IO", 15_000_000),
            row(WORKER, WaitKey::CPU, 5_000_000),
            row("client backend", "IO", 20_000_000),
        ];
        let waits = WaitTotals { rows: rows.into(), sweeps: 1_000, swept_us: 10_000_000 };
        let workers = IoWorkers::from_waits(&waits, &PerTransaction { tps: 100.0 });
        assert_eq!((workers.count, workers.reading_s, workers.computing_s), (3.0, 0.015, 0.005));
        assert!((workers.busy(100.0, 1.0) - 2.0).abs() < 1e-9);
        assert!(!workers.are_short(100.0, 1.0) && workers.are_short(100.0, 1.5));
        // Reads of twice the time keep 1.5 × 2 + 0.5 of three workers busy.
        assert!((workers.let_through(100.0, 2.0) - 3.0 / 3.5).abs() < 1e-9);
        assert_eq!(workers.let_through(100.0, 1.0), 1.0);
    }

    #[test]
    fn without_workers_there_is_no_doubt() {
        let none = IoWorkers::NONE;
        assert_eq!((none.let_through(1_000.0, 10.0), none.are_short(1_000.0, 10.0)), (1.0, false));
    }
}
