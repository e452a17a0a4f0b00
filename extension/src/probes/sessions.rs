//! Who reads and writes: what each process counted since the last look, added up by session.

use std::collections::HashMap;

use ebs_base::counter::{Counters, Delta};
use ebs_samples::evidence::{IoBytes, Session, SessionKey, SessionTotals};

use super::clock::monotonic_us;
use super::waits::Oid;
use crate::ffi::{self, BackendIo};
use crate::settings::{self, Dimensions};

/// What was counted at the last look, by place in the process array.
#[derive(Default)]
pub struct SessionIo {
    backends: HashMap<usize, BackendIo>,
    looked_us: Option<u64>,
}

impl SessionIo {
    /// What processes read and wrote since the last call, with names for databases and roles from `name`; nothing known
    /// where nobody asked to tell sessions apart, or PostgreSQL does not count by process.
    ///
    /// PostgreSQL forgets a process when it ends, and with it what it did since the last call.
    pub fn take(&mut self, mut name: impl FnMut(Oid) -> Option<String>) -> SessionTotals {
        let dimensions = settings::dimensions();
        if !ffi::COUNTS_BACKEND_IO || !(dimensions.database || dimensions.role || dimensions.application) {
            *self = SessionIo::default();
            return SessionTotals::default();
        }
        let now_us = monotonic_us();
        let known_us = self.looked_us.map_or(0, |before| now_us.saturating_sub(before));
        let mut totals = SessionTotals { known_us, ..SessionTotals::default() };
        for now in ffi::read_backend_io() {
            let moved = self.moved(&now);
            if !moved.is_zero()
                && let Some(key) = key(&now, dimensions, &mut name)
            {
                totals.add_row(key, moved);
            }
        }
        self.looked_us = Some(now_us);
        totals
    }

    /// What this process counted since the last look.
    fn moved(&mut self, now: &BackendIo) -> IoBytes {
        let before = self
            .backends
            .insert(now.slot, *now)
            .filter(|before| (before.pid, before.started) == (now.pid, now.started));
        match before {
            Some(before) if before.epoch != now.epoch => IoBytes::default(),
            Some(before) => match now.bytes.since(before.bytes) {
                Delta::Advanced(moved) => moved,
                Delta::Reset => IoBytes::default(),
            },
            // One that was not there has counted from 0 since; before the first look nobody knows who was.
            None if self.looked_us.is_some() => now.bytes,
            None => IoBytes::default(),
        }
    }
}

/// `None` if the process has gone meanwhile.
fn key(of: &BackendIo, dimensions: Dimensions, name: &mut impl FnMut(Oid) -> Option<String>) -> Option<SessionKey> {
    let who = ffi::process_identity(of.slot, of.pid)?;
    let mut known =
        |wanted: bool, number: u32, oid: fn(u32) -> Oid| (wanted && number != 0).then(|| name(oid(number))).flatten();
    let session = Session {
        database: known(dimensions.database, who.database, Oid::Database),
        role: known(dimensions.role, who.role, Oid::Role),
        application: dimensions.application.then_some(who.application),
        query_id: None,
    };
    Some(SessionKey { backend_type: who.backend_type, session })
}
