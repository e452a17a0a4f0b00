//! Servers of a connection, in the order in which they are tried.

use std::fmt;
use std::net::IpAddr;

use super::error::ConninfoError;
use super::parameters::Keyword;
use super::text::parse_integer;
use super::values::Values;

/// Port of PostgreSQL.
pub const DEFAULT_PORT: u16 = 5432;

/// Directories of sockets where no host is given, in the order in which they are tried: Debian's and Red Hat's, PostgreSQL's own.
pub const SOCKET_DIRECTORIES: [&str; 2] = ["/var/run/postgresql", "/tmp"];

/// Most hosts of a connection.
pub const MAX_HOSTS: usize = 256;

/// Longest path of a socket: `sun_path` of Linux without its NUL, bytes.
const MAX_SOCKET_PATH: usize = 107;

/// A server: a host by name or address, or a directory of Unix sockets.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Endpoint {
    /// Host name, an address as text, or the directory of a socket, which begins with `/`, or with `@` in the abstract namespace.
    /// `None` without an address means [`SOCKET_DIRECTORIES`].
    pub host: Option<String>,
    /// Address that is connected to instead of a look-up of the host. It makes the connection one by TCP, whatever the host is.
    pub address: Option<IpAddr>,
    /// Port, which is part of the name of a socket, too.
    pub port: u16,
}

impl Endpoint {
    /// Paths of the server's Unix socket, in the order in which they are tried; empty for TCP. A path that begins with `@` is a name
    /// in the abstract namespace, where a NUL stands for the `@`.
    pub fn sockets(&self) -> Vec<String> {
        let path = |directory: &str| format!("{directory}/.s.PGSQL.{}", self.port);
        match (&self.host, self.address) {
            (None, None) => SOCKET_DIRECTORIES.into_iter().map(path).collect(),
            (Some(host), None) if is_directory(host) => vec![path(host)],
            _ => vec![],
        }
    }

    /// True if the connection is one by a Unix socket.
    pub fn is_socket(&self) -> bool {
        self.address.is_none() && self.host.as_deref().is_none_or(is_directory)
    }

    /// Names by which a password file may have the server: `localhost` for a default directory of sockets.
    pub(super) fn password_hosts(&self) -> Vec<String> {
        match (&self.host, self.address) {
            (Some(host), _) if SOCKET_DIRECTORIES.contains(&host.as_str()) => {
                vec!["localhost".to_owned(), host.clone()]
            }
            (Some(host), _) => vec![host.clone()],
            (None, Some(address)) => vec![address.to_string()],
            (None, None) => vec!["localhost".to_owned()],
        }
    }
}

impl fmt::Display for Endpoint {
    /// Shows `host:port` or the path of the socket; of several, the first.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.sockets().first() {
            return formatter.write_str(path);
        }
        match (&self.host, self.address) {
            (Some(host), _) if host.contains(':') => write!(formatter, "[{host}]:{}", self.port)?,
            (Some(host), _) => write!(formatter, "{host}:{}", self.port)?,
            (None, Some(address)) => {
                return write!(formatter, "{}", std::net::SocketAddr::new(address, self.port));
            }
            (None, None) => {}
        }
        let other = self.address.filter(|address| self.host.as_deref() != Some(address.to_string().as_str()));
        other.map_or(Ok(()), |address| write!(formatter, " ({address})"))
    }
}

fn is_directory(host: &str) -> bool {
    host.starts_with(['/', '@'])
}

/// Reads `host`, `hostaddr` and `port`.
pub(super) fn read_endpoints(values: &Values) -> Result<Vec<Endpoint>, ConninfoError> {
    let list = |keyword| values.non_empty(keyword).map(|text| text.split(',').collect::<Vec<_>>());
    let (hosts, addresses, ports) = (list(Keyword::Host), list(Keyword::HostAddr), list(Keyword::Port));
    let count = addresses.as_ref().or(hosts.as_ref()).map_or(1, Vec::len);
    if count > MAX_HOSTS {
        return Err(ConninfoError::TooManyHosts(MAX_HOSTS));
    }
    if let Some(hosts) = hosts.as_ref().filter(|hosts| hosts.len() != count) {
        let (of, to) = ("host names", "hostaddr values");
        return Err(ConninfoError::Count { found: hosts.len(), of, expected: count, to });
    }
    if let Some(ports) = ports.as_ref().filter(|ports| ports.len() != 1 && ports.len() != count) {
        let (of, to) = ("port numbers", "hosts");
        return Err(ConninfoError::Count { found: ports.len(), of, expected: count, to });
    }
    let at = |list: &Option<Vec<&str>>, index: usize| -> String {
        let text = list.as_ref().and_then(|list| list.get(index).or(list.first().filter(|_| list.len() == 1)));
        text.copied().unwrap_or_default().to_owned()
    };
    let endpoint = |index| {
        let host = Some(at(&hosts, index)).filter(|host| !host.is_empty());
        let address = parse_address(&at(&addresses, index), values)?;
        let endpoint = Endpoint { host, address, port: parse_port(&at(&ports, index), values)? };
        check_sockets(endpoint)
    };
    (0..count).map(endpoint).collect()
}

fn check_sockets(endpoint: Endpoint) -> Result<Endpoint, ConninfoError> {
    let is_long = endpoint.sockets().iter().any(|path| path.len() > MAX_SOCKET_PATH);
    if is_long { Err(ConninfoError::SocketPath(MAX_SOCKET_PATH)) } else { Ok(endpoint) }
}

fn parse_address(text: &str, values: &Values) -> Result<Option<IpAddr>, ConninfoError> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| values.invalid(Keyword::HostAddr, "IPv4 and IPv6 addresses"))
}

fn parse_port(text: &str, values: &Values) -> Result<u16, ConninfoError> {
    if text.is_empty() {
        return Ok(DEFAULT_PORT);
    }
    let port = parse_integer(text).and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0);
    port.ok_or_else(|| values.invalid(Keyword::Port, "1 to 65535"))
}
