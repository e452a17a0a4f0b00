//! Sessions that take part: a session that is idle while others work (a psql that waits for its user, a monitor, a connection that a
//! pool keeps) is no client of the workload. Its wait for its client, counted as the clients' think time, would hide that those
//! who work never think: beside two HammerDB users without think time, three such sessions were 67 % of all session time.

use super::process::{ProcessIdentity, SessionState};

/// Prefix of the background worker types of this extension, whose waits are not counted.
const OWN_WORKERS: &str = "ebs_advisor ";

/// application_name of ebsctl's sessions (`cli/src/psql/session.rs`), whose waits are not counted.
const OWN_APPLICATION: &str = "ebsctl";

/// Least time over which it is judged if a session takes part. A shorter interval (a run begins or ends) is judged by this time
/// before its end, so that who works ten times a second takes part in an interval of some milliseconds too.
const JUDGED_US: u64 = 1_000_000;

/// Returns true for processes of this extension.
pub(super) fn is_own(identity: &ProcessIdentity) -> bool {
    identity.backend_type.starts_with(OWN_WORKERS) || identity.application == OWN_APPLICATION
}

/// An interval in which each session takes part or does not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interval {
    swept_us: u64,
}

impl Interval {
    /// Adds a sweep that stands for so many microseconds.
    pub(super) fn add(&mut self, dt_us: u64) {
        self.swept_us += dt_us;
    }

    /// Returns true once it is long enough to be judged by itself.
    pub(super) fn is_over(self) -> bool {
        self.swept_us >= JUDGED_US
    }

    /// Returns true if a session that was seen waiting for its client alone took part in the interval that ends at `now_us`: it
    /// runs a statement, has changed its state in the interval, or has ended (`None`). Where states are not tracked nobody is left
    /// out.
    pub(super) fn took_part(self, state: Option<SessionState>, now_us: i64) -> bool {
        let judged_us = i64::try_from(self.swept_us.max(JUDGED_US)).unwrap_or(i64::MAX);
        match state {
            None | Some(SessionState::Unknown | SessionState::Running) => true,
            // A change after `now_us` came while slots were read. One much later was made before the clock was set back.
            Some(SessionState::Idle { since_us }) => {
                (now_us.saturating_sub(judged_us)..=now_us.saturating_add(judged_us)).contains(&since_us)
            }
        }
    }
}
