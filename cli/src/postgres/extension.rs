//! The one way to the objects of the extension: its schema comes from the catalogue, and each of its functions is called by that schema
//! and by the exact types of all its arguments, so that no other function of the name fits as well, wherever it lies.

use std::time::Duration;

use ebs_base::identifier::identifier;
use ebs_remote::{Query, parse_answer};

use super::answer::Answer;
use super::connection::Connection;
use super::function::Function;
use super::interruption;
use super::session::{Patience, Session};
use crate::error::{Error, QueryError};

/// Statement timeout of a session that follows a run: no statement of it takes longer on a healthy server.
const FOLLOWING_TIMEOUT: Duration = Duration::from_secs(60);
/// Statement timeout of a session for one answer or import: a report of two weeks of seconds takes some seconds, an import of the largest
/// document some minutes.
const WORKING_TIMEOUT: Duration = Duration::from_secs(30 * 60);

/// SQLSTATE of a statement that the role may not execute.
pub const INSUFFICIENT_PRIVILEGE: &str = "42501";
/// SQLSTATE of a function that does not exist.
const UNDEFINED_FUNCTION: &str = "42883";
/// SQLSTATE of a call that several functions fit: somebody has put others of the name beside the extension's.
const AMBIGUOUS_FUNCTION: &str = "42725";

/// Name of the extension's schema, and its version.
const EXTENSION_QUERY: &str = "SELECT pg_catalog.json_build_array(n.nspname, e.extversion)::pg_catalog.text AS value \
    FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'ebs_advisor'";

/// Session with a database that has the extension.
pub struct Extension {
    session: Session,
    /// Schema, an identifier in quotes.
    schema: String,
    version: String,
}

impl Extension {
    /// Connects for one answer or import. A signal that ends the program cancels it at the server first.
    pub fn open(connection: &Connection) -> Result<Extension, Error> {
        let stop = Some((interruption::flag()?, Duration::ZERO));
        Extension::connect(connection, Patience { statement_timeout: WORKING_TIMEOUT, stop })
    }

    /// Connects for the length of a run, which goes on at a signal.
    pub fn open_for_run(connection: &Connection) -> Result<Extension, Error> {
        Extension::connect(connection, Patience { statement_timeout: FOLLOWING_TIMEOUT, stop: None })
    }

    fn connect(connection: &Connection, patience: Patience) -> Result<Extension, Error> {
        let mut session = Session::open(connection, patience)?;
        let answer = session.query_value(&Query::new(EXTENSION_QUERY))?.value.ok_or(Error::ExtensionMissing)?;
        let malformed = |error| QueryError::ConnectionLost(format!("its answer is malformed: {error}"));
        let (schema, version): (String, String) = parse_answer(&answer).map_err(malformed)?;
        Ok(Extension { session, schema: identifier(&schema), version })
    }

    /// Asks a query in which `{call}` stands for the call of a function, with `$1` and so on as its arguments. Further parameters follow
    /// those.
    pub fn query(
        &mut self,
        function: &Function,
        query: &str,
        parameters: Vec<Option<String>>,
    ) -> Result<Answer, Error> {
        self.query_followed(function, query, parameters).map_err(|error| self.explain(function, error))
    }

    /// The same for a session that follows a run, where the loss of the connection is no error of the command.
    pub fn query_followed(
        &mut self,
        function: &Function,
        query: &str,
        parameters: Vec<Option<String>>,
    ) -> Result<Answer, QueryError> {
        let text = query.replace("{call}", &function.call(&self.schema));
        self.session.query_value(&Query { parameters, ..Query::new(text) })
    }

    /// Tells whether the role may call the function.
    pub fn may_call(&mut self, function: &Function) -> Result<bool, Error> {
        let query = "SELECT pg_catalog.has_function_privilege(pg_catalog.to_regprocedure($1), 'EXECUTE')::pg_catalog.text AS value";
        let query = Query::new(query).bind(format!("{}.{}", self.schema, function.signature()));
        let answer = self.session.query_value(&query)?.value;
        let answer = answer
            .ok_or_else(|| Error::ExtensionOutdated { version: self.version.clone(), function: function.name })?;
        Ok(answer == "true")
    }

    /// Asks a query without a function of the extension.
    pub fn query_value(&mut self, query: &Query) -> Result<Answer, QueryError> {
        self.session.query_value(query)
    }

    /// Does all of it, or nothing.
    pub fn in_transaction<T>(&mut self, work: impl FnOnce(&mut Extension) -> Result<T, Error>) -> Result<T, Error> {
        self.session.execute(&Query::new("BEGIN"))?;
        // Without COMMIT the server rolls back, at the latest when the session ends.
        let result = work(self)?;
        self.session.execute(&Query::new("COMMIT"))?;
        Ok(result)
    }

    /// Adds to an error of a call what the user can do about it.
    fn explain(&self, function: &Function, error: QueryError) -> Error {
        match error {
            QueryError::Server(error)
                if error.sqlstate == UNDEFINED_FUNCTION && error.message.contains(function.name) =>
            {
                Error::ExtensionOutdated { version: self.version.clone(), function: function.name }
            }
            QueryError::Server(mut error) if error.sqlstate == INSUFFICIENT_PRIVILEGE => {
                error.hint = error.hint.or_else(|| Some(function.privilege_hint()));
                Error::Server(error)
            }
            QueryError::Server(mut error) if error.sqlstate == AMBIGUOUS_FUNCTION => {
                error.hint = Some(format!(
                    "Schema {} has other functions of this name than the extension's: drop them, and let trusted roles alone create \
                     objects there.",
                    self.schema
                ));
                Error::Server(error)
            }
            error => error.into(),
        }
    }
}
