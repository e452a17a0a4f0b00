//! Extensions and parameters of the session.

use ebs_base::identifier::identifier;

use crate::errors::Error;
use crate::sql::first_value;

/// The schema of an extension, as SQL takes it; `None` if this database does not have it.
pub fn schema_of(extension: &str) -> Result<Option<String>, Error> {
    let query = "SELECT n.nspname::text FROM pg_catalog.pg_extension e
                 JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = $1";
    let schema: Option<String> = first_value(query, &[extension.into()])?;
    Ok(schema.map(|schema| identifier(&schema)))
}

/// Sets a parameter until the subtransaction ends.
pub fn set_parameter(name: &str, value: &str) -> Result<(), String> {
    first_value::<String>("SELECT pg_catalog.set_config($1, $2, true)", &[name.into(), value.into()])
        .map(|_| ())
        .map_err(|error| error.to_string())
}
