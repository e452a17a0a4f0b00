//! Hypothetical indexes of hypopg: those made here are dropped however their use ends, those of the session stay.

use std::cell::RefCell;

use ebs_tuning::indexes::{Candidate, Finding};
use pgrx::pg_sys::Oid;
use pgrx::prelude::*;

use super::session::schema_of;
use crate::errors::{Error, notice};
use crate::ffi::{self, Barrier, Permitted};
use crate::sql::first_value;

/// The extension hypopg, and the indexes made with it.
pub struct Hypothetical {
    schema: String,
    /// Indexes made here.
    indexes: RefCell<Vec<Oid>>,
    /// Indexes of the session, hidden from the planner meanwhile.
    session_indexes: RefCell<Vec<Oid>>,
}

/// A hypothetical index that was made here.
pub struct HypotheticalIndex {
    /// Its number.
    pub oid: Oid,
}

impl Hypothetical {
    /// Finds hypopg in this database; the finding that it is missing otherwise.
    pub fn find() -> Result<Result<Hypothetical, Finding>, Error> {
        match schema_of("hypopg")? {
            Some(schema) => {
                Ok(Ok(Hypothetical { schema, indexes: RefCell::default(), session_indexes: RefCell::default() }))
            }
            None => Ok(Err(hypopg_missing()?)),
        }
    }

    /// Runs `body`, which may make indexes, and leaves the session's hypothetical indexes as they were: after a success, an error
    /// and a cancel alike.
    pub fn run_and_clean_up<R>(&self, body: impl FnOnce() -> R) -> R {
        let outcome = ffi::run_and_roll_back(|| {
            self.hide_own_of_session();
            body()
        });
        // In a transaction that works again, whatever happened. hypopg keeps its indexes outside of transactions.
        let drop = format!("SELECT {}.hypopg_drop_index($1)", self.schema);
        let unhide = format!("SELECT {}.hypopg_unhide_index($1)", self.schema);
        for (command, list) in [(drop, &self.indexes), (unhide, &self.session_indexes)] {
            for oid in list.borrow_mut().drain(..) {
                let _ = ffi::attempt(|| first_value::<bool>(&command, &[oid.into()]).is_ok());
            }
        }
        match outcome {
            Ok(value) => value,
            Err(error) => error.rethrow(),
        }
    }

    /// Hides the session's own hypothetical indexes, which are no part of the present plans. hypopg can hide since 1.4.
    fn hide_own_of_session(&self) {
        let schema = &self.schema;
        let query = format!(
            "SELECT l.indexrelid FROM {schema}.hypopg_list_indexes l
             WHERE NOT EXISTS (SELECT FROM {schema}.hypopg_hidden_indexes() h WHERE h.indexid = l.indexrelid)"
        );
        let list = ffi::attempt(|| {
            Spi::connect(|client| {
                let rows = client.select(query.as_str(), None, &[])?;
                rows.map(|row| row.get::<Oid>(1)).collect::<Result<Vec<_>, _>>()
            })
        });
        let hide = format!("SELECT {schema}.hypopg_hide_index($1)");
        for oid in list.ok().and_then(Result::ok).unwrap_or_default().into_iter().flatten() {
            self.session_indexes.borrow_mut().push(oid);
            if ffi::attempt(|| first_value::<bool>(&hide, &[oid.into()]).is_ok()) != Ok(true) {
                notice("a hypothetical index of this session is taken to be there");
            }
        }
    }

    /// Makes one, after its definition was parsed once more; an error is hypopg's message. hypopg estimates the rows that a condition
    /// selects, as planning does.
    pub fn make(&self, candidate: &Candidate, barrier: &Barrier) -> Result<HypotheticalIndex, String> {
        let command = candidate.hypothetical();
        ffi::check_index(&command, candidate.table_oid, barrier)?;
        let query = format!("SELECT indexrelid FROM {}.hypopg_create_index($1)", self.schema);
        let row = ffi::attempt(|| {
            barrier.around(Permitted::Queries, || {
                Spi::connect(|client| {
                    client.select(query.as_str(), Some(1), &[command.as_str().into()])?.first().get_one::<Oid>()
                })
            })
        })??;
        let Ok(Some(oid)) = row else { return Err("hypopg made no index".to_owned()) };
        self.indexes.borrow_mut().push(oid);
        Ok(HypotheticalIndex { oid })
    }

    /// Size that it would have, bytes.
    pub fn size(&self, index: &HypotheticalIndex) -> Result<i64, String> {
        let query = format!("SELECT {}.hypopg_relation_size($1)", self.schema);
        let size = ffi::attempt(|| first_value::<i64>(&query, &[index.oid.into()]))?;
        size.ok().flatten().ok_or_else(|| "hypopg told no size".to_owned())
    }

    /// Drops an index that was made here.
    pub fn drop(&self, index: HypotheticalIndex) {
        let query = format!("SELECT {}.hypopg_drop_index($1)", self.schema);
        if ffi::attempt(|| first_value::<bool>(&query, &[index.oid.into()]).is_ok()) == Ok(true) {
            self.indexes.borrow_mut().retain(|oid| *oid != index.oid);
        }
    }
}

/// True if hypothetical indexes can be tried in this database.
pub fn can_try_indexes() -> Result<bool, Error> {
    Ok(schema_of("hypopg")?.is_some())
}

/// The finding that hypopg is missing.
fn hypopg_missing() -> Result<Finding, Error> {
    let query = "SELECT true FROM pg_catalog.pg_available_extensions WHERE name = 'hypopg'";
    let available = first_value::<bool>(query, &[])? == Some(true);
    Ok(Finding::hypopg_missing(available))
}
