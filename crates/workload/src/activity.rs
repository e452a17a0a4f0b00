//! Work of the database: transactions, states of its sessions, CPU time, WAL.

use crate::waits::{Kind, Station};
use ebs_base::counter::Counters;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{IoCounts, Totals, WaitKey, WaitTotals, Window};

/// One figure of what the database did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure's metric.
    pub metric: ActivityMetric,
    /// Value over the whole window, in the metric's unit; `None` where it is unknown.
    pub value: Option<f64>,
    /// Share of the sampled time over which it was counted, 0 to 1.
    pub coverage: f64,
}

/// Metrics of the database's activity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActivityMetric {
    /// Commits and rollbacks of all databases.
    Transactions,
    /// Commits.
    Commits,
    /// Rollbacks.
    Rollbacks,
    /// Client backends that worked, on average.
    Sessions,
    /// Client backends active, on average.
    ActiveSessions,
    /// Active client backends waiting for reads.
    WaitingForReads,
    /// Active client backends waiting for WAL.
    WaitingForWal,
    /// Active client backends waiting for locks.
    WaitingForLocks,
    /// Active client backends on a CPU, or reporting no wait event.
    OnCpu,
    /// Active client backends in any other wait event.
    WaitingForOther,
    /// Client backends that wait for their clients, between two statements or within one.
    WaitingForClient,
    /// Parallel workers active, on average.
    ParallelWorkers,
    /// CPU time of client backends and parallel workers.
    ClientCpu,
    /// CPU time of processes that ended between two readings.
    EndedCpu,
    /// CPU time of all processes of the server.
    ServerCpu,
    /// CPU time of all processes of the machine.
    MachineCpu {
        /// True where it is known only from the kernel's ticks.
        from_ticks: bool,
    },
    /// CPUs that the server may use.
    Cpus,
    /// WAL generated.
    Wal,
    /// Full-page images in WAL.
    FullPageImages,
    /// Calls that write WAL.
    WalWrites,
    /// Fsyncs of WAL by all processes.
    WalFlushes,
    /// Fsyncs of WAL by client backends.
    WalFlushesByClients,
    /// Mean time of a WAL flush, including the writes before it.
    WalFlushTime(FlushTime),
}

/// Basis of the time of a WAL flush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlushTime {
    /// It was measured.
    Measured {
        /// Mean time of the fsync alone, ms.
        fsync_ms: f64,
    },
    /// track_wal_io_timing was off.
    Untimed,
    /// No flush was counted.
    NoFlush,
}

impl ActivityMetric {
    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            ActivityMetric::Transactions => "transactions",
            ActivityMetric::Commits => "commits",
            ActivityMetric::Rollbacks => "rollbacks",
            ActivityMetric::Sessions => "sessions",
            ActivityMetric::ActiveSessions => "active sessions",
            ActivityMetric::WaitingForReads => "waiting for reads",
            ActivityMetric::WaitingForWal => "waiting for WAL",
            ActivityMetric::WaitingForLocks => "waiting for locks",
            ActivityMetric::OnCpu => "on CPU*",
            ActivityMetric::WaitingForOther => "waiting for something else",
            ActivityMetric::WaitingForClient => "waiting for the client",
            ActivityMetric::ParallelWorkers => "parallel workers",
            ActivityMetric::ClientCpu => "CPU of clients",
            ActivityMetric::EndedCpu => "CPU of what ended",
            ActivityMetric::ServerCpu => "CPU of the server",
            ActivityMetric::MachineCpu { .. } => "CPU of the machine",
            ActivityMetric::Cpus => "CPUs",
            ActivityMetric::Wal => "WAL",
            ActivityMetric::FullPageImages => "full-page images",
            ActivityMetric::WalWrites => "WAL writes",
            ActivityMetric::WalFlushes => "WAL flushes",
            ActivityMetric::WalFlushesByClients => "WAL flushes by clients",
            ActivityMetric::WalFlushTime(_) => "WAL flush time",
        }
    }

    /// The unit of its values.
    pub fn unit(self) -> &'static str {
        match self {
            ActivityMetric::Transactions | ActivityMetric::Commits | ActivityMetric::Rollbacks => "1/s",
            ActivityMetric::FullPageImages | ActivityMetric::WalWrites => "1/s",
            ActivityMetric::WalFlushes | ActivityMetric::WalFlushesByClients => "1/s",
            ActivityMetric::ClientCpu | ActivityMetric::EndedCpu | ActivityMetric::ServerCpu => "cores",
            ActivityMetric::MachineCpu { .. } | ActivityMetric::Cpus => "cores",
            ActivityMetric::Wal => "bytes/s",
            ActivityMetric::WalFlushTime(_) => "ms",
            _ => "sessions",
        }
    }
}

/// Computes the figures of the work done over `window`; empty where none of them is known.
pub fn workload(window: &Window) -> Vec<Figure> {
    let totals = &window.totals;
    let sampled_us = window.pause.each(&window.intervals).map(|interval| interval.dt_us).fold(0, u64::saturating_add);
    let counted = |known_us| CountedTime { known_us, sampled_us };
    let mut figures = transactions(totals, counted(totals.transactions.known_us));
    figures.extend(sessions(&totals.waits, counted(totals.waits.swept_us)));
    figures.extend(processor(totals, counted(totals.processor.known_us)));
    figures.extend(wal(totals, counted(totals.wal.known_us), counted(totals.wal_writes.known_us)));
    figures.extend(flushes(totals, counted(totals.io.known_us)));
    if figures.iter().all(|figure| figure.value.is_none()) { Vec::new() } else { figures }
}

/// Time over which something was counted.
#[derive(Clone, Copy)]
struct CountedTime {
    known_us: u64,
    sampled_us: u64,
}

impl CountedTime {
    /// Mean number of these per second.
    fn rate(self, metric: ActivityMetric, count: u64) -> Figure {
        let value = (self.known_us > 0).then(|| count as f64 * SECOND_US as f64 / self.known_us as f64);
        self.figure(metric, value)
    }

    /// Mean number of these at a time, from their time in microseconds.
    fn average(self, metric: ActivityMetric, us: u64) -> Figure {
        let value = (self.known_us > 0).then(|| us as f64 / self.known_us as f64);
        self.figure(metric, value)
    }

    fn figure(self, metric: ActivityMetric, value: Option<f64>) -> Figure {
        Figure { metric, value, coverage: self.known_us as f64 / self.sampled_us.max(1) as f64 }
    }
}

fn transactions(totals: &Totals, counted: CountedTime) -> Vec<Figure> {
    let counts = totals.transactions.counts;
    vec![
        counted.rate(ActivityMetric::Transactions, counts.commits.saturating_add(counts.rollbacks)),
        counted.rate(ActivityMetric::Commits, counts.commits),
        counted.rate(ActivityMetric::Rollbacks, counts.rollbacks),
    ]
}

const CLIENT: &str = "client backend";

fn sessions(waits: &WaitTotals, counted: CountedTime) -> Vec<Figure> {
    let time = |backend_type: &str, is_counted: &dyn Fn(&WaitKey) -> bool| {
        let rows = waits.rows.iter().filter(|(key, _)| key.backend_type == backend_type && is_counted(key));
        rows.fold(0, |sum: u64, (_, us)| sum.saturating_add(*us))
    };
    let active = |key: &WaitKey| Kind::from_key(key) == Kind::Active;
    let at = |station: Station| time(CLIENT, &|key: &WaitKey| active(key) && Station::from_key(key) == station);
    let idle = time(CLIENT, &|key| Kind::from_key(key) == Kind::Client);
    vec![
        counted.average(ActivityMetric::Sessions, time(CLIENT, &|_| true)),
        counted.average(ActivityMetric::ActiveSessions, time(CLIENT, &active)),
        counted.average(ActivityMetric::WaitingForReads, at(Station::Read)),
        counted.average(ActivityMetric::WaitingForWal, at(Station::Wal)),
        counted.average(ActivityMetric::WaitingForLocks, at(Station::Lock)),
        counted.average(ActivityMetric::OnCpu, at(Station::Processor)),
        counted.average(ActivityMetric::WaitingForOther, at(Station::Other)),
        counted.average(ActivityMetric::WaitingForClient, idle),
        counted.average(ActivityMetric::ParallelWorkers, time("parallel worker", &active)),
    ]
}

fn processor(totals: &Totals, counted: CountedTime) -> Vec<Figure> {
    let counts = totals.processor.counts;
    let machine = ActivityMetric::MachineCpu { from_ticks: counts.host_ticked_us > 0 };
    // Where the whole machine's time is the server's (an import of RDS), it was not counted by process.
    let is_by_process = counts.client_us + counts.ended_us > 0 || counts.server_us < counts.host_us;
    let by_process = CountedTime { known_us: if is_by_process { counted.known_us } else { 0 }, ..counted };
    vec![
        by_process.average(ActivityMetric::ClientCpu, counts.client_us),
        by_process.average(ActivityMetric::EndedCpu, counts.ended_us),
        counted.average(ActivityMetric::ServerCpu, counts.server_us),
        counted.average(machine, counts.host_us),
        Figure { metric: ActivityMetric::Cpus, value: totals.cpus.map(f64::from), coverage: 1.0 },
    ]
}

fn wal(totals: &Totals, generated: CountedTime, written: CountedTime) -> Vec<Figure> {
    let wal = totals.wal.counts;
    vec![
        generated.rate(ActivityMetric::Wal, wal.bytes),
        generated.rate(ActivityMetric::FullPageImages, wal.full_page_images),
        written.rate(ActivityMetric::WalWrites, totals.wal_writes.counts.writes),
    ]
}

/// Flushes are the fsyncs of WAL, but for those of new segments (context `init`).
fn flushes(totals: &Totals, counted: CountedTime) -> Vec<Figure> {
    let rows = || totals.io.rows.iter().filter(|(key, _)| key.object == "wal" && key.context == "normal");
    let all = rows().fold(IoCounts::default(), |sum, (_, counts)| sum.plus(*counts));
    let by_clients = rows().filter(|(key, _)| key.backend_type == CLIENT).map(|(_, counts)| counts.fsyncs).sum();
    // Before PostgreSQL 18 one row counts the flushes of all backend types.
    let by_backend_type = rows().all(|(key, _)| key.backend_type != "any");
    let clients = CountedTime { known_us: if by_backend_type { counted.known_us } else { 0 }, ..counted };
    let ms = |us: u64| us as f64 / 1000.0 / all.fsyncs as f64;
    let (flush_ms, basis) = match totals.io.wal_timed {
        false => (None, FlushTime::Untimed),
        true if all.fsyncs == 0 => (None, FlushTime::NoFlush),
        true => {
            let flush_ms = ms(all.write_us.saturating_add(all.fsync_us));
            (Some(flush_ms), FlushTime::Measured { fsync_ms: ms(all.fsync_us) })
        }
    };
    vec![
        counted.rate(ActivityMetric::WalFlushes, all.fsyncs),
        clients.rate(ActivityMetric::WalFlushesByClients, by_clients),
        counted.figure(ActivityMetric::WalFlushTime(basis), flush_ms),
    ]
}

#[cfg(test)]
#[path = "activity_tests.rs"]
mod tests;
