//! Selectors applied to labels here, where no server applies them.

use regex::Regex;

use super::selector::{Operator, Selector};
use super::{Labels, Matcher};

/// Maximum memory of a compiled regular expression, bytes.
const MAX_PATTERN_BYTES: usize = 10 << 20;

/// A selector that can be applied to labels.
#[derive(Clone, Debug)]
pub struct CompiledSelector(Vec<(String, Condition)>);

#[derive(Clone, Debug)]
enum Condition {
    Equal(String, bool),
    Matches(Regex, bool),
}

/// Error of a regular expression.
#[derive(Debug, thiserror::Error)]
#[error("the regular expression of label {label} is not valid: {error}")]
pub struct PatternError {
    label: String,
    error: Box<regex::Error>,
}

impl CompiledSelector {
    /// Compiles the regular expressions of a selector, whose syntax is that of Go's RE2 but for rare cases.
    pub fn new(selector: &Selector) -> Result<CompiledSelector, PatternError> {
        let compiled: Result<_, _> = selector.matchers.iter().map(compile).collect();
        compiled.map(CompiledSelector)
    }

    /// True if the labels meet every condition. A label that is missing has the empty value, as in Prometheus.
    pub fn matches(&self, labels: &Labels) -> bool {
        self.0.iter().all(|(label, condition)| {
            let value = labels.get(label).unwrap_or_default();
            match condition {
                Condition::Equal(expected, wanted) => (value == expected) == *wanted,
                Condition::Matches(pattern, wanted) => pattern.is_match(value) == *wanted,
            }
        })
    }
}

fn compile(matcher: &Matcher) -> Result<(String, Condition), PatternError> {
    let is_wanted = matches!(matcher.operator, Operator::Equal | Operator::Matches);
    let condition = match matcher.operator {
        Operator::Equal | Operator::NotEqual => Condition::Equal(matcher.value.clone(), is_wanted),
        Operator::Matches | Operator::NotMatches => {
            // Prometheus' patterns match the whole value, and their dot matches the end of a line.
            let pattern = regex::RegexBuilder::new(&format!("^(?s:{})$", matcher.value));
            let pattern = { pattern }.size_limit(MAX_PATTERN_BYTES).build();
            let error = |error| PatternError { label: matcher.label.clone(), error: Box::new(error) };
            Condition::Matches(pattern.map_err(error)?, is_wanted)
        }
    };
    Ok((matcher.label.clone(), condition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_match_as_in_prometheus() {
        let labels: Labels = [("__name__", "up"), ("job", "postgres"), ("line", "a\nb")].into_iter().collect();
        for (selector, expected) in [
            (r#"up"#, true),
            (r#"{job="postgres",missing=""}"#, true),
            (r#"{job!="postgres"}"#, false),
            (r#"{missing!="x"}"#, true),
            (r#"{job=~"post"}"#, false),
            (r#"{job=~"post.*|x"}"#, true),
            (r#"{job=~"x|post"}"#, false),
            (r#"{line=~"a.b"}"#, true),
            (r#"{job!~"post.*"}"#, false),
            (r#"{missing=~".+"}"#, false),
        ] {
            let compiled = CompiledSelector::new(&selector.parse().unwrap()).unwrap();
            assert_eq!(compiled.matches(&labels), expected, "{selector}");
        }
        let error = CompiledSelector::new(&r#"{a=~"("}"#.parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("the regular expression of label a is not valid: "));
    }
}
