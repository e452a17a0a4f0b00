//! I/O by session: the counters of each process since the last reading, added up.

use std::collections::HashMap;

use ebs_base::counter::{Counters, Delta};
use ebs_samples::evidence::{IoBytes, Session, SessionKey, SessionTotals};
use ebs_samples::tracking::{CatalogueName, Dimensions};

use super::clock::monotonic_us;
use crate::ffi::{self, BackendIo};
use crate::settings;

/// Counters at the last reading, by slot of the process array.
#[derive(Default)]
pub struct SessionIo {
    backends: HashMap<usize, BackendIo>,
    read_us: Option<u64>,
}

impl SessionIo {
    /// Returns the I/O of processes since the last call, with names for databases and roles from `name`; nothing known where
    /// sessions are not tracked, or PostgreSQL does not count by process.
    ///
    /// PostgreSQL forgets a process when it ends, and with it the I/O since the last call.
    pub fn drain(&mut self, mut name: impl FnMut(CatalogueName) -> Option<String>) -> SessionTotals {
        let dimensions = settings::dimensions();
        if !ffi::COUNTS_BACKEND_IO || !(dimensions.database || dimensions.role || dimensions.application) {
            *self = SessionIo::default();
            return SessionTotals::default();
        }
        let now_us = monotonic_us();
        let known_us = self.read_us.map_or(0, |before| now_us.saturating_sub(before));
        let mut totals = SessionTotals { known_us, ..SessionTotals::default() };
        for now in ffi::read_backend_io() {
            let bytes = self.bytes_since_last(&now);
            if !bytes.is_zero()
                && let Some(key) = session_key(&now, dimensions, &mut name)
            {
                totals.add_row(key, bytes);
            }
        }
        self.read_us = Some(now_us);
        totals
    }

    /// I/O of this process since the last reading.
    fn bytes_since_last(&mut self, now: &BackendIo) -> IoBytes {
        let before = self
            .backends
            .insert(now.slot, *now)
            .filter(|before| (before.pid, before.started) == (now.pid, now.started));
        match before {
            Some(before) if before.epoch != now.epoch => IoBytes::default(),
            Some(before) => match now.bytes.since(before.bytes) {
                Delta::Advanced(bytes) => bytes,
                Delta::Reset => IoBytes::default(),
            },
            // A new process has counted from 0 since; before the first reading it is not known which are new.
            None if self.read_us.is_some() => now.bytes,
            None => IoBytes::default(),
        }
    }
}

/// Key of a process; `None` if it has gone meanwhile.
fn session_key(
    process: &BackendIo,
    dimensions: Dimensions,
    name: &mut impl FnMut(CatalogueName) -> Option<String>,
) -> Option<SessionKey> {
    let identity = ffi::process_identity(process.slot, process.pid)?;
    let mut known = |wanted: bool, number: u32, oid: fn(u32) -> CatalogueName| {
        (wanted && number != 0).then(|| name(oid(number))).flatten()
    };
    let session = Session {
        database: known(dimensions.database, identity.database, CatalogueName::Database),
        role: known(dimensions.role, identity.role, CatalogueName::Role),
        application: dimensions.application.then_some(identity.application),
        query_id: None,
    };
    Some(SessionKey { backend_type: identity.backend_type, session })
}
