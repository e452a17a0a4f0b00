//! A setting of the what-if model, and the state it leads to.

use super::processor::COLD_CACHE_S;
use super::target::Limits;

/// Input of the model, with a value for every uncertain quantity.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Service time of a read, seconds.
    pub read_s: f64,
    /// Service time of a write, seconds.
    pub write_s: f64,
    /// The lower of the limits of volume and instance.
    pub limits: Limits,
    /// Sessions.
    pub sessions: f64,
    /// True if the client waits its think time between transactions; otherwise it sends the next at once.
    pub client_waits: bool,
    /// Values for what the run does not show.
    pub assumptions: Assumptions,
}

/// Assumed values for what a run does not show.
#[derive(Clone, Copy, Debug)]
pub struct Assumptions {
    /// CPU time that a long wait costs, seconds ([`cache_cooling`](super::processor::cache_cooling)).
    pub cold_cache_s: f64,
    /// Queueing time of a flush at a limit, as a multiple of that of a read.
    pub flush_turns: f64,
    /// Requests that write data pages, of those that the run's evidence leads to.
    pub page_writes: f64,
    /// Reads and flushes of a transaction, of those seen.
    pub visits: f64,
    /// True if time spent on locks grows with the number of sessions.
    pub locks_grow: bool,
    /// Share of the CPU time outside server and client that comes with transactions: the kernel's for their requests does, that
    /// of another program does not.
    pub others_follow: f64,
}

impl Default for Assumptions {
    fn default() -> Self {
        // The evidence does not divide the others' CPU time: half of it follows transactions, from none to all.
        // A flush writes and then syncs, and at a limit bursts of data pages are ahead of it: once to two and a half times
        // the wait of a read, as recorded at limits of 500 to 3,000 IOPS.
        Assumptions {
            cold_cache_s: COLD_CACHE_S,
            flush_turns: 1.5,
            page_writes: 1.0,
            visits: 1.0,
            locks_grow: true,
            others_follow: 0.5,
        }
    }
}

/// The balance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Transactions a second.
    pub tps: f64,
    /// Queueing time of each request at the limit, seconds; zero below the limit.
    pub queue_s: f64,
    /// True if the limit is on bytes, false if it is on requests.
    pub by_bytes: bool,
    /// Requests a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes: f64,
    /// Requests of one transaction that are reads.
    pub reads: f64,
    /// Requests of one transaction that are writes.
    pub writes: f64,
    /// True if the clients get all that they send at their own pace.
    pub at_own_pace: bool,
    /// Share of it on locks.
    pub lock_share: f64,
    /// CPU utilization; `None` where it is not known.
    pub utilization: Option<f64>,
    /// A transaction's time without its client, seconds.
    pub response_s: f64,
}

impl State {
    pub(super) fn within(&self, limits: &Limits) -> bool {
        limits.iops.is_none_or(|limit| self.iops <= limit) && limits.bytes.is_none_or(|limit| self.bytes <= limit)
    }

    /// Distance above the tightest limit, as a logarithm; negative below it.
    pub(super) fn over(&self, limits: &Limits) -> f64 {
        let over = |limit: Option<f64>, value: f64| limit.map_or(f64::NEG_INFINITY, |limit| (value / limit).ln());
        over(limits.iops, self.iops).max(over(limits.bytes, self.bytes))
    }
}
