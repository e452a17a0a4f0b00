//! Schemas in which names without one are looked up.

use ebs_base::identifier::parse_identifiers;
use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::Oid;

use super::session::set_parameter;
use crate::errors::Error;
use crate::ffi;
use crate::sql::{first_text, first_value};

/// Longest search_path, bytes: more than a hundred names of the longest that there are, 63 bytes.
const MAX_SEARCH_PATH: usize = 10_000;

/// The search_path that this session began with.
pub fn default_search_path() -> Result<String, Error> {
    let query = "SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'search_path'";
    first_text(query, &[])
}

/// Refuses a search_path that PostgreSQL does not accept, or that is too long.
pub fn check_search_path(path: &str) -> Result<(), Error> {
    if path.len() > MAX_SEARCH_PATH {
        let detail = format!("It has {} bytes, and at most {MAX_SEARCH_PATH} are taken.", path.len());
        let hint = "Name the schemas that the statements need.";
        let code = PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED;
        return Err(Error::new(code, "search_path is too long", hint).with_detail(detail));
    }
    let tried = ffi::attempt(|| set_parameter("search_path", path)).and_then(|set| set);
    tried.map_err(|problem| {
        let hint = "As in SET search_path: for example search_path => '\"$user\", public'.";
        Error::invalid_parameter(problem, hint)
    })
}

/// The schemas of a search_path for statements that this role executed: its name stands for `$user`, which is left out where it is gone.
pub fn schemas_of(path: &str, role: Oid) -> Result<Vec<String>, Error> {
    let query = "SELECT rolname::pg_catalog.text FROM pg_catalog.pg_roles WHERE oid = $1";
    let user: Option<String> = first_value(query, &[role.into()])?;
    let names = parse_identifiers(path).into_iter();
    Ok(names.filter_map(|name| if name == "$user" { user.clone() } else { Some(name) }).collect())
}
