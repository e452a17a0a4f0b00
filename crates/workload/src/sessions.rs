//! I/O by session: bytes over a window.

use crate::demand::ratio;
use ebs_samples::evidence::{IoBytes, SessionKey, Window};

/// I/O of one session, by the tracked dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionIo {
    /// Session.
    pub key: SessionKey,
    /// Bytes read and written.
    pub bytes: IoBytes,
    /// Its bytes in those of all sessions here; `None` where there were none.
    pub share: Option<f64>,
}

/// Sessions that read or wrote anything in `window`, most bytes first.
pub fn sessions(window: &Window) -> Vec<SessionIo> {
    let totals = &window.totals.sessions.rows;
    let all = totals.values().fold(0u64, |sum, bytes| sum.saturating_add(bytes.total()));
    let session = |(key, bytes): (&SessionKey, &IoBytes)| SessionIo {
        key: key.clone(),
        bytes: *bytes,
        share: ratio(bytes.total(), all),
    };
    let mut sessions: Vec<SessionIo> = totals.iter().map(session).collect();
    sessions.sort_by(|a, b| b.bytes.total().cmp(&a.bytes.total()).then_with(|| a.key.cmp(&b.key)));
    sessions
}

/// Share of the time with known I/O of PostgreSQL in which sessions were tracked; `None` where it was never known.
pub fn known_share(window: &Window) -> Option<f64> {
    ratio(window.totals.sessions.known_us, window.totals.io.known_us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{IoTotals, Session, SessionTotals, Totals};

    #[test]
    fn shares_are_of_all_bytes_and_the_biggest_comes_first() {
        let key = |database: &str| {
            let session = Session { database: Some(database.into()), ..Session::default() };
            SessionKey { backend_type: "client backend".into(), session }
        };
        let mut sessions = SessionTotals { known_us: 30, ..SessionTotals::default() };
        sessions.add_row(key("a"), IoBytes { read_bytes: 100, ..IoBytes::default() });
        sessions.add_row(key("b"), IoBytes { write_bytes: 200, extend_bytes: 100, ..IoBytes::default() });
        let io = IoTotals { known_us: 40, ..IoTotals::default() };
        let window = Window { totals: Totals { sessions, io, ..Totals::default() }, ..Window::default() };
        let found: Vec<_> = super::sessions(&window).into_iter().map(|s| (s.key, s.share)).collect();
        assert_eq!(found, [(key("b"), Some(0.75)), (key("a"), Some(0.25))]);
        assert_eq!((known_share(&window), known_share(&Window::default())), (Some(0.75), None));
    }
}
