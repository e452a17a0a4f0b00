//! PostgreSQL's I/O by session: a lower bound, because counts of a process after its last reading are lost when it ends. A
//! parallel worker is not counted at all: it publishes its counts when its transaction ends, and it ends then too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::counts::{IoBytes, Session, SessionKey};
use ebs_base::counter::Counters;

/// Maximum number of sessions with a row each: an application_name with a number in it would make a new one each time. A row takes
/// about 100 bytes.
const MAX_SESSIONS: usize = 2_000;

/// Backend type of the row for all further sessions.
const OTHER: &str = "other";

/// Bytes read and written by each session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionTotals {
    /// Sessions that read or wrote anything.
    pub rows: BTreeMap<SessionKey, IoBytes>,
    /// Time in which sessions were tracked, microseconds. 0 where nothing is known.
    pub known_us: u64,
}

impl SessionTotals {
    /// Adds bytes to the row of this session, or to the row of further sessions if the rows are full.
    pub fn add_row(&mut self, key: SessionKey, bytes: IoBytes) {
        let room = self.rows.len() < MAX_SESSIONS || self.rows.contains_key(&key);
        let other = || SessionKey { backend_type: OTHER.to_owned(), session: Session::default() };
        let sum = self.rows.entry(if room { key } else { other() }).or_default();
        *sum = sum.plus(bytes);
    }

    /// Adds the counts of another period.
    pub fn add(&mut self, other: SessionTotals) {
        self.known_us = self.known_us.saturating_add(other.known_us);
        for (key, bytes) in other.rows {
            self.add_row(key, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn totals(rows: &[(u16, u32)]) -> SessionTotals {
        let mut totals = SessionTotals { known_us: 1, ..SessionTotals::default() };
        for &(application, read) in rows {
            let session = Session { application: Some(application.to_string()), ..Session::default() };
            let key = SessionKey { backend_type: "client backend".into(), session };
            totals.add_row(key, IoBytes { read_bytes: read.into(), ..IoBytes::default() });
        }
        totals
    }

    fn all(totals: &SessionTotals) -> u64 {
        totals.rows.values().map(IoBytes::total).sum()
    }

    #[test]
    fn what_there_is_no_room_for_is_counted_together() {
        let rows: Vec<(u16, u32)> = (0..2_100).map(|n| (n, 10)).collect();
        let mut sum = totals(&rows);
        sum.add(totals(&[(5_000, 1), (7, 3)]));
        assert_eq!((sum.rows.len(), all(&sum), sum.known_us), (MAX_SESSIONS + 1, 21_004, 2));
        let other = sum.rows.iter().find(|(key, _)| key.backend_type == OTHER).map(|(_, bytes)| bytes.read_bytes);
        assert_eq!(other, Some(1_001));
    }

    proptest! {
        #[test]
        fn no_byte_is_lost(first in vec((0u16..9, any::<u32>()), 0..30), second in vec((0u16..9, any::<u32>()), 0..30)) {
            let (a, b) = (totals(&first), totals(&second));
            let (mut sum, mut reversed) = (a.clone(), b.clone());
            sum.add(b.clone());
            reversed.add(a.clone());
            prop_assert_eq!(all(&sum), all(&a) + all(&b));
            prop_assert_eq!(sum, reversed);
        }
    }
}
