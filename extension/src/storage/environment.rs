//! The server that a run ran on: version, settings, system.

use ebs_workload::settings::IO_SETTINGS;
use pgrx::JsonB;

use crate::errors::Error;
use crate::sql::first_value;

/// Reads them as one document.
pub fn read_environment() -> Result<JsonB, Error> {
    let query = format!(
        "SELECT pg_catalog.jsonb_build_object(
             'server_version', pg_catalog.current_setting('server_version'),
             'system_identifier', (SELECT system_identifier::text FROM pg_catalog.pg_control_system()),
             'settings', (SELECT pg_catalog.jsonb_object_agg(name, pg_catalog.current_setting(name) ORDER BY name)
                          FROM pg_catalog.pg_settings WHERE name IN ({IO_SETTINGS})))"
    );
    Ok(first_value(&query, &[])?.unwrap_or(JsonB(serde_json::Value::Null)))
}
