//! A setting of the what-if model, and the state it leads to.

use super::processor::{COLD_CACHE_S, IDLE_CPUS};
use super::target::{Limits, Rates};

/// Input of the model, with a value for every uncertain quantity.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Service time of a read, seconds.
    pub read_s: f64,
    /// Service time of a write of data pages, seconds.
    pub write_s: f64,
    /// Service time of a write of WAL, seconds.
    pub wal_write_s: f64,
    /// Limits of the volume; the lower of them and of the instance's where it has all requests.
    pub limits: Limits,
    /// Limits of the volume of WAL and of the instance; `None` where WAL is on the same volume.
    pub wal: Option<WalLimits>,
    /// Volumes of the stripe over those of the run.
    pub more_volumes: f64,
    /// Sessions.
    pub sessions: f64,
    /// True if the client waits its think time between transactions; otherwise it sends the next at once.
    pub client_waits: bool,
    /// Values for what the run does not show.
    pub assumptions: Assumptions,
}

impl Setting {
    /// The same without limits.
    pub fn unlimited(self) -> Setting {
        let none = WalLimits { volume: Limits::default(), instance: Limits::default() };
        Setting { limits: Limits::default(), wal: self.wal.map(|_| none), ..self }
    }
}

/// Limits where WAL is on a volume of its own.
#[derive(Clone, Copy, Debug)]
pub struct WalLimits {
    /// Those of the volume of WAL.
    pub volume: Limits,
    /// Those of the instance, for both volumes together.
    pub instance: Limits,
}

/// Assumed values for what a run does not show.
#[derive(Clone, Copy, Debug)]
pub struct Assumptions {
    /// CPU time that a long wait costs, seconds ([`cache_cooling`](super::processor::cache_cooling)).
    pub cold_cache_s: f64,
    /// CPUs that the machine uses without any transaction.
    pub idle_cpus: f64,
    /// Queueing time of a flush at a limit, as a multiple of that of a read.
    pub flush_turns: f64,
    /// Degree to which commits share flushes as the model has them: 0 for as many flushes per transaction as in the run.
    pub grouping: f64,
    /// Requests that write data pages, of those that the run's evidence leads to.
    pub page_writes: f64,
    /// Degree to which page writes follow the merging of checkpoints ([`page_writes_factor`](super::checkpoint_merging::page_writes_factor)).
    pub merging: f64,
    /// Reads of a transaction, of those seen.
    pub reads: f64,
    /// Reads that a transaction waits for: 0 for as many as its waits show, 1 for all that it may wait for.
    pub read_waits: f64,
    /// Degree to which read-ahead grows with the volumes of a stripe: 0 is not at all, 1 as they do.
    pub read_ahead: f64,
    /// Degree to which sessions share the I/O workers: 0 is not at all, 1 as far as these are busy.
    pub workers_shared: f64,
    /// CPU time of a transaction, of that counted.
    pub cpu: f64,
    /// True if time spent on locks grows with the number of sessions.
    pub locks_grow: bool,
    /// Share of the CPU time taken for the clients' that comes with transactions.
    pub clients_follow: f64,
    /// Share of the CPU time of other programs that comes with transactions.
    pub others_follow: f64,
    /// Share of the CPU time that comes with transactions, of that which most likely has nothing to do with them, but may.
    pub doubtful_follow: f64,
    /// Processes of programs that have nothing to do with transactions, of those that would use as many CPUs as these did: 0 if they end.
    pub rivals: f64,
}

impl Default for Assumptions {
    fn default() -> Self {
        // The evidence does not divide the other programs' CPU time: half of it follows transactions, from none to all.
        // A flush writes and then syncs, and at a limit bursts of data pages are ahead of it: once to two and a half times
        // the wait of a read, as recorded at limits of 500 to 3,000 IOPS.
        // Changes are taken for those of random pages, and many are not: 0.83 full-page images per transaction at 2,050 a second were 0.98 at 115
        // (`n-c4-0.35ms-unlimited`, `n-c1-1.7ms-500` of `make validate`). Merging is an end of the interval alone.
        // The read-ahead of a session may or may not use all workers while it is alone: the geometric mean of both.
        // Read-ahead is at least twice the optimal I/O size, which for striped volumes is a stripe of all (blk_apply_bdi_limits in
        // <https://github.com/torvalds/linux/blob/v6.12/block/blk-settings.c>).
        Assumptions {
            cold_cache_s: COLD_CACHE_S,
            idle_cpus: IDLE_CPUS,
            flush_turns: 1.5,
            grouping: 1.0,
            page_writes: 1.0,
            merging: 0.0,
            reads: 1.0,
            read_waits: 0.0,
            read_ahead: 1.0,
            workers_shared: 0.5,
            cpu: 1.0,
            locks_grow: true,
            clients_follow: 1.0,
            others_follow: 0.5,
            doubtful_follow: 0.0,
            rivals: 1.0,
        }
    }
}

/// Queueing times of a request at the limits, seconds; zero below them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Queues {
    /// Queue of the volume; WAL's too where it is on the same volume.
    pub data_s: f64,
    /// Queue of the volume of WAL.
    pub wal_s: f64,
}

impl Queues {
    /// One queue for all requests.
    pub fn shared(queue_s: f64) -> Queues {
        Queues { data_s: queue_s, wal_s: queue_s }
    }

    /// The longer of both.
    pub fn longest_s(self) -> f64 {
        self.data_s.max(self.wal_s)
    }
}

/// The balance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Transactions a second.
    pub tps: f64,
    /// Queueing times at the limits.
    pub queues: Queues,
    /// Requests to the volume.
    pub rates: Rates,
    /// Requests to the volume of WAL; none where WAL is on the same volume.
    pub wal_rates: Rates,
    /// Requests of one transaction that are reads.
    pub reads: f64,
    /// Requests of one transaction that are writes, flushes of WAL among them.
    pub writes: f64,
    /// Requests of one transaction that flush WAL.
    pub flushes: f64,
    /// Share of a session's time that is think time.
    pub client_share: f64,
    /// Share of it on locks.
    pub lock_share: f64,
    /// CPU utilization; `None` where it is not known.
    pub utilization: Option<f64>,
    /// Share of the CPUs that programs used in the run which have nothing to do with transactions.
    pub unrelated_share: f64,
    /// A transaction's time without its client, seconds.
    pub response_s: f64,
}

impl State {
    /// Distance above the tightest limit, as a logarithm; negative below all.
    pub(super) fn over(&self, setting: &Setting) -> f64 {
        let data = setting.limits.over(&self.rates);
        let Some(wal) = setting.wal else { return data };
        data.max(wal.volume.over(&self.wal_rates)).max(wal.instance.over(&self.rates.plus(self.wal_rates)))
    }
}
