//! A query and the values of its parameters, which travel apart from its text.

use std::borrow::Cow;

use crate::frames::MAX_MESSAGE;

/// Query of one row with one column named value, of type text. Each parameter is a text, or NULL, and the query casts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Text, of ours alone: values are parameters, and names are quoted by [`identifier`](ebs_base::identifier::identifier).
    pub text: Cow<'static, str>,
    /// Values of `$1`, `$2`, …
    pub parameters: Vec<Option<String>>,
    /// Most bytes of the answer.
    pub max_bytes: usize,
}

/// Most bytes of an answer: the counters of 20,000 statements, 3,000 sessions at work, a report of any cluster. The buffer, copies and what
/// is parsed of it have to fit into 64 MiB.
pub const MAX_ANSWER: usize = 4 << 20;

impl Query {
    /// Query without parameters.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Query {
        Query { text: text.into(), parameters: Vec::new(), max_bytes: MAX_ANSWER }
    }

    /// Takes an answer as long as the longest message.
    pub fn large(self) -> Query {
        Query { max_bytes: MAX_MESSAGE, ..self }
    }

    /// Adds the value of the next parameter.
    pub fn bind(mut self, value: impl Into<Option<String>>) -> Query {
        self.parameters.push(value.into());
        self
    }
}
