//! The server, reached through psql.
//!
//! psql, because it uses libpq, with its environment variables, service file, ~/.pgpass, Kerberos and certificates. Clients written
//! in pure Rust read neither the service file nor ~/.pgpass.

mod answer;
mod connection;
mod script;
mod session;

pub use answer::Answer;
pub use connection::Connection;
pub use ebs_remote::literal;
pub use script::run_script;
pub use session::Session;

/// SQLSTATE of a statement that the role may not execute.
pub const INSUFFICIENT_PRIVILEGE: &str = "42501";

/// SQL expression: the schema of the extension, quoted; NULL where it was not created.
pub const EXTENSION_SCHEMA: &str = "(SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'ebs_advisor')";
