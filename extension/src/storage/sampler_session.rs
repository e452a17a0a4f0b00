//! The sampler's session.

use pgrx::Spi;

use crate::errors::Error;

/// Settings the sampler depends on, whatever the database or the server sets.
const SETTINGS: [(&str, &str); 7] = [
    // It runs SQL as a superuser: an operator that a user created in schema public must not be used in place of PostgreSQL's.
    ("search_path", "pg_catalog, pg_temp"),
    // Neither an fsync on the device that is watched, nor waiting for a standby that may be gone.
    ("synchronous_commit", "off"),
    // After each checkpoint the pages of the table and its index go to WAL whole, which is much of what the sampler writes.
    ("wal_compression", "on"),
    // Sampling goes on while another session locks the table; samples that could not be written are written later.
    ("lock_timeout", "'500ms'"),
    ("statement_timeout", "'30s'"),
    ("idle_in_transaction_session_timeout", "0"),
    ("default_transaction_read_only", "off"),
];

/// Sets them, for the life of the process.
pub fn prepare_session() -> Result<(), Error> {
    for (name, value) in SETTINGS {
        Spi::run(&format!("SET {name} = {value}"))?;
    }
    Ok(())
}
