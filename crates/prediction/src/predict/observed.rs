//! One run's account of a transaction: its time by station, and its requests to the volume.

use super::io_workers::IoWorkers;
use super::per_transaction::PAGE;
use super::processor::{Residence, residence_factor};
use ebs_aws::catalogue::LimitKind;

/// Visits of a transaction to a resource, and its time there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Station {
    /// Visits per transaction.
    pub visits: f64,
    /// Time per transaction, seconds, all visits together.
    pub seconds: f64,
}

/// CPU time per transaction, seconds, as the kernel counted it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuTime {
    /// The server's: each transaction needs it.
    pub server_s: f64,
    /// That taken for the clients' on this machine: each transaction needs it after the server's, or before.
    pub client_s: f64,
    /// The kernel's own threads', which serve requests: it grows with them.
    pub kernel_s: f64,
    /// Other processes': whether it grows with transactions is not known.
    pub others_s: f64,
    /// Other processes' that goes on without transactions, because it is more than what serves them uses ([`MAX_SERVING`]).
    pub unrelated_s: f64,
    /// The part of it that may be clients' or serve transactions all the same.
    pub doubtful_s: f64,
}

/// Most CPU time of other processes that may serve transactions without being on their path, as a multiple of the server's: load drivers, the
/// emulator and the kernel's threads together had 0.5 to 1.4 in the recorded runs, with nothing else on the machine.
const MAX_SERVING: f64 = 1.5;

/// Most CPU time of clients that are theirs for sure, as a multiple of the server's: load drivers had 0.16 to 0.33.
pub const MAX_DRIVER: f64 = 0.5;

impl CpuTime {
    /// CPU time of everything on the machine.
    pub fn machine_s(&self) -> f64 {
        self.serving_s() + self.unrelated_s
    }

    /// CPU time of all that may serve transactions.
    pub fn serving_s(&self) -> f64 {
        self.path_s() + self.kernel_s + self.others_s
    }

    /// Takes the other processes' time apart that goes on without transactions: what is beyond [`MAX_SERVING`], and the more that is, the
    /// more of the rest and of the clients'.
    pub(super) fn without_unrelated(self) -> CpuTime {
        let most_s = MAX_SERVING * self.server_s;
        if self.others_s <= most_s {
            return self;
        }
        let share = most_s / self.others_s;
        let (client_s, others_s) = (share * self.client_s, share * most_s);
        let doubtful_s = self.client_s - client_s + most_s - others_s;
        CpuTime { client_s, others_s, unrelated_s: self.others_s - most_s + doubtful_s, doubtful_s, ..self }
    }

    /// Clients' time beyond that of a load driver: it may be unrelated, too.
    pub(super) fn clients_doubtful_s(&self) -> f64 {
        (self.client_s - MAX_DRIVER * self.server_s).max(0.0)
    }

    /// CPU time that a transaction goes through.
    pub fn path_s(&self) -> f64 {
        self.server_s + self.client_s
    }
}

/// Pace of a load driver's clients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DriverPace {
    /// Clients, so many of them, send the next transaction once they have the answer.
    Closed {
        /// The clients.
        clients: f64,
    },
    /// They keep a rate.
    Open,
}

/// One run on one volume. Times are seconds of a transaction, from its begin to the next begin of its session.
///
/// A "transaction" is a second of the run if transactions were not counted: ratios stay the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observed {
    /// True where nothing is known of sessions: requests in flight then take their place ([`Observed::from_device_counts`]).
    pub without_waits: bool,
    /// Pace of the run's load driver; `None` where it is not known.
    pub driver: Option<DriverPace>,
    /// Client sessions that took turns: at work, or waiting for their client.
    pub sessions: f64,
    /// Independent looks at a session that the shares of its waits rest on; `None` where these are known exactly, or not at all.
    pub looks: Option<f64>,
    /// Transactions a second.
    pub tps: f64,
    /// True if transactions were counted.
    pub counted: bool,
    /// Think time: a session waits for its client, and the client does not compute on this machine.
    pub client_s: f64,
    /// Time on a CPU or waiting for one, of a session and of its client on this machine.
    pub cpu_s: f64,
    /// Relation of that time to the CPU time.
    pub cpu: Residence,
    /// CPU time; `None` where it was not counted.
    pub cpu_time: Option<CpuTime>,
    /// CPUs of the machine.
    pub cpus: Option<f64>,
    /// True if PostgreSQL counted the time of these reads (`track_io_timing`), which then does not rest on samples.
    pub is_read_counted: bool,
    /// Reads that it waits for on this volume.
    pub read: Station,
    /// The most reads that it may wait for: those of the device, as far as it requested their pages.
    pub read_visits_high: f64,
    /// WAL flushes that it waits for on this volume: its own or another session's.
    pub commit: Station,
    /// Writes of data pages and temporary files that it waits for on this volume.
    pub write: Station,
    /// WAL flushes made, per transaction.
    pub flushes: f64,
    /// True if PostgreSQL counted them; false where they are estimated by the waits for commits.
    pub is_wal_counted: bool,
    /// Time of one flush, seconds.
    pub flush_s: f64,
    /// Waiting for locks that other sessions hold.
    pub lock_s: f64,
    /// Waiting for anything else.
    pub elsewhere_s: f64,
    /// Requests that the volume read, per transaction, whether or not a session waited.
    pub device_reads: f64,
    /// Workers that read for sessions.
    pub io_workers: IoWorkers,
    /// Bytes of a read.
    pub read_bytes: f64,
    /// Mean time of a read on the device, seconds.
    pub read_await_s: f64,
    /// Mean time of a write on the device.
    pub write_await_s: f64,
    /// Requests that the volume wrote, per transaction, those of WAL flushes among them.
    pub device_writes: f64,
    /// Requests that write data pages, per transaction: what the volume has to do sooner or later.
    pub page_writes: f64,
    /// The fewest that they may be: those that it did in this run.
    pub page_writes_low: f64,
    /// The most: one for each page that PostgreSQL handed to the kernel.
    pub page_writes_high: f64,
    /// Bytes of such a request.
    pub page_bytes: f64,
    /// Changes of each data page between two checkpoints; zero where it is not known, or hardly a page changes twice.
    pub changes_per_page: f64,
    /// WAL bytes, per transaction.
    pub wal_bytes: f64,
    /// The limit at which the volume was: its latency then is a queue, not a service time.
    pub limited: Option<LimitKind>,
    /// Degree to which the run was at it, 0 to 1; zero where there is none. So much less are its latencies and its throughput its own.
    pub limit_weight: f64,
}

impl Observed {
    /// A transaction's time as it was, its wait for the client included.
    pub fn response_s(&self) -> f64 {
        self.sessions / self.tps
    }

    /// Share of its time that is think time.
    pub fn client_share(&self) -> f64 {
        (self.client_s / self.response_s()).clamp(0.0, 1.0)
    }

    /// Clients of a closed load driver, where these are all that is known of sessions; `None` elsewhere.
    pub fn closed_clients(&self) -> Option<f64> {
        match self.driver.filter(|_| self.without_waits)? {
            DriverPace::Closed { clients } => Some(clients),
            DriverPace::Open => None,
        }
    }

    /// Degree to which the driver's command leaves the pace open, 0 to 1: a driver with a rate keeps it, unless the run was at a limit and may
    /// have been behind it.
    pub(super) fn pace_doubt(&self) -> f64 {
        if self.driver == Some(DriverPace::Open) { self.limit_weight } else { 1.0 }
    }

    /// CPU utilization, 0 to 1; `None` where it is not known.
    pub fn utilization(&self) -> Option<f64> {
        Some((self.tps * self.cpu_time?.machine_s() / self.cpus?).min(1.0))
    }

    /// CPUs that programs used which have nothing to do with transactions.
    pub(super) fn unrelated_cpus(&self) -> f64 {
        self.cpu_time.map_or(0.0, |time| self.tps * time.unrelated_s)
    }

    /// Share of the CPUs that programs used which have nothing to do with transactions, at most one.
    pub(super) fn unrelated_share(&self) -> f64 {
        self.cpus.map_or(0.0, |cpus| (self.unrelated_cpus() / cpus).min(1.0))
    }

    /// Share of the waits for CPUs, of sessions and of clients on this machine, that is gone with so many of the processes that have nothing
    /// to do with transactions.
    pub(super) fn share_without_rivals(&self, rivals: f64) -> f64 {
        self.unrelated_share() * (1.0 - rivals).max(0.0)
    }

    /// Commits that one flush carried on average.
    pub fn group(&self) -> f64 {
        if self.flushes > 0.0 { (self.commit.visits / self.flushes).max(1.0) } else { 1.0 }
    }

    /// [`residence_factor`] of the run; one where the CPU time is not known.
    pub(super) fn own_residence_factor(&self) -> f64 {
        match (self.utilization(), self.cpus) {
            (Some(busy), Some(cpus)) => residence_factor(busy, self.sessions, cpus, self.group()),
            _ => 1.0,
        }
    }

    /// Share of the reads that are read ahead, 0 to 1: a request of several pages was put together from neighbouring ones, most likely of
    /// a sequential scan.
    pub fn sequential_share(&self) -> f64 {
        if self.read_bytes > PAGE { 1.0 - PAGE / self.read_bytes } else { 0.0 }
    }

    /// Time of a read that takes so many seconds, as a multiple of that in the run; one where there were no reads.
    pub(super) fn read_factor(&self, read_s: f64) -> f64 {
        if self.read_await_s > 0.0 { read_s / self.read_await_s } else { 1.0 }
    }

    /// Requests to the volume, per transaction.
    pub fn requests(&self) -> f64 {
        self.device_reads + self.page_writes + self.flushes
    }

    /// Mean bytes of a request.
    pub(super) fn request_bytes(&self) -> f64 {
        let bytes = self.device_reads * self.read_bytes + self.page_writes * self.page_bytes + self.wal_bytes;
        if self.requests() > 0.0 { bytes / self.requests() } else { PAGE }
    }
}
