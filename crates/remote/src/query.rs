//! A query and the values of its parameters, which travel apart from its text.

use std::borrow::Cow;

/// Query of one row with one column named value, of type text. Each parameter is a text, or NULL, and the query casts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Text, of ours alone: values are parameters, and names are quoted by [`identifier`](ebs_base::identifier::identifier).
    pub text: Cow<'static, str>,
    /// Values of `$1`, `$2`, …
    pub parameters: Vec<Option<String>>,
}

impl Query {
    /// Query without parameters.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Query {
        Query { text: text.into(), parameters: Vec::new() }
    }

    /// Adds the value of the next parameter.
    pub fn bind(mut self, value: impl Into<Option<String>>) -> Query {
        self.parameters.push(value.into());
        self
    }
}
