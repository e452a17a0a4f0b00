//! Wait events of sessions: average active sessions by wait event, from sweeps over the process array.
//!
//! A sweep shows prevalence, not duration, and stands for the time since the one before: seen for 20 of 100 s is 0.2
//! average active sessions, and says nothing of how long one wait lasted.

use ebs_base::named;
use ebs_samples::evidence::{WaitKey, Window};

named! {
    /// Kind of a wait event, by its part in database time.
    #[derive(PartialOrd, Ord)]
    pub enum Kind {
        /// Work, or waiting for work to be done: database time.
        Active = "active",
        /// Waiting for the client's next command.
        Client = "client",
        /// A background process with nothing to do, or a deliberate sleep.
        Idle = "idle",
    }
}

impl Kind {
    /// Kind by the class of the wait event (<https://www.postgresql.org/docs/18/monitoring-stats.html#WAIT-EVENT-TABLE>).
    /// An io worker of PostgreSQL 18 works while the requesting backend waits: counting both would count one I/O twice,
    /// so the worker's side is not database time.
    pub fn from_key(key: &WaitKey) -> Kind {
        match key.class.as_str() {
            "Client" => Kind::Client,
            "Activity" => Kind::Idle,
            // Waits beyond the maximum number of rows: they are not known to be work.
            "other" => Kind::Idle,
            // The one wait of this class that is contention, not a deliberate sleep.
            "Timeout" if key.event != "SpinDelay" => Kind::Idle,
            _ if key.backend_type == "io worker" => Kind::Idle,
            // Background workers of other extensions wait so for something to do.
            "Extension" if key.backend_type != "client backend" => Kind::Idle,
            _ => Kind::Active,
        }
    }
}

/// Resource at which an active session spends its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Station {
    /// Waiting for a page to be read.
    Read,
    /// Waiting for WAL to be on disk, by its own or another session's flush.
    Wal,
    /// Waiting for another session's lock.
    Lock,
    /// No wait event: on a CPU, waiting for one, or in code that reports none.
    Processor,
    /// Anything else.
    Other,
}

impl Station {
    /// Station by the wait event (<https://www.postgresql.org/docs/18/monitoring-stats.html#WAIT-EVENT-IO-TABLE>); names are
    /// those of 16 too, which writes WAL in capitals.
    pub fn from_key(key: &WaitKey) -> Station {
        let event = key.event.to_ascii_lowercase();
        match (key.class.as_str(), event.as_str()) {
            // Asynchronous I/O of 18 is reads alone; with io_uring, submitting one can include waiting for it.
            ("IO", "aioiocompletion" | "aioiouringsubmit" | "aioiouringexecution" | "datafileprefetch")
            | ("LWLock", "aiouringcompletion") => Station::Read,
            ("IO", event) if event.ends_with("read") => Station::Read,
            ("IO", "walsync" | "walwrite" | "walinitsync") | ("LWLock", "walwrite") => Station::Wal,
            ("Lock" | "LWLock" | "BufferPin" | "Buffer", _) | ("Timeout", "spindelay") => Station::Lock,
            (WaitKey::CPU, _) => Station::Processor,
            _ => Station::Other,
        }
    }
}

/// One wait event of one backend type over a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Wait event, backend type and session.
    pub key: WaitKey,
    /// Kind of the wait event.
    pub kind: Kind,
    /// Processes in it on average over time.
    pub average_active_sessions: f64,
    /// Its part of all database time; `None` for waits that are none, and where there was none.
    pub share_of_db_time: Option<f64>,
}

/// Waits over `window`: active ones first, most sessions first. Empty where no sweep was made.
pub fn waits(window: &Window) -> Vec<Wait> {
    let totals = &window.totals.waits;
    if totals.swept_us == 0 {
        return Vec::new();
    }
    let rows = || totals.rows.iter().filter(|(_, us)| **us > 0);
    let active = |key: &WaitKey| Kind::from_key(key) == Kind::Active;
    let db_time: u64 = rows().filter(|(key, _)| active(key)).map(|(_, us)| us).sum();
    let mut waits: Vec<Wait> = rows()
        .map(|(key, &us)| {
            let kind = Kind::from_key(key);
            Wait {
                key: key.clone(),
                kind,
                average_active_sessions: us as f64 / totals.swept_us as f64,
                share_of_db_time: (kind == Kind::Active).then(|| us as f64 / db_time as f64),
            }
        })
        .collect();
    waits.sort_by(|a, b| {
        let by_sessions = b.average_active_sessions.total_cmp(&a.average_active_sessions);
        a.kind.cmp(&b.kind).then(by_sessions).then_with(|| a.key.cmp(&b.key))
    });
    waits
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{Session, Totals, WaitTotals};

    fn key(class: &str, event: &str) -> WaitKey {
        WaitKey {
            backend_type: "client backend".into(),
            class: class.into(),
            event: event.into(),
            session: Session::default(),
        }
    }

    #[test]
    fn idle_and_client_waits_are_no_database_time() {
        let io_worker = WaitKey { backend_type: "io worker".into(), ..key("IO", "DataFileRead") };
        let rows = vec![
            (key("IO", "DataFileRead"), 3),
            (key(WaitKey::CPU, WaitKey::CPU), 1),
            (key("Client", "ClientRead"), 50),
            (key("Activity", "CheckpointerMain"), 4),
            (io_worker, 2),
        ];
        let seen = WaitTotals { rows: rows.into_iter().collect(), sweeps: 2, swept_us: 2 };
        let totals = Totals { waits: seen, ..Totals::default() };
        let found = waits(&Window { totals, ..Window::default() });
        let brief: Vec<_> =
            found.iter().map(|w| (w.key.event.as_str(), w.average_active_sessions, w.share_of_db_time)).collect();
        assert_eq!(
            brief,
            [
                ("DataFileRead", 1.5, Some(0.75)),
                ("CPU*", 0.5, Some(0.25)),
                ("ClientRead", 25.0, None),
                ("CheckpointerMain", 2.0, None),
                ("DataFileRead", 1.0, None),
            ]
        );
    }

    #[test]
    fn a_spin_is_contention_and_a_sleep_is_not() {
        assert_eq!(Kind::from_key(&key("Timeout", "SpinDelay")), Kind::Active);
        assert_eq!(Kind::from_key(&key("Timeout", "PgSleep")), Kind::Idle);
    }

    #[test]
    fn a_session_at_work_is_somewhere() {
        let events = [
            ("IO", "DataFileRead", Station::Read),
            ("IO", "AioIoCompletion", Station::Read),
            ("IO", "AioIoUringSubmit", Station::Read),
            ("IO", "AioIoUringExecution", Station::Read),
            ("LWLock", "AioUringCompletion", Station::Read),
            ("LWLock", "AioWorkerSubmissionQueue", Station::Lock),
            ("IO", "WALSync", Station::Wal),
            ("IO", "WalWrite", Station::Wal),
            ("LWLock", "WALWrite", Station::Wal),
            ("LWLock", "WALInsert", Station::Lock),
            ("Lock", "transactionid", Station::Lock),
            ("Timeout", "SpinDelay", Station::Lock),
            (WaitKey::CPU, WaitKey::CPU, Station::Processor),
            ("IO", "DataFileWrite", Station::Other),
            ("IPC", "SyncRep", Station::Other),
        ];
        for (class, event, station) in events {
            assert_eq!(Station::from_key(&key(class, event)), station, "{class} {event}");
        }
    }

    #[test]
    fn without_a_sweep_nothing_is_known() {
        assert!(waits(&Window::default()).is_empty());
    }
}
