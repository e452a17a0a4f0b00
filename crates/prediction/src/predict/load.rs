//! Time and requests of one transaction under a setting.

use super::checkpoint_merging::page_writes_factor;
use super::commit::{Commits, commits};
use super::locks::lock_share;
use super::observed::Observed;
use super::processor::{MIN_CPU_FACTOR, Residence, cache_cooling, residence_factor, transactions_share};
use super::root::crossing;
use super::setting::{Assumptions, Queues, Setting, State};
use super::target::Rates;

/// A transaction under a setting, while each request waits for its turn.
pub struct Load<'a> {
    observed: &'a Observed,
    setting: &'a Setting,
    queues: Queues,
    read_s: f64,
    flush_s: f64,
    flush_queue_s: f64,
    /// Reads that a transaction waits for.
    reads: f64,
    /// Their time, above the device too where they waited there in the run, and as if no other session used the I/O workers.
    reads_s: f64,
    lock_share: f64,
    /// CPU time per transaction, as a multiple of that in the run.
    cpu_factor: f64,
    own_commits: OwnCommits,
}

/// Time of one transaction at a given rate.
struct Cost {
    response_s: f64,
    client_s: f64,
    commits: Commits,
    utilization: Option<f64>,
}

impl<'a> Load<'a> {
    /// Load under which requests queue so long.
    pub fn new(observed: &'a Observed, setting: &'a Setting, queues: Queues) -> Load<'a> {
        let assumptions = &setting.assumptions;
        let sequential = observed.sequential_share();
        let ahead = setting.more_volumes.powf(assumptions.read_ahead);
        let read_s = setting.read_s + queues.data_s;
        let reads = assumptions.reads
            * (observed.read.visits
                * more_reads(observed, read_s).powf(assumptions.read_waits)
                * (1.0 - sequential + sequential / ahead))
                .min(observed.device_reads.max(observed.read.visits));
        let load = Load {
            observed,
            setting,
            queues,
            read_s,
            flush_s: flush_of(observed, setting.wal_write_s),
            flush_queue_s: assumptions.flush_turns * queues.wal_s,
            reads,
            reads_s: reads * read_s * above_device(observed) / own_sharing(observed, assumptions),
            lock_share: lock_share(observed, setting),
            cpu_factor: assumptions.cpu,
            own_commits: OwnCommits::new(observed),
        };
        Load { cpu_factor: load.cpu_factor(), ..load }
    }

    /// CPU time of a transaction under the setting, as a multiple of that counted: less that of an idle machine, less where waits get
    /// shorter (caches stay warm), more where they get longer.
    fn cpu_factor(&self) -> f64 {
        let (observed, assumptions) = (self.observed, &self.setting.assumptions);
        let serving_s = observed.cpu_time.map_or(0.0, |time| time.serving_s());
        if serving_s <= 0.0 {
            return assumptions.cpu;
        }
        let was = observed.read.visits * cache_cooling(observed.read_await_s)
            + observed.commit.visits * cache_cooling(observed.flush_s);
        let is = self.reads * cache_cooling(self.read_s)
            + observed.commit.visits * cache_cooling(self.flush_s + self.flush_queue_s);
        let share = transactions_share(assumptions.idle_cpus, observed.tps * serving_s);
        let warmer = assumptions.cold_cache_s * (was - is) / (share * serving_s);
        assumptions.cpu * share * (1.0 - warmer).max(MIN_CPU_FACTOR)
    }

    /// CPU utilization at this rate, where a transaction makes so many requests, as a multiple of those in the run; may be above 1.
    fn utilization(&self, tps: f64, requests: f64) -> Option<f64> {
        let (observed, time) = (self.observed, self.observed.cpu_time?);
        let Assumptions { others_follow, clients_follow, doubtful_follow, .. } = self.setting.assumptions;
        let following_s = time.client_s * clients_follow + time.others_s * others_follow;
        let doubtful_s = time.doubtful_s * doubtful_follow;
        let apart_s = time.clients_doubtful_s() * (1.0 - clients_follow);
        let constant_s = time.client_s + time.others_s - following_s - apart_s;
        let each_s = (time.server_s + time.kernel_s * requests + following_s + doubtful_s) * self.cpu_factor;
        let busy_cpus = observed.tps * time.serving_s();
        let idle_cpus = busy_cpus * (1.0 - transactions_share(self.setting.assumptions.idle_cpus, busy_cpus));
        let cpus = observed.cpus?;
        let kept_cpus = self.kept_cpus(time.unrelated_s - doubtful_s + apart_s, cpus);
        Some((tps * each_s + idle_cpus + observed.tps * constant_s + kept_cpus) / cpus)
    }

    /// CPUs that programs keep which have nothing to do with transactions and used so much time for each: as many as in the run, or as their
    /// processes get where sessions want all others, for the kernel shares the CPUs.
    fn kept_cpus(&self, each_s: f64, cpus: f64) -> f64 {
        let used = self.observed.tps * each_s;
        let rivals = used * self.setting.assumptions.rivals;
        used.min(cpus * rivals / (self.setting.sessions + rivals))
    }

    /// Transactions a second at which the CPUs are fully used, if all commits shared one flush: no more are possible.
    fn computable(&self) -> Option<f64> {
        let requests = self.requests_ratio(0.0);
        let idle = self.utilization(0.0, requests)?;
        let each = self.utilization(1.0, requests)? - idle;
        Some((1.0 - idle).max(1e-3) / each.max(1e-12))
    }

    fn cost(&self, tps: f64) -> Cost {
        let (observed, sessions) = (self.observed, self.setting.sessions);
        let commits = self.commits(tps);
        let utilization = self.utilization(tps, self.requests_ratio(commits.flushes));
        let gone = observed.share_without_rivals(self.setting.assumptions.rivals);
        let cpu_s = match (utilization, observed.cpu_time.zip(observed.cpus)) {
            (Some(busy), Some((time, cpus))) => {
                let factor = residence_factor(busy, sessions, cpus, commits.group);
                let seconds = |cpu: Residence| cpu.seconds(time.path_s() * self.cpu_factor, factor);
                self.beside_rivals(seconds(observed.cpu), seconds(observed.cpu.as_modelled()))
            }
            _ => observed.cpu_s * self.cpu_factor,
        };
        let reads_s = self.reads_s * self.sharing(tps);
        let writes_s = observed.write.visits * (self.setting.write_s + self.queues.data_s);
        let response_s = (cpu_s + reads_s + writes_s + commits.wait_s + observed.elsewhere_s) / (1.0 - self.lock_share);
        let client_s = if self.setting.client_waits { observed.client_s * (1.0 - gone) } else { 0.0 };
        Cost { response_s, client_s, commits, utilization }
    }

    /// Time on the CPUs beside fewer or more processes that have nothing to do with transactions than the run had: without them sessions wait
    /// for CPUs as modelled; with more at least as long as in the run, because these waits come with each wake-up and not with CPU time.
    fn beside_rivals(&self, cpu_s: f64, modelled_s: f64) -> f64 {
        let rivals = self.setting.assumptions.rivals;
        let bound_s = if rivals < 1.0 { modelled_s } else { cpu_s.max(self.observed.cpu_s) };
        let degree = self.observed.unrelated_share() * (rivals - 1.0).abs().min(1.0);
        cpu_s + degree * (bound_s - cpu_s)
    }

    /// Commits at this rate, which wait and share flushes as those of the run did, by as much as the model has more or less of both.
    fn commits(&self, tps: f64) -> Commits {
        let (visits, own) = (self.observed.commit.visits, &self.own_commits);
        let modelled = commits(tps, visits, self.setting.sessions, self.flush_s + self.flush_queue_s);
        let flushes =
            self.observed.flushes * (modelled.flushes / own.modelled_flushes).powf(self.setting.assumptions.grouping);
        let flushes = if own.modelled_flushes > 0.0 { flushes.min(visits) } else { 0.0 };
        Commits { flushes, group: modelled.group, wait_s: modelled.wait_s * own.wait_scale }
    }

    /// Wait for reads at this rate, as a multiple of that of a session alone.
    fn sharing(&self, tps: f64) -> f64 {
        let workers = self.observed.io_workers;
        let need = workers.need(tps, self.observed.read_factor(self.read_s));
        workers.sharing(self.setting.sessions, need).powf(self.setting.assumptions.workers_shared)
    }

    /// Transactions a second at which all sessions are in use.
    pub fn balanced(&self) -> f64 {
        let sessions = self.setting.sessions;
        let fixed = self.observed.elsewhere_s + self.reads_s;
        let most = sessions / fixed.max(1e-7);
        let most = self.computable().map_or(most, |computable| most.min(computable));
        crossing(most * 1e-9, most, |tps| {
            let cost = self.cost(tps);
            let idle = 1.0 - cost.utilization.unwrap_or(0.0);
            (sessions - tps * (cost.response_s + cost.client_s)).min(sessions * idle)
        })
    }

    /// Requests of one transaction with so many flushes, as a multiple of those in the run.
    fn requests_ratio(&self, flushes: f64) -> f64 {
        let observed = self.observed;
        let requests = observed.requests();
        if requests > 0.0 { (observed.device_reads + observed.page_writes + flushes) / requests } else { 1.0 }
    }

    /// Page writes per transaction at this rate as merging checkpoints change them, as a multiple of those without.
    fn merged(&self, tps: f64) -> f64 {
        let degree = self.setting.assumptions.merging;
        // Most states are without, and a search computes many.
        if degree == 0.0 {
            return 1.0;
        }
        page_writes_factor(self.observed.changes_per_page, tps / self.observed.tps).powf(degree)
    }

    /// State of the model at this rate.
    pub fn state(&self, tps: f64) -> State {
        let (observed, setting, cost) = (self.observed, self.setting, self.cost(tps));
        let reads = observed.device_reads * setting.assumptions.reads;
        let pages = observed.page_writes * setting.assumptions.page_writes * self.merged(tps);
        let flushes = cost.commits.flushes;
        let data = Rates { iops: reads + pages, bytes: reads * observed.read_bytes + pages * observed.page_bytes };
        let wal = Rates { iops: flushes, bytes: observed.wal_bytes };
        let (rates, wal_rates) = if setting.wal.is_some() { (data, wal) } else { (data.plus(wal), Rates::default()) };
        State {
            tps,
            queues: self.queues,
            rates: rates.times(tps),
            wal_rates: wal_rates.times(tps),
            reads,
            writes: flushes + pages,
            flushes,
            client_share: (tps * cost.client_s / setting.sessions).clamp(0.0, 1.0),
            lock_share: self.lock_share,
            utilization: cost.utilization,
            unrelated_share: observed.unrelated_share(),
            response_s: cost.response_s,
        }
    }
}

/// Wait for reads in the run as a multiple of that of a session alone.
fn own_sharing(observed: &Observed, assumptions: &Assumptions) -> f64 {
    let workers = observed.io_workers;
    workers.sharing(observed.sessions, workers.need(observed.tps, 1.0)).powf(assumptions.workers_shared)
}

/// The most reads that sessions may wait for where one takes `read_s`, as a multiple of those that explain the run's waits: all that they may
/// wait for, and no longer than they did where one took longer.
fn more_reads(observed: &Observed, read_s: f64) -> f64 {
    let visits = observed.read.visits;
    let most = if visits > 0.0 { observed.read_visits_high / visits } else { 1.0 };
    (observed.read_await_s / read_s).min(most).max(1.0)
}

/// Wait for reads in the run as a multiple of their time on the device; more than one where they waited above it.
fn above_device(observed: &Observed) -> f64 {
    let on_device_s = observed.read.visits * observed.read_await_s;
    if on_device_s > 0.0 { (observed.read.seconds / on_device_s).max(1.0) } else { 1.0 }
}

/// Time of one flush where a write takes `write_s`: as many writes' time as it took in the run, but for the degree to which that was at
/// its limit, where both were queues. Recorded runs without a limit had 0.81 to 1.03 writes; one, since a flush is a write and a sync, and
/// three are a choice of bounds.
pub fn flush_of(observed: &Observed, write_s: f64) -> f64 {
    if observed.flush_s <= 0.0 || observed.write_await_s <= 0.0 {
        return write_s;
    }
    let writes = (observed.flush_s / observed.write_await_s).clamp(1.0, 3.0);
    write_s * writes.powf(1.0 - observed.limit_weight)
}

/// Largest wait of commits, as a multiple of the modelled one: what they wait beyond it they wait for a CPU. Recorded runs had 0.90 to 1.15;
/// the bounds on both sides of that are a choice.
pub const MAX_COMMIT_SCALE: f64 = 1.5;

/// Least wait of commits, as a multiple of the modelled one.
const MIN_COMMIT_SCALE: f64 = 0.7;

/// Commits of the run beside the modelled ones.
#[derive(Clone, Copy)]
struct OwnCommits {
    /// Observed wait as a multiple of the modelled one: commits also wait for the flushing backend to run and wake them.
    wait_scale: f64,
    /// Flushes per transaction by the model.
    modelled_flushes: f64,
}

impl OwnCommits {
    fn new(observed: &Observed) -> OwnCommits {
        let modelled = commits(observed.tps, observed.commit.visits, observed.sessions, observed.flush_s);
        let scale = observed.commit.seconds / modelled.wait_s;
        let wait_scale = if modelled.wait_s > 0.0 { scale.clamp(MIN_COMMIT_SCALE, MAX_COMMIT_SCALE) } else { 1.0 };
        OwnCommits { wait_scale, modelled_flushes: modelled.flushes }
    }
}
