//! Time of client sessions by kind of wait event
//! (<https://www.postgresql.org/docs/18/monitoring-stats.html#WAIT-EVENT-TABLE>).

use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{WaitKey, WaitTotals};
use ebs_workload::waits::Station;

/// Client sessions in each kind of wait, on average over time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeBreakdown {
    /// Sessions on a CPU, or waiting for one.
    pub cpu: f64,
    /// Waiting for pages to be read.
    pub read: f64,
    /// Waiting for WAL to be on disk, by themselves or by another session.
    pub commit: f64,
    /// Waiting for data pages or temporary files to be written, or for files to grow.
    pub write: f64,
    /// Waiting for locks that other sessions hold: heavyweight ones, pages', places in WAL.
    pub lock: f64,
    /// Waiting for their client.
    pub client: f64,
    /// Waiting for anything else.
    pub elsewhere: f64,
}

impl TimeBreakdown {
    /// Breakdown of the sampled waits of client backends; `None` without samples.
    ///
    /// A session that waits for its parallel workers waits for what they do: that time is divided as theirs is.
    pub fn from_waits(waits: &WaitTotals) -> Option<TimeBreakdown> {
        if waits.swept_us == 0 {
            return None;
        }
        let (sessions, workers) = Parallel::by_backend_type(waits);
        let working = workers.itself.active_sessions();
        let (itself, for_workers) = (sessions.itself, sessions.for_others);
        Some(match working > 0.0 {
            true => itself.plus(workers.itself, for_workers / working),
            false => TimeBreakdown { elsewhere: itself.elsewhere + for_workers, ..itself },
        })
    }

    /// Share of the time in which processes of client sessions read that a session waited for: less than one where parallel workers read
    /// at the same time. One without samples of reads.
    pub(super) fn waited_share(waits: &WaitTotals) -> f64 {
        let (sessions, workers) = Parallel::by_backend_type(waits);
        let reading = sessions.itself.read + workers.itself.read;
        let waited = TimeBreakdown::from_waits(waits).map_or(0.0, |time| time.read);
        if reading > 0.0 { (waited / reading).min(1.0) } else { 1.0 }
    }

    /// Adds another breakdown times a factor.
    fn plus(self, other: TimeBreakdown, factor: f64) -> TimeBreakdown {
        TimeBreakdown {
            cpu: self.cpu + factor * other.cpu,
            read: self.read + factor * other.read,
            commit: self.commit + factor * other.commit,
            write: self.write + factor * other.write,
            lock: self.lock + factor * other.lock,
            client: self.client,
            elsewhere: self.elsewhere + factor * other.elsewhere,
        }
    }

    /// Sum over all kinds of wait.
    pub fn sessions(&self) -> f64 {
        self.active_sessions() + self.client
    }

    /// Sum over all kinds of wait but that for the client.
    pub fn active_sessions(&self) -> f64 {
        self.cpu + self.read + self.commit + self.write + self.lock + self.elsewhere
    }

    fn by(&mut self, key: &WaitKey) -> &mut f64 {
        let event = key.event.to_ascii_lowercase();
        match (Station::from_key(key), key.class.as_str(), event.as_str()) {
            (Station::Processor, ..) => &mut self.cpu,
            (Station::Read, ..) => &mut self.read,
            (Station::Wal, ..) => &mut self.commit,
            (_, "IO", event) if WRITES.contains(&event) => &mut self.write,
            (_, "Client", _) | (_, "Timeout", "pgsleep" | "vacuumdelay") => &mut self.client,
            (_, "Lock" | "BufferPin" | "Buffer", _) | (_, "LWLock", "buffercontent" | "walinsert") => &mut self.lock,
            _ => &mut self.elsewhere,
        }
    }
}

/// Time of the processes of parallel queries.
#[derive(Default)]
struct Parallel {
    /// At work, or waiting for anything but each other.
    itself: TimeBreakdown,
    /// Waiting for the other processes of their query.
    for_others: f64,
}

impl Parallel {
    /// Client sessions, and their parallel workers.
    fn by_backend_type(waits: &WaitTotals) -> (Parallel, Parallel) {
        let (mut sessions, mut workers) = (Parallel::default(), Parallel::default());
        for (key, us) in &waits.rows {
            let processes = match key.backend_type.as_str() {
                "client backend" => &mut sessions,
                "parallel worker" => &mut workers,
                _ => continue,
            };
            *processes.by(key) += *us as f64 / waits.swept_us as f64;
        }
        (sessions, workers)
    }

    fn by(&mut self, key: &WaitKey) -> &mut f64 {
        let event = key.event.to_ascii_lowercase();
        let is_for_others = key.class == "IPC" && FOR_OTHERS.iter().any(|wait| event.starts_with(wait));
        if is_for_others { &mut self.for_others } else { self.itself.by(key) }
    }
}

/// Beginnings of the waits of class `IPC` for other processes of a parallel query.
const FOR_OTHERS: [&str; 5] = ["executegather", "messagequeue", "parallel", "hash", "bgworker"];

/// Waits of class `IO` for data pages and temporary files to be written. The kernel takes most of them into its page cache and waits
/// only where too much of it is dirty.
const WRITES: [&str; 4] = ["datafilewrite", "datafileextend", "datafileflush", "buffilewrite"];

/// Seconds for which these microseconds stand.
pub(super) fn seconds(us: u64) -> f64 {
    us as f64 / SECOND_US as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::Session;

    fn key(backend_type: &str, class: &str, event: &str) -> WaitKey {
        WaitKey {
            backend_type: backend_type.into(),
            class: class.into(),
            event: event.into(),
            session: Session::default(),
        }
    }

    /// A leader that reads for 2 of 10 and waits for two workers for 6, which read for 3 of each 4 that they work.
    #[test]
    fn a_session_waits_for_what_its_workers_do() {
        let rows = [
            (key("client backend", "IO", "DataFileRead"), 2),
            (key("client backend", "IPC", "ExecuteGather"), 6),
            (key("client backend", "Client", "ClientRead"), 2),
            (key("parallel worker", "IO", "DataFileRead"), 12),
            (key("parallel worker", "CPU*", "CPU*"), 4),
            (key("parallel worker", "IPC", "HashBuildHashInner"), 3),
        ];
        let waits = WaitTotals { rows: rows.into(), sweeps: 1, swept_us: 10 };
        let found = TimeBreakdown::from_waits(&waits).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(
            near(found.read, 0.2 + 0.6 * 0.75) && near(found.cpu, 0.6 * 0.25) && near(found.client, 0.2),
            "{found:?}"
        );
        assert!(near(found.sessions(), 1.0), "{found:?}");
        let alone: WaitTotals =
            WaitTotals { rows: [(key("client backend", "IPC", "ExecuteGather"), 6)].into(), ..waits };
        assert!(near(TimeBreakdown::from_waits(&alone).unwrap().elsewhere, 0.6));
    }

    #[test]
    fn each_wait_has_its_kind() {
        let rows = [
            (key("client backend", "CPU*", "CPU*"), 10),
            (key("client backend", "IO", "DataFileRead"), 20),
            (key("client backend", "IO", "AioIoCompletion"), 1),
            (key("client backend", "IO", "AioIoUringExecution"), 4),
            (key("client backend", "IO", "WalSync"), 30),
            (key("client backend", "LWLock", "WALWrite"), 3),
            (key("client backend", "Lock", "transactionid"), 5),
            (key("client backend", "LWLock", "BufferContent"), 2),
            (key("client backend", "Client", "ClientRead"), 7),
            (key("client backend", "IO", "DataFileExtend"), 4),
            (key("client backend", "IPC", "SyncRep"), 3),
            (key("checkpointer", "IO", "DataFileWrite"), 100),
        ];
        let breakdown = TimeBreakdown::from_waits(&WaitTotals { rows: rows.into(), sweeps: 1, swept_us: 10 }).unwrap();
        let expected =
            TimeBreakdown { cpu: 1.0, read: 2.5, commit: 3.3, write: 0.4, lock: 0.7, client: 0.7, elsewhere: 0.3 };
        assert_eq!(breakdown, expected);
        assert!((breakdown.sessions() - 8.9).abs() < 1e-9);
        assert_eq!(TimeBreakdown::from_waits(&WaitTotals::default()), None);
    }
}
