//! Parameters of a connection, complete and with their types.

use std::time::Duration;

use super::authentication::AuthMethods;
use super::choices::{ChannelBinding, LoadBalance, SslMode, TargetSession};
use super::endpoint::{Endpoint, read_endpoints};
use super::environment::{Environment, home};
use super::error::ConninfoError;
use super::parameters::{Handling, KEYWORDS, Keyword};
use super::password_file::PasswordFile;
use super::secret::Secret;
use super::text::parse_integer;
use super::tls::TlsSettings;
use super::values::Values;

/// Variables that libpq passes to the server as its parameters.
const SESSION_VARIABLES: [(&str, &str); 3] = [("PGDATESTYLE", "datestyle"), ("PGTZ", "timezone"), ("PGGEQO", "geqo")];

/// TCP keepalives; `None` is the operating system's default.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Keepalives {
    /// Time without traffic before the first.
    pub idle: Option<Duration>,
    /// Time between two without an answer.
    pub interval: Option<Duration>,
    /// Number of them without an answer that ends the connection.
    pub count: Option<u32>,
}

/// Parameters of a connection.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Servers, in the order in which they are tried; at least one.
    pub endpoints: Vec<Endpoint>,
    /// User.
    pub user: String,
    /// Database.
    pub dbname: String,
    /// Time to wait for each server; `None` is no limit. One second is one second, as since PostgreSQL 17.
    pub connect_timeout: Option<Duration>,
    /// Command-line options of the server process.
    pub options: Option<String>,
    /// Name of the application, else `fallback_application_name`. Empty if it was given so, which sends none.
    pub application_name: Option<String>,
    /// Parameters of the server that variables set: name and value.
    pub session_parameters: Vec<(&'static str, String)>,
    /// TCP keepalives; `None` if they are turned off.
    pub keepalives: Option<Keepalives>,
    /// Time that sent data may stay without acknowledgement; `None` is the operating system's default.
    pub tcp_user_timeout: Option<Duration>,
    /// Encryption.
    pub tls: TlsSettings,
    /// Channel binding.
    pub channel_binding: ChannelBinding,
    /// Authentication methods that are accepted.
    pub auth_methods: AuthMethods,
    /// Operating-system user that the server has to run as; for sockets.
    pub required_peer: Option<String>,
    /// Servers that are acceptable.
    pub target_session: TargetSession,
    /// Order in which servers are tried.
    pub load_balance: LoadBalance,
    /// Warnings for the user, without a full stop.
    pub warnings: Vec<String>,
    password: PasswordSource,
}

#[derive(Clone, Debug)]
enum PasswordSource {
    None,
    Given(Secret),
    File(PasswordFile),
}

impl Settings {
    /// Returns the password for a server: the given one, else that of the password file.
    pub fn password_for(&self, endpoint: &Endpoint) -> Option<Secret> {
        match &self.password {
            PasswordSource::None => None,
            PasswordSource::Given(password) => Some(password.clone()),
            PasswordSource::File(file) => file.find(endpoint, &self.dbname, &self.user),
        }
    }

    /// Path of the password file, if passwords are from one.
    pub fn password_file(&self) -> Option<&str> {
        match &self.password {
            PasswordSource::File(file) => Some(&file.path),
            _ => None,
        }
    }

    /// Reads the parameters out of their values.
    pub(super) fn read(values: &Values, environment: &dyn Environment) -> Result<Self, ConninfoError> {
        refuse(values)?;
        let given = |keyword| values.non_empty(keyword).map(str::to_owned);
        let user = match given(Keyword::User) {
            Some(user) => user,
            None => environment.account().map_err(ConninfoError::Account)?,
        };
        let mut warnings = vec![];
        let password = read_password(values, environment).unwrap_or_else(|warning| {
            warnings.push(warning);
            PasswordSource::None
        });
        let settings = Self {
            endpoints: read_endpoints(values)?,
            dbname: given(Keyword::DbName).unwrap_or_else(|| user.clone()),
            user,
            connect_timeout: read_amount(values, Keyword::ConnectTimeout)?.map(seconds),
            options: given(Keyword::Options),
            application_name: values
                .get(Keyword::ApplicationName)
                .or(values.get(Keyword::FallbackApplicationName))
                .map(str::to_owned),
            session_parameters: read_session_parameters(environment),
            keepalives: read_keepalives(values)?,
            tcp_user_timeout: read_amount(values, Keyword::TcpUserTimeout)?
                .map(|amount| Duration::from_millis(u64::from(amount))),
            tls: TlsSettings::read(values, environment)?,
            channel_binding: values.choice(Keyword::ChannelBinding)?,
            auth_methods: AuthMethods::read(values)?,
            required_peer: given(Keyword::RequirePeer),
            target_session: values.choice(Keyword::TargetSessionAttrs)?,
            load_balance: values.choice(Keyword::LoadBalanceHosts)?,
            warnings,
            password,
        };
        settings.check_channel_binding()
    }

    fn check_channel_binding(self) -> Result<Self, ConninfoError> {
        if self.channel_binding == ChannelBinding::Require && self.tls.mode == SslMode::Disable {
            let message = "channel_binding=require may not be used with sslmode=disable".to_owned();
            return Err(ConninfoError::Conflict { message, hint: "Channel binding needs TLS: use sslmode=require." });
        }
        Ok(self)
    }
}

/// Refuses values that a parameter does not have, and parameters that are not implemented.
fn refuse(values: &Values) -> Result<(), ConninfoError> {
    for keyword in KEYWORDS {
        let (parameter, Some(text)) = (keyword.parameter(), values.get(keyword)) else { continue };
        if !parameter.choices.is_empty() && !parameter.choices.contains(&text) {
            return Err(values.invalid(keyword, parameter.choices.join(", ")));
        }
        if let Handling::Refused { accepted, alternative, .. } = parameter.handling
            && !accepted.contains(&text)
        {
            return Err(values.unsupported(keyword, alternative));
        }
    }
    Ok(())
}

fn read_password(values: &Values, environment: &dyn Environment) -> Result<PasswordSource, String> {
    if let Some(password) = values.non_empty(Keyword::Password) {
        return Ok(PasswordSource::Given(Secret::new(password)));
    }
    let default = || home(environment).map(|home| format!("{home}/.pgpass"));
    let Some(path) = values.non_empty(Keyword::PassFile).map(str::to_owned).or_else(default) else {
        return Ok(PasswordSource::None);
    };
    Ok(PasswordFile::read(&path, environment)?.map_or(PasswordSource::None, PasswordSource::File))
}

fn read_session_parameters(environment: &dyn Environment) -> Vec<(&'static str, String)> {
    let read = |(variable, parameter)| Some((parameter, environment.variable(variable)?));
    let given = SESSION_VARIABLES.into_iter().filter_map(read);
    given.filter(|(_, value)| !value.eq_ignore_ascii_case("default") && !value.contains('\0')).collect()
}

/// Reads a positive integer; zero and less is none, as for libpq.
fn read_amount(values: &Values, keyword: Keyword) -> Result<Option<u32>, ConninfoError> {
    let Some(text) = values.get(keyword) else { return Ok(None) };
    let amount = parse_integer(text).ok_or_else(|| values.invalid(keyword, "an integer"))?;
    Ok(u32::try_from(amount).ok().filter(|amount| *amount > 0))
}

fn read_keepalives(values: &Values) -> Result<Option<Keepalives>, ConninfoError> {
    let keepalives = Keepalives {
        idle: read_amount(values, Keyword::KeepalivesIdle)?.map(seconds),
        interval: read_amount(values, Keyword::KeepalivesInterval)?.map(seconds),
        count: read_amount(values, Keyword::KeepalivesCount)?,
    };
    let are_used = match values.get(Keyword::Keepalives) {
        None => true,
        // strtol of an empty text is 0.
        Some("") => false,
        Some(text) => parse_integer(text).ok_or_else(|| values.invalid(Keyword::Keepalives, "0 and 1"))? != 0,
    };
    Ok(are_used.then_some(keepalives))
}

fn seconds(amount: u32) -> Duration {
    Duration::from_secs(u64::from(amount))
}
