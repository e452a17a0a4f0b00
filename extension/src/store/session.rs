//! The sampler's session.

use pgrx::Spi;

/// Looks names up in pg_catalog alone. The sampler runs SQL as a superuser: an operator that somebody created in schema
/// public must not be taken for PostgreSQL's.
pub fn trust_catalogue_only() {
    if let Err(error) = Spi::run("SET search_path = pg_catalog, pg_temp") {
        pgrx::error!("could not set search_path: {error}");
    }
}
