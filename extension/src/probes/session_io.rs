//! I/O by session: the counters of each process since the last reading, added up.

use ebs_base::counter::Counters;
use ebs_samples::evidence::{Session, SessionKey, SessionTotals};
use ebs_samples::tracking::{BackendIo, BackendIoTracker, CatalogueName, Dimensions};

use super::clock::monotonic_us;
use crate::{ffi, settings};

/// I/O of sessions since the last reading.
#[derive(Default)]
pub struct SessionIo(BackendIoTracker);

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
        let mut totals = SessionTotals::default();
        for now in ffi::read_backend_io() {
            let bytes = self.0.bytes_since_last(now);
            if !bytes.is_zero()
                && let Some(key) = session_key(&now, dimensions, &mut name)
            {
                totals.add_row(key, bytes);
            }
        }
        totals.known_us = self.0.finish_reading(now_us);
        totals
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
