//! Where sessions, CPUs and the volume's limit are in balance.

use super::load::Load;
use super::observed::Observed;
use super::processor::COLD_S;
use super::root::crossing;
use super::target::Limits;

/// What is asked, with every doubt decided.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Service time of a read, seconds.
    pub read_s: f64,
    /// Of a write.
    pub write_s: f64,
    /// What the volume carries, as far as the instance lets it.
    pub limits: Limits,
    /// Sessions.
    pub sessions: f64,
    /// Whether the client waits its time between transactions; otherwise it asks again at once.
    pub client_waits: bool,
    /// What is believed where the run does not tell.
    pub beliefs: Beliefs,
}

/// What is believed where the run does not tell.
#[derive(Clone, Copy, Debug)]
pub struct Beliefs {
    /// CPU time that a long wait costs, seconds ([`chill`](super::processor::chill)).
    pub cold_s: f64,
    /// How long a flush waits at a limit, where a read waits for one.
    pub flush_turns: f64,
    /// Requests that write data pages, of those that the run's evidence leads to.
    pub page_writes: f64,
    /// Reads and flushes of a transaction, of those seen.
    pub visits: f64,
    /// Whether time spent on locks grows with the number of sessions.
    pub locks_grow: bool,
    /// Share of the CPU time outside server and client that comes with transactions: the kernel's for their requests does, that
    /// of another program does not.
    pub others_follow: f64,
}

impl Default for Beliefs {
    fn default() -> Self {
        // Nothing tells others apart: half of it, and none and all are the doubt.
        // A flush writes and then syncs, and at a limit bursts of data pages are ahead of it: once to two and a half times
        // the wait of a read, as recorded at limits of 500 to 3,000 IOPS.
        Beliefs {
            cold_s: COLD_S,
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
    /// How long each request waits for its turn at the limit, seconds. Zero: the limit is not reached.
    pub queue_s: f64,
    /// Whether requests or bytes are what it is the limit of.
    pub by_bytes: bool,
    /// Requests a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes: f64,
    /// Requests of one transaction that are reads.
    pub reads: f64,
    /// Those that are writes.
    pub writes: f64,
    /// Whether the clients get all that they ask for at their own pace.
    pub at_own_pace: bool,
    /// Share of it on locks.
    pub lock_share: f64,
    /// How busy the CPUs are; `None` where it is not known.
    pub utilization: Option<f64>,
    /// A transaction's time without its client, seconds.
    pub response_s: f64,
}

impl State {
    fn within(&self, limits: &Limits) -> bool {
        limits.iops.is_none_or(|limit| self.iops <= limit) && limits.bytes.is_none_or(|limit| self.bytes <= limit)
    }

    /// By how much it is above the tightest limit, as a logarithm; negative below.
    fn over(&self, limits: &Limits) -> f64 {
        let over = |limit: Option<f64>, value: f64| limit.map_or(f64::NEG_INFINITY, |limit| (value / limit).ln());
        over(limits.iops, self.iops).max(over(limits.bytes, self.bytes))
    }
}

/// The longest wait at a limit that is looked for, seconds: with a thousand sessions at 100 IOPS it is ten.
const LONGEST_S: f64 = 1_000.0;

/// The balance under a setting.
pub fn equilibrium(observed: &Observed, setting: &Setting) -> State {
    within(&setting.limits, |queue_s| {
        let load = Load::new(observed, setting, queue_s);
        load.state(queue_s, load.balanced())
    })
}

/// With the shortest queue that keeps it within the limits.
fn within(limits: &Limits, at: impl Fn(f64) -> State) -> State {
    let free = at(0.0);
    if free.within(limits) {
        return free;
    }
    at(crossing(1e-9, LONGEST_S, |queue_s| at(queue_s).over(limits)))
}

/// The state where clients ask for so many transactions a second, whatever they get; where that is more than can be, as
/// [`equilibrium`] of clients that wait for nothing else.
pub fn paced(observed: &Observed, setting: &Setting, tps: f64) -> State {
    let most = equilibrium(observed, &Setting { client_waits: false, ..*setting });
    if tps >= most.tps {
        return most;
    }
    // Near the most, only commits that share more flushes, because each waits for its turn, keep it within the limit.
    let state = within(&setting.limits, |queue_s| Load::new(observed, setting, queue_s).state(queue_s, tps));
    State { at_own_pace: true, ..state }
}
