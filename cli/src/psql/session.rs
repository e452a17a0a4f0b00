//! A psql session for the whole run: a new psql every two seconds would add connections and processes to the server that is
//! measured.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use ebs_remote::literal;
use rustix::process::{Pid, Signal, kill_process_group};

use super::EXTENSION_SCHEMA;
use super::answer::{Answer, AnswerParser, with_query_id};
use super::connection::Connection;
use crate::error::{Error, QueryError};

/// Statement timeout: no statement of ebsctl takes longer on a healthy server.
const STATEMENT_TIMEOUT: &str = "60s";
/// Time after which a server that does not answer is given up although its connection is open.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(75);
/// Time for which an answer is still awaited after a stop: the last readings are wanted, a server that hangs is not waited for.
const STOP_GRACE: Duration = Duration::from_secs(3);
/// Time between two checks of the stop flag while an answer is awaited.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Time for which psql may cancel the query that it waits for.
const CANCEL_GRACE: Duration = Duration::from_secs(1);
/// Time between two checks of whether it has ended.
const END_CHECK_INTERVAL: Duration = Duration::from_millis(10);
/// Connection timeout, seconds; libpq's default is to wait indefinitely.
const CONNECT_TIMEOUT_S: &str = "10";

/// Name of our own sessions, by which the extension leaves them out of the clients.
const APPLICATION_NAME: &str = "ebsctl";

/// Most query ids that a session keeps of its own queries: they are a few dozen, and a few more with each number of processes.
const MAX_QUERY_IDS: usize = 10_000;

/// A connected psql.
pub struct Session {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    queries: u64,
    /// True while the server has a query that has not been answered.
    is_pending: bool,
    /// Time for which psql may cancel it.
    cancel_grace: Duration,
    /// Ends the wait for an answer when it is set.
    stop: Option<Arc<AtomicBool>>,
    /// Query ids of its queries; `None` of a session that does not read them.
    query_ids: Option<BTreeSet<i64>>,
}

impl Session {
    /// Connects, and sets the search path to the extension's schema.
    pub fn open(connection: &Connection) -> Result<Session, Error> {
        let mut session = Session::connect(connection)?;
        session.set_up(STATEMENT_TIMEOUT, &[])?;
        let schema = session.query_value(&format!("SELECT coalesce({EXTENSION_SCHEMA}, '') AS value"))?;
        let schema = schema.value.ok_or(Error::ExtensionMissing)?;
        // Functions of the same name in other schemas must not be called.
        session.send(&format!("SET search_path = pg_catalog, {schema}, pg_temp;"));
        Ok(session)
    }

    /// Connects to a server that need not have the extension, for reading alone. A statement that takes longer than
    /// `statement_timeout` is cancelled there, and no answer is awaited once `stop` is set. The session keeps the query ids of its
    /// queries that are sent by [`Self::query_value`].
    pub fn open_read_only(
        connection: &Connection,
        statement_timeout: &str,
        stop: Arc<AtomicBool>,
    ) -> Result<Session, Error> {
        let mut session = Session::connect(connection)?;
        session.stop = Some(stop);
        session.query_ids = Some(BTreeSet::new());
        let more = [("default_transaction_read_only", "on"), ("search_path", "pg_catalog, pg_temp")];
        session.set_up(statement_timeout, &more)?;
        Ok(session)
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

    /// Sets what every session of ours has, and more.
    fn set_up(&mut self, statement_timeout: &str, more: &[(&str, &str)]) -> Result<(), QueryError> {
        // A connection string or a service may have given it another name, by which it would count as one of the clients.
        let all = [
            ("application_name", APPLICATION_NAME),
            ("standard_conforming_strings", "on"),
            ("statement_timeout", statement_timeout),
        ];
        let values = all.iter().chain(more).map(|(name, value)| format!("({}, {})", literal(name), literal(value)));
        self.query_value(&format!(
            "SELECT pg_catalog.count(pg_catalog.set_config(v.name, v.value, false))::text AS value FROM (VALUES {}) AS v(name, value)",
            values.collect::<Vec<_>>().join(", ")
        ))?;
        Ok(())
    }

    fn connect(connection: &Connection) -> Result<Session, Error> {
        connection.refuse_password()?;
        let mut command = Command::new(&connection.psql);
        // -w: psql cannot ask for a password, because the command uses the terminal.
        command.args(["-X", "-q", "-A", "-t", "-w"]).args(connection.arguments());
        command.env("PGCLIENTENCODING", "UTF8");
        // The user's PGAPPNAME is for the command.
        command.env("PGAPPNAME", APPLICATION_NAME);
        if std::env::var_os("PGCONNECT_TIMEOUT").is_none() {
            command.env("PGCONNECT_TIMEOUT", CONNECT_TIMEOUT_S);
        }
        Session::start(command).map_err(|error| Error::StartPsql { program: connection.psql.clone(), error })
    }

    fn start(mut command: Command) -> io::Result<Session> {
        // Its own process group: Ctrl-C is meant for the command, and psql is needed after it to end the run.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stderr.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let lines = spawn_line_reader(output);
        let (is_pending, cancel_grace) = (false, CANCEL_GRACE);
        Ok(Session { child, input, lines, queries: 0, is_pending, cancel_grace, stop: None, query_ids: None })
    }

    /// Sends a statement without reading its answer.
    fn send(&mut self, statement: &str) {
        // The next query reports a psql that has ended.
        let _ = writeln!(self.input, "{statement}");
    }

    /// Sends statements, and queries the value that they have left.
    pub fn query_value_after(&mut self, statements: &str, query: &str) -> Result<Answer, QueryError> {
        self.send(statements);
        self.query_value(query)
    }

    /// Queries one row of one column named value.
    pub fn query_value(&mut self, query: &str) -> Result<Answer, QueryError> {
        self.queries += 1;
        let mut parser = AnswerParser::new(format!("ebsctl-{}-{}", std::process::id(), self.queries));
        let input = if self.query_ids.is_some() { parser.input(&with_query_id(query)) } else { parser.input(query) };
        self.is_pending = true;
        self.send(&input);
        let mut heard = Instant::now();
        loop {
            match self.lines.recv_timeout(STOP_CHECK_INTERVAL) {
                Ok(line) => {
                    heard = Instant::now();
                    if let Some(answer) = parser.add_line(line) {
                        self.is_pending = false;
                        let answer = answer.map_err(QueryError::Server)?;
                        self.keep_query_id(answer.query_id);
                        return Ok(answer);
                    }
                }
                Err(RecvTimeoutError::Timeout) if self.is_stopped() && heard.elapsed() > STOP_GRACE => {
                    return Err(self.give_up("it did not answer until the stop".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if heard.elapsed() > ANSWER_TIMEOUT => {
                    return Err(self.give_up(format!("it did not answer for {} s", ANSWER_TIMEOUT.as_secs())));
                }
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => {
                    self.is_pending = false;
                    return Err(QueryError::ConnectionLost(parser.unmarked_lines()));
                }
            }
        }
    }
}

impl Session {
    fn keep_query_id(&mut self, query_id: Option<i64>) {
        if let (Some(known), Some(query_id)) = (&mut self.query_ids, query_id)
            && known.len() < MAX_QUERY_IDS
        {
            known.insert(query_id);
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    fn give_up(&mut self, problem: String) -> QueryError {
        self.cancel();
        let _ = self.child.kill();
        QueryError::ConnectionLost(problem)
    }

    /// Has psql cancel the query that it waits for, and end. A psql that is killed leaves its backend waiting.
    fn cancel(&mut self) {
        if !std::mem::take(&mut self.is_pending) {
            return;
        }
        // To its group: a script may have started it.
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::INT);
        }
        let until = Instant::now() + self.cancel_grace;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(END_CHECK_INTERVAL);
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.send("\\q");
        self.cancel();
        // A psql that hangs is not waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines in a thread of its own, so that they can be waited for with a timeout.
fn spawn_line_reader(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
            line.clear();
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    lines
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// A psql that waits for an answer after it has printed a line.
    fn waiting(script: &str) -> Session {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{script}; echo ready >&2; while :; do sleep 0.01; done")]);
        let mut session = Session::start(command).unwrap();
        assert_eq!(session.lines.recv().unwrap(), "ready");
        session.is_pending = true;
        // However busy the machine is.
        session.cancel_grace = Duration::from_secs(60);
        session
    }

    #[test]
    fn a_psql_that_is_given_up_cancels_its_query() {
        let mut session = waiting("trap 'echo cancelled >&2; exit 3' INT");
        assert!(matches!(session.give_up("slow".to_owned()), QueryError::ConnectionLost(problem) if problem == "slow"));
        assert_eq!(session.child.wait().unwrap().code(), Some(3), "it ended itself");
        assert_eq!(session.lines.iter().last().as_deref(), Some("cancelled"));
    }

    #[test]
    fn a_psql_that_hangs_is_killed() {
        let mut session = waiting("trap '' INT");
        session.cancel_grace = Duration::ZERO;
        session.give_up("slow".to_owned());
        assert_eq!(session.child.wait().unwrap().signal(), Some(9));
    }

    #[test]
    fn a_session_that_is_dropped_cancels_its_query() {
        let directory = tempfile::tempdir().unwrap();
        let marker = directory.path().join("cancelled");
        let script = format!("trap 'echo >{}; exit' INT", marker.display());
        let mut idle = waiting(&script);
        idle.is_pending = false;
        drop(idle);
        assert!(!marker.exists(), "no query to cancel");
        drop(waiting(&script));
        assert!(marker.exists());
    }
}
