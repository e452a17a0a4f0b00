//! Workers of asynchronous reads (`io_method = worker`, the default of PostgreSQL 18, of which there are three).
//!
//! A worker makes one read at a time, so that as many as there are limit read-ahead, however fast the volume
//! (<https://www.postgresql.org/docs/18/runtime-config-resource.html#GUC-IO-WORKERS>), and sessions share them: a session's reads take
//! the longer the more others read. On an emulated volume of 0.7 ms a sequential scan of 4 MiB waited 31 ms for reads where four sessions
//! kept 2.75 of three workers busy, and 10 ms alone (`SCAN` in docs/validation.md). Sessions read by themselves while the queue of the
//! workers is full, which the evidence does not show: that they never share is the other end of the interval.

use super::per_transaction::PerTransaction;
use ebs_samples::evidence::{WaitKey, WaitTotals};
use ebs_workload::waits::Station;

/// Type of these workers in pg_stat_activity.
const WORKER: &str = "io worker";

/// Class of the wait event of a worker with nothing to do.
const IDLE: &str = "Activity";

/// Wait of a session for a worker's read.
const COMPLETION: &str = "AioIoCompletion";

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
    /// Share of the sessions' waits for reads that is for them, 0 to 1.
    pub wait_share: f64,
}

impl IoWorkers {
    /// Another io_method.
    pub const NONE: IoWorkers = IoWorkers { count: 0.0, reading_s: 0.0, computing_s: 0.0, wait_share: 0.0 };

    /// The workers that were sampled.
    pub(super) fn from_waits(waits: &WaitTotals, per: &PerTransaction) -> IoWorkers {
        let sampled = |is_one: fn(&WaitKey) -> bool| {
            let us: u64 = waits.rows.iter().filter(|(key, _)| is_one(key)).map(|(_, us)| us).sum();
            if waits.swept_us > 0 { us as f64 / waits.swept_us as f64 } else { 0.0 }
        };
        let for_reads = sampled(|key| is_session(key) && Station::from_key(key) == Station::Read);
        let for_workers = sampled(|key| is_session(key) && key.event == COMPLETION);
        IoWorkers {
            count: sampled(is_worker),
            reading_s: per.rate(sampled(|key| is_worker(key) && key.class == "IO")),
            computing_s: per.rate(sampled(|key| is_worker(key) && key.class != "IO" && key.class != IDLE)),
            wait_share: if for_reads > 0.0 { for_workers / for_reads } else { 0.0 },
        }
    }

    /// The workers that so many transactions a second need, where a read takes so many times as long.
    pub(super) fn need(&self, tps: f64, read_factor: f64) -> IoWorkersNeed {
        IoWorkersNeed { needed: tps * (self.reading_s * read_factor + self.computing_s), count: self.count }
    }

    /// Wait for reads of each of so many sessions, as a multiple of that of one alone: each of the others has a read before it for the share
    /// of time in which the workers are busy (Schweitzer's approximation of a closed network).
    pub(super) fn sharing(&self, sessions: f64, need: IoWorkersNeed) -> f64 {
        1.0 + self.wait_share * (sessions - 1.0).max(0.0) * need.busy_share()
    }
}

/// Workers that a throughput needs, and those that there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IoWorkersNeed {
    /// Workers that would be busy on average, if sessions never read by themselves: more than there are where these do not suffice.
    pub needed: f64,
    /// Number of workers on average; zero with another io_method.
    pub count: f64,
}

impl IoWorkersNeed {
    /// True where reads queue for the workers.
    pub fn is_short(&self) -> bool {
        self.needed > BUSY_SHARE * self.count
    }

    /// Share of the workers that is busy, more than one where they do not suffice; zero with another io_method.
    pub fn busy_share(&self) -> f64 {
        if self.count > 0.0 { self.needed / self.count } else { 0.0 }
    }
}

fn is_worker(key: &WaitKey) -> bool {
    key.backend_type == WORKER
}

fn is_session(key: &WaitKey) -> bool {
    ["client backend", "parallel worker"].contains(&key.backend_type.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::Session;

    fn row(backend_type: &str, class: &str, event: &str, us: u64) -> (WaitKey, u64) {
        let [backend_type, class, event] = [backend_type, class, event].map(str::to_owned);
        (WaitKey { backend_type, class, event, session: Session::default() }, us)
    }

    /// Three workers over 10 s, of which one and a half read and a half computes, for 100 transactions a second of four sessions, which wait
    /// for them in three of four waits for reads.
    #[test]
    fn sessions_share_the_workers() {
        let rows = [
            row(WORKER, IDLE, "IoWorkerMain", 10_000_000),
            row(WORKER, "IO", "DataFileRead", 15_000_000),
            row(WORKER, WaitKey::CPU, WaitKey::CPU, 5_000_000),
            row("client backend", "IO", COMPLETION, 15_000_000),
            row("client backend", "IO", "DataFileRead", 5_000_000),
        ];
        let waits = WaitTotals { rows: rows.into(), sweeps: 1_000, swept_us: 10_000_000 };
        let workers = IoWorkers::from_waits(&waits, &PerTransaction { tps: 100.0 });
        assert_eq!(workers, IoWorkers { count: 3.0, reading_s: 0.015, computing_s: 0.005, wait_share: 0.75 });
        let as_recorded = workers.need(100.0, 1.0);
        assert!((as_recorded.needed - 2.0).abs() < 1e-9 && !as_recorded.is_short());
        // 1.5 × 1.5 + 0.5 of three are more than four fifths.
        assert!(workers.need(100.0, 1.5).is_short());
        // Three others, two thirds of the time, in three quarters of the waits.
        assert!((workers.sharing(4.0, as_recorded) - 2.5).abs() < 1e-9);
        assert_eq!(workers.sharing(1.0, as_recorded), 1.0);
    }

    #[test]
    fn without_workers_nothing_is_shared() {
        let need = IoWorkers::NONE.need(1_000.0, 10.0);
        assert_eq!((IoWorkers::NONE.sharing(16.0, need), need.is_short()), (1.0, false));
    }
}
