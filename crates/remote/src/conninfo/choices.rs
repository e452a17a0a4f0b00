//! Values of the parameters that have a fixed set of them.

/// Parameter value out of a fixed set of names.
pub(super) trait Choice: Sized {
    /// Parses a name, with its case.
    fn parse(name: &str) -> Option<Self>;
}

macro_rules! choice {
    ($(#[$about:meta])* $type:ident { $($(#[$note:meta])* $variant:ident = $name:literal,)* }) => {
        ebs_base::named! {
            $(#[$about])*
            pub enum $type { $($(#[$note])* $variant = $name,)* }
        }

        impl $type {
            /// Names of all values, as libpq spells them.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];
        }

        impl Choice for $type {
            fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.name() == name)
            }
        }
    };
}

choice! {
    /// `sslmode`: encryption of TCP connections, and the check of the server's certificate. Unix sockets ignore it.
    SslMode {
        /// No encryption.
        Disable = "disable",
        /// Plain text first, TLS if the server refuses that.
        Allow = "allow",
        /// TLS first, plain text if the server has none; the default.
        Prefer = "prefer",
        /// TLS; the certificate is checked if there are root certificates.
        Require = "require",
        /// TLS with a certificate that the root certificates sign.
        VerifyCa = "verify-ca",
        /// The same, for the server's host name.
        VerifyFull = "verify-full",
    }
}

choice! {
    /// `sslnegotiation`: start of a TLS connection.
    SslNegotiation {
        /// A request of PostgreSQL's protocol first; the default.
        Postgres = "postgres",
        /// TLS from the first byte, with ALPN (PostgreSQL 17).
        Direct = "direct",
    }
}

choice! {
    /// `sslcertmode`: use of the client certificate.
    SslCertMode {
        /// Never sent.
        Disable = "disable",
        /// Sent if the server requests it; the default.
        Allow = "allow",
        /// Connections on which the server requests none fail.
        Require = "require",
    }
}

choice! {
    /// `channel_binding`: SCRAM authentication bound to the TLS connection.
    ChannelBinding {
        /// Not used.
        Disable = "disable",
        /// Used if the server has it; the default.
        Prefer = "prefer",
        /// Connections without it fail.
        Require = "require",
    }
}

choice! {
    /// `gssencmode`: GSSAPI encryption, which is not implemented.
    GssEncMode {
        /// No encryption by GSSAPI.
        Disable = "disable",
        /// Encryption if there is a credential; the same as `disable` here.
        Prefer = "prefer",
        /// Refused.
        Require = "require",
    }
}

choice! {
    /// `target_session_attrs`: servers among several that are acceptable.
    TargetSession {
        /// Every server; the default.
        Any = "any",
        /// A session that accepts writes.
        ReadWrite = "read-write",
        /// A session that refuses writes.
        ReadOnly = "read-only",
        /// A server that is not in recovery.
        Primary = "primary",
        /// A server in recovery.
        Standby = "standby",
        /// A server in recovery, else any.
        PreferStandby = "prefer-standby",
    }
}

choice! {
    /// `load_balance_hosts`: order in which hosts are tried.
    LoadBalance {
        /// The order of the list; the default.
        Disable = "disable",
        /// Random, for hosts and for the addresses of each.
        Random = "random",
    }
}

choice! {
    /// `min_protocol_version` and `max_protocol_version`; the client speaks 3.0.
    ProtocolVersion {
        /// Protocol of all versions since 7.4.
        V3_0 = "3.0",
        /// Protocol of PostgreSQL 18.
        V3_2 = "3.2",
        /// Newest protocol of libpq.
        Latest = "latest",
    }
}
