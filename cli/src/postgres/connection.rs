//! Connection options.

use clap::Args;
use ebs_remote::conninfo::{Settings, has_password, resolve};

use super::connect_error::ConnectError;
use super::environment::ProcessEnvironment;
use crate::error::Error;
use crate::message::print_message;
use crate::shell;

/// Connection options.
#[derive(Args, Clone)]
pub struct Connection {
    /// Database name or connection string, as for psql; the one that has the extension
    #[arg(short, long, value_name = "CONNINFO")]
    pub dbname: Option<String>,
    /// Gone: ebsctl connects by itself
    #[arg(long, value_name = "PATH", hide = true, value_parser = refuse_psql)]
    psql: Option<String>,
}

fn refuse_psql(_: &str) -> Result<String, String> {
    Err("ebsctl speaks PostgreSQL's protocol itself and runs no psql; leave --psql out, and give its connection by --dbname".to_owned())
}

impl Connection {
    /// Connection by a connection string or the name of a database.
    pub fn to(conninfo: &str) -> Connection {
        Connection { dbname: Some(conninfo.to_owned()), psql: None }
    }

    /// Refuses a password, which all users of the machine would see.
    pub fn refuse_password(&self) -> Result<(), Error> {
        if self.dbname.as_deref().is_some_and(has_password) {
            return Err(Error::PasswordOnCommandLine);
        }
        Ok(())
    }

    /// Parameters of the connection, as libpq finds them.
    pub fn settings(&self) -> Result<Settings, Error> {
        self.refuse_password()?;
        let settings = resolve(self.dbname.as_deref(), &ProcessEnvironment).map_err(ConnectError::from)?;
        settings.warnings.iter().for_each(|warning| print_message!("warning: {warning}"));
        Ok(settings)
    }

    /// `psql`, or `psql -d "bench"`, for a command to type.
    pub fn shell_command(&self) -> String {
        let dbname = self.dbname.as_ref().map(|dbname| format!(" -d {}", shell::quote(dbname)));
        "psql".to_owned() + &dbname.unwrap_or_default()
    }
}
