//! The account of one transaction, from the evidence of a run.

use super::device::{Device, Writes};
use super::observed::{LimitKind, Observed, Station};
use super::per_transaction::{PAGE, PerTransaction};
use super::time_breakdown::{TimeBreakdown, seconds};
use ebs_base::counter::Counters;
use ebs_samples::evidence::{IoCounts, IoKey, Totals, Window};
use ebs_workload::demand::Demand;

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
    /// Account of one transaction of `window`, on the volume (or volumes) with this demand. Time on other volumes is taken as
    /// constant.
    pub fn from_window(
        window: &Window,
        demand: &Demand,
        parts: Parts,
        limited: Option<LimitKind>,
    ) -> Result<Observed, MissingInput> {
        let totals = &window.totals;
        let time = TimeBreakdown::from_waits(&totals.waits).ok_or(MissingInput::Waits)?;
        if time.active_sessions() < MIN_ACTIVE_SESSIONS {
            return Err(MissingInput::Sessions);
        }
        if !demand.timed || demand.seconds() <= 0.0 {
            return Err(MissingInput::Times);
        }
        let tps = transactions(totals);
        let per = PerTransaction { tps: tps.unwrap_or(1.0) };
        let device = Device::from_demand(demand, &per);
        let io = Io::from_totals(totals, &per);
        let (read_s, commit_s) = (per.rate(time.read), per.rate(time.commit));
        let read = if parts.data { io.reads(read_s, &device) } else { Station::default() };
        let flush_s = io.flush_s.filter(|_| io.flushes > 0.0).unwrap_or(device.write_await_s);
        let flushes = if parts.wal { io.flushes } else { 0.0 };
        let commit =
            if parts.wal { commits(commit_s, flushes, flush_s, time.sessions(), per.tps) } else { Station::default() };
        let pages = if parts.data { io.pages } else { 0.0 };
        let wal_bytes = if parts.wal { io.wal_bytes } else { 0.0 };
        let writes = Writes::estimate(&device, flushes, wal_bytes, pages);
        let cpu = Cpu::from_totals(totals, window.sampling.cost.cpu_us, &per);
        Ok(Observed {
            sessions: time.sessions(),
            tps: per.tps,
            counted: tps.is_some(),
            client_s: per.rate(time.client),
            cpu: Station { visits: 1.0, seconds: per.rate(time.cpu) },
            machine_cpu_s: cpu.map(|cpu| cpu.machine_s),
            others_cpu_s: cpu.map_or(0.0, |cpu| cpu.others_s),
            cpus: totals.cpus.map(f64::from),
            read,
            commit,
            flushes,
            flush_s,
            lock_s: per.rate(time.lock),
            elsewhere_s: per.rate(time.elsewhere)
                + if parts.data { 0.0 } else { read_s }
                + if parts.wal { 0.0 } else { commit_s },
            device_reads: device.reads,
            read_bytes: device.read_bytes,
            read_await_s: device.read_await_s,
            write_await_s: device.write_await_s,
            device_writes: device.writes,
            page_writes: writes.middle,
            page_writes_low: writes.low,
            page_writes_high: writes.high,
            page_bytes: writes.bytes,
            wal_bytes,
            limited,
        })
    }
}

/// Transactions a second; `None` where they were not counted.
fn transactions(totals: &Totals) -> Option<f64> {
    let counts = totals.transactions.known()?;
    let tps = (counts.commits + counts.rollbacks) as f64 / seconds(totals.transactions.known_us);
    (tps > 0.0).then_some(tps)
}

/// PostgreSQL's I/O counters, per transaction.
struct Io {
    /// Pages that client backends read from the kernel, and the time that they waited for them.
    pages_read: f64,
    stall_s: Option<f64>,
    /// Pages handed to the kernel by all processes; at least as many as were written whole to WAL, since each such page must be
    /// written once before the next checkpoint ends.
    pages: f64,
    flushes: f64,
    flush_s: Option<f64>,
    wal_bytes: f64,
}

impl Io {
    fn from_totals(totals: &Totals, per: &PerTransaction) -> Io {
        let io = &totals.io;
        let sum = |of: &dyn Fn(&IoKey) -> bool| {
            let rows = io.rows.iter().filter(|(key, _)| of(key)).map(|(_, counts)| *counts);
            rows.fold(IoCounts::default(), Counters::plus)
        };
        let each = |count: u64| per.count(count, io.known_us);
        let client = sum(&|key| key.object == "relation" && key.backend_type == "client backend");
        let relations = sum(&|key| key.object == "relation");
        // No session waits for the WAL writer's flushes; before PostgreSQL 18 all are counted together. New segments (context
        // init) are no flush.
        let wal = sum(&|key| {
            key.object == "wal"
                && key.context == "normal"
                && ["client backend", "any"].contains(&key.backend_type.as_str())
        });
        // Where wal_sync_method is open_sync or open_datasync, each write is a flush and no fsync is counted.
        let flushes = match wal.fsyncs {
            0 if wal.write_bytes > 0 => totals.wal_writes.known().map_or(0, |counts| counts.writes),
            fsyncs => fsyncs,
        };
        let written = each(relations.write_bytes + relations.extend_bytes) / PAGE;
        let images = per.count(totals.wal.counts.full_page_images, totals.wal.known_us);
        Io {
            pages_read: each(client.read_bytes) / PAGE,
            stall_s: (io.io_timed && io.known_us > 0).then(|| each(client.read_us) / 1e6),
            pages: written.max(images),
            flushes: each(flushes),
            flush_s: (io.wal_timed && flushes > 0).then(|| (wal.fsync_us + wal.write_us) as f64 / 1e6 / flushes as f64),
            wal_bytes: per.count(totals.wal.counts.bytes, totals.wal.known_us),
        }
    }

    /// Reads that a transaction waits for: its wait divided by the latency of a read, at most the pages that it requested. The
    /// device may read more, by read-ahead.
    fn reads(&self, sampled_s: f64, device: &Device) -> Station {
        let seconds = self.stall_s.unwrap_or(sampled_s);
        let fit = if device.read_await_s > 0.0 { seconds / device.read_await_s } else { 0.0 };
        Station { visits: if self.pages_read > 0.0 { fit.min(self.pages_read) } else { fit }, seconds }
    }
}

/// Commits that wait for WAL: the number that explains the wait, at least that of the flushes.
fn commits(wait_s: f64, flushes: f64, flush_s: f64, sessions: f64, tps: f64) -> Station {
    if flushes <= 0.0 || flush_s <= 0.0 {
        return Station { visits: 0.0, seconds: wait_s };
    }
    let others = if sessions > 1.0 { (sessions - 1.0) / sessions } else { 0.0 };
    let busy = (tps * flushes * flush_s).min(1.0);
    let visits = wait_s / (flush_s * (1.0 + busy * others / 2.0));
    Station { visits: visits.max(flushes).min(flushes.max(1.0)), seconds: wait_s }
}

/// CPU time of a transaction.
#[derive(Clone, Copy)]
struct Cpu {
    /// CPU time of everything on the machine.
    machine_s: f64,
    /// CPU time of everything but the server.
    others_s: f64,
}

impl Cpu {
    /// `sampler_us` is the CPU time of the sampler, which does not grow with transactions.
    fn from_totals(totals: &Totals, sampler_us: u64, per: &PerTransaction) -> Option<Cpu> {
        let counts = totals.processor.known()?;
        let each = |us: u64| per.count(us, totals.processor.known_us) / 1e6;
        let machine_us = counts.host_us.saturating_sub(sampler_us);
        let others_us = counts.host_us.saturating_sub(counts.server_us).min(machine_us);
        Some(Cpu { machine_s: each(machine_us), others_s: each(others_us) })
    }
}
