//! `require_auth`: authentication methods that the client accepts from the server.

use super::choices::Choice;
use super::error::ConninfoError;
use super::parameters::Keyword;
use super::values::Values;

/// Authentication method of a server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AuthMethod {
    /// Password in plain text.
    Password,
    /// MD5 of the password.
    Md5,
    /// GSSAPI; the client does not have it.
    Gss,
    /// SSPI; the client does not have it.
    Sspi,
    /// SCRAM-SHA-256.
    ScramSha256,
    /// OAuth; the client does not have it.
    Oauth,
    /// No request by the server: trust, peer, certificates.
    None,
}

impl Choice for AuthMethod {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "password" => Self::Password,
            "md5" => Self::Md5,
            "gss" => Self::Gss,
            "sspi" => Self::Sspi,
            "scram-sha-256" => Self::ScramSha256,
            "oauth" => Self::Oauth,
            "none" => Self::None,
            _ => return None,
        })
    }
}

/// Set of authentication methods that are accepted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AuthMethods {
    listed: Vec<AuthMethod>,
    negated: bool,
}

impl AuthMethods {
    /// True if the method is accepted.
    pub fn accepts(&self, method: AuthMethod) -> bool {
        self.listed.contains(&method) != self.negated
    }

    /// True if every method is accepted, which is the default.
    pub fn accepts_all(&self) -> bool {
        self.negated && self.listed.is_empty()
    }

    /// Reads `require_auth`: a list of methods, or of methods with `!`.
    pub(super) fn read(values: &Values) -> Result<Self, ConninfoError> {
        let text = match values.get(Keyword::RequireAuth) {
            None => return Ok(Self { listed: vec![], negated: true }),
            // An empty list has no method by which a server may ask for anything, as for libpq.
            Some("") => "none",
            Some(text) => text,
        };
        let invalid = || {
            values.invalid(
                Keyword::RequireAuth,
                "password, md5, gss, sspi, scram-sha-256, oauth and none, each once, all of them with ! or all without",
            )
        };
        let negated = text.starts_with('!');
        let mut listed = vec![];
        for name in text.split(',') {
            let stripped = name.strip_prefix('!');
            let method = AuthMethod::parse(stripped.unwrap_or(name)).ok_or_else(invalid)?;
            if stripped.is_some() != negated || listed.contains(&method) {
                return Err(invalid());
            }
            listed.push(method);
        }
        Ok(Self { listed, negated })
    }
}
