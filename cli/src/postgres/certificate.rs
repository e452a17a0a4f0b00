//! Check of a server's certificate, as libpq makes it: rustls' own, and what OpenSSL takes besides: a root certificate that is the server's
//! own, a certificate of version 1 (`openssl x509 -req` makes them before OpenSSL 3.2), and a name in the subject alone.

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
        provider: &CryptoProvider,
    ) -> Verifier {
        Verifier { check, chain, roots, algorithms: provider.signature_verification_algorithms }
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
            Err(error) => self.verify_simple(certificate, now).map_err(|()| error),
        }
    }

    /// Checks a certificate that is a root certificate itself, or one of version 1 that a root certificate has signed.
    fn verify_simple(&self, der: &CertificateDer<'_>, now: UnixTime) -> Result<(), ()> {
        let certificate = Certificate::from_der(der).map_err(drop)?;
        let is_root = self.roots.iter().any(|root| root == der);
        let is_signed = || {
            certificate.tbs_certificate.version == Version::V1
                && self.roots.iter().any(|root| self.is_signed_by(&certificate, root).is_some())
        };
        let validity = &certificate.tbs_certificate.validity;
        let (from, to) = (validity.not_before.to_unix_duration(), validity.not_after.to_unix_duration());
        let is_valid = (from.as_secs()..=to.as_secs()).contains(&now.as_secs());
        if is_valid && (is_root || is_signed()) { Ok(()) } else { Err(()) }
    }

    /// True (`Some`) if the root certificate has signed the certificate.
    fn is_signed_by(&self, certificate: &Certificate, root: &CertificateDer<'_>) -> Option<()> {
        let root = Certificate::from_der(root).ok()?;
        let (body, key) = (&certificate.tbs_certificate, &root.tbs_certificate.subject_public_key_info);
        if body.issuer != root.tbs_certificate.subject {
            return None;
        }
        let (message, signature) = (body.to_der().ok()?, certificate.signature.as_bytes()?);
        let key_bytes = key.subject_public_key.as_bytes()?;
        // The identifiers of the algorithms are compared without their outer tag and length.
        let content = |der: Vec<u8>| der.get(2..).map(<[u8]>::to_vec);
        let signed_with = content(certificate.signature_algorithm.to_der().ok()?)?;
        let key_kind = content(key.algorithm.to_der().ok()?)?;
        let algorithm = self.algorithms.all.iter().find(|algorithm| {
            algorithm.signature_alg_id().as_ref() == signed_with && algorithm.public_key_alg_id().as_ref() == key_kind
        })?;
        algorithm.verify_signature(key_bytes, &message, signature).ok()
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
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match version_1_key(certificate) {
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
fn version_1_key(der: &CertificateDer<'_>) -> Option<Vec<u8>> {
    let body = Certificate::from_der(der).ok()?.tbs_certificate;
    if body.version == Version::V1 { body.subject_public_key_info.to_der().ok() } else { None }
}

/// Checks the name: by the alternative names, or by the subject of a certificate without names of hosts and addresses, as libpq does.
fn verify_name(der: &CertificateDer<'_>, name: &ServerName<'_>) -> Result<(), Error> {
    let by_alternatives =
        ParsedCertificate::try_from(der).and_then(|parsed| rustls::client::verify_server_name(&parsed, name));
    let Err(error) = by_alternatives else { return Ok(()) };
    let has_name = Certificate::from_der(der).is_ok_and(|certificate| {
        !has_alternatives(&certificate) && common_name(&certificate).is_some_and(|own| matches(&own, &name.to_str()))
    });
    if has_name { Ok(()) } else { Err(error) }
}

fn has_alternatives(certificate: &Certificate) -> bool {
    let is_host = |name: &GeneralName| matches!(name, GeneralName::DnsName(_) | GeneralName::IpAddress(_));
    match certificate.tbs_certificate.get::<SubjectAltName>() {
        Ok(alternatives) => alternatives.is_some_and(|(_, SubjectAltName(names))| names.iter().any(is_host)),
        // What cannot be read may have names.
        Err(_) => true,
    }
}

fn common_name(certificate: &Certificate) -> Option<String> {
    let attributes = certificate.tbs_certificate.subject.0.iter().flat_map(|set| set.0.iter());
    let name = attributes.filter(|attribute| attribute.oid == COMMON_NAME).last()?;
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
