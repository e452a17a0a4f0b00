//! What sessions waited for: average active sessions by wait event, from sweeps over the process array.
//!
//! A sweep shows prevalence, not duration: seen in 20 of 100 sweeps is 0.2 average active sessions, and says nothing of
//! how long one wait lasted.

use crate::evidence::{WaitKey, Window};

/// How a wait counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Work, or waiting for work to be done: database time.
    Active,
    /// Waiting for the client to say something.
    Client,
    /// A background process with nothing to do, or a deliberate sleep.
    Idle,
}

impl Kind {
    /// By the class of the wait event (<https://www.postgresql.org/docs/18/monitoring-stats.html#WAIT-EVENT-TABLE>).
    /// An io worker of PostgreSQL 18 works while the backend that asked waits: counting both would count one I/O twice,
    /// so the worker's side is not database time.
    pub fn of(key: &WaitKey) -> Kind {
        match key.class.as_str() {
            "Client" => Kind::Client,
            "Activity" => Kind::Idle,
            // The one wait of this class that is contention, not a deliberate sleep.
            "Timeout" if key.event != "SpinDelay" => Kind::Idle,
            _ if key.backend_type == "io worker" => Kind::Idle,
            // Background workers of other extensions wait so for something to do.
            "Extension" if key.backend_type != "client backend" => Kind::Idle,
            _ => Kind::Active,
        }
    }

    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Active => "active",
            Kind::Client => "client",
            Kind::Idle => "idle",
        }
    }
}

/// One wait event of one backend type over a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// What was waited for, and by whom.
    pub key: WaitKey,
    /// How it counts.
    pub kind: Kind,
    /// Processes seen in it per sweep.
    pub average_active_sessions: f64,
    /// Its part of all database time; `None` for waits that are none, and where there was none.
    pub share_of_db_time: Option<f64>,
}

/// Waits over `window`: active ones first, most sessions first. Empty where no sweep was made.
pub fn waits(window: &Window) -> Vec<Wait> {
    let sweeps = window.waits.sweeps;
    if sweeps == 0 {
        return Vec::new();
    }
    let rows = || window.waits.rows.iter().filter(|(_, count)| *count > 0);
    let active = |key: &WaitKey| Kind::of(key) == Kind::Active;
    let db_time: u64 = rows().filter(|(key, _)| active(key)).map(|(_, count)| count).sum();
    let mut waits: Vec<Wait> = rows()
        .map(|&(ref key, count)| {
            let kind = Kind::of(key);
            Wait {
                key: key.clone(),
                kind,
                average_active_sessions: count as f64 / sweeps as f64,
                share_of_db_time: (kind == Kind::Active).then(|| count as f64 / db_time as f64),
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
    use crate::evidence::WaitTotals;

    fn key(class: &str, event: &str) -> WaitKey {
        WaitKey { backend_type: "client backend".into(), class: class.into(), event: event.into() }
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
        let found = waits(&Window { waits: WaitTotals { rows, sweeps: 2 }, ..Window::default() });
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
        assert_eq!(Kind::of(&key("Timeout", "SpinDelay")), Kind::Active);
        assert_eq!(Kind::of(&key("Timeout", "PgSleep")), Kind::Idle);
    }

    #[test]
    fn without_a_sweep_nothing_is_known() {
        assert!(waits(&Window::default()).is_empty());
    }
}
