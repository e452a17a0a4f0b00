//! Ways of authentication that a server may ask for.

use std::fmt;

use postgres_protocol::message::backend::Message;

use crate::conninfo::{AuthMethod, AuthMethods};

/// Most iterations of SCRAM that are computed: PostgreSQL's default is 4,096 (scram_iterations), and each million takes about a second.
const MAX_ITERATIONS: u32 = 1_000_000;

/// Check of a server's messages of authentication.
#[derive(Clone, Default)]
pub struct Authentication {
    /// Methods that are taken (require_auth); `None` for all.
    required: Option<AuthMethods>,
    /// True once the server has asked for a password.
    has_asked: bool,
}

/// Reason for which authentication ends.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The method is not among those of require_auth.
    NotRequired(&'static str),
    /// The client does not have the method.
    Unsupported(&'static str),
    /// SCRAM with more iterations than are computed.
    Iterations(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::NotRequired("none") => {
                formatter.write_str("it did not authenticate, which require_auth does not allow")
            }
            Refusal::NotRequired(method) => {
                write!(formatter, "it asks for authentication by {method}, which require_auth does not allow")
            }
            Refusal::Unsupported(method) => {
                write!(
                    formatter,
                    "it asks for authentication by {method}, which ebsctl does not have (docs/connecting.md)"
                )
            }
            Refusal::Iterations(iterations) => {
                write!(formatter, "it asks for {iterations} iterations of SCRAM; at most {MAX_ITERATIONS} are computed")
            }
        }
    }
}

impl Authentication {
    /// Takes these methods alone.
    pub fn new(required: &AuthMethods) -> Authentication {
        Authentication { required: Some(required.clone()), has_asked: false }
    }

    /// Checks a message of authentication.
    pub fn check(&mut self, message: &Message) -> Result<(), Refusal> {
        match message {
            Message::AuthenticationOk if self.has_asked => Ok(()),
            Message::AuthenticationOk => self.require(AuthMethod::None, "none"),
            Message::AuthenticationCleartextPassword => self.require(AuthMethod::Password, "password"),
            Message::AuthenticationMd5Password(_) => self.require(AuthMethod::Md5, "md5"),
            Message::AuthenticationSasl(_) => self.require(AuthMethod::ScramSha256, "scram-sha-256"),
            Message::AuthenticationSaslContinue(body) => check_iterations(body.data()),
            Message::AuthenticationGss | Message::AuthenticationGssContinue(_) => Err(Refusal::Unsupported("GSSAPI")),
            Message::AuthenticationSspi => Err(Refusal::Unsupported("SSPI")),
            Message::AuthenticationKerberosV5 => Err(Refusal::Unsupported("Kerberos 5")),
            Message::AuthenticationScmCredential => Err(Refusal::Unsupported("SCM credentials")),
            _ => Ok(()),
        }
    }

    fn require(&mut self, method: AuthMethod, name: &'static str) -> Result<(), Refusal> {
        self.has_asked = true;
        let is_allowed = self.required.as_ref().is_none_or(|required| required.accepts(method));
        if is_allowed { Ok(()) } else { Err(Refusal::NotRequired(name)) }
    }
}

/// Checks the server's first message of SCRAM, `r=…,s=…,i=4096` (RFC 5802). One without a number is refused by the client.
fn check_iterations(data: &[u8]) -> Result<(), Refusal> {
    let attributes = data.split(|byte| *byte == b',');
    let iterations = attributes.filter_map(|attribute| attribute.strip_prefix(b"i="));
    for number in iterations.map(String::from_utf8_lossy) {
        if number.parse::<u32>().is_ok_and(|number| number > MAX_ITERATIONS) || number.len() > 10 {
            return Err(Refusal::Iterations(number.chars().take(20).collect()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bytes::BytesMut;

    use super::*;
    use crate::conninfo::{fixtures::Fixture, resolve};

    fn message(code: i32, data: &[u8]) -> Message {
        let length = i32::try_from(data.len() + 8).unwrap().to_be_bytes();
        let bytes = [&b"R"[..], &length, &code.to_be_bytes(), data].concat();
        Message::parse(&mut BytesMut::from(&bytes[..])).unwrap().unwrap()
    }

    #[test]
    fn iterations_are_bounded() {
        let mut any = Authentication::default();
        let first = |i: &str| message(11, format!("r=abc,s=QSXCR+Q6sek8bf92,i={i}").as_bytes());
        assert_eq!(any.check(&first("4096")), Ok(()));
        for endless in ["1000001", "2147483647", "99999999999999999999"] {
            assert!(matches!(any.check(&first(endless)), Err(Refusal::Iterations(_))), "{endless}");
        }
    }

    #[test]
    fn required_methods_alone_are_taken() {
        let settings = resolve(Some("host=/tmp require_auth=scram-sha-256"), &Fixture::new()).unwrap();
        let scram = || Authentication::new(&settings.auth_methods);
        assert_eq!(scram().check(&message(3, b"")), Err(Refusal::NotRequired("password")));
        assert_eq!(scram().check(&message(0, b"")), Err(Refusal::NotRequired("none")));
        let mut server = scram();
        assert_eq!(server.check(&message(10, b"SCRAM-SHA-256\0\0")), Ok(()));
        assert_eq!(server.check(&message(0, b"")), Ok(()));
        let mut any = Authentication::default();
        assert_eq!(
            (any.check(&message(0, b"")), any.check(&message(7, b""))),
            (Ok(()), Err(Refusal::Unsupported("GSSAPI")))
        );
    }
}
