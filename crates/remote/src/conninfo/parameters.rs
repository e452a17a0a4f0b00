//! The table of connection parameters: keyword, variable, default, values, and what becomes of them. Parsing, the environment,
//! refusals and the search for secrets all come from it.
//!
//! It has the keywords of libpq up to PostgreSQL 19 (<https://www.postgresql.org/docs/current/libpq-connect.html>).

use super::choices::{
    ChannelBinding, GssEncMode, LoadBalance, ProtocolVersion, SslCertMode, SslMode, SslNegotiation, TargetSession,
};

/// Use of a parameter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Handling {
    /// Part of the settings.
    Used,
    /// Part of the settings, and never shown.
    Secret,
    /// Accepted without any effect.
    NoEffect,
    /// Refused, but for values that ask for nothing.
    Refused {
        /// Values that are accepted.
        accepted: &'static [&'static str],
        /// True if the value is never shown.
        secret: bool,
        /// A sentence: the alternative.
        alternative: &'static str,
    },
}

/// A row of the table.
pub(super) struct Parameter {
    /// Keyword in connection strings and service files.
    pub name: &'static str,
    /// Variable of the environment.
    pub variable: Option<&'static str>,
    /// Value where nothing else gives one.
    pub default: Option<&'static str>,
    /// All values, if their set is fixed; else empty.
    pub choices: &'static [&'static str],
    /// Use of it.
    pub handling: Handling,
}

impl Parameter {
    /// True if its value is a secret.
    pub fn is_secret(&self) -> bool {
        matches!(self.handling, Handling::Secret | Handling::Refused { secret: true, .. })
    }
}

macro_rules! parameters {
    ($($key:ident $name:literal $variable:expr, $default:expr, $choices:expr, $handling:expr;)*) => {
        /// Connection parameter; its number is that of its row.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub(super) enum Keyword { $($key,)* }

        /// All connection parameters.
        pub(super) const KEYWORDS: [Keyword; [$($name,)*].len()] = [$(Keyword::$key,)*];

        const TABLE: [Parameter; KEYWORDS.len()] = [$(
            Parameter { name: $name, variable: $variable, default: $default, choices: $choices, handling: $handling },
        )*];
    };
}

const USED: Handling = Handling::Used;
const SECRET: Handling = Handling::Secret;
const NO_EFFECT: Handling = Handling::NoEffect;

const OAUTH: Handling = refused(&[""], "Use another authentication method: a password, a certificate or peer.");
const SCRAM_KEY: Handling =
    Handling::Refused { accepted: &[""], secret: true, alternative: "Give the password itself, in the password file." };

const fn refused(accepted: &'static [&'static str], alternative: &'static str) -> Handling {
    Handling::Refused { accepted, secret: false, alternative }
}

parameters! {
    Service "service" Some("PGSERVICE"), None, &[], USED;
    ServiceFile "servicefile" Some("PGSERVICEFILE"), None, &[], USED;
    User "user" Some("PGUSER"), None, &[], USED;
    Password "password" Some("PGPASSWORD"), None, &[], SECRET;
    PassFile "passfile" Some("PGPASSFILE"), None, &[], USED;
    ChannelBinding "channel_binding" Some("PGCHANNELBINDING"), Some("prefer"), ChannelBinding::NAMES, USED;
    ConnectTimeout "connect_timeout" Some("PGCONNECT_TIMEOUT"), None, &[], USED;
    DbName "dbname" Some("PGDATABASE"), None, &[], USED;
    Host "host" Some("PGHOST"), None, &[], USED;
    HostAddr "hostaddr" Some("PGHOSTADDR"), None, &[], USED;
    Port "port" Some("PGPORT"), None, &[], USED;
    ClientEncoding "client_encoding" Some("PGCLIENTENCODING"), None, &[], NO_EFFECT;
    Options "options" Some("PGOPTIONS"), None, &[], USED;
    ApplicationName "application_name" Some("PGAPPNAME"), None, &[], USED;
    FallbackApplicationName "fallback_application_name" None, None, &[], USED;
    Keepalives "keepalives" None, None, &[], USED;
    KeepalivesIdle "keepalives_idle" None, None, &[], USED;
    KeepalivesInterval "keepalives_interval" None, None, &[], USED;
    KeepalivesCount "keepalives_count" None, None, &[], USED;
    TcpUserTimeout "tcp_user_timeout" None, None, &[], USED;
    SslMode "sslmode" Some("PGSSLMODE"), Some("prefer"), SslMode::NAMES, USED;
    SslNegotiation "sslnegotiation" Some("PGSSLNEGOTIATION"), Some("postgres"), SslNegotiation::NAMES, USED;
    SslCompression "sslcompression" Some("PGSSLCOMPRESSION"), None, &[], NO_EFFECT;
    SslCert "sslcert" Some("PGSSLCERT"), None, &[], USED;
    SslKey "sslkey" Some("PGSSLKEY"), None, &[], USED;
    SslCertMode "sslcertmode" Some("PGSSLCERTMODE"), Some("allow"), SslCertMode::NAMES, USED;
    SslPassword "sslpassword" None, None, &[], SECRET;
    SslRootCert "sslrootcert" Some("PGSSLROOTCERT"), None, &[], USED;
    SslCrl "sslcrl" Some("PGSSLCRL"), None, &[], USED;
    SslCrlDir "sslcrldir" Some("PGSSLCRLDIR"), None, &[], USED;
    SslSni "sslsni" Some("PGSSLSNI"), Some("1"), &[], USED;
    RequirePeer "requirepeer" Some("PGREQUIREPEER"), None, &[], USED;
    RequireAuth "require_auth" Some("PGREQUIREAUTH"), None, &[], USED;
    SslMinProtocolVersion "ssl_min_protocol_version" Some("PGSSLMINPROTOCOLVERSION"), Some("TLSv1.2"), &[], USED;
    SslMaxProtocolVersion "ssl_max_protocol_version" Some("PGSSLMAXPROTOCOLVERSION"), None, &[], USED;
    MinProtocolVersion "min_protocol_version" Some("PGMINPROTOCOLVERSION"), None, ProtocolVersion::NAMES,
        refused(&["3.0"], "Set it to 3.0, which every server speaks.");
    MaxProtocolVersion "max_protocol_version" Some("PGMAXPROTOCOLVERSION"), None, ProtocolVersion::NAMES, NO_EFFECT;
    GssEncMode "gssencmode" Some("PGGSSENCMODE"), None, GssEncMode::NAMES,
        refused(&["disable", "prefer"], "Encrypt with TLS instead: sslmode=verify-full and gssencmode=disable.");
    KrbSrvName "krbsrvname" Some("PGKRBSRVNAME"), None, &[], NO_EFFECT;
    GssLib "gsslib" Some("PGGSSLIB"), None, &[], NO_EFFECT;
    GssDelegation "gssdelegation" Some("PGGSSDELEGATION"), None, &[], NO_EFFECT;
    Replication "replication" None, None, &[],
        refused(&["", "false", "off", "no", "0"], "Remove it: an ordinary connection is needed.");
    TargetSessionAttrs "target_session_attrs" Some("PGTARGETSESSIONATTRS"), Some("any"), TargetSession::NAMES, USED;
    LoadBalanceHosts "load_balance_hosts" Some("PGLOADBALANCEHOSTS"), Some("disable"), LoadBalance::NAMES, USED;
    ScramClientKey "scram_client_key" None, None, &[], SCRAM_KEY;
    ScramServerKey "scram_server_key" None, None, &[], SCRAM_KEY;
    OauthIssuer "oauth_issuer" None, None, &[], OAUTH;
    OauthClientId "oauth_client_id" None, None, &[], OAUTH;
    OauthClientSecret "oauth_client_secret" None, None, &[],
        Handling::Refused {
            accepted: &[""],
            secret: true,
            alternative: "Use another authentication method: a password, a certificate or peer.",
        };
    OauthScope "oauth_scope" None, None, &[], OAUTH;
    OauthCaFile "oauth_ca_file" Some("PGOAUTHCAFILE"), None, &[], OAUTH;
    SslKeyLogFile "sslkeylogfile" None, None, &[],
        refused(&[""], "Remove it: the keys of the session would be written to a file.");
}

impl Keyword {
    /// Row of the parameter.
    pub fn parameter(self) -> &'static Parameter {
        const { &TABLE }.get(self as usize).expect("the table has a row for each keyword")
    }

    /// Finds a parameter by its keyword.
    pub fn find(name: &str) -> Option<Self> {
        KEYWORDS.into_iter().find(|keyword| keyword.parameter().name == name)
    }
}
