//! Connection parameters as libpq understands them: connection strings, service files, password files and variables
//! (<https://www.postgresql.org/docs/current/libpq-connect.html>). Opens no file and reads no variable itself: [`Environment`].
//!
//! The rules are those of PostgreSQL 18's `fe-connect.c`. Errors of syntax do not quote the string, since it may have a password.

mod authentication;
mod choices;
mod connection_string;
mod defaults;
mod endpoint;
mod environment;
mod error;
mod keyword_value;
mod parameters;
mod password_file;
mod secret;
mod service_file;
mod settings;
mod text;
mod tls;
mod uri;
mod values;

#[cfg(test)]
mod files_tests;
#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod secrets_tests;
#[cfg(test)]
mod settings_tests;
#[cfg(test)]
mod strings_tests;

pub use authentication::{AuthMethod, AuthMethods};
pub use choices::{
    ChannelBinding, GssEncMode, LoadBalance, ProtocolVersion, SslCertMode, SslMode, SslNegotiation, TargetSession,
};
pub use connection_string::{MAX_STRING_BYTES, has_password};
pub use endpoint::{DEFAULT_PORT, Endpoint, MAX_HOSTS, SOCKET_DIRECTORIES};
pub use environment::{Environment, FileStatus};
pub use error::{ConninfoError, Source};
pub use password_file::MAX_PASSWORD_LINE;
pub use secret::Secret;
pub use service_file::MAX_FILE_BYTES;
pub use settings::{Keepalives, Settings};
pub use tls::{CertificateCheck, RootCertificates, TlsFile, TlsSettings, TlsVersion};

/// Resolves connection parameters. `given` is a connection string or the name of a database, as behind `psql -d`; then come the
/// service, variables and defaults, each for what is still missing.
pub fn resolve(given: Option<&str>, environment: &dyn Environment) -> Result<Settings, ConninfoError> {
    let mut values = values::Values::new();
    connection_string::read(given.unwrap_or_default(), &mut values)?;
    service_file::add_service(&mut values, environment)?;
    defaults::add_defaults(&mut values, environment)?;
    Settings::read(&values, environment)
}
