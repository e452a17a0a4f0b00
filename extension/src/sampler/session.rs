//! The session of a sampler: what it depends on, whatever the server, the database or the role sets.

use std::ffi::CStr;

use crate::ffi::{self, ConfiguredSettings};

/// Settings that the sampler depends on.
const SETTINGS: [(&CStr, &CStr); 9] = [
    // It runs SQL as a superuser: an operator that a user created in schema public must not be used in place of PostgreSQL's.
    (c"search_path", c"pg_catalog, pg_temp"),
    (c"role", c"none"),
    // Neither an fsync on the device that is watched, nor waiting for a standby that may be gone.
    (c"synchronous_commit", c"off"),
    // After each checkpoint the pages of the table and its index go to WAL whole, which is much of what the sampler writes.
    (c"wal_compression", c"on"),
    // Sampling goes on while another session locks the table; samples that could not be written are written later.
    (c"lock_timeout", c"500ms"),
    (c"statement_timeout", c"30s"),
    // Both end the session rather than the transaction.
    (c"transaction_timeout", c"0"),
    (c"idle_in_transaction_session_timeout", c"0"),
    (c"default_transaction_read_only", c"off"),
];

/// Sets them before the sampler connects, since the first transaction already obeys some, and returns the server's configuration.
pub fn prepare() -> ConfiguredSettings {
    SETTINGS.iter().for_each(|(name, value)| ffi::override_setting(name, value));
    ConfiguredSettings::read()
}

/// Undoes all that the database or the role has set. What they set later is for sessions that begin later.
pub fn begin(configured: &ConfiguredSettings) -> Result<(), String> {
    ffi::in_transaction(|| configured.restore())
}
