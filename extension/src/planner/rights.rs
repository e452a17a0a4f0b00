//! Rights of the role that asks, and of the roles whose statements are planned.

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::Oid;

use crate::errors::Error;
use crate::ffi::{self, Barrier};
use crate::interrupts::check_interrupts;
use crate::sql::first_value;

/// Most types whose functions are looked after, of which each takes some 600 bytes of the session's type cache.
const MAX_TYPES: i32 = 10_000;

/// Types of which a session keeps call information of functions that are not PostgreSQL's own: those of ranges and of operator classes,
/// also behind a domain.
const TYPES: &str = "
    WITH kept AS (SELECT rngtypid AS type FROM pg_catalog.pg_range
                  WHERE greatest(rngsubopc, rngsubdiff::pg_catalog.oid, rngcanonical::pg_catalog.oid) >= 16384
                  UNION SELECT opcintype FROM pg_catalog.pg_opclass WHERE oid >= 16384)
    SELECT ARRAY(SELECT type FROM kept
                 UNION SELECT oid FROM pg_catalog.pg_type WHERE typtype = 'd' AND typbasetype IN (SELECT type FROM kept)
                 LIMIT $1 + 1)";

/// The barrier for plans as the current role, the one that asks; a reason to plan nothing in this database.
pub fn barrier() -> Result<Result<Barrier, String>, Error> {
    let types: Vec<Oid> = first_value(TYPES, &[MAX_TYPES.into()])?.unwrap_or_default();
    if types.len() > MAX_TYPES as usize {
        return Ok(Err(format!("this database has more than {MAX_TYPES} types with functions of their own")));
    }
    let asker = ffi::current_role();
    Ok(Ok(Barrier { asker, planned_as: asker, types, check_interrupts }))
}

/// True if the role that asks may act as this one, which is no superuser.
pub fn may_be_planned_as(role: Oid) -> Result<bool, Error> {
    let query = "SELECT pg_catalog.pg_has_role(current_user, r.oid, 'SET') AND NOT r.rolsuper
                 FROM pg_catalog.pg_roles r WHERE r.oid = $1";
    Ok(first_value(query, &[role.into()])? == Some(true))
}

/// The schema that the current role may not use, where that is the reason of an error, with the command that grants it. Which one it is
/// stands in the message, in whatever language, or in the schemas in which names are looked up: PostgreSQL passes over those that the role
/// may not use. No other right is proposed: a name in a message is chosen by the author of a statement.
pub fn describe_failure(code: PgSqlErrorCode, message: &str, schemas: &[String]) -> Result<Option<String>, Error> {
    use PgSqlErrorCode as Code;
    let names: &[String] = match code {
        Code::ERRCODE_INSUFFICIENT_PRIVILEGE => &[],
        Code::ERRCODE_UNDEFINED_TABLE | Code::ERRCODE_UNDEFINED_FUNCTION | Code::ERRCODE_UNDEFINED_OBJECT => schemas,
        _ => return Ok(None),
    };
    let denied = code == Code::ERRCODE_INSUFFICIENT_PRIVILEGE;
    let query = "SELECT pg_catalog.format('role %1$I lacks USAGE on schema %2$I: GRANT USAGE ON SCHEMA %2$I TO %1$I', current_user, nspname)
        FROM pg_catalog.pg_namespace
        WHERE NOT pg_catalog.has_schema_privilege(oid, 'USAGE') AND nspname !~ '^pg_(toast|temp)'
          AND (nspname = ANY ($3) OR $1 AND pg_catalog.strpos($2, nspname) > 0)
        ORDER BY pg_catalog.length(nspname) DESC LIMIT 1";
    first_value(query, &[denied.into(), message.into(), names.to_vec().into()])
}
