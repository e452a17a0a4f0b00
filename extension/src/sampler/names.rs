//! Names of databases and roles, looked up once between two flushes.

use std::collections::HashMap;

use crate::ffi;
use crate::probes::Oid;

/// What was looked up.
#[derive(Debug, Default)]
pub struct Names(HashMap<Oid, Option<String>>);

impl Names {
    /// The name; `None` where there is none (any more).
    pub fn get(&mut self, oid: Oid) -> Option<String> {
        let look_up = || match oid {
            Oid::Database(oid) => ffi::database_name(oid),
            Oid::Role(oid) => ffi::role_name(oid),
        };
        self.0.entry(oid).or_insert_with(|| ffi::in_transaction(look_up).ok().flatten()).clone()
    }

    /// Forgets them: databases and roles can be renamed.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
