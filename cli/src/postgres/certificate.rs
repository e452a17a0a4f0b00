//! Check of a server's certificate, as libpq makes it: rustls' own, what OpenSSL takes besides ([`Issuers`]), and a name in the subject
//! alone.

use std::fmt;
use std::sync::Arc;

use ebs_remote::conninfo::CertificateCheck;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
    verify_tls13_signature_with_raw_key,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};
use x509_cert::Certificate;
use x509_cert::certificate::Version;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::spki::SubjectPublicKeyInfoOwned;

use super::issuers::{Issuers, is_key_of};

/// Attribute of a subject: its common name.
const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");

/// Check of certificates.
pub struct Verifier {
    /// Extent of the check.
    pub check: CertificateCheck,
    /// rustls' own check; `None` where none is made.
    pub chain: Option<Arc<WebPkiServerVerifier>>,
    /// Root certificates.
    pub roots: Vec<CertificateDer<'static>>,
    /// True if lists of revoked certificates are given.
    pub has_revoked: bool,
    /// Algorithms of signatures.
    pub algorithms: WebPkiSupportedAlgorithms,
}

impl fmt::Debug for Verifier {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_struct("Verifier").field("check", &self.check).finish_non_exhaustive()
    }
}

impl Verifier {
    /// A check with the algorithms of this provider.
    pub fn new(
        check: CertificateCheck,
        chain: Option<Arc<WebPkiServerVerifier>>,
        roots: Vec<CertificateDer<'static>>,
        has_revoked: bool,
        provider: &CryptoProvider,
    ) -> Verifier {
        Verifier { check, chain, roots, has_revoked, algorithms: provider.signature_verification_algorithms }
    }

    fn verify_chain(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        now: UnixTime,
    ) -> Result<(), Error> {
        let Some(chain) = &self.chain else { return Ok(()) };
        match chain.verify_server_cert(certificate, intermediates, name, &[], now) {
            Ok(_) => Ok(()),
            // The name is checked last, and apart.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(()),
            // The lists of revoked certificates are rustls' own.
            Err(error) if self.has_revoked => Err(error),
            Err(error) => {
                let issuers = Issuers { roots: &self.roots, algorithms: self.algorithms };
                if issuers.trust(certificate, intermediates, now) { Ok(()) } else { Err(error) }
            }
        }
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.check != CertificateCheck::None {
            self.verify_chain(end_entity, intermediates, server_name, now)?;
        }
        if self.check == CertificateCheck::ChainAndHost {
            verify_name(end_entity, server_name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match version_1_key(certificate) {
            Some(key) => verify_with_key(&key, message, signature, &self.algorithms),
            None => verify_tls12_signature(message, certificate, signature, &self.algorithms),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = version_1_key(certificate).and_then(|key| key.to_der().ok());
        match key {
            Some(key) => {
                verify_tls13_signature_with_raw_key(message, &key.as_slice().into(), signature, &self.algorithms)
            }
            None => verify_tls13_signature(message, certificate, signature, &self.algorithms),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// Public key of a certificate of version 1, which rustls does not read.
fn version_1_key(der: &CertificateDer<'_>) -> Option<SubjectPublicKeyInfoOwned> {
    let body = Certificate::from_der(der).ok()?.tbs_certificate;
    (body.version == Version::V1).then_some(body.subject_public_key_info)
}

/// Checks a signature of TLS 1.2 by a key. Its scheme says the hash, but not the curve.
fn verify_with_key(
    key: &SubjectPublicKeyInfoOwned,
    message: &[u8],
    signature: &DigitallySignedStruct,
    algorithms: &WebPkiSupportedAlgorithms,
) -> Result<HandshakeSignatureValid, Error> {
    let refused = || Error::InvalidCertificate(CertificateError::BadSignature);
    let bytes = key.subject_public_key.as_bytes().ok_or_else(refused)?;
    let of_scheme = algorithms.mapping.iter().filter(|(scheme, _)| *scheme == signature.scheme);
    let mut of_key = of_scheme.flat_map(|(_, all)| all.iter()).filter(|algorithm| is_key_of(key, **algorithm));
    let is_valid = of_key.any(|algorithm| algorithm.verify_signature(bytes, message, signature.signature()).is_ok());
    if is_valid { Ok(HandshakeSignatureValid::assertion()) } else { Err(refused()) }
}

/// Checks the name: by the alternative names, or by the subject of a certificate without alternative names of the host's kind (name or
/// address), as libpq does. A name that is an address as text counts for libpq.
fn verify_name(der: &CertificateDer<'_>, name: &ServerName<'_>) -> Result<(), Error> {
    let by_alternatives =
        ParsedCertificate::try_from(der).and_then(|parsed| rustls::client::verify_server_name(&parsed, name));
    let Err(error) = by_alternatives else { return Ok(()) };
    let has_name = Certificate::from_der(der).is_ok_and(|certificate| has_name(&certificate, name).unwrap_or(false));
    if has_name { Ok(()) } else { Err(error) }
}

/// `None` if the alternative names cannot be read: there may be one of the host's kind.
fn has_name(certificate: &Certificate, name: &ServerName<'_>) -> Option<bool> {
    let host = name.to_str();
    let alternatives = certificate.tbs_certificate.get::<SubjectAltName>().ok()?;
    let alternatives = alternatives.map(|(_, SubjectAltName(names))| names).unwrap_or_default();
    let is_address = matches!(name, ServerName::IpAddress(_));
    let is_same_kind = |other: &GeneralName| match other {
        GeneralName::DnsName(_) => !is_address,
        GeneralName::IpAddress(_) => is_address,
        _ => false,
    };
    let is_host = |other: &GeneralName| matches!(other, GeneralName::DnsName(text) if matches(text.as_str(), &host));
    let by_subject =
        || !alternatives.iter().any(is_same_kind) && common_name(certificate).is_some_and(|own| matches(&own, &host));
    Some((is_address && alternatives.iter().any(is_host)) || by_subject())
}

fn common_name(certificate: &Certificate) -> Option<String> {
    let mut attributes = certificate.tbs_certificate.subject.0.iter().flat_map(|set| set.0.iter());
    // Of several, libpq takes the first.
    let name = attributes.find(|attribute| attribute.oid == COMMON_NAME)?;
    String::from_utf8(name.value.value().to_vec()).ok()
}

/// Tells whether a name of a certificate, perhaps with `*` for its first label, is that of the host.
fn matches(name: &str, host: &str) -> bool {
    match name.strip_prefix("*.") {
        Some(rest) => {
            host.split_once('.').is_some_and(|(first, domain)| !first.is_empty() && domain.eq_ignore_ascii_case(rest))
        }
        None => !name.contains('\0') && name.eq_ignore_ascii_case(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_one_label() {
        assert!(matches("db.example.com", "DB.example.com") && matches("*.example.com", "db.example.com"));
        for (name, host) in [
            ("*.example.com", "a.b.example.com"),
            ("*.example.com", "example.com"),
            ("*.example.com", ".example.com"),
            ("*", "db"),
            ("db.example.com", "db.example.com.evil"),
            ("db\0.evil", "db"),
        ] {
            assert!(!matches(name, host), "{name} {host}");
        }
    }
}
