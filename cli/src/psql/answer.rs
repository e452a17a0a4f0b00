//! A query and its answer, as psql takes and prints them: the query goes to its standard input together with marks, and the lines on its
//! standard error are read up to the last mark.

use crate::error::ServerError;

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

/// The query of one column with its own query id as a second column: NULL before PostgreSQL 14, and where the server computes none.
pub fn with_query_id(query: &str) -> String {
    format!(
        "SELECT ({query}) AS value, (SELECT pg_catalog.jsonb_object_field_text(pg_catalog.to_jsonb(a), 'query_id') \
         FROM pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) a) AS query_id"
    )
}

/// Parser of psql's lines from a query to its last mark.
pub struct AnswerParser {
    /// Beginning of a mark, which no other line has.
    tag: String,
    value: String,
    message: String,
    query_id: Option<i64>,
    unmarked: Vec<String>,
}

impl AnswerParser {
    /// Begins to read the answer to the query that has this tag.
    pub fn new(tag: String) -> AnswerParser {
        AnswerParser { tag, value: String::new(), message: String::new(), query_id: None, unmarked: Vec::new() }
    }

    /// psql's input for a query of one row with a column named value, and perhaps one named query_id.
    ///
    /// Answers come on standard error, too: there they keep their order with warnings, and psql does not buffer them.
    pub fn input(&self, query: &str) -> String {
        let tag = &self.tag;
        format!(
            "{query} \\gset ebsctl_\n\\warn {tag}-value :ebsctl_value\n\\warn {tag}-id :ebsctl_query_id\n\
             \\warn {tag}-message :LAST_ERROR_MESSAGE\n\\warn {tag}-end :ERROR :LAST_ERROR_SQLSTATE"
        )
    }

    /// Adds a line; returns the answer with the last one.
    pub fn add_line(&mut self, line: String) -> Option<Result<Answer, ServerError>> {
        let Some(mark) = line.strip_prefix(&self.tag) else {
            self.unmarked.push(line);
            return None;
        };
        if let Some(status) = mark.strip_prefix("-end ") {
            return Some(self.finish(status));
        }
        if let Some(value) = mark.strip_prefix("-value ") {
            value.clone_into(&mut self.value);
        } else if let Some(message) = mark.strip_prefix("-message ") {
            message.clone_into(&mut self.message);
        } else if let Some(query_id) = mark.strip_prefix("-id ") {
            // NULL leaves the variable unset, and psql then prints its name.
            self.query_id = query_id.parse().ok();
        }
        None
    }

    /// The lines so far, without marks.
    pub fn unmarked_lines(&self) -> String {
        self.unmarked.join("\n")
    }

    /// Takes psql's ERROR and SQLSTATE: `false 00000` or `true 42710`.
    fn finish(&mut self, status: &str) -> Result<Answer, ServerError> {
        let (failed, sqlstate) = status.split_once(' ').unwrap_or((status, ""));
        if failed != "true" {
            // NULL leaves the variable unset, and psql then prints its name.
            let value =
                Some(std::mem::take(&mut self.value)).filter(|value| !matches!(value.as_str(), "" | ":ebsctl_value"));
            return Ok(Answer { value, notices: std::mem::take(&mut self.unmarked), query_id: self.query_id });
        }
        let field = |name: &str| {
            let text = self.unmarked.iter().find_map(|line| line.strip_prefix(name))?;
            Some(text.trim().to_owned())
        };
        Err(ServerError {
            message: self.message.clone(),
            sqlstate: sqlstate.to_owned(),
            detail: field("DETAIL:"),
            hint: field("HINT:"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(lines: &[&str]) -> Result<Answer, ServerError> {
        let mut parser = AnswerParser::new("tag".to_owned());
        lines.iter().find_map(|line| parser.add_line((*line).to_owned())).unwrap()
    }

    #[test]
    fn an_answer_has_its_notices() {
        let warning = "WARNING:  this run may be missing samples";
        let answer = parse(&[warning, "tag-value 12 34", "tag-id -7", "tag-message ", "tag-end false 00000"]).unwrap();
        let expected =
            Answer { value: Some("12 34".to_owned()), notices: vec![warning.to_owned()], query_id: Some(-7) };
        assert_eq!(answer, expected);
        let null =
            parse(&["tag-value :ebsctl_value", "tag-id :ebsctl_query_id", "tag-message ", "tag-end false 00000"])
                .unwrap();
        assert_eq!(null, Answer::default());
    }

    #[test]
    fn an_error_has_its_message_and_hint() {
        let error = parse(&[
            "ERROR:  run \"a\" already exists",
            "HINT:  Choose another label.",
            "tag-value old",
            "tag-message run \"a\" already exists",
            "tag-end true 42710",
        ]);
        let expected = ServerError {
            message: "run \"a\" already exists".to_owned(),
            sqlstate: "42710".to_owned(),
            detail: None,
            hint: Some("Choose another label.".to_owned()),
        };
        assert_eq!(error, Err(expected));
    }

    #[test]
    fn without_a_last_mark_there_is_no_answer() {
        let mut parser = AnswerParser::new("tag".to_owned());
        for line in ["tag-value 1", "psql: error: connection is lost", "tag-message "] {
            assert_eq!(parser.add_line(line.to_owned()), None);
        }
        assert_eq!(parser.unmarked_lines(), "psql: error: connection is lost");
    }
}
