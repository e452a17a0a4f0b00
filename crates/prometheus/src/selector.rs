//! Selectors of series, as PromQL writes them.

use std::fmt;

ebs_base::named! {
    /// Comparison of a label with a value.
    #[derive(PartialOrd, Ord)]
    pub enum Operator {
        /// `=`.
        Equal = "=",
        /// `!=`.
        NotEqual = "!=",
        /// `=~`: a regular expression that matches the whole value.
        Matches = "=~",
        /// `!~`.
        NotMatches = "!~",
    }
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

impl Matcher {
    /// A condition.
    pub fn new(label: &str, operator: Operator, value: &str) -> Matcher {
        Matcher { label: label.to_owned(), operator, value: value.to_owned() }
    }
}

/// True for a label that needs no quotes.
fn is_plain(label: &str) -> bool {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    label.chars().enumerate().all(|(at, c)| is_first(c) || at > 0 && c.is_ascii_digit()) && !label.is_empty()
}

impl fmt::Display for Selector {
    /// The selector in PromQL: `{__name__="node_disk_info",job="postgres"}`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let one = |matcher: &Matcher| {
            let (label, value) = (&matcher.label, escaped(&matcher.value));
            // Prometheus 3 has labels of any letters, and quotes them.
            let label = if is_plain(label) { label.clone() } else { format!("\"{}\"", escaped(label)) };
            format!("{label}{}\"{value}\"", matcher.operator.name())
        };
        write!(formatter, "{{{}}}", self.matchers.iter().map(one).collect::<Vec<_>>().join(","))
    }
}
