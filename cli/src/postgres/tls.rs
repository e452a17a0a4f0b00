//! TLS as the connection's parameters ask for it.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ebs_remote::conninfo::{CertificateCheck, RootCertificates, SslCertMode, TlsFile, TlsSettings, TlsVersion};
use rustls::client::{ResolvesClientCert, WebPkiServerVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, RootCertStore, SignatureScheme, SupportedProtocolVersion, version};

use super::certificate::Verifier;
use super::connect_error::ConnectError;

/// Longest file of certificates, bytes: those of a system have 300 KiB.
const MAX_FILE: u64 = 16 << 20;

/// Name of PostgreSQL's protocol within TLS (ALPN).
const PROTOCOL: &[u8] = b"postgresql";

/// TLS of a connection.
pub struct Tls {
    /// Configuration of rustls.
    pub config: ClientConfig,
    /// True if the certificate of the server is checked.
    pub checks_host: bool,
    /// True once a server has asked for the client's certificate; `None` where it need not.
    certificate_sent: Option<Arc<AtomicBool>>,
}

impl Tls {
    /// Reads the files that the parameters name.
    pub fn new(settings: &TlsSettings) -> Result<Tls, ConnectError> {
        let provider = Arc::new(ring::default_provider());
        let roots = read_roots(&settings.roots)?;
        let check = settings.certificate_check(roots.is_some())?;
        let roots = if check == CertificateCheck::None { Vec::new() } else { roots.unwrap_or_default() };
        let revoked = if check == CertificateCheck::None { Vec::new() } else { read_revoked(settings)? };
        let has_revoked = !revoked.is_empty();
        let chain = match check {
            CertificateCheck::None => None,
            _ => Some(chain_verifier(revoked, &roots, &provider)?),
        };
        let verifier = Verifier::new(check, chain, roots, has_revoked, &provider);
        let identity = Identity::read(settings, &provider)?;
        let certificate_sent =
            (settings.certificate_mode == SslCertMode::Require).then(|| Arc::clone(&identity.is_asked_for));
        let builder = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&versions(settings))
            .map_err(|error| ConnectError::Tls(error.to_string()))?;
        let mut config = builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_client_cert_resolver(Arc::new(identity));
        config.enable_sni = settings.sends_server_name;
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Tls { config, checks_host: check == CertificateCheck::ChainAndHost, certificate_sent })
    }

    /// Checks, after the handshake, that the server asked for the certificate that it has to ask for.
    pub fn check_certificate_sent(&self) -> Result<(), ConnectError> {
        match &self.certificate_sent {
            Some(sent) if !sent.load(Ordering::Relaxed) => Err(ConnectError::Tls(
                "the server did not ask for a certificate, which sslcertmode=require demands".to_owned(),
            )),
            _ => Ok(()),
        }
    }
}

fn versions(settings: &TlsSettings) -> Vec<&'static SupportedProtocolVersion> {
    let known = [(TlsVersion::V1_2, &version::TLS12), (TlsVersion::V1_3, &version::TLS13)];
    let is_in = |version: TlsVersion| {
        settings.min_version.is_none_or(|min| min <= version) && settings.max_version.is_none_or(|max| version <= max)
    };
    known.into_iter().filter(|(version, _)| is_in(*version)).map(|(_, known)| known).collect()
}

fn file_error(path: &str, problem: impl fmt::Display) -> ConnectError {
    ConnectError::TlsFile { path: path.to_owned(), problem: problem.to_string() }
}

/// The text of a file; `None` where it does not exist.
fn read_file(path: &str) -> Result<Option<Vec<u8>>, ConnectError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(path, error)),
        // A pipe or a device may never end.
        Ok(metadata) if !metadata.is_file() => Err(file_error(path, "it is not a regular file")),
        Ok(metadata) if metadata.len() > MAX_FILE => {
            Err(file_error(path, "it is longer than any file of certificates"))
        }
        Ok(_) => fs::read(path).map(Some).map_err(|error| file_error(path, error)),
    }
}

fn parse_pem<T: PemObject>(path: &str, text: &[u8]) -> Result<Vec<T>, ConnectError> {
    let parsed = T::pem_slice_iter(text).collect::<Result<Vec<T>, _>>();
    parsed.map_err(|error| file_error(path, format!("{error:?}")))
}

/// Root certificates; `None` where there is no file of them.
fn read_roots(roots: &RootCertificates) -> Result<Option<Vec<CertificateDer<'static>>>, ConnectError> {
    match roots {
        RootCertificates::Unknown => Ok(None),
        RootCertificates::System => {
            let found = rustls_native_certs::load_native_certs();
            let problem = found.errors.first().map_or_else(|| "there are none".to_owned(), ToString::to_string);
            if found.certs.is_empty() { Err(file_error("system", problem)) } else { Ok(Some(found.certs)) }
        }
        RootCertificates::File(file) => {
            let Some(text) = read_file(&file.path)? else { return Ok(None) };
            let certificates: Vec<CertificateDer> = parse_pem(&file.path, &text)?;
            if certificates.is_empty() {
                Err(file_error(&file.path, "it has no certificate"))
            } else {
                Ok(Some(certificates))
            }
        }
    }
}

fn chain_verifier(
    revoked: Vec<CertificateRevocationListDer<'static>>,
    roots: &[CertificateDer<'static>],
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, ConnectError> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(roots.iter().cloned());
    let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider));
    // As OpenSSL does: with a list of revoked certificates, each issuer of the chain has to have one, and a current one.
    let builder = if revoked.is_empty() { builder } else { builder.with_crls(revoked).enforce_revocation_expiration() };
    builder.build().map_err(|error| {
        ConnectError::Tls(format!("the root certificates or the lists of revoked ones cannot be used: {error}"))
    })
}

fn read_revoked(settings: &TlsSettings) -> Result<Vec<CertificateRevocationListDer<'static>>, ConnectError> {
    let mut lists = Vec::new();
    if let Some(TlsFile { path, is_given }) = &settings.revoked {
        match read_file(path)? {
            Some(text) => lists.extend(parse_pem(path, &text)?),
            None if *is_given => return Err(file_error(path, "it does not exist")),
            None => (),
        }
    }
    let Some(directory) = &settings.revoked_directory else { return Ok(lists) };
    for entry in fs::read_dir(directory).map_err(|error| file_error(directory, error))? {
        let path = entry.map_err(|error| file_error(directory, error))?.path().display().to_string();
        if let Some(text) = read_file(&path)? {
            lists.extend(parse_pem(&path, &text)?);
        }
    }
    Ok(lists)
}

/// Certificate and key of the client, given to a server that asks for them.
struct Identity {
    key: Option<Arc<CertifiedKey>>,
    is_asked_for: Arc<AtomicBool>,
}

impl Identity {
    fn read(settings: &TlsSettings, provider: &CryptoProvider) -> Result<Identity, ConnectError> {
        let is_asked_for = Arc::new(AtomicBool::new(false));
        let none = Identity { key: None, is_asked_for: Arc::clone(&is_asked_for) };
        let (Some(certificate), Some(key)) = (&settings.certificate, &settings.key) else { return Ok(none) };
        let Some(text) = read_file(&certificate.path)? else {
            // libpq goes on without one, even if it is named.
            let is_required = settings.certificate_mode == SslCertMode::Require;
            return if is_required { Err(file_error(&certificate.path, "it does not exist")) } else { Ok(none) };
        };
        let chain: Vec<CertificateDer> = parse_pem(&certificate.path, &text)?;
        let signing = provider.key_provider.load_private_key(read_key(&key.path)?);
        let signing = signing.map_err(|error| file_error(&key.path, error))?;
        Ok(Identity { key: Some(Arc::new(CertifiedKey::new(chain, signing))), is_asked_for })
    }
}

fn read_key(path: &str) -> Result<PrivateKeyDer<'static>, ConnectError> {
    let text = read_file(path)?.ok_or_else(|| file_error(path, "it does not exist, but the certificate does"))?;
    check_private(path)?;
    let has = |words: &[u8]| text.windows(words.len()).any(|window| window == words);
    if has(b"ENCRYPTED") {
        let problem = "it is encrypted, which is not supported; openssl pkey -in KEY -out FILE decrypts it";
        return Err(file_error(path, problem));
    }
    // libpq takes DER, too, if the file is no PEM.
    PrivateKeyDer::from_pem_slice(&text)
        .or_else(|_| PrivateKeyDer::try_from(text))
        .map_err(|_| file_error(path, "it has no private key in PEM or DER"))
}

/// Refuses a key that others can read, as libpq does: one of root's may be read by a group.
fn check_private(path: &str) -> Result<(), ConnectError> {
    let metadata = fs::metadata(path).map_err(|error| file_error(path, error))?;
    let allowed = if metadata.uid() == 0 { 0o640 } else { 0o600 };
    if metadata.mode() & 0o777 & !allowed == 0 {
        return Ok(());
    }
    Err(file_error(path, "others can read it: its mode has to be 0600 or less, or 0640 if it belongs to root"))
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("Identity")
    }
}

impl ResolvesClientCert for Identity {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.is_asked_for.store(true, Ordering::Relaxed);
        self.key.clone()
    }

    fn has_certs(&self) -> bool {
        self.key.is_some()
    }
}
