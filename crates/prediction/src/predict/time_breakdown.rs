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
    pub fn from_waits(waits: &WaitTotals) -> Option<TimeBreakdown> {
        if waits.swept_us == 0 {
            return None;
        }
        let mut breakdown = TimeBreakdown::default();
        for (key, us) in waits.rows.iter().filter(|(key, _)| key.backend_type == "client backend") {
            *breakdown.by(key) += *us as f64 / waits.swept_us as f64;
        }
        Some(breakdown)
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

    #[test]
    fn each_wait_has_its_kind() {
        let key = |backend_type: &str, class: &str, event: &str| WaitKey {
            backend_type: backend_type.into(),
            class: class.into(),
            event: event.into(),
            session: Session::default(),
        };
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
