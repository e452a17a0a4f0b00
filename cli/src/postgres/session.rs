//! Session with a server: one query after the other, each with its answer, within bounds of time and size.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ebs_remote::Query;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use super::answer::{Answer, Notices, query_error, with_query_id};
use super::connect::{APPLICATION_NAME, Link, connect};
use super::connection::Connection;
use super::exchange::{drive, read_answer};
use crate::error::{Error, QueryError};

/// Time between two checks of the stop flag and the clock while an answer is awaited.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Time for which a server may cancel a query, and for which the end of a session is announced.
const END_GRACE: Duration = Duration::from_secs(1);
/// Time for which an answer is awaited beyond the statement timeout, at which a healthy server cancels it.
const ANSWER_GRACE: Duration = Duration::from_secs(15);

/// Most query ids that a session keeps of its own queries: they are a few dozen, and a few more with each number of processes.
const MAX_QUERY_IDS: usize = 10_000;

/// Time that a session waits for an answer.
#[derive(Clone)]
pub struct Patience {
    /// Timeout of a statement at the server.
    pub statement_timeout: Duration,
    /// Flag that ends the wait, and the time for which answers are awaited all the same, all together.
    pub stop: Option<(Arc<AtomicBool>, Duration)>,
}

impl Patience {
    /// Reason to await an answer no longer, after so long.
    fn is_over(&self, waited: Duration, stopped: &mut Option<Instant>) -> Option<QueryError> {
        let is_stopped = self.stop.as_ref().is_some_and(|(flag, grace)| {
            flag.load(Ordering::Relaxed) && stopped.get_or_insert_with(Instant::now).elapsed() >= *grace
        });
        let limit = self.statement_timeout + ANSWER_GRACE;
        match is_stopped {
            true => Some(QueryError::Stopped),
            false if waited > limit => {
                Some(QueryError::ConnectionLost(format!("it did not answer for {} s", limit.as_secs())))
            }
            false => None,
        }
    }
}

/// Connected session.
pub struct Session {
    runtime: Runtime,
    /// Connection; `None` once it is lost.
    link: Option<Link>,
    patience: Patience,
    /// Time at which the stop was seen.
    stopped: Option<Instant>,
    queries: u64,
    /// Query ids of its queries; `None` of a session that does not read them.
    query_ids: Option<BTreeSet<i64>>,
}

impl Session {
    /// Connects.
    pub fn open(connection: &Connection, patience: Patience) -> Result<Session, Error> {
        Session::start(connection, patience, None, &[])
    }

    /// Connects to a server that need not have the extension, for reading alone. The session keeps the query ids of its queries.
    pub fn open_read_only(connection: &Connection, patience: Patience) -> Result<Session, Error> {
        Session::start(connection, patience, Some(BTreeSet::new()), &[("default_transaction_read_only", "on")])
    }

    /// Connects, and sets what every session of ours has, and more: above all the search path, before anything else is asked.
    fn start(
        connection: &Connection,
        patience: Patience,
        query_ids: Option<BTreeSet<i64>>,
        more: &[(&str, &str)],
    ) -> Result<Session, Error> {
        let settings = connection.settings()?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(Error::StartClient)?;
        let link = runtime.block_on(connect(&settings, patience.stop.as_ref().map(|(flag, _)| flag)))?;
        let mut session = Session { runtime, link: Some(link), patience, stopped: None, queries: 0, query_ids };
        let statement_timeout = format!("{}s", session.patience.statement_timeout.as_secs());
        let own = [
            ("search_path", "pg_catalog, pg_temp"),
            // A connection string or a service may have given it another name, by which it would count as one of the clients.
            ("application_name", APPLICATION_NAME),
            ("standard_conforming_strings", "on"),
            ("statement_timeout", &statement_timeout),
        ];
        let parameters: Vec<(&str, &str)> =
            settings.session_parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        session.set(own.iter().chain(more).chain(&parameters))?;
        Ok(session)
    }

    fn set<'a>(&mut self, values: impl Iterator<Item = &'a (&'a str, &'a str)>) -> Result<(), QueryError> {
        let (mut query, mut rows) = (Query::new(""), Vec::new());
        for (name, value) in values {
            let at = query.parameters.len();
            rows.push(format!("(${}, ${})", at + 1, at + 2));
            query = query.bind((*name).to_owned()).bind((*value).to_owned());
        }
        query.text = format!(
            "SELECT pg_catalog.count(pg_catalog.set_config(v.name, v.value, false))::pg_catalog.text AS value \
             FROM (VALUES {}) AS v(name, value)",
            rows.join(", ")
        )
        .into();
        self.query_value(&query).map(drop)
    }

    /// Host name of the server, as the user gave it; `None` of a socket and an address.
    pub fn host(&self) -> Option<&str> {
        self.link.as_ref().and_then(Link::host)
    }

    /// Query ids of the queries so far; empty where the server computes none.
    pub fn query_ids(&self) -> &BTreeSet<i64> {
        const NONE: &BTreeSet<i64> = &BTreeSet::new();
        self.query_ids.as_ref().unwrap_or(NONE)
    }

    /// Number of queries so far, a transaction each.
    pub fn query_count(&self) -> u64 {
        self.queries
    }

    /// Asks a query, and returns the value of its first row.
    pub fn query_value(&mut self, query: &Query) -> Result<Answer, QueryError> {
        self.queries += 1;
        let answer = match &self.query_ids {
            Some(_) => self.ask(&with_query_id(query)),
            None => self.ask(query),
        }?;
        if let (Some(known), Some(query_id)) = (&mut self.query_ids, answer.query_id)
            && known.len() < MAX_QUERY_IDS
        {
            known.insert(query_id);
        }
        Ok(answer)
    }

    /// Executes a statement that returns no row.
    pub fn execute(&mut self, statement: &Query) -> Result<(), QueryError> {
        self.queries += 1;
        self.ask(statement).map(drop)
    }

    fn ask(&mut self, query: &Query) -> Result<Answer, QueryError> {
        let Some(link) = &mut self.link else {
            let closed = || QueryError::ConnectionLost("it is closed".to_owned());
            return Err(self.stopped.map_or_else(closed, |_| QueryError::Stopped));
        };
        let answer = self.runtime.block_on(answer(link, &self.patience, &mut self.stopped, query));
        if !matches!(answer, Ok(_) | Err(QueryError::Server(_))) || link.client.is_closed() {
            self.link = None;
        }
        answer
    }
}

impl Drop for Session {
    /// Announces the end of the session to the server.
    fn drop(&mut self) {
        if let Some(Link { client, connection, .. }) = self.link.take() {
            drop(client);
            let _ = self.runtime.block_on(async { timeout(END_GRACE, connection).await });
        }
    }
}

/// Sends a query and awaits its answer. A query that is given up is cancelled at the server.
async fn answer(
    link: &mut Link,
    patience: &Patience,
    stopped: &mut Option<Instant>,
    query: &Query,
) -> Result<Answer, QueryError> {
    let started = Instant::now();
    if let Some(reason) = patience.is_over(Duration::ZERO, stopped) {
        return Err(reason);
    }
    link.allowance.begin_answer(query.max_bytes);
    let mut notices = Notices::default();
    let outcome = {
        let driven = drive(&mut link.connection, &mut notices, read_answer(&link.client, query));
        let mut driven = pin!(driven);
        loop {
            match timeout(CHECK_INTERVAL, driven.as_mut()).await {
                Ok(answer) => break answer.map_err(|error| query_error(&error)),
                Err(_) => {
                    if let Some(reason) = patience.is_over(started.elapsed(), stopped) {
                        // Its end is awaited for a moment: a session that is closed before it leaves its backend at work.
                        let _ = timeout(END_GRACE, link.cancel.cancel()).await;
                        break match timeout(END_GRACE, driven.as_mut()).await {
                            // The answer was faster: what it says was done.
                            Ok(Ok(answer)) => Ok(answer),
                            _ => Err(reason),
                        };
                    }
                }
            }
        }
    };
    outcome.map(|answer| Answer { notices: notices.into_texts(), ..answer })
}
