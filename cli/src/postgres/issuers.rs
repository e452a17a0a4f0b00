//! Certificates that OpenSSL takes, and rustls does not: a root certificate that is the server's own, one of version 1 (PostgreSQL's
//! documentation has `openssl x509 -req` make them) and one that is an authority too.

use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{CertificateDer, SignatureVerificationAlgorithm, UnixTime};
use x509_cert::Certificate;
use x509_cert::certificate::Version;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::pkix::{BasicConstraints, ExtendedKeyUsage, KeyUsage};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

/// Most certificates between that of the server and a root certificate.
const MAX_INTERMEDIATES: usize = 8;

/// Purpose of a key: a server of TLS.
const SERVER_AUTH: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");

/// Extensions that are checked here; another critical one refuses the certificate, and so do constraints of names.
const BASIC_CONSTRAINTS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.19");
const KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.15");
const EXTENDED_KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37");
const ALTERNATIVE_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.17");
const NAME_CONSTRAINTS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.30");

/// Root certificates, and the algorithms by which they sign.
pub struct Issuers<'a> {
    pub roots: &'a [CertificateDer<'static>],
    pub algorithms: WebPkiSupportedAlgorithms,
}

impl Issuers<'_> {
    /// Checks a certificate that is a root certificate itself, or that the intermediates, each signed by the next one, lead to one from.
    pub fn trust(&self, certificate: &CertificateDer<'_>, intermediates: &[CertificateDer<'_>], now: UnixTime) -> bool {
        self.find_root(certificate, intermediates, now).is_some()
    }

    fn find_root(&self, der: &CertificateDer<'_>, intermediates: &[CertificateDer<'_>], now: UnixTime) -> Option<()> {
        let mut certificate = Certificate::from_der(der).ok()?;
        if !is_valid(&certificate, now) || !is_for_server(&certificate)? {
            return None;
        }
        if self.roots.iter().any(|root| root == der) {
            return Some(());
        }
        let mut remaining = intermediates.iter().take(MAX_INTERMEDIATES).zip(0..);
        loop {
            if self.roots.iter().any(|root| self.is_signed_by_root(&certificate, root).is_some()) {
                return Some(());
            }
            let (next, below) = remaining.next()?;
            let issuer = Certificate::from_der(next).ok()?;
            if !is_valid(&issuer, now) || !is_authority(&issuer, below)? {
                return None;
            }
            self.check_signature(&certificate, &issuer)?;
            certificate = issuer;
        }
    }

    fn is_signed_by_root(&self, certificate: &Certificate, root: &CertificateDer<'_>) -> Option<()> {
        self.check_signature(certificate, &Certificate::from_der(root).ok()?)
    }

    /// `Some` if the issuer has signed the certificate.
    fn check_signature(&self, certificate: &Certificate, issuer: &Certificate) -> Option<()> {
        let (body, key) = (&certificate.tbs_certificate, &issuer.tbs_certificate.subject_public_key_info);
        if body.issuer != issuer.tbs_certificate.subject {
            return None;
        }
        let (message, signature) = (body.to_der().ok()?, certificate.signature.as_bytes()?);
        let key_bytes = key.subject_public_key.as_bytes()?;
        let signed_with = content(&certificate.signature_algorithm)?;
        let algorithm =
            self.algorithms.all.iter().find(|algorithm| {
                algorithm.signature_alg_id().as_ref() == signed_with && is_key_of(key, **algorithm)
            })?;
        algorithm.verify_signature(key_bytes, &message, signature).ok()
    }
}

/// Tells whether an algorithm verifies signatures by a key.
pub fn is_key_of(key: &SubjectPublicKeyInfoOwned, algorithm: &dyn SignatureVerificationAlgorithm) -> bool {
    content(&key.algorithm).is_some_and(|kind| algorithm.public_key_alg_id().as_ref() == kind)
}

/// Identifier of an algorithm without its outer tag and length.
fn content(algorithm: &AlgorithmIdentifierOwned) -> Option<Vec<u8>> {
    algorithm.to_der().ok()?.get(2..).map(<[u8]>::to_vec)
}

fn is_valid(certificate: &Certificate, now: UnixTime) -> bool {
    let validity = &certificate.tbs_certificate.validity;
    let (from, to) = (validity.not_before.to_unix_duration(), validity.not_after.to_unix_duration());
    (from.as_secs()..=to.as_secs()).contains(&now.as_secs())
}

/// Tells whether a certificate may be a server's. `None` if an extension cannot be read.
fn is_for_server(certificate: &Certificate) -> Option<bool> {
    let body = &certificate.tbs_certificate;
    if body.version == Version::V1 {
        return Some(true);
    }
    let usage = body
        .get::<KeyUsage>()
        .ok()?
        .is_none_or(|(_, usage)| usage.digital_signature() || usage.key_encipherment() || usage.key_agreement());
    Some(usage && has_purpose(certificate)? && has_known_extensions(certificate))
}

/// Tells whether a certificate is that of an authority, with so many other ones below it.
fn is_authority(certificate: &Certificate, below: u8) -> Option<bool> {
    let body = &certificate.tbs_certificate;
    let constraints = body.get::<BasicConstraints>().ok()?.map(|(_, constraints)| constraints)?;
    let is_deep = constraints.path_len_constraint.is_some_and(|most| most < below);
    let signs = body.get::<KeyUsage>().ok()?.is_none_or(|(_, usage)| usage.key_cert_sign());
    Some(constraints.ca && !is_deep && signs && has_purpose(certificate)? && has_known_extensions(certificate))
}

fn has_purpose(certificate: &Certificate) -> Option<bool> {
    let purposes = certificate.tbs_certificate.get::<ExtendedKeyUsage>().ok()?;
    Some(purposes.is_none_or(|(_, ExtendedKeyUsage(purposes))| purposes.contains(&SERVER_AUTH)))
}

fn has_known_extensions(certificate: &Certificate) -> bool {
    let known = [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, ALTERNATIVE_NAME];
    certificate.tbs_certificate.extensions.iter().flatten().all(|extension| {
        known.contains(&extension.extn_id) || (!extension.critical && extension.extn_id != NAME_CONSTRAINTS)
    })
}

#[cfg(test)]
mod tests {
    use rustls::crypto::ring;
    use rustls::pki_types::pem::PemObject;

    use super::*;

    /// Certificates: `root`, `middle` by it, `leaf` of version 1 by that, `direct` of version 1 by the root, `authority` by the root,
    /// which is one too, and `keyless` by the root, which is an authority for certificates alone. All of them are valid until 2126.
    const CERTIFICATES: &str = include_str!("fixtures/certificates.pem");

    fn certificates() -> [CertificateDer<'static>; 6] {
        let all: Vec<CertificateDer> =
            CertificateDer::pem_slice_iter(CERTIFICATES.as_bytes()).map(Result::unwrap).collect();
        all.try_into().unwrap()
    }

    fn trusts(
        root: &CertificateDer<'static>,
        leaf: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        year: u64,
    ) -> bool {
        let now = UnixTime::since_unix_epoch(std::time::Duration::from_secs((year - 1970) * 31_556_952));
        let algorithms = ring::default_provider().signature_verification_algorithms;
        Issuers { roots: std::slice::from_ref(root), algorithms }.trust(leaf, between, now)
    }

    #[test]
    fn intermediates_lead_to_a_root_certificate() {
        let [root, middle, leaf, direct, authority, keyless] = certificates();
        let between = [middle.clone()];
        assert!(trusts(&root, &direct, &[], 2030) && trusts(&root, &leaf, &between, 2030));
        assert!(trusts(&root, &authority, &[], 2030) && trusts(&root, &root, &[], 2030));
        assert!(!trusts(&root, &leaf, &[], 2030), "it is not the root's");
        assert!(!trusts(&root, &keyless, &[], 2030), "it signs certificates alone");
        assert!(!trusts(&direct, &leaf, &between, 2030) && !trusts(&middle, &direct, &between, 2030));
        for year in [2020, 2200] {
            assert!(!trusts(&root, &direct, &[], year) && !trusts(&root, &leaf, &between, year), "{year}");
        }
    }

    #[test]
    fn what_is_no_authority_signs_nothing() {
        let [root, middle, leaf, direct, authority, _] = certificates();
        assert!(!trusts(&root, &leaf, std::slice::from_ref(&direct), 2030), "one of version 1 is no intermediate one");
        assert!(!trusts(&root, &leaf, std::slice::from_ref(&authority), 2030), "it is another one's");
        assert!(!trusts(&root, &leaf, &[authority, middle], 2030), "they come in their order");
    }

    #[test]
    fn a_changed_certificate_is_not_trusted() {
        let [root, _, _, direct, ..] = certificates();
        for at in 0..direct.len() {
            let mut changed = direct.to_vec();
            changed[at] ^= 1;
            assert!(!trusts(&root, &changed.into(), &[], 2030), "byte {at}");
        }
    }
}
