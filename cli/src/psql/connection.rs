//! Connection options.

use clap::Args;

use crate::error::Error;
use crate::redact;
use crate::shell;

/// Connection options.
#[derive(Args, Clone)]
pub struct Connection {
    /// The psql that connects, by libpq's conventions (PGHOST, PGSERVICE, ~/.pgpass)
    #[arg(long, value_name = "PATH", default_value = "psql")]
    pub psql: String,
    /// Database name or connection string, as of psql; the one that has the extension
    #[arg(short, long, value_name = "CONNINFO")]
    pub dbname: Option<String>,
}

impl Connection {
    /// Refuses a password, which all users of the machine would see.
    pub fn refuse_password(&self) -> Result<(), Error> {
        if self.dbname.as_deref().is_some_and(redact::has_password) {
            return Err(Error::PasswordOnCommandLine);
        }
        Ok(())
    }

    /// psql's arguments that choose the database.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.dbname.iter().flat_map(|dbname| ["-d", dbname])
    }

    /// `psql`, or `psql -d "bench"`, for a command to type.
    pub fn shell_command(&self) -> String {
        let dbname = self.dbname.as_ref().map(|dbname| format!(" -d {}", shell::quote(dbname)));
        self.psql.clone() + &dbname.unwrap_or_default()
    }
}
