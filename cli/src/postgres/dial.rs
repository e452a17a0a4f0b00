//! One way to a server: a socket, and TLS on it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::BytesMut;
use ebs_remote::conninfo::{Endpoint, Keepalives, Settings, SslNegotiation};
use nix::unistd::{Uid, User};
use postgres_protocol::message::frontend;
use rustix::net::sockopt;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::channel::{Channel, Clear, Socket};
use super::frames::Frames;
use super::tls::Tls;

/// Use of TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// None.
    Clear,
    /// TLS if the server has it.
    Preferred,
    /// TLS or nothing.
    Required,
}

/// Address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    Tcp(SocketAddr),
    /// Path of a Unix socket, which begins with `@` in the abstract namespace.
    Unix(String),
}

/// Way to a server.
#[derive(Clone)]
pub struct Dial {
    pub address: Address,
    pub encryption: Encryption,
    /// Host name for the check of the certificate; empty if none is given.
    pub host: String,
    /// Configuration of TLS; `None` where none is to be used.
    pub tls: Option<Arc<Tls>>,
    pub negotiation: SslNegotiation,
    pub keepalives: Option<Keepalives>,
    pub tcp_user_timeout_ms: Option<u32>,
    /// Account that the server's process has to have.
    pub required_peer: Option<String>,
}

impl Dial {
    /// A way to one address of an endpoint.
    pub fn new(
        endpoint: &Endpoint,
        address: Address,
        encryption: Encryption,
        tls: Option<Arc<Tls>>,
        settings: &Settings,
    ) -> Dial {
        Dial {
            address,
            encryption,
            host: endpoint.host.clone().unwrap_or_default(),
            tls,
            negotiation: settings.tls.negotiation,
            keepalives: settings.keepalives,
            tcp_user_timeout_ms: settings.tcp_user_timeout.map(|time| time.as_millis().try_into().unwrap_or(u32::MAX)),
            required_peer: settings.required_peer.clone(),
        }
    }

    /// Connects, and negotiates TLS. The first message of the server passes the frames.
    pub async fn open(&self, frames: Frames) -> io::Result<Channel> {
        let mut socket = self.connect().await?;
        if self.encryption == Encryption::Clear || !self.negotiate(&mut socket).await? {
            return Ok(Channel::new(Clear(socket), frames));
        }
        let Some(tls) = &self.tls else { return Err(io::Error::other("TLS is not configured")) };
        let mut connector = MakeRustlsConnect::new(tls.config.clone());
        let name = self.server_name(tls)?;
        let connect = MakeTlsConnect::<Box<dyn Socket>>::make_tls_connect(&mut connector, &name);
        let Ok(connect) = connect;
        let stream =
            connect.connect(socket).await.map_err(|error| io::Error::new(error.kind(), format!("TLS: {error}")))?;
        tls.check_certificate_sent().map_err(io::Error::other)?;
        Ok(Channel::new(stream, frames))
    }

    async fn connect(&self) -> io::Result<Box<dyn Socket>> {
        match &self.address {
            Address::Tcp(address) => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                self.set_keepalives(&stream)?;
                Ok(Box::new(stream))
            }
            Address::Unix(path) => {
                let path = path.strip_prefix('@').map_or_else(|| path.clone(), |name| format!("\0{name}"));
                let stream = UnixStream::connect(path).await?;
                self.check_peer(&stream)?;
                Ok(Box::new(stream))
            }
        }
    }

    fn set_keepalives(&self, stream: &TcpStream) -> io::Result<()> {
        if let Some(timeout_ms) = self.tcp_user_timeout_ms {
            sockopt::set_tcp_user_timeout(stream, timeout_ms)?;
        }
        let Some(Keepalives { idle, interval, count }) = self.keepalives else { return Ok(()) };
        sockopt::set_socket_keepalive(stream, true)?;
        idle.map_or(Ok(()), |idle| sockopt::set_tcp_keepidle(stream, idle))?;
        interval.map_or(Ok(()), |interval| sockopt::set_tcp_keepintvl(stream, interval))?;
        Ok(count.map_or(Ok(()), |count| sockopt::set_tcp_keepcnt(stream, count))?)
    }

    fn check_peer(&self, stream: &UnixStream) -> io::Result<()> {
        let Some(required) = &self.required_peer else { return Ok(()) };
        let uid = stream.peer_cred()?.uid();
        let name = User::from_uid(Uid::from_raw(uid))?.map_or_else(|| uid.to_string(), |user| user.name);
        if name == *required {
            return Ok(());
        }
        Err(io::Error::other(format!("requirepeer names \"{required}\", but the server runs as \"{name}\"")))
    }

    /// Asks for TLS; false if the server has none, and need not.
    async fn negotiate(&self, socket: &mut Box<dyn Socket>) -> io::Result<bool> {
        if self.negotiation == SslNegotiation::Direct {
            return Ok(true);
        }
        let mut request = BytesMut::new();
        frontend::ssl_request(&mut request);
        socket.write_all(&request).await?;
        // One byte alone: what comes behind it in the clear is no part of what TLS protects.
        match socket.read_u8().await? {
            b'S' => Ok(true),
            b'N' if self.encryption == Encryption::Preferred => Ok(false),
            b'N' => Err(io::Error::other("the server does not support TLS, which sslmode demands")),
            _ => Err(io::Error::other("it does not speak PostgreSQL's protocol")),
        }
    }

    /// Name for the handshake: the host's, or the address where the name is none and is not checked.
    fn server_name(&self, tls: &Tls) -> io::Result<String> {
        match &self.address {
            _ if ServerName::try_from(self.host.as_str()).is_ok() => Ok(self.host.clone()),
            Address::Tcp(address) if !tls.checks_host => Ok(address.ip().to_string()),
            _ if self.host.is_empty() => Err(io::Error::other("sslmode=verify-full needs a host name")),
            _ => Err(io::Error::other(format!("\"{}\" is no host name that a certificate can have", self.host))),
        }
    }
}
