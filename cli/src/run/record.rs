//! The run in the database: it is begun, marked and ended, and its result is stored. A server that goes away does not end the
//! command.

use std::thread::sleep;
use std::time::Duration;

use ebs_base::message::MAY_LACK_SAMPLES;
use ebs_imports::drivers::Figures;
use ebs_remote::Query;
use serde_json::Value;

use crate::error::{Error, QueryError};
use crate::postgres::function::{Function, RUN_BEGIN, RUN_DROP, RUN_END, RUN_MARK, RUN_RESULT};
use crate::postgres::{Answer, Connection, Extension};
use crate::run_result;

/// Attempts to reach a server again when the run is to end, and the time between two: a restart takes some seconds.
const MAX_ATTEMPTS: u32 = 10;
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// SQLSTATE of a key that exists.
const UNIQUE_VIOLATION: &str = "23505";
/// Time until the next sample of the server.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);

/// A run in the database, and the session that records it.
pub struct RunRecord {
    connection: Connection,
    database: Option<Extension>,
    label: String,
    notices: Vec<String>,
    /// The role may read which run is open.
    can_read_runs: bool,
    is_incomplete: bool,
}

impl RunRecord {
    /// Begins a run; one that no sampler samples is removed again.
    pub fn begin(connection: &Connection, label: &str, note: Option<&Value>) -> Result<RunRecord, Error> {
        let mut database = Extension::open_for_run(connection)?;
        let values = vec![Some(label.to_owned()), note.map(Value::to_string)];
        let notices = database.query(&RUN_BEGIN, "SELECT {call}::pg_catalog.text AS value", values)?.notices;
        let privilege = "SELECT pg_catalog.has_table_privilege('ebs.runs_detail', 'SELECT')::pg_catalog.text AS value";
        let privilege = database.query_value(&Query::new(privilege));
        let mut record = RunRecord {
            connection: connection.clone(),
            database: Some(database),
            label: label.to_owned(),
            notices,
            can_read_runs: privilege.is_ok_and(|answer| answer.value.as_deref() == Some("true")),
            is_incomplete: false,
        };
        if record.notices.iter().any(|notice| notice.contains(MAY_LACK_SAMPLES)) {
            record.discard();
            return Err(Error::NotSampled { label: label.to_owned() });
        }
        Ok(record)
    }

    /// Takes the notices and warnings since the last call.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// True if the run in the database lacks something.
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Marks the beginning of a phase.
    pub fn mark(&mut self, phase: &str) {
        let mark = format!("SELECT CASE WHEN {} THEN {{call}}::pg_catalog.text END AS value", self.is_open("$2"));
        let values = vec![Some(phase.to_owned()), Some(self.label.clone())];
        let Some(database) = &mut self.database else { return };
        let mut answer = database.query_followed(&RUN_MARK, &mark, values.clone());
        // Two marks on one sample: the previous phase has no length. The phase is marked at the next sample instead.
        if matches!(&answer, Err(QueryError::Server(error)) if error.sqlstate == UNIQUE_VIOLATION) {
            sleep(SAMPLE_INTERVAL);
            answer = database.query_followed(&RUN_MARK, &mark, values);
        }
        self.note_problems(answer);
    }

    /// Ends the run, after a reconnection if the server went away.
    pub fn end(&mut self) {
        let mut is_ended = self.database.is_some() && self.end_open_run();
        if self.database.is_none() {
            self.reconnect();
            is_ended = self.database.is_some() && self.end_open_run();
        }
        if !is_ended {
            self.is_incomplete = true;
            let hint = "if it is open, end it: psql -c \"SELECT ebs_run_end()\"";
            self.notices.push(format!("warning: run \"{}\" was not ended\nhint:  {hint}", self.label));
        }
    }

    fn end_open_run(&mut self) -> bool {
        let end = format!("SELECT CASE WHEN {} THEN {{call}} END AS value", self.is_open("$1"));
        self.execute(&RUN_END, &end, vec![Some(self.label.clone())]).is_some()
    }

    /// SQL condition: the open run has the label of this parameter, and is ours. Meanwhile another session may have ended it and begun
    /// another.
    fn is_open(&self, label: &str) -> String {
        if !self.can_read_runs {
            return format!("{label} IS NOT NULL");
        }
        format!("EXISTS (SELECT FROM ebs.runs_detail WHERE label = {label} AND ended_at IS NULL)")
    }

    /// Stores the result.
    pub fn store_result(&mut self, figures: &Figures, details: &Value) {
        self.execute(&RUN_RESULT, run_result::STORE, run_result::values(&self.label, figures, details));
    }

    /// Removes a run whose command did not start.
    pub fn discard(&mut self) {
        self.end();
        self.execute(&RUN_DROP, "SELECT '' AS value FROM {call}", vec![Some(self.label.clone())]);
    }

    /// Queries a value; an error gives `None` without a notice.
    pub fn query(&mut self, function: &Function, query: &str, values: Vec<Option<String>>) -> Option<String> {
        self.database.as_mut()?.query_followed(function, query, values).ok()?.value
    }

    /// Queries a value; an error becomes a notice.
    fn execute(&mut self, function: &Function, query: &str, values: Vec<Option<String>>) -> Option<String> {
        let answer = self.database.as_mut()?.query_followed(function, query, values);
        self.note_problems(answer)
    }

    fn note_problems(&mut self, answer: Result<Answer, QueryError>) -> Option<String> {
        match answer {
            Ok(answer) => {
                self.notices.extend(answer.notices);
                return answer.value;
            }
            Err(QueryError::Server(error)) => {
                let hint = error.hint.map_or(String::new(), |hint| format!("\nhint:  {hint}"));
                self.notices.push(format!("warning: {}{hint}", error.message));
            }
            Err(error @ (QueryError::ConnectionLost(_) | QueryError::Stopped)) => {
                self.database = None;
                self.notices.push(format!("warning: the server went away\ndetail: {}", error.into_message()));
            }
        }
        self.is_incomplete = true;
        None
    }

    fn reconnect(&mut self) {
        for attempt in 0..MAX_ATTEMPTS {
            if attempt > 0 {
                sleep(RETRY_INTERVAL);
            }
            if let Ok(database) = Extension::open_for_run(&self.connection) {
                self.database = Some(database);
                return;
            }
        }
        let waited_s = MAX_ATTEMPTS - 1;
        self.notices.push(format!("warning: the server was not reached again for {waited_s} s"));
    }
}
