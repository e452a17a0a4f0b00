//! A conversation with the server, through a psql that stays.
//!
//! psql because it is libpq: it knows PGHOST and its neighbours, the service file, ~/.pgpass, Kerberos and certificates. The
//! clients written in Rust alone read no service file and no ~/.pgpass. One psql for the whole run, because a new one every two
//! seconds would be a connection and a process of load on what is measured.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use clap::Args;

use crate::error::Error;
use crate::redact;

/// How to connect.
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
    pub fn check(&self) -> Result<(), Error> {
        match self.dbname.as_deref().is_some_and(redact::has_password) {
            true => Err(Error::PasswordShown),
            false => Ok(()),
        }
    }

    /// `psql`, or `psql -d bench`, for a command to type.
    pub fn psql_command(&self) -> String {
        let dbname = self.dbname.as_ref().map(|dbname| format!(" -d {}", crate::shell::quoted(dbname)));
        self.psql.clone() + &dbname.unwrap_or_default()
    }
}

/// No statement of ours takes longer on a server that is well.
const STATEMENT_TIMEOUT: &str = "60s";
/// After that a server that says nothing is given up, although its connection stands.
const SILENCE: Duration = Duration::from_secs(75);
/// libpq waits for ever otherwise.
const CONNECT_TIMEOUT_S: &str = "10";

/// A psql that is connected.
pub struct Session {
    child: Child,
    input: ChildStdin,
    said: Receiver<String>,
    asked: u64,
}

/// What the server answered.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// The value; `None` for NULL and for the empty string.
    pub value: Option<String>,
    /// Warnings and notices that came with it.
    pub notices: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The server refused.
    Refused(Refusal),
    /// The server is not there any more; what psql said of it.
    Lost(String),
}

/// What the server said no with.
#[derive(Debug, Default, PartialEq)]
pub struct Refusal {
    /// The message.
    pub message: String,
    /// Its SQLSTATE.
    pub sqlstate: String,
    /// Its detail.
    pub detail: Option<String>,
    /// Its hint.
    pub hint: Option<String>,
}

impl Session {
    /// Connects, and finds the extension's functions wherever it was created.
    pub fn open(connection: &Connection) -> Result<Session, Error> {
        let mut session = Session::connect(connection)?;
        session.tell("SET standard_conforming_strings = on;");
        session.tell(&format!("SET statement_timeout = '{STATEMENT_TIMEOUT}';"));
        let schema = "SELECT coalesce((SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e
            JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'ebs_advisor'), '') AS value";
        let schema = session.ask(schema).map_err(Error::from)?.value.ok_or(Error::NoExtension)?;
        // Functions that others made in schemas of theirs do not count.
        session.tell(&format!("SET search_path = pg_catalog, {schema}, pg_temp;"));
        Ok(session)
    }

    fn connect(connection: &Connection) -> Result<Session, Error> {
        let Connection { psql, dbname } = connection;
        connection.check()?;
        let mut command = Command::new(psql);
        // -w: it could not ask for a password, for the terminal is the command's.
        command.args(["-X", "-q", "-A", "-t", "-w"]).args(dbname.iter().flat_map(|name| ["-d", name]));
        command.env("PGCLIENTENCODING", "UTF8");
        for (name, value) in [("PGCONNECT_TIMEOUT", CONNECT_TIMEOUT_S), ("PGAPPNAME", "ebsctl")] {
            if std::env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        // A group of its own: Ctrl-C is for the command, and psql is needed after it to end the run.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let unable = |error| Error::NoPsql { program: psql.clone(), error };
        let mut child = command.spawn().map_err(unable)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stderr.take()) else {
            return Err(unable(std::io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, said) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(output);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
                line.clear();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        Ok(Session { child, input, said, asked: 0 })
    }

    /// A statement whose answer nobody needs.
    fn tell(&mut self, statement: &str) {
        // A psql that is gone is found out by the next question.
        let _ = writeln!(self.input, "{statement}");
    }

    /// Asks for one row of one column named value.
    pub fn ask(&mut self, query: &str) -> Result<Answer, NoAnswer> {
        self.asked += 1;
        let tag = format!("ebsctl-{}-{}", std::process::id(), self.asked);
        // Answers come on standard error, too: there they keep their order with warnings, and psql does not buffer them.
        self.tell(&format!(
            "{query} \\gset ebsctl_\n\\warn {tag}-value :ebsctl_value\n\\warn {tag}-message :LAST_ERROR_MESSAGE\n\
             \\warn {tag}-end :ERROR :LAST_ERROR_SQLSTATE"
        ));
        let mut reply = Reply::default();
        let mut said = Vec::new();
        loop {
            match self.said.recv_timeout(SILENCE) {
                Ok(line) => match line.strip_prefix(&tag) {
                    Some(rest) => {
                        if let Some(end) = rest.strip_prefix("-end ") {
                            return reply.end(end);
                        }
                        reply.tagged(rest);
                    }
                    None => {
                        said.push(line.clone());
                        reply.others.push(line);
                    }
                },
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    return Err(NoAnswer::Lost(format!("it did not answer for {} s", SILENCE.as_secs())));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Lost(said.join("\n"))),
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.tell("\\q");
        // One that hangs is not waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What psql says between question and end.
#[derive(Default)]
struct Reply {
    value: String,
    message: String,
    others: Vec<String>,
}

impl Reply {
    fn tagged(&mut self, rest: &str) {
        if let Some(value) = rest.strip_prefix("-value ") {
            value.clone_into(&mut self.value);
        } else if let Some(message) = rest.strip_prefix("-message ") {
            message.clone_into(&mut self.message);
        }
    }

    /// `false 00000` or `true 42710`.
    fn end(self, end: &str) -> Result<Answer, NoAnswer> {
        let (failed, sqlstate) = end.split_once(' ').unwrap_or((end, ""));
        if failed != "true" {
            // NULL leaves the variable unset, and psql then prints its name.
            let value = Some(self.value).filter(|value| !value.is_empty() && value != ":ebsctl_value");
            return Ok(Answer { value, notices: self.others });
        }
        let part = |name: &str| {
            let line = self.others.iter().find_map(|line| line.strip_prefix(name));
            line.map(|text| text.trim().to_owned())
        };
        let (detail, hint) = (part("DETAIL:"), part("HINT:"));
        Err(NoAnswer::Refused(Refusal { message: self.message, sqlstate: sqlstate.to_owned(), detail, hint }))
    }
}

/// A string constant. Standard strings are on.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_an_answer_or_a_refusal() {
        let mut reply = Reply { others: vec!["WARNING:  this run may lack samples".to_owned()], ..Reply::default() };
        reply.tagged("-value 12 34");
        let answer = reply.end("false 00000").unwrap();
        assert_eq!((answer.value.as_deref(), answer.notices.len()), (Some("12 34"), 1));

        let others = ["ERROR:  run \"a\" already exists", "HINT:  Choose another label."].map(str::to_owned).to_vec();
        let mut reply = Reply { others, ..Reply::default() };
        reply.tagged("-value old");
        reply.tagged("-message run \"a\" already exists");
        let Err(NoAnswer::Refused(refusal)) = reply.end("true 42710") else { panic!("no refusal") };
        assert_eq!((refusal.message.as_str(), refusal.sqlstate.as_str()), ("run \"a\" already exists", "42710"));
        assert_eq!((refusal.detail, refusal.hint.as_deref()), (None, Some("Choose another label.")));
    }

    #[test]
    fn a_quote_does_not_end_a_constant() {
        assert_eq!(literal("it's"), "'it''s'");
    }
}
