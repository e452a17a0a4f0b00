//! The account of one transaction, from the evidence of a run.

use super::checkpoint_merging::changes_per_page;
use super::commit::{commits, flushes};
use super::device::{Device, Writes};
use super::io_workers::IoWorkers;
use super::load::MAX_COMMIT_SCALE;
use super::observed::{CpuTime, MAX_DRIVER, Observed, Station};
use super::per_transaction::{PAGE, PerTransaction};
use super::processor::{IDLE_CPUS, MAX_INSIDE_WAITS, Residence, transactions_share};
use super::sampling_error::independent_looks;
use super::time_breakdown::{TimeBreakdown, seconds};
use ebs_aws::catalogue::LimitKind;
use ebs_base::counter::Counters;
use ebs_samples::evidence::{IoCounts, IoKey, Totals, Window};
use ebs_workload::demand_summary::DemandSummary;

/// Average active client sessions below which nothing is predicted: the I/O then is background work, which keeps its own pace, and the
/// few samples of sessions show neither a transaction's time nor a bottleneck. Nor does anything tell a closed loop there. A choice.
pub const MIN_ACTIVE_SESSIONS: f64 = 0.02;

/// Input without which a run allows no prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingInput {
    /// Waits were not sampled.
    Waits,
    /// Active client sessions were fewer than [`MIN_ACTIVE_SESSIONS`] on average.
    Sessions,
    /// The samples lack the device's latencies.
    Times,
}

/// Files on the volume in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Data files.
    pub data: bool,
    /// WAL.
    pub wal: bool,
}

impl Observed {
    /// Account of one transaction of `window`, on the volume (or volumes) with this demand, which was at this limit for sure. Time on other
    /// volumes is taken as constant.
    pub fn from_window(
        window: &Window,
        demand: &DemandSummary,
        parts: Parts,
        limited: Option<LimitKind>,
    ) -> Result<Observed, MissingInput> {
        let totals = &window.totals;
        // Without latencies, waits alone would predict nothing.
        let missing = if demand.timed { MissingInput::Waits } else { MissingInput::Times };
        let time = TimeBreakdown::from_waits(&totals.waits).ok_or(missing)?;
        if time.active_sessions() < MIN_ACTIVE_SESSIONS {
            return Err(MissingInput::Sessions);
        }
        if !demand.timed || demand.seconds <= 0.0 {
            return Err(MissingInput::Times);
        }
        let tps = counted_tps(totals);
        let per = PerTransaction { tps: tps.unwrap_or(1.0) };
        let device = Device::from_demand(demand, &per);
        let io = Io::from_totals(totals, &per, &device, per.rate(time.commit));
        let run = Observed {
            sessions: time.sessions(),
            looks: Some(independent_looks(&totals.waits, &time)),
            tps: per.tps,
            counted: tps.is_some(),
            cpus: totals.cpus.map(f64::from),
            lock_s: per.rate(time.lock),
            elsewhere_s: per.rate(time.elsewhere),
            device_reads: device.reads,
            io_workers: IoWorkers::from_waits(&totals.waits, &per),
            read_bytes: device.read_bytes,
            read_await_s: device.read_await_s,
            write_await_s: device.write_await_s,
            device_writes: device.writes,
            limited,
            limit_weight: f64::from(u8::from(limited.is_some())),
            ..Observed::default()
        };
        let run = run.with_data(&io, &device, (per.rate(time.read), per.rate(time.write)), parts.data);
        let run =
            run.with_wal(&io, &device, per.rate(time.commit), parts.wal).with_page_writes(&io, &device, parts.data);
        let cpu = CountedCpu::from_totals(totals, window.sampling.cost.cpu_us, &per);
        Ok(run.with_cpu(cpu, [time.cpu, time.client, time.read].map(|sessions| per.rate(sessions))))
    }

    /// Adds the reads and writes of data files, which wait this long. On another volume both are waits for something else.
    fn with_data(self, io: &Io, device: &Device, (read_s, write_s): (f64, f64), is_here: bool) -> Observed {
        if !is_here {
            return Observed { elsewhere_s: self.elsewhere_s + read_s + write_s, ..self };
        }
        let read = io.reads(read_s, device);
        let read_visits_high = io.most_reads(device).max(read.visits);
        let is_read_counted = io.stall_s.is_some();
        Observed { read, is_read_counted, read_visits_high, write: io.writes(write_s, device), ..self }
    }

    /// Adds the commits, which wait this long.
    fn with_wal(self, io: &Io, device: &Device, commit_s: f64, is_here: bool) -> Observed {
        if !is_here {
            return Observed { elsewhere_s: self.elsewhere_s + commit_s, ..self };
        }
        let flush_s = io.flush_s.filter(|_| io.flushes > 0.0).unwrap_or(device.write_await_s);
        let commit = self.committed(commit_s, io.flushes, flush_s);
        // Without flushes (fsync is off) it is no wait for the volume.
        let elsewhere_s = self.elsewhere_s + if commit.visits > 0.0 { 0.0 } else { commit_s };
        let (flushes, is_wal_counted) = (io.flushes, io.is_wal_counted);
        Observed { commit, elsewhere_s, flushes, is_wal_counted, flush_s, wal_bytes: io.wal_bytes, ..self }
    }

    /// Commits that wait for WAL: the number that explains the wait, at least that of the flushes, and at most one a transaction, where these
    /// are counted; and the time that they explain.
    fn committed(&self, wait_s: f64, flushes: f64, flush_s: f64) -> Station {
        if flushes <= 0.0 || flush_s <= 0.0 {
            return Station::default();
        }
        let others = if self.sessions > 1.0 { (self.sessions - 1.0) / self.sessions } else { 0.0 };
        let busy = (self.tps * flushes * flush_s).min(1.0);
        let fit = wait_s / (flush_s * (1.0 + busy * others / 2.0));
        let most = if self.counted { flushes.max(1.0) } else { f64::INFINITY };
        let visits = fit.max(flushes).min(most);
        let modelled_s = commits(self.tps, visits, self.sessions, flush_s).wait_s;
        Station { visits, seconds: wait_s.min(MAX_COMMIT_SCALE * modelled_s) }
    }

    /// Adds the requests that write data pages.
    fn with_page_writes(self, io: &Io, device: &Device, is_here: bool) -> Observed {
        let pages = if is_here { io.pages } else { 0.0 };
        let writes = Writes::estimate(device, self.flushes, self.wal_bytes, pages);
        // Where every write is a flush, all bytes are WAL's: it is written in whole pages.
        let are_all_flushes = self.flushes > 0.0 && writes.low <= 0.0;
        let all_bytes = if are_all_flushes { device.writes * device.write_bytes } else { 0.0 };
        Observed {
            wal_bytes: self.wal_bytes.max(all_bytes),
            page_writes: writes.middle,
            page_writes_low: writes.low,
            page_writes_high: writes.high,
            page_bytes: writes.bytes,
            changes_per_page: if is_here {
                changes_per_page(io.wal_records - self.commit.visits, io.images)
            } else {
                0.0
            },
            ..self
        }
    }

    /// Divides what is left of a transaction's time between the CPUs and the client.
    ///
    /// Samples cannot do that: a session that was woken shows its last wait until it gets a CPU, and one whose client waits for a CPU
    /// shows `ClientRead`. Sampled CPU time was 0.35 to 1.02 of that which the kernel counted in 56 recorded runs. So the CPU time that
    /// was counted and its queueing for CPUs come first, and what remains is think time. Where none was counted, samples decide.
    fn with_cpu(self, counted: Option<CountedCpu>, sampled: [f64; 3]) -> Observed {
        let [sampled_cpu_s, sampled_client_s, sampled_read_s] = sampled;
        let modelled_s = [self.read, self.commit, self.write].map(|station| station.seconds).iter().sum::<f64>();
        let left_s = (self.response_s() - modelled_s - self.lock_s - self.elsewhere_s).max(0.0);
        let Some((counted, cpus)) = counted.zip(self.cpus) else {
            let client_s = sampled_client_s.min(left_s);
            let cpu_s = sampled_cpu_s.min(left_s - client_s);
            return Observed { cpu_s, client_s, ..self }.with_unexplained(left_s - client_s - cpu_s, sampled_read_s);
        };
        // A client on this machine computes between two commands, so that its time is in what is left, but for what is inside of waits.
        // It waits for CPUs as the server does, but a load driver, which runs on few threads.
        let most = |queueing: f64| (left_s / (1.0 - MAX_INSIDE_WAITS + queueing) - counted.server_s).max(0.0);
        let most_s = most(counted.queueing.unwrap_or(0.0)).max(most(0.0).min(MAX_DRIVER * counted.server_s));
        let client_s = (counted.user_s * counted.known_share).min(most_s);
        let (server_s, kernel_s) = (counted.server_s, counted.kernel_s);
        let room_s = (cpus / self.tps - server_s - client_s - kernel_s).max(0.0);
        let others_s = on_these_cpus(counted.user_s - client_s, room_s);
        let cpu_time = CpuTime { server_s, client_s, kernel_s, others_s, ..CpuTime::default() }.without_unrelated();
        let run = Observed { cpu_time: Some(cpu_time), ..self };
        let factor = run.own_residence_factor();
        let path_s = cpu_time.path_s() * transactions_share(IDLE_CPUS, self.tps * cpu_time.serving_s());
        let waited_s = counted.queueing.map(|queueing| queueing * path_s);
        let cpu = Residence::new(path_s, left_s, factor, waited_s);
        let cpu_s = cpu.seconds(path_s, factor).min(left_s);
        // A client that thinks always shows as `ClientRead`.
        let client_s = sampled_client_s.min(left_s - cpu_s);
        Observed { cpu_s, cpu, client_s, ..run }.with_unexplained(left_s - cpu_s - client_s, sampled_read_s)
    }

    /// Adds time that was sampled as a wait, but neither the device nor the CPUs explain: reads may wait above the device, and are taken
    /// to wait there in proportion.
    fn with_unexplained(self, seconds: f64, sampled_read_s: f64) -> Observed {
        let most = if self.read.visits > 0.0 { (sampled_read_s - self.read.seconds).max(0.0) } else { 0.0 };
        let read_s = seconds.min(most);
        let read = Station { seconds: self.read.seconds + read_s, ..self.read };
        Observed { read, elsewhere_s: self.elsewhere_s + seconds - read_s, ..self }
    }
}

/// Transactions a second; `None` where they were not counted.
pub fn counted_tps(totals: &Totals) -> Option<f64> {
    let counts = totals.transactions.known()?;
    let tps = (counts.commits + counts.rollbacks) as f64 / seconds(totals.transactions.known_us);
    (tps > 0.0).then_some(tps)
}

/// PostgreSQL's I/O counters, per transaction.
struct Io {
    /// Pages that client backends and their parallel workers read from the kernel.
    pages_read: f64,
    /// Time that a transaction waited for them; `None` where it was not counted.
    stall_s: Option<f64>,
    /// Pages handed to the kernel by all processes; at least as many as were written whole to WAL, since each such page must be
    /// written once before the next checkpoint ends.
    pages: f64,
    flushes: f64,
    /// True if PostgreSQL counted the flushes.
    is_wal_counted: bool,
    flush_s: Option<f64>,
    wal_bytes: f64,
    wal_records: f64,
    /// Full-page images in WAL.
    images: f64,
}

impl Io {
    /// Flushes of a run whose counters are not known, as many as the wait for commits shows, and no more than can be made: WAL is
    /// flushed once at a time, under one lock (XLogFlush in src/backend/access/transam/xlog.c).
    fn from_totals(totals: &Totals, per: &PerTransaction, device: &Device, commit_s: f64) -> Io {
        let sampled_flushes = match device.write_await_s > 0.0 {
            true => device.writes.min(commit_s.min(per.rate(1.0)) / device.write_await_s),
            false => 0.0,
        };
        let io = &totals.io;
        let sum = |of: &dyn Fn(&IoKey) -> bool| {
            let rows = io.rows.iter().filter(|(key, _)| of(key)).map(|(_, counts)| *counts);
            rows.fold(IoCounts::default(), Counters::plus)
        };
        let each = |count: u64| per.count(count, io.known_us);
        // Parallel workers are background workers to pg_stat_io.
        let is_client = |key: &IoKey| ["client backend", "background worker"].contains(&key.backend_type.as_str());
        let client = sum(&|key| key.object == "relation" && is_client(key));
        let relations = sum(&|key| key.object == "relation");
        // No session waits for the WAL writer's flushes; before PostgreSQL 18 all are counted together. New segments (context
        // init) are no flush.
        let wal = sum(&|key| {
            key.object == "wal"
                && key.context == "normal"
                && ["client backend", "any"].contains(&key.backend_type.as_str())
        });
        let writes = totals.wal_writes.known().filter(|_| wal.write_bytes > 0).map_or(0, |counts| counts.writes);
        let flushes = flushes(each(wal.fsyncs), each(writes), device.writes);
        let written = each(relations.write_bytes + relations.extend_bytes) / PAGE;
        let images = per.count(totals.wal.counts.full_page_images, totals.wal.known_us);
        Io {
            pages_read: each(client.read_bytes) / PAGE,
            // Counted of each process, and parallel workers wait at the same time: samples show how much of it.
            stall_s: (io.io_timed && io.known_us > 0)
                .then(|| each(client.read_us) / 1e6 * TimeBreakdown::waited_share(&totals.waits)),
            pages: written.max(images),
            flushes: if io.known_us > 0 { flushes } else { sampled_flushes },
            is_wal_counted: io.known_us > 0,
            flush_s: (io.wal_timed && flushes > 0.0).then(|| each(wal.fsync_us + wal.write_us) / 1e6 / flushes),
            wal_bytes: match totals.wal.known_us.max(io.known_us) {
                0 => sampled_flushes * device.write_bytes,
                _ => per.count(totals.wal.counts.bytes, totals.wal.known_us),
            },
            wal_records: per.count(totals.wal.counts.records, totals.wal.known_us),
            images,
        }
    }

    /// Reads that a transaction waits for: its wait divided by the latency of a read, at most the pages that it requested. The
    /// device may read more, by read-ahead.
    fn reads(&self, sampled_s: f64, device: &Device) -> Station {
        visits(self.stall_s.unwrap_or(sampled_s), device.read_await_s, self.most_reads(device))
    }

    /// The most reads that it may wait for: the device's, as far as it requested so many pages.
    fn most_reads(&self, device: &Device) -> f64 {
        if self.pages_read > 0.0 { device.reads.min(self.pages_read) } else { device.reads }
    }

    /// Writes that a transaction waits for, in the same way: at most those of the device that are no flush. The kernel takes most of them
    /// into its page cache at once.
    fn writes(&self, sampled_s: f64, device: &Device) -> Station {
        visits(sampled_s, device.write_await_s, (device.writes - self.flushes).max(0.0))
    }
}

/// Visits to the device that explain a wait, at most so many. A session waits for something else beyond them.
fn visits(wait_s: f64, await_s: f64, most: f64) -> Station {
    let visits = if await_s > 0.0 { (wait_s / await_s).min(most) } else { 0.0 };
    Station { visits, seconds: visits * await_s }
}

/// CPU time of other processes that was spent on the server's CPUs, where these have so much room for it. Quotas and affinity masks leave
/// other processes other CPUs: what is beyond the room was spent there, and the more that is, the more of the rest.
fn on_these_cpus(others_s: f64, room_s: f64) -> f64 {
    if others_s > room_s { room_s * room_s / others_s } else { others_s }
}

/// CPU time of a transaction by who used it, seconds.
#[derive(Clone, Copy)]
struct CountedCpu {
    server_s: f64,
    kernel_s: f64,
    /// Other processes, clients on this machine among them.
    user_s: f64,
    /// Share of the other processes' time that is known to be theirs: not where the machine was counted by ticks, or the time of the kernel's
    /// threads was not counted ([`is_kernel_counted`]).
    known_share: f64,
    /// Time in which client backends could have run and had no CPU, as a multiple of their CPU time; `None` where the kernel does not say.
    queueing: Option<f64>,
}

impl CountedCpu {
    /// `sampler_us` is the CPU time of the sampler, which does not grow with transactions.
    fn from_totals(totals: &Totals, sampler_us: u64, per: &PerTransaction) -> Option<CountedCpu> {
        let counts = totals.processor.known()?;
        let each = |us: u64| per.count(us, totals.processor.known_us) / 1e6;
        let others_us = counts.host_us.saturating_sub(counts.server_us);
        let ticked = if counts.host_us > 0 { counts.host_ticked_us as f64 / counts.host_us as f64 } else { 0.0 };
        let delay_s =
            totals.run_delay.known().map(|delay| per.count(delay.run_delay_us, totals.run_delay.known_us) / 1e6);
        let clients_s = each(counts.client_us);
        Some(CountedCpu {
            server_s: each(counts.server_us.saturating_sub(sampler_us)),
            kernel_s: each(counts.kernel_us.min(others_us)),
            user_s: each(others_us.saturating_sub(counts.kernel_us)),
            known_share: if is_kernel_counted(totals) { (1.0 - ticked).clamp(0.0, 1.0) } else { 0.0 },
            queueing: delay_s.filter(|_| clients_s > 0.0).map(|delay_s| delay_s / clients_s),
        })
    }
}

/// True if the CPU time of the kernel's threads was counted, be it less than a tick.
///
/// Blocks before layout 5 have neither it nor waits for a CPU, which are unknown there ([`Timed::known_us`]). So zero is a count where such
/// waits are known. On a kernel that keeps none nothing tells zero from a block of an earlier layout, and it counts as unknown.
///
/// [`Timed::known_us`]: ebs_samples::evidence::Timed
fn is_kernel_counted(totals: &Totals) -> bool {
    totals.processor.counts.kernel_us > 0 || totals.run_delay.known_us > 0
}

#[cfg(test)]
#[path = "account_tests.rs"]
mod tests;
