//! Selectors of series, as PromQL writes them.

use std::fmt;

/// Comparison of a label with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// `=`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `=~`: a regular expression that matches the whole value.
    Matches,
    /// `!~`.
    NotMatches,
}

/// Condition on one label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Matcher {
    /// Label.
    pub label: String,
    /// Comparison.
    pub operator: Operator,
    /// Value, or regular expression.
    pub value: String,
}

/// Conditions that a series meets, all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selector {
    /// The conditions, that on the name of the metric among them.
    pub matchers: Vec<Matcher>,
}

impl Operator {
    /// The operator as PromQL writes it.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Matches => "=~",
            Operator::NotMatches => "!~",
        }
    }
}

impl Matcher {
    /// A condition.
    pub fn new(label: &str, operator: Operator, value: &str) -> Matcher {
        Matcher { label: label.to_owned(), operator, value: value.to_owned() }
    }
}

impl fmt::Display for Selector {
    /// The selector in PromQL: `{__name__="node_disk_info",job="postgres"}`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let one =
            |matcher: &Matcher| format!("{}{}\"{}\"", matcher.label, matcher.operator.name(), escaped(&matcher.value));
        write!(formatter, "{{{}}}", self.matchers.iter().map(one).collect::<Vec<_>>().join(","))
    }
}
