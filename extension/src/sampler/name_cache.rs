//! Names of databases and roles, looked up once between two flushes.

use std::collections::HashMap;

use ebs_samples::tracking::CatalogueName;

use crate::ffi;

/// Cache of names.
#[derive(Debug, Default)]
pub struct NameCache(HashMap<CatalogueName, Option<String>>);

impl NameCache {
    /// The name of this number; `None` if there is none, or no longer.
    pub fn get(&mut self, number: CatalogueName) -> Option<String> {
        let look_up = || match number {
            CatalogueName::Database(oid) => ffi::database_name(oid),
            CatalogueName::Role(oid) => ffi::role_name(oid),
        };
        self.0.entry(number).or_insert_with(|| ffi::in_transaction(look_up).ok().flatten()).clone()
    }

    /// Forgets all names: databases and roles can be renamed.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
