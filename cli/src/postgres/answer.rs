//! Answer to a query, with the notices that came with it.

use ebs_remote::Query;
use tokio_postgres::error::{DbError, Severity};
use tokio_postgres::{Error as ClientError, Row};

use crate::error::{QueryError, ServerError};

/// Most notices of an answer that are kept, and most bytes of each.
const MAX_NOTICES: usize = 50;
const MAX_NOTICE_BYTES: usize = 8 << 10;

/// Answer to a query of one value.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// The value; `None` for NULL and for the empty string.
    pub value: Option<String>,
    /// Warnings and notices that came with it.
    pub notices: Vec<String>,
    /// Query id of the query that was sent, where it was queried by [`with_query_id`].
    pub query_id: Option<i64>,
}

impl Answer {
    /// The columns value and query_id of a row.
    pub fn from_row(row: &Row) -> Result<Answer, ClientError> {
        let value: Option<&str> = row.try_get(0)?;
        let query_id: Option<&str> = if row.len() > 1 { row.try_get(1)? } else { None };
        Ok(Answer {
            value: value.filter(|value| !value.is_empty()).map(str::to_owned),
            notices: Vec::new(),
            query_id: query_id.and_then(|id| id.parse().ok()),
        })
    }
}

/// The query of one column with its own query id as a second column: NULL before PostgreSQL 14, and where the server computes none.
pub fn with_query_id(query: &Query) -> Query {
    let text = format!(
        "SELECT ({}) AS value, (SELECT pg_catalog.jsonb_object_field_text(pg_catalog.to_jsonb(a), 'query_id') \
         FROM pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) a) AS query_id",
        query.text
    );
    Query { text: text.into(), ..query.clone() }
}

/// Notices of an answer: as many as a person reads.
#[derive(Default)]
pub struct Notices(Vec<String>);

impl Notices {
    /// Adds a notice, as psql would print it.
    pub fn add(&mut self, notice: &DbError) {
        if self.0.len() >= MAX_NOTICES {
            return;
        }
        let mut text = format!("{}:  {}", foreign(notice.severity()), foreign(notice.message()));
        for (name, part) in [("DETAIL", notice.detail()), ("HINT", notice.hint())] {
            if let Some(part) = part {
                text += &format!("\n{name}:  {}", foreign(part));
            }
        }
        self.0.push(text);
    }

    /// The notices.
    pub fn into_texts(self) -> Vec<String> {
        self.0
    }
}

/// The beginning of a server's text, whose further lines are indented: none of them looks like a line of ours.
pub fn foreign(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_NOTICE_BYTES)].replace("\r", "").replace('\n', "\n       ")
}

/// The reason for which a query has no answer.
pub fn query_error(error: &ClientError) -> QueryError {
    match error.as_db_error() {
        // What ends the session is no answer to the query.
        Some(db) if matches!(db.parsed_severity(), Some(Severity::Fatal | Severity::Panic)) => {
            QueryError::ConnectionLost(server_message(db))
        }
        Some(db) => QueryError::Server(ServerError {
            message: foreign(db.message()),
            sqlstate: db.code().code().to_owned(),
            detail: db.detail().map(foreign),
            hint: db.hint().map(foreign),
        }),
        None if error.is_closed() => QueryError::ConnectionLost("it closed the connection".to_owned()),
        None => QueryError::ConnectionLost(root_cause(error)),
    }
}

/// Severity and message of a server's error.
pub fn server_message(error: &DbError) -> String {
    format!("{}:  {}", foreign(error.severity()), foreign(error.message()))
}

/// The innermost message of an error, which names the problem.
pub fn root_cause(error: &ClientError) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_keeps_its_parameters_beside_its_id() {
        let query = with_query_id(&Query::new("SELECT $1 AS value").bind("a".to_owned()));
        assert!(query.text.starts_with("SELECT (SELECT $1 AS value) AS value, (SELECT "), "{}", query.text);
        assert_eq!(query.parameters, [Some("a".to_owned())]);
    }

    #[test]
    fn texts_of_a_server_are_cut_and_indented() {
        let text = "ü".repeat(MAX_NOTICE_BYTES);
        assert_eq!(foreign(&text).len(), MAX_NOTICE_BYTES);
        assert_eq!(foreign(&format!("a{text}")).len(), MAX_NOTICE_BYTES - 1);
        assert_eq!(foreign("x\nnext: curl"), "x\n       next: curl");
    }
}
