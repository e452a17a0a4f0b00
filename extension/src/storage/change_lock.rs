//! The lock under which controlling functions change tables: one transaction at a time, so that each counts what the others have added,
//! and waits for none of them anywhere else.
//!
//! It is a lock of table ebs.run that only its owner can take, unlike an advisory lock. Answers, pg_dump, foreign keys and the sampler's
//! inserts take locks that go with it; VACUUM and ANALYZE of that table wait for it, and autovacuum gives way to it.

use std::ffi::CStr;
use std::time::Duration;

use ebs_base::message::printable;
use ebs_base::names::truncated;
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use crate::errors::Error;
use crate::ffi;
use crate::sql::{first_row, first_value};

/// Longest wait of a controlling function for a lock, that one or another: an import holds it for as long as it writes, a transaction of
/// a user for as long as it is open.
const MAX_LOCK_WAIT: Duration = Duration::from_secs(5);

/// Longest name of a role or a prepared transaction that an error gives, characters: PostgreSQL's own limit of the latter.
const MAX_NAME: usize = 200;

/// Holders of a lock that conflicts, those that wait for it after them. Every role may see the same in these views. A prepared
/// transaction is known by the lock of its number, because its virtual number is that of its session until the server restarts.
const HOLDERS: &str = "
    SELECT l.pid, p.gid, p.owner::pg_catalog.text
    FROM pg_catalog.pg_locks l
    LEFT JOIN (pg_catalog.pg_locks n JOIN pg_catalog.pg_prepared_xacts p ON p.transaction = n.transactionid)
           ON l.pid IS NULL AND n.pid IS NULL AND n.granted AND n.locktype = 'transactionid'
              AND n.virtualtransaction = l.virtualtransaction
    WHERE l.locktype = 'relation' AND l.relation = 'ebs.run'::pg_catalog.regclass
      AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
      AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
      AND l.mode NOT IN ('AccessShareLock', 'RowShareLock')
    ORDER BY l.granted DESC, l.pid IS NOT NULL, l.waitstart LIMIT 1";

/// A transaction that holds the lock.
enum Holder {
    Session { pid: i32, role: String },
    Prepared { name: String, role: String },
}

/// Begins a controlling function: refuses it by this name where nothing can be written, and bounds its waits for locks.
pub fn require_writable(function: &CStr) {
    ffi::require_writable(function);
    ffi::bound_lock_waits(MAX_LOCK_WAIT);
}

/// Begins a controlling function that changes tables at once: `require_writable` and `lock_changes`.
pub fn begin_change(function: &CStr) -> Result<(), Error> {
    require_writable(function);
    lock_changes()
}

/// Waits until no other transaction changes tables, and lets none do so until this one ends. To be called after work that needs no
/// table, such as reading a report, and before what is to be changed is read.
pub fn lock_changes() -> Result<(), Error> {
    let Some(table) = first_value::<pg_sys::Oid>("SELECT 'ebs.run'::pg_catalog.regclass::pg_catalog.oid", &[])? else {
        return Ok(());
    };
    match ffi::lock_table(table) {
        Ok(()) => Ok(()),
        Err(error) if error.is_lock_timeout() => Err(lock_error(find_holder()?.as_ref())),
        Err(error) => error.rethrow(),
    }
}

fn find_holder() -> Result<Option<Holder>, Error> {
    let read = |row: &SpiHeapTupleData| {
        let text = |column: usize| -> Result<String, Error> { Ok(row.get::<String>(column)?.unwrap_or_default()) };
        Ok::<_, Error>(match row.get::<i32>(1)? {
            Some(pid) => Holder::Session { pid, role: role_of_session(pid) },
            None => Holder::Prepared { name: text(2)?, role: text(3)? },
        })
    };
    first_row(HOLDERS, &[], read)
}

/// The role of a session, as pg_stat_activity shows it to everybody; empty if it has ended.
fn role_of_session(pid: i32) -> String {
    let mut role = None;
    ffi::for_each_process(|slot, other, _| {
        if other == pid {
            role = ffi::process_identity(slot, pid).and_then(|identity| ffi::role_name(identity.role));
        }
    });
    role.unwrap_or_default()
}

fn lock_error(holder: Option<&Holder>) -> Error {
    let (detail, hint) = match holder {
        Some(Holder::Session { pid, role }) => (
            format!(
                "Session {pid} of role \"{}\" changes them in a transaction that is open.",
                truncated(role, MAX_NAME)
            ),
            format!("Try again after its COMMIT or ROLLBACK, or end that session: SELECT pg_terminate_backend({pid});"),
        ),
        Some(Holder::Prepared { name, role }) => (
            format!(
                "Prepared transaction \"{}\" of role \"{}\" has changed them.",
                truncated(name, MAX_NAME),
                truncated(role, MAX_NAME)
            ),
            prepared_hint(name),
        ),
        None => ("Other sessions changed them one after the other.".to_owned(), "Try again.".to_owned()),
    };
    let waited_ms = ffi::lock_timeout().as_millis();
    let message = format!("could not lock runs and imports of ebs_advisor within {waited_ms} ms");
    Error::new(PgSqlErrorCode::ERRCODE_LOCK_NOT_AVAILABLE, message, hint).with_detail(detail)
}

/// The commands that end a prepared transaction, where its name can be shown as it is.
fn prepared_hint(name: &str) -> String {
    if printable(name) != name {
        return "COMMIT PREPARED or ROLLBACK PREPARED ends it; its name is in pg_prepared_xacts.".to_owned();
    }
    let name = pgrx::spi::quote_literal(name);
    format!("End it as its owner or as a superuser: ROLLBACK PREPARED {name}; or COMMIT PREPARED {name};")
}
