//! Connection to the first server that takes it, in libpq's order.

use std::collections::hash_map::RandomState;
use std::future::Future;
use std::hash::BuildHasher;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ebs_remote::Query;
use ebs_remote::authentication::Authentication;
use ebs_remote::conninfo::{ChannelBinding, Endpoint, LoadBalance, Settings, SslMode, TargetSession};
use ebs_remote::frames::{Allowance, Frames};
use tokio::io::{Empty, empty};
use tokio::time::timeout;
use tokio_postgres::config::{self, Config};
use tokio_postgres::{CancelToken, Client, Connection, Error as ClientError};

use super::answer::{Notices, root_cause, server_message};
use super::channel::{Channel, Handover};
use super::connect_error::ConnectError;
use super::dial::{Address, Dial, Encryption};
use super::exchange::{drive, read_answer};
use super::tls::Tls;

/// Time for a server, unless connect_timeout says otherwise; libpq's default is to wait for ever.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Name of our own sessions, by which the extension leaves them out of the clients.
pub const APPLICATION_NAME: &str = "ebsctl";

/// SQLSTATE of a server that starts or stops: another host may take the connection.
const CANNOT_CONNECT_NOW: &str = "57P03";

/// Query of the state of a server, as target_session_attrs distinguishes them.
const STATE_QUERY: &str = "SELECT pg_catalog.concat_ws(' ', pg_catalog.pg_is_in_recovery(), \
    pg_catalog.current_setting('transaction_read_only')) AS value";

/// Open connection.
pub struct Link {
    pub client: Client,
    pub connection: Connection<Empty, Channel>,
    pub allowance: Allowance,
    pub cancel: Cancel,
}

/// Way to cancel what the server does.
pub struct Cancel {
    token: CancelToken,
    dial: Dial,
}

impl Cancel {
    /// Asks the server to cancel the query of this connection, over another one.
    pub async fn cancel(&self) -> Result<(), ConnectError> {
        let frames = Frames::new(Allowance::for_startup(), Authentication::default());
        let failed = |error: &dyn std::error::Error| ConnectError::Servers(vec![error.to_string()]);
        let channel = self.dial.open(frames).await.map_err(|error| failed(&error))?;
        self.token.cancel_query_raw(empty(), Handover(channel)).await.map_err(|error| failed(&error))
    }
}

impl Link {
    /// Host name, as the user gave it.
    pub fn host(&self) -> Option<&str> {
        Some(self.cancel.dial.host.as_str()).filter(|host| !host.is_empty())
    }
}

/// Failure of an attempt.
enum Failure {
    /// Another attempt may succeed.
    Next(String),
    /// The server refused the connection once TLS was or was not there: it may take the other.
    Refused(String),
    /// libpq gives up, too: the server refused the user, and others will.
    Last(String),
}

/// Connects to the first server that takes the connection; `stop` ends the attempts.
pub async fn connect(settings: &Settings, stop: Option<&Arc<AtomicBool>>) -> Result<Link, ConnectError> {
    let uses_tls =
        settings.tls.mode != SslMode::Disable && settings.endpoints.iter().any(|endpoint| !endpoint.is_socket());
    let tls = if uses_tls { Some(Arc::new(Tls::new(&settings.tls)?)) } else { None };
    let targets: &[TargetSession] = match settings.target_session {
        TargetSession::PreferStandby => &[TargetSession::Standby, TargetSession::Any],
        ref other => std::slice::from_ref(other),
    };
    let endpoints = in_order(&settings.endpoints, settings.load_balance);
    let mut failures = Vec::new();
    for target in targets {
        for endpoint in &endpoints {
            for address in addresses(endpoint, settings.load_balance, &mut failures) {
                let named = |reason: String| format!("{}: {reason}", describe(endpoint, &address));
                let result = connect_address(settings, endpoint, &address, tls.as_ref(), stop).await;
                match result.map(|link| check_target(link, *target)) {
                    Err(Failure::Last(reason)) => return Err(ConnectError::Servers(vec![named(reason)])),
                    Err(Failure::Next(reason) | Failure::Refused(reason)) => failures.push(named(reason)),
                    Ok(check) => match check.await {
                        Ok(link) => return Ok(link),
                        Err(reason) => failures.push(named(reason)),
                    },
                }
                if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                    return Err(ConnectError::Stopped);
                }
            }
        }
    }
    Err(ConnectError::Servers(failures))
}

/// The endpoints, in a random order if the load is to be balanced.
fn in_order<T: Clone>(all: &[T], load_balance: LoadBalance) -> Vec<T> {
    let mut ordered = all.to_vec();
    if load_balance == LoadBalance::Random {
        // A new state is random.
        let random = |last: usize| RandomState::new().hash_one(last) as usize % (last + 1);
        (1..ordered.len()).rev().for_each(|last| ordered.swap(last, random(last)));
    }
    ordered
}

fn describe(endpoint: &Endpoint, address: &Address) -> String {
    match address {
        Address::Unix(path) => path.clone(),
        Address::Tcp(address)
            if endpoint.address.is_none() && endpoint.host.as_deref() != Some(&address.ip().to_string()) =>
        {
            format!("{endpoint} ({})", address.ip())
        }
        Address::Tcp(_) => endpoint.to_string(),
    }
}

/// Addresses of an endpoint. A name that is not resolved is a failure.
fn addresses(endpoint: &Endpoint, load_balance: LoadBalance, failures: &mut Vec<String>) -> Vec<Address> {
    if endpoint.is_socket() {
        return endpoint.sockets().into_iter().map(Address::Unix).collect();
    }
    if let Some(address) = endpoint.address {
        return vec![Address::Tcp(SocketAddr::new(address, endpoint.port))];
    }
    let host = endpoint.host.as_deref().unwrap_or_default();
    match (host, endpoint.port).to_socket_addrs() {
        Ok(found) => in_order(&found.map(Address::Tcp).collect::<Vec<_>>(), load_balance),
        Err(error) => {
            failures.push(format!("{endpoint}: the host name is not resolved: {error}"));
            Vec::new()
        }
    }
}

/// Uses of TLS to try, one after the other.
fn encryptions(settings: &Settings, address: &Address) -> &'static [Encryption] {
    match (address, settings.tls.mode) {
        (Address::Unix(_), _) | (_, SslMode::Disable) => &[Encryption::Clear],
        (_, SslMode::Allow) => &[Encryption::Clear, Encryption::Required],
        (_, SslMode::Prefer) => &[Encryption::Preferred, Encryption::Clear],
        _ => &[Encryption::Required],
    }
}

async fn connect_address(
    settings: &Settings,
    endpoint: &Endpoint,
    address: &Address,
    tls: Option<&Arc<Tls>>,
    stop: Option<&Arc<AtomicBool>>,
) -> Result<Link, Failure> {
    let encryptions = encryptions(settings, address);
    let mut first = None;
    for encryption in encryptions {
        let dial = Dial::new(endpoint, address.clone(), *encryption, tls.cloned(), settings);
        let wait = settings.connect_timeout.unwrap_or(CONNECT_TIMEOUT);
        let attempt = interruptible(stop, timeout(wait, start(settings, endpoint, dial))).await;
        match attempt {
            None => return Err(Failure::Next("it was interrupted".to_owned())),
            Some(Err(_)) => return Err(Failure::Next(format!("it did not answer for {} s", wait.as_secs_f64()))),
            Some(Ok(Ok(link))) => return Ok(link),
            // The other use of TLS is tried where the server refused this one, and its reason counts.
            Some(Ok(Err(failure @ Failure::Next(_)))) if first.is_none() && *encryption == Encryption::Clear => {
                return Err(failure);
            }
            Some(Ok(Err(failure))) => first = first.or(Some(failure)),
        }
    }
    Err(match first {
        Some(Failure::Refused(reason)) => Failure::Last(reason),
        Some(failure) => failure,
        None => Failure::Next("there is no way to it".to_owned()),
    })
}

/// Awaits the future; `None` if the flag is set before.
async fn interruptible<T>(stop: Option<&Arc<AtomicBool>>, future: impl Future<Output = T>) -> Option<T> {
    const CHECK_INTERVAL: Duration = Duration::from_millis(100);
    let mut future = std::pin::pin!(future);
    loop {
        match timeout(CHECK_INTERVAL, future.as_mut()).await {
            Ok(value) => return Some(value),
            Err(_) if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) => return None,
            Err(_) => (),
        }
    }
}

/// Opens the channel, and starts the session.
async fn start(settings: &Settings, endpoint: &Endpoint, dial: Dial) -> Result<Link, Failure> {
    let allowance = Allowance::for_startup();
    let frames = Frames::new(allowance.clone(), Authentication::new(&settings.auth_methods));
    let channel = dial.open(frames).await.map_err(|error| Failure::Next(error.to_string()))?;
    let configuration = configuration(settings, endpoint);
    let connected = configuration.connect_raw(empty(), Handover(channel)).await;
    let (client, connection) = connected.map_err(|error| startup_failure(&error))?;
    let cancel = Cancel { token: client.cancel_token(), dial };
    Ok(Link { client, connection, allowance, cancel })
}

fn configuration(settings: &Settings, endpoint: &Endpoint) -> Config {
    let mut configuration = Config::new();
    configuration.user(&settings.user).dbname(&settings.dbname).application_name(APPLICATION_NAME);
    // The channel is ready: it is taken as it is.
    configuration.ssl_mode(config::SslMode::Require).ssl_negotiation(config::SslNegotiation::Direct);
    configuration.channel_binding(match settings.channel_binding {
        ChannelBinding::Disable => config::ChannelBinding::Disable,
        ChannelBinding::Prefer => config::ChannelBinding::Prefer,
        ChannelBinding::Require => config::ChannelBinding::Require,
    });
    if let Some(options) = &settings.options {
        configuration.options(options);
    }
    if let Some(password) = settings.password_for(endpoint) {
        configuration.password(password.expose());
    }
    configuration
}

fn startup_failure(error: &ClientError) -> Failure {
    match error.as_db_error() {
        Some(db) if db.code().code() == CANNOT_CONNECT_NOW => Failure::Next(server_message(db)),
        Some(db) => Failure::Refused(server_message(db)),
        None => match root_cause(error).as_str() {
            "password missing" => {
                Failure::Last("it asks for a password, and there is none (~/.pgpass, PGPASSWORD)".to_owned())
            }
            reason => Failure::Next(reason.to_owned()),
        },
    }
}

/// The connection, if its server is in the state that is asked for.
async fn check_target(mut link: Link, target: TargetSession) -> Result<Link, String> {
    if target == TargetSession::Any {
        return Ok(link);
    }
    let mut notices = Notices::default();
    let query = Query::new(STATE_QUERY);
    link.allowance.begin_answer(query.max_bytes);
    let asked = drive(&mut link.connection, &mut notices, read_answer(&link.client, &query));
    let answer = timeout(CONNECT_TIMEOUT, asked).await.map_err(|_| "it did not answer".to_owned())?;
    let state = answer.map_err(|error| root_cause(&error))?.value.unwrap_or_default();
    let (is_standby, is_read_only) = (state.starts_with('t'), state.ends_with("on"));
    let is_wanted = match target {
        TargetSession::ReadWrite => !is_read_only && !is_standby,
        TargetSession::ReadOnly => is_read_only || is_standby,
        TargetSession::Primary => !is_standby,
        TargetSession::Standby => is_standby,
        TargetSession::Any | TargetSession::PreferStandby => true,
    };
    if is_wanted { Ok(link) } else { Err(format!("it is not {}, as target_session_attrs asks", target.name())) }
}
