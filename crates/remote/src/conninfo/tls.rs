//! Encryption of TCP connections: `sslmode` and what goes with it.

use super::choices::{Choice, SslCertMode, SslMode, SslNegotiation};
use super::environment::{Environment, home};
use super::error::ConninfoError;
use super::parameters::Keyword;
use super::secret::Secret;
use super::values::Values;

/// Version of TLS.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum TlsVersion {
    /// TLS 1.0, which the client does not have.
    V1_0,
    /// TLS 1.1, which the client does not have.
    V1_1,
    /// TLS 1.2.
    V1_2,
    /// TLS 1.3.
    V1_3,
}

/// Root certificates of servers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RootCertificates {
    /// Those of the operating system: `sslrootcert=system`.
    System,
    /// A file.
    File(TlsFile),
    /// No file: there is no home directory, and none is given.
    Unknown,
}

/// File of a certificate, a key or a revocation list. libpq goes on without one that does not exist, but for root certificates that
/// are needed and a key whose certificate exists.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TlsFile {
    /// Path.
    pub path: String,
    /// False for the default path, below `~/.postgresql`.
    pub is_given: bool,
}

/// Check of a server's certificate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CertificateCheck {
    /// No check.
    None,
    /// Signed by the root certificates.
    Chain,
    /// The same, and made out for the host name.
    ChainAndHost,
}

/// Parameters of encryption.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TlsSettings {
    /// Mode; sockets ignore it.
    pub mode: SslMode,
    /// Start of the TLS connection.
    pub negotiation: SslNegotiation,
    /// Root certificates.
    pub roots: RootCertificates,
    /// Client certificate; `None` if it is not to be sent or there is no home directory.
    pub certificate: Option<TlsFile>,
    /// Key of the client certificate.
    pub key: Option<TlsFile>,
    /// Password of the key.
    pub key_password: Option<Secret>,
    /// Use of the client certificate.
    pub certificate_mode: SslCertMode,
    /// File of revoked certificates.
    pub revoked: Option<TlsFile>,
    /// Directory of revoked certificates, in OpenSSL's form.
    pub revoked_directory: Option<String>,
    /// True if the server name is sent, unless it is an address.
    pub sends_server_name: bool,
    /// Lowest version; `None` is the lowest that the client has.
    pub min_version: Option<TlsVersion>,
    /// Highest version; `None` is the highest that the client has.
    pub max_version: Option<TlsVersion>,
}

impl TlsSettings {
    /// Returns the check of the server's certificate, as libpq decides it: root certificates that exist are used in every mode.
    /// `roots_exist` counts for a file of [`TlsSettings::roots`] alone.
    pub fn certificate_check(&self, roots_exist: bool) -> Result<CertificateCheck, ConninfoError> {
        let path = match &self.roots {
            RootCertificates::System => return Ok(CertificateCheck::ChainAndHost),
            RootCertificates::File(file) => Some(file.path.clone()),
            RootCertificates::Unknown => None,
        };
        let has_roots = path.is_some() && roots_exist;
        match self.mode {
            SslMode::VerifyCa | SslMode::VerifyFull if !has_roots => Err(ConninfoError::RootCertificate(path)),
            SslMode::VerifyFull => Ok(CertificateCheck::ChainAndHost),
            SslMode::Disable => Ok(CertificateCheck::None),
            _ if has_roots => Ok(CertificateCheck::Chain),
            _ => Ok(CertificateCheck::None),
        }
    }

    /// Reads the parameters.
    pub(super) fn read(values: &Values, environment: &dyn Environment) -> Result<Self, ConninfoError> {
        let home = home(environment);
        let file = |keyword, name: &str| match (values.non_empty(keyword), &home) {
            (Some(path), _) => Some(TlsFile { path: path.to_owned(), is_given: true }),
            (None, Some(home)) => Some(TlsFile { path: format!("{home}/.postgresql/{name}"), is_given: false }),
            (None, None) => None,
        };
        let mode: SslMode = values.choice(Keyword::SslMode)?;
        let negotiation = values.choice(Keyword::SslNegotiation)?;
        let roots = read_roots(mode, negotiation, file(Keyword::SslRootCert, "root.crt"))?;
        let certificate_mode = values.choice(Keyword::SslCertMode)?;
        let sends_certificate = certificate_mode != SslCertMode::Disable;
        let revoked_directory = values.non_empty(Keyword::SslCrlDir).map(str::to_owned);
        let revoked = file(Keyword::SslCrl, "root.crl").filter(|file| file.is_given || revoked_directory.is_none());
        let (min_version, max_version) = read_versions(values)?;
        Ok(Self {
            mode,
            negotiation,
            roots,
            certificate: file(Keyword::SslCert, "postgresql.crt").filter(|_| sends_certificate),
            key: file(Keyword::SslKey, "postgresql.key").filter(|_| sends_certificate),
            key_password: values.non_empty(Keyword::SslPassword).map(Secret::new),
            certificate_mode,
            revoked,
            revoked_directory,
            sends_server_name: values.get(Keyword::SslSni).is_some_and(|text| text.starts_with('1')),
            min_version,
            max_version,
        })
    }
}

fn read_roots(
    mode: SslMode,
    negotiation: SslNegotiation,
    file: Option<TlsFile>,
) -> Result<RootCertificates, ConninfoError> {
    let roots = match file {
        Some(file) if file.is_given && file.path == "system" => RootCertificates::System,
        Some(file) => RootCertificates::File(file),
        None => RootCertificates::Unknown,
    };
    let weak = |parameter, hint| {
        let message = format!("weak sslmode \"{}\" may not be used with {parameter}", mode.name());
        Err(ConninfoError::Conflict { message, hint })
    };
    if roots == RootCertificates::System && mode != SslMode::VerifyFull {
        return weak("sslrootcert=system", "Use \"verify-full\".");
    }
    let is_weak = matches!(mode, SslMode::Disable | SslMode::Allow | SslMode::Prefer);
    if negotiation == SslNegotiation::Direct && is_weak {
        return weak("sslnegotiation=direct", "Use \"require\", \"verify-ca\" or \"verify-full\".");
    }
    Ok(roots)
}

impl Choice for TlsVersion {
    fn parse(name: &str) -> Option<Self> {
        let versions =
            [("TLSv1", Self::V1_0), ("TLSv1.1", Self::V1_1), ("TLSv1.2", Self::V1_2), ("TLSv1.3", Self::V1_3)];
        versions.into_iter().find(|(other, _)| name.eq_ignore_ascii_case(other)).map(|(_, version)| version)
    }
}

/// Reads the lowest and the highest version. The client has 1.2 and 1.3.
fn read_versions(values: &Values) -> Result<(Option<TlsVersion>, Option<TlsVersion>), ConninfoError> {
    let read = |keyword| match values.non_empty(keyword) {
        None => Ok(None),
        Some(text) => match TlsVersion::parse(text) {
            None => Err(values.invalid(keyword, "TLSv1, TLSv1.1, TLSv1.2 and TLSv1.3")),
            version => Ok(version),
        },
    };
    let (min, max) = (read(Keyword::SslMinProtocolVersion)?, read(Keyword::SslMaxProtocolVersion)?);
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        let message = "invalid SSL protocol version range".to_owned();
        let hint = "ssl_min_protocol_version may not be above ssl_max_protocol_version; its default is TLSv1.2.";
        return Err(ConninfoError::Conflict { message, hint });
    }
    if max.is_some_and(|max| max < TlsVersion::V1_2) {
        return Err(values.unsupported(Keyword::SslMaxProtocolVersion, "TLSv1.2 and TLSv1.3 are supported."));
    }
    Ok((min, max))
}
