//! One run's account of a transaction: its time by station, and its requests to the volume.

/// Visits of a transaction to a resource, and its time there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Station {
    /// Visits per transaction.
    pub visits: f64,
    /// Time per transaction, seconds, all visits together.
    pub seconds: f64,
}

/// The limit at which the run was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Requests a second.
    Iops,
    /// Bytes a second.
    Throughput,
}

/// One run on one volume. Times are seconds of a transaction, from its begin to the next begin of its session.
///
/// A "transaction" is a second of the run if transactions were not counted: ratios stay the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// Client sessions that took turns: at work, or waiting for their client.
    pub sessions: f64,
    /// Transactions a second.
    pub tps: f64,
    /// True if transactions were counted.
    pub counted: bool,
    /// Time that a session waits for its client.
    pub client_s: f64,
    /// Time on a CPU, or waiting for one.
    pub cpu: Station,
    /// CPU time of everything on the machine, per transaction; `None` where it is not known.
    pub machine_cpu_s: Option<f64>,
    /// The part of it that is not the server's: a client on this machine, the kernel's threads, other programs.
    pub others_cpu_s: f64,
    /// CPUs of the machine.
    pub cpus: Option<f64>,
    /// Reads that it waits for on this volume.
    pub read: Station,
    /// WAL flushes that it waits for on this volume: its own or another session's.
    pub commit: Station,
    /// WAL flushes made, per transaction.
    pub flushes: f64,
    /// Time of one flush, seconds.
    pub flush_s: f64,
    /// Waiting for locks that other sessions hold.
    pub lock_s: f64,
    /// Waiting for anything else.
    pub elsewhere_s: f64,
    /// Requests that the volume read, per transaction, whether or not a session waited.
    pub device_reads: f64,
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
    /// WAL bytes, per transaction.
    pub wal_bytes: f64,
    /// The limit at which the volume was: its latency then is a queue, not a service time.
    pub limited: Option<LimitKind>,
}

impl Observed {
    /// A transaction's time as it was, its wait for the client included.
    pub fn response_s(&self) -> f64 {
        self.sessions / self.tps
    }

    /// Share of its time in which a session waited for its client.
    pub fn client_share(&self) -> f64 {
        (self.client_s / self.response_s()).clamp(0.0, 1.0)
    }

    /// CPU time that may be the client's own on this machine: no longer than sessions wait for it.
    pub fn local_client_s(&self) -> f64 {
        self.others_cpu_s.min(self.client_s)
    }

    /// CPU utilization, 0 to 1; `None` where it is not known.
    pub fn utilization(&self) -> Option<f64> {
        Some((self.tps * self.machine_cpu_s? / self.cpus?).min(1.0))
    }

    /// Commits that one flush carried on average.
    pub fn group(&self) -> f64 {
        if self.flushes > 0.0 { (self.commit.visits / self.flushes).max(1.0) } else { 1.0 }
    }
}
