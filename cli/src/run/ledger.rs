//! The run in the database: begun, marked, ended, and what is kept of it. A server that goes away does not end the command.

use std::thread::sleep;
use std::time::Duration;

use ebs_imports::driver::Figures;
use serde_json::Value;

use crate::details;
use crate::error::Error;
use crate::session::{Answer, Connection, NoAnswer, Session, literal};

/// A run that is open.
pub struct Ledger {
    connection: Connection,
    session: Option<Session>,
    label: String,
    notices: Vec<String>,
    /// Whether the role may read which run is open.
    looks: bool,
    /// What of the run is not as it should be in the database.
    broken: bool,
}

/// How often, and how long apart, a server that went away is looked for when the run is to end: a restart takes some seconds.
const ATTEMPTS: u32 = 10;
const APART: Duration = Duration::from_secs(1);

/// SQLSTATE of a key that exists.
const UNIQUE_VIOLATION: &str = "23505";
const SAMPLE_APART: Duration = Duration::from_millis(50);

impl Ledger {
    /// Begins a run.
    pub fn begin(connection: &Connection, label: &str, note: Option<&Value>) -> Result<Ledger, Error> {
        let mut session = Session::open(connection)?;
        let note = note.map_or("NULL".to_owned(), |note| literal(&note.to_string()));
        let answer = session.ask(&format!("SELECT ebs_run_begin({}, {note}::jsonb)::text AS value", literal(label)))?;
        let looks = session.ask("SELECT pg_catalog.has_table_privilege('ebs.runs', 'SELECT')::text AS value");
        let looks = looks.is_ok_and(|answer| answer.value.as_deref() == Some("true"));
        let (connection, label) = (connection.clone(), label.to_owned());
        Ok(Ledger { connection, session: Some(session), label, notices: answer.notices, looks, broken: false })
    }

    /// What there is to say since it was last asked.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Whether the run in the database lacks something.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Marks the beginning of a phase.
    pub fn mark(&mut self, phase: &str) {
        let statement =
            format!("SELECT CASE WHEN {} THEN ebs_run_mark({})::text END AS value", self.still_open(), literal(phase));
        let Some(session) = &mut self.session else { return };
        let mut answer = session.ask(&statement);
        // Two marks on one sample: the phase before had no length. The next sample will do.
        if matches!(&answer, Err(NoAnswer::Refused(refusal)) if refusal.sqlstate == UNIQUE_VIOLATION) {
            sleep(SAMPLE_APART);
            answer = session.ask(&statement);
        }
        self.heard(answer);
    }

    /// Ends the run, on the server that there is or that comes back.
    pub fn end(&mut self) {
        let mut ended = self.session.is_some() && self.end_open_run();
        if self.session.is_none() {
            self.reconnect();
            ended = self.session.is_some() && self.end_open_run();
        }
        if !ended {
            self.broken = true;
            let hint = "if it is open, end it: psql -c \"SELECT ebs_run_end()\"";
            self.notices.push(format!("warning: run \"{}\" was not ended\nhint:  {hint}", self.label));
        }
    }

    fn end_open_run(&mut self) -> bool {
        self.tell(&format!("SELECT CASE WHEN {} THEN ebs_run_end() END AS value", self.still_open())).is_some()
    }

    /// Whether the run that is open is ours: meanwhile somebody may have ended it and begun another.
    fn still_open(&self) -> String {
        match self.looks {
            true => {
                format!("EXISTS (SELECT FROM ebs.runs WHERE label = {} AND ended_at IS NULL)", literal(&self.label))
            }
            false => "true".to_owned(),
        }
    }

    /// Keeps a result.
    pub fn result(&mut self, figures: &Figures, details: &Value) {
        self.tell(&details::statement(&self.label, figures, details));
    }

    /// Removes the run: nothing happened in it.
    pub fn abandon(&mut self) {
        self.end();
        self.tell(&format!("SELECT '' AS value FROM ebs_run_drop({})", literal(&self.label)));
    }

    /// Asks something about it; `None` where the server does not say.
    pub fn ask(&mut self, query: &str) -> Option<String> {
        self.session.as_mut()?.ask(query).ok()?.value
    }

    /// What the server answers, or a warning.
    fn tell(&mut self, statement: &str) -> Option<String> {
        let answer = self.session.as_mut()?.ask(statement);
        self.heard(answer)
    }

    fn heard(&mut self, answer: Result<Answer, NoAnswer>) -> Option<String> {
        match answer {
            Ok(answer) => {
                self.notices.extend(answer.notices);
                answer.value
            }
            Err(NoAnswer::Refused(refusal)) => {
                self.broken = true;
                let hint = refusal.hint.map_or(String::new(), |hint| format!("\nhint:  {hint}"));
                self.notices.push(format!("warning: {}{hint}", refusal.message));
                None
            }
            Err(NoAnswer::Lost(said)) => {
                self.broken = true;
                self.session = None;
                self.notices.push(format!("warning: the server went away\ndetail: {said}"));
                None
            }
        }
    }

    fn reconnect(&mut self) {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                sleep(APART);
            }
            if let Ok(session) = Session::open(&self.connection) {
                self.session = Some(session);
                return;
            }
        }
        self.notices.push(format!("warning: the server was not reached again for {} s", ATTEMPTS - 1));
    }
}
