//! pg_stat_statements as it is installed in a database, in whatever schema and version.

use ebs_base::identifier::identifier;
use serde::Deserialize;

use super::reading::Missing;

/// Query of the installation: one row with the fields of [`Installation`], in their order. It finds the extension's own function: one
/// of that name in another schema is not it. Calling it where its library is not preloaded is an error, and one of its settings that
/// is only in postgresql.conf is not in pg_settings.
pub const INSTALLATION_QUERY: &str = "
    SELECT EXISTS (SELECT FROM pg_catalog.pg_settings WHERE name = 'pg_stat_statements.max') AS preloaded,
           n.nspname::text AS schema, p.proargnames AS columns, e.extversion AS version,
           pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE') AS allowed,
           pg_catalog.current_database()::text AS database, current_user::text AS role,
           EXISTS (SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc i ON i.oid = d.objid
                   WHERE d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid
                     AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND i.proname = 'pg_stat_statements_info'
                     AND pg_catalog.has_function_privilege(i.oid, 'EXECUTE')) AS has_info
    FROM (VALUES (1)) one
    LEFT JOIN pg_catalog.pg_extension e ON e.extname = 'pg_stat_statements'
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    LEFT JOIN LATERAL (SELECT f.oid, f.proargnames FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc f ON f.oid = d.objid
          WHERE d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid AND d.deptype = 'e'
            AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND f.proname = 'pg_stat_statements') p ON true";

/// A row of [`INSTALLATION_QUERY`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Installation {
    /// True if its library is preloaded.
    pub preloaded: bool,
    /// Its schema; `None` where the extension is not created.
    pub schema: Option<String>,
    /// Arguments and columns of its function.
    pub columns: Option<Vec<String>>,
    /// Its version.
    pub version: Option<String>,
    /// True if the role may use schema and function.
    pub allowed: Option<bool>,
    /// The database.
    pub database: String,
    /// The role.
    pub role: String,
    /// True if it has pg_stat_statements_info, from 1.9 on, and the role may call it.
    pub has_info: bool,
}

/// The extension's function, which can be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatementsSource {
    /// Its schema, an identifier in quotes.
    pub schema: String,
    /// Its columns.
    pub columns: Vec<String>,
}

impl Installation {
    /// The function, or the reason for which statements cannot be read.
    pub fn source(self) -> Result<StatementsSource, Missing> {
        let columns = self.columns.unwrap_or_default();
        let is_recent = self.has_info && columns.iter().any(|column| column == "toplevel");
        match self.schema {
            _ if !self.preloaded => Err(Missing::NotPreloaded),
            None => Err(Missing::NotCreated(self.database)),
            Some(_) if self.allowed != Some(true) => Err(Missing::NoAccess(self.role)),
            Some(schema) if is_recent => Ok(StatementsSource { schema: identifier(&schema), columns }),
            Some(_) => Err(Missing::TooOld(self.version.unwrap_or_default())),
        }
    }
}
