//! Time and requests of one transaction under a setting.

use super::commit::{Commits, commits};
use super::observed::Observed;
use super::processor::{MIN_CPU_FACTOR, cache_cooling, residence_factor};
use super::root::crossing;
use super::setting::{Setting, State};

/// A transaction under a setting, while each request waits `queue_s` for its turn.
pub struct Load<'a> {
    observed: &'a Observed,
    setting: &'a Setting,
    read_s: f64,
    flush_s: f64,
    flush_queue_s: f64,
    lock_share: f64,
    /// CPU time of the machine per transaction, as a multiple of that in the run.
    cpu_factor: f64,
    /// Observed commit wait divided by that of [`commits`].
    commit_scale: f64,
}

/// Time of one transaction at a given rate.
struct Cost {
    response_s: f64,
    client_s: f64,
    commits: Commits,
}

impl<'a> Load<'a> {
    /// Load under which each request queues for `queue_s`.
    pub fn new(observed: &'a Observed, setting: &'a Setting, queue_s: f64) -> Load<'a> {
        let read_s = setting.read_s + queue_s;
        let flush_s = flush_of(observed, setting.write_s);
        let flush_queue_s = setting.assumptions.flush_turns * queue_s;
        let load = Load {
            observed,
            setting,
            read_s,
            flush_s,
            flush_queue_s,
            lock_share: locks(observed, setting),
            cpu_factor: 1.0,
            commit_scale: commit_scale(observed),
        };
        Load { cpu_factor: load.cpu_factor(), ..load }
    }

    /// Factor on the CPU time per transaction: below one if waits get shorter (caches stay warm), above one if they get longer.
    fn cpu_factor(&self) -> f64 {
        let observed = self.observed;
        let Some(machine) = observed.machine_cpu_s.filter(|machine| *machine > 0.0) else { return 1.0 };
        let was = observed.read.visits * cache_cooling(observed.read_await_s)
            + observed.commit.visits * cache_cooling(observed.flush_s);
        let is = observed.read.visits * cache_cooling(self.read_s)
            + observed.commit.visits * cache_cooling(self.flush_s + self.flush_queue_s);
        (1.0 - self.setting.assumptions.cold_cache_s * (was - is) / machine).max(MIN_CPU_FACTOR)
    }

    /// CPU utilization at this rate; may be above 1.
    fn utilization(&self, tps: f64) -> Option<f64> {
        let (observed, constant_s) = (self.observed, self.constant_cpu_s());
        Some(
            (tps * (observed.machine_cpu_s? - constant_s) * self.cpu_factor + observed.tps * constant_s)
                / observed.cpus?,
        )
    }

    /// CPU time, per transaction of the run, that does not depend on transactions.
    fn constant_cpu_s(&self) -> f64 {
        (1.0 - self.setting.assumptions.others_follow) * (self.observed.others_cpu_s - self.observed.local_client_s())
    }

    /// Transactions a second at which the CPUs are fully used.
    fn computable(&self) -> Option<f64> {
        let idle = self.utilization(0.0)?;
        let each = self.utilization(1.0)? - idle;
        Some((1.0 - idle).max(1e-3) / each.max(1e-12))
    }

    fn cost(&self, tps: f64) -> Cost {
        let (observed, sessions) = (self.observed, self.setting.sessions);
        let visits = self.setting.assumptions.visits;
        let commits = commits(tps, observed.commit.visits * visits, sessions, self.flush_s + self.flush_queue_s);
        let busier = match (self.utilization(tps), observed.utilization(), observed.cpus) {
            (Some(then), Some(was), Some(cpus)) => {
                residence_factor(then, sessions, cpus, commits.group)
                    / residence_factor(was, observed.sessions, cpus, observed.group())
            }
            _ => 1.0,
        };
        let cpu_s = observed.cpu.seconds * busier * self.cpu_factor;
        let reads_s = observed.read.visits * visits * self.read_s;
        let response_s =
            (cpu_s + reads_s + commits.wait_s * self.commit_scale + observed.elsewhere_s) / (1.0 - self.lock_share);
        let local = observed.local_client_s();
        let client_s = match self.setting.client_waits {
            true => observed.client_s - local + local * busier * self.cpu_factor,
            false => 0.0,
        };
        Cost { response_s, client_s, commits }
    }

    /// Transactions a second at which all sessions are in use.
    pub fn balanced(&self) -> f64 {
        let sessions = self.setting.sessions;
        let fixed = self.observed.elsewhere_s + self.observed.read.visits * self.read_s;
        let most = sessions / fixed.max(1e-7);
        let most = self.computable().map_or(most, |computable| most.min(computable));
        crossing(most * 1e-9, most, |tps| {
            let cost = self.cost(tps);
            sessions - tps * (cost.response_s + cost.client_s)
        })
    }

    /// Requests and bytes of one transaction.
    fn requests(&self, commits: &Commits) -> (f64, f64, f64) {
        let (observed, assumptions) = (self.observed, &self.setting.assumptions);
        let reads = observed.device_reads * assumptions.visits;
        let pages = observed.page_writes * assumptions.page_writes;
        let bytes = reads * observed.read_bytes + observed.wal_bytes + pages * observed.page_bytes;
        (reads, commits.flushes + pages, bytes)
    }

    /// State of the model at this rate.
    pub fn state(&self, queue_s: f64, tps: f64) -> State {
        let cost = self.cost(tps);
        let (reads, writes, each) = self.requests(&cost.commits);
        let (iops, bytes) = (tps * (reads + writes), tps * each);
        let limits = &self.setting.limits;
        let over = |limit: Option<f64>, value: f64| limit.map_or(0.0, |limit| value / limit);
        State {
            tps,
            queue_s,
            by_bytes: over(limits.bytes, bytes) > over(limits.iops, iops),
            iops,
            bytes,
            reads,
            writes,
            at_own_pace: false,
            lock_share: self.lock_share,
            utilization: self.utilization(tps),
            response_s: cost.response_s,
        }
    }
}

/// Time of one flush where a write takes `write_s`: as many writes' time as it took in the run, unless that was at its limit,
/// where both were queues.
pub fn flush_of(observed: &Observed, write_s: f64) -> f64 {
    match observed.limited {
        None if observed.flush_s > 0.0 && observed.write_await_s > 0.0 => {
            write_s * (observed.flush_s / observed.write_await_s).clamp(1.0, 3.0)
        }
        _ => write_s,
    }
}

/// Observed commit wait as a multiple of the modelled one: commits also wait for the flushing backend to run and wake them.
fn commit_scale(observed: &Observed) -> f64 {
    let expected = commits(observed.tps, observed.commit.visits, observed.sessions, observed.flush_s).wait_s;
    if expected > 0.0 { (observed.commit.seconds / expected).clamp(0.7, 1.5) } else { 1.0 }
}

/// Share of the time on locks, which scales with the number of other sessions.
fn locks(observed: &Observed, setting: &Setting) -> f64 {
    let working = observed.response_s() - observed.client_s;
    let share = if working > 0.0 { (observed.lock_s / working).clamp(0.0, 0.9) } else { 0.0 };
    match (setting.sessions, observed.sessions) {
        (then, _) if then <= 1.0 => 0.0,
        (then, was) if setting.assumptions.locks_grow && was > 1.0 => {
            (share * (then - 1.0) / (was - 1.0)).min(share.max(0.5))
        }
        _ => share,
    }
}
